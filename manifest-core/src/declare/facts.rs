//! The exact facts that fields declare, and what a field says of all its values.

use crate::fact::Class;
use std::borrow::Cow;

/// A fact that a field declares.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredFact<'s> {
    /// The value.
    pub text: Cow<'s, str>,
    /// Whether it must survive every summary above this one.
    pub required: bool,
    /// The kind of fact that its field is for.
    pub kind: Option<Class>,
    /// What the value is a value of.
    pub subject: Option<Cow<'s, str>>,
}

/// Where the values of one field go.
///
/// ```
/// use manifest_core::{Class, Declaration};
/// let mut declaration = Declaration::default();
/// let mut timeouts = declaration.values().required(true).kind(Class::Quantity).subject("timeout");
/// timeouts.value("30s");
/// timeouts.about("importer").value("60s");
/// assert_eq!(declaration.render().text, "- timeout: 30s\n- importer timeout: 60s");
/// ```
#[derive(Debug)]
#[must_use = "it declares nothing until `value`"]
pub struct Facts<'t, 's> {
    to: &'t mut Vec<DeclaredFact<'s>>,
    required: bool,
    kind: Option<Class>,
    subject: Option<Cow<'s, str>>,
}

impl<'t, 's> Facts<'t, 's> {
    pub(super) fn to(to: &'t mut Vec<DeclaredFact<'s>>) -> Self {
        Facts { to, required: false, kind: None, subject: None }
    }

    /// Whether the values must survive every summary above this one.
    pub fn required(self, required: bool) -> Self {
        Facts { required, ..self }
    }

    /// The kind of fact that the values should be.
    pub fn kind(self, kind: Class) -> Self {
        Facts { kind: Some(kind), ..self }
    }

    /// What the values are values of.
    pub fn subject(self, subject: impl Into<Cow<'s, str>>) -> Self {
        Facts { subject: Some(subject.into()), ..self }
    }

    /// The same for values of `subject`, in front of what these are about.
    pub fn about(&mut self, subject: impl Into<Cow<'s, str>>) -> Facts<'_, 's> {
        let subject = subject.into();
        let subject = match &self.subject {
            Some(outer) if subject.trim().is_empty() => outer.clone(),
            Some(outer) => Cow::Owned(format!("{subject} {outer}")),
            None => subject,
        };
        Facts { to: self.to, required: self.required, kind: self.kind, subject: Some(subject) }
    }

    /// Adds a value, as a text would state it. A blank one declares nothing.
    pub fn value(&mut self, text: impl Into<Cow<'s, str>>) {
        let text = text.into();
        if text.trim().is_empty() {
            return;
        }
        let subject = self.subject.clone().filter(|subject| !subject.trim().is_empty());
        self.to.push(DeclaredFact { text, required: self.required, kind: self.kind, subject });
    }

    /// Puts what `add` adds in the order of its text.
    pub(super) fn sorted(&mut self, add: impl FnOnce(&mut Self)) {
        let before = self.to.len();
        add(self);
        if let Some(added) = self.to.get_mut(before..) {
            added.sort_by(|a, b| (&a.text, &a.subject).cmp(&(&b.text, &b.subject)));
        }
    }
}
