//! The kinds of facts that a summary requires, its own and those of the summaries within it.

use super::Manifest;
use crate::fact::Class;

/// Kinds of which every fact of the children must survive in a summary.
///
/// ```
/// use manifest_core::Kinds;
/// assert!(Kinds::of::<String>().is_empty());
/// ```
#[derive(Debug, Default)]
pub struct Kinds {
    kinds: Vec<Class>,
    /// The types that were asked: a summary may hold summaries of its own type.
    asked: Vec<&'static str>,
}

impl Kinds {
    /// The kinds that a type of summary requires, each once.
    pub fn of<S: Manifest + ?Sized>() -> Vec<Class> {
        let mut kinds = Kinds::default();
        kinds.asked.push(std::any::type_name::<S>());
        S::required_kinds(&mut kinds);
        kinds.kinds
    }

    /// Adds a kind.
    pub fn add(&mut self, kind: Class) {
        if !self.kinds.contains(&kind) {
            self.kinds.push(kind);
        }
    }

    /// Adds the kinds of a summary within this one.
    pub(super) fn add_of<S: Manifest + ?Sized>(&mut self) {
        let name = std::any::type_name::<S>();
        if !self.asked.contains(&name) {
            self.asked.push(name);
            S::required_kinds(self);
        }
    }
}
