//! How likely a fact is to be needed by the work after its text.
//!
//! Measured on recorded agent sessions: in how many leaves a value stands, how lately, whether an agent used it as an
//! argument or a speaker said it, whether it is short and bound to a name, ranks later use; that it stands in an error
//! line does not.

use crate::fact::Class;
use crate::trace::{Entry, Seen};

/// The salience of one value of the children, 0 to 1. `children` is how many there are.
pub(crate) fn salience(entry: &Entry, children: usize) -> f64 {
    let spread = f64::from(entry.leaves.min(16)).log2() / 4.0;
    let recency = if children <= 1 { 1.0 } else { entry.last as f64 / (children - 1) as f64 };
    let mut weight = 0.30 * spread + 0.22 * recency;
    if entry.seen.any(Seen::ARGUMENTS) {
        weight += 0.16;
    }
    if entry.seen.any(Seen::USER) {
        weight += 0.14;
    }
    if entry.seen.any(Seen::ASSISTANT) {
        weight += 0.10;
    }
    if entry.seen.any(Seen::BOUND) {
        weight += 0.03;
    }
    weight += 0.05 * f64::from(entry.count.min(16)).log2() / 4.0;
    // A code that an error shows is what a recovery starts from.
    if matches!(entry.class, Class::ErrorCode | Class::Ticket) && entry.seen.any(Seen::ERROR) {
        weight += 0.25;
    }
    if entry.text.len() > 60 {
        weight -= 0.08;
    }
    (weight * class_weight(entry.class)).clamp(0.0, 1.0)
}

/// How exact a class is: what nobody can guess or derive comes first.
fn class_weight(class: Class) -> f64 {
    match class {
        Class::ErrorCode
        | Class::Identifier
        | Class::Uuid
        | Class::Digest
        | Class::Ticket
        | Class::Path
        | Class::Url
        | Class::Email
        | Class::Address
        | Class::EnvVar
        | Class::Symbol => 1.0,
        Class::Flag | Class::Version | Class::Location | Class::Command => 0.9,
        Class::Quantity | Class::Money | Class::Percentage | Class::Date | Class::Instant | Class::Range => {
            0.75
        }
        Class::Time | Class::Number => 0.6,
        Class::Quote | Class::Name => 0.45,
        Class::RelativeTime => 0.2,
        Class::Payload | Class::Secret => 0.0,
    }
}

#[cfg(test)]
mod tests {
    use crate::{Child, Role, ranked_facts};

    #[test]
    fn what_was_handed_to_a_tool_is_needed_more_often() {
        let text = "reads /srv/app/window.rs";
        let rank = |child: Child<'_>| ranked_facts(&[child]).first().map_or(0.0, |f| f.salience);
        let said = rank(Child::new(text).with_role(Role::Assistant));
        let handed = rank(Child::new(text).with_role(Role::Assistant).as_call());
        assert!(handed > said, "{handed} against {said}");
    }
}
