//! Classes that stand together where facts are listed, and how such a list is written.

use super::Class;

/// Values that stand together in a ledger.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Group {
    Ids,
    Paths,
    Commands,
    Values,
    Times,
    Names,
}

impl Group {
    /// In the order in which a ledger writes them.
    pub(crate) const ALL: [Group; 6] =
        [Group::Ids, Group::Paths, Group::Commands, Group::Values, Group::Times, Group::Names];

    /// The group of a class.
    pub(crate) fn of(class: Class) -> Group {
        match class {
            Class::Path | Class::Location | Class::Url => Group::Paths,
            Class::Command | Class::Flag => Group::Commands,
            Class::Quantity
            | Class::Percentage
            | Class::Range
            | Class::Money
            | Class::Number
            | Class::Version => Group::Values,
            Class::Instant | Class::Date | Class::Time | Class::RelativeTime => Group::Times,
            Class::Name | Class::Quote | Class::Payload | Class::Secret => Group::Names,
            _ => Group::Ids,
        }
    }

    /// What stands before the first value.
    pub(crate) fn heading(self) -> &'static str {
        match self {
            Group::Ids => "ids: ",
            Group::Paths => "paths: ",
            Group::Commands => "commands: ",
            Group::Values => "values: ",
            Group::Times => "times: ",
            Group::Names => "names: ",
        }
    }

    /// What stands between two values: a space where no value has one.
    pub(crate) fn separator(self) -> &'static str {
        if matches!(self, Group::Ids | Group::Paths) { " " } else { ", " }
    }

    /// Whether a value needs marks at its ends to stand in this group.
    pub(crate) fn quotes(self, value: &str) -> bool {
        matches!(self, Group::Ids | Group::Paths | Group::Commands)
            && value.contains(char::is_whitespace)
            && !value.contains('`')
    }
}
