//! What a parent is made from: the children, with who said them and when.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;

/// Who said a text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Role {
    /// The person (or program) that asks.
    User,
    /// The agent; also what a child without a role counts as.
    #[default]
    Assistant,
    /// The output of a tool.
    Tool,
    /// Instructions: context, never evidence.
    System,
}

impl Role {
    /// The role that a first line `user:`, `assistant:`, `tool NAME:` or `system:` names, in any case.
    pub fn of_first_line(text: &str) -> Option<Role> {
        let line = text.trim_start().lines().next()?;
        let head = line.split(':').next().filter(|h| h.len() < line.len())?.trim().to_ascii_lowercase();
        match head.as_str() {
            "user" => Some(Role::User),
            "assistant" => Some(Role::Assistant),
            "tool" => Some(Role::Tool),
            "system" => Some(Role::System),
            _ => head.strip_prefix("tool ").filter(|name| !name.contains(' ')).map(|_| Role::Tool),
        }
    }
}

/// One child of a parent: a leaf's text or a lower summary's.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Child<'a> {
    /// The caller's name for it, shown in reports.
    pub id: Option<Cow<'a, str>>,
    /// The text, never altered.
    pub text: Cow<'a, str>,
    /// Who said it.
    pub role: Role,
    /// When it was said, RFC 3339, if the caller knows.
    pub at: Option<Cow<'a, str>>,
    /// Whether the text is a tool call: what an agent hands to a tool, later work needs more often.
    pub call: bool,
}

impl<'a> Child<'a> {
    /// A child with the role that its first line names, else [`Role::Assistant`].
    pub fn new(text: impl Into<Cow<'a, str>>) -> Self {
        let text = text.into();
        let role = Role::of_first_line(&text).unwrap_or_default();
        Child { id: None, text, role, at: None, call: false }
    }

    /// The same child, said by `role`.
    pub fn with_role(mut self, role: Role) -> Self {
        self.role = role;
        self
    }

    /// The same child under a name of the caller's.
    pub fn with_id(mut self, id: impl Into<Cow<'a, str>>) -> Self {
        self.id = Some(id.into());
        self
    }

    /// The same child as a tool call: the tool's name and its arguments.
    pub fn as_call(mut self) -> Self {
        self.call = true;
        self
    }

    /// The same child with the time it was said at (RFC 3339).
    pub fn with_time(mut self, at: impl Into<Cow<'a, str>>) -> Self {
        self.at = Some(at.into());
        self
    }
}

impl<'a> From<&'a str> for Child<'a> {
    fn from(text: &'a str) -> Self {
        Child::new(text)
    }
}

impl<'a> From<&'a String> for Child<'a> {
    fn from(text: &'a String) -> Self {
        Child::new(text.as_str())
    }
}

impl From<String> for Child<'_> {
    fn from(text: String) -> Self {
        Child::new(text)
    }
}
