//! What a summary declares about itself: its text, exact facts, conflicts and drops, and the policy that it asks for.
//!
//! A struct declares all of this by `#[derive(Manifest)]`; what its fields declare is checked like its text.

mod child;
mod facts;
mod field;
mod hand_over;
mod held;
mod kinds;
mod opaque;
mod plan;
mod render;

pub use child::{ChildrenField, NamedChild};
pub use facts::{DeclaredFact, Facts};
pub use field::{ClaimsField, ConflictsField, DropsField, FactField, NestedField, TextField};
pub use hand_over::{
    Nested, NoManifest, NoSummary, Opaque, children, claims, conflicts, displayed, drops, facts, manifest,
    nested, texts,
};
pub(crate) use held::held;
pub use kinds::Kinds;
pub use opaque::ManifestField;
pub use plan::{Plan, attempts, class};
pub use render::{Cited, Rendered};

use crate::policy::Policy;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::rc::Rc;
use std::sync::Arc;

/// What a pointer to a summary `T` says of it.
macro_rules! forwarded {
    () => {
        const ATTEMPTS: Option<u32> = T::ATTEMPTS;

        fn required_kinds(to: &mut Kinds) {
            to.add_of::<T>();
        }

        fn policy() -> Policy {
            T::policy()
        }

        fn declare<'s>(&'s self, to: &mut Declaration<'s>) {
            (**self).declare(to);
        }
    };
}

/// A summary that can be traced and gated.
///
/// Derived for a struct whose fields say what they are:
///
/// ```
/// # #[cfg(feature = "derive")] {
/// use manifest_core::{Conflict, Drop, Manifest};
///
/// #[derive(Manifest)]
/// #[manifest(policy = "remediation", floor = 0.85, depth = 3)]
/// struct IncidentSummary {
///     #[manifest(text)]
///     narrative: String,
///     #[manifest(fact, required, kind = "error_code")]
///     error_codes: Vec<String>,
///     #[manifest(conflicts)]
///     conflicts: Vec<Conflict>,
///     #[manifest(drops)]
///     dropped: Vec<Drop>,
///     #[manifest(skip)]
///     model: String,
/// }
/// # }
/// ```
///
/// A plain [`String`] is a summary too: all text, under the default policy.
#[diagnostic::on_unimplemented(
    message = "`{Self}` is no summary: it does not say which of its fields hold text and facts",
    label = "no `Manifest`",
    note = "write `#[derive(Manifest)]` on the struct and `#[manifest(text)]` on the field that holds its prose"
)]
pub trait Manifest {
    /// Adds the kinds of which every fact of the children must survive in this summary.
    fn required_kinds(to: &mut Kinds) {
        let _ = to;
    }

    /// How many drafts a driver should ask a summarizer for, the first counted; `None` leaves it to the driver.
    const ATTEMPTS: Option<u32> = None;

    /// The policy that this kind of summary asks for.
    fn policy() -> Policy {
        Policy::default()
    }

    /// Hands over what the summary declares, in the order of its fields.
    fn declare<'s>(&'s self, to: &mut Declaration<'s>);

    /// Puts the bytes of its manifest into the field for it, in the place of what was there. Whether there is such a field.
    fn embed(&mut self, manifest: &[u8]) -> bool {
        let _ = manifest;
        false
    }
}

impl<T: Manifest + ?Sized> Manifest for Box<T> {
    forwarded!();

    fn embed(&mut self, manifest: &[u8]) -> bool {
        (**self).embed(manifest)
    }
}

impl Manifest for String {
    fn declare<'s>(&'s self, to: &mut Declaration<'s>) {
        to.text(self);
    }
}

impl Manifest for str {
    fn declare<'s>(&'s self, to: &mut Declaration<'s>) {
        to.text(self);
    }
}

/// Pointers that share: what they point to is another's too, so that nothing is put into it.
macro_rules! pointers {
    ($($pointer:ty),*) => {$(
        impl<T: Manifest + ?Sized> Manifest for $pointer {
            forwarded!();
        }
    )*};
}

pointers!(&T, Rc<T>, Arc<T>);

/// A disagreement of the children that a summary tells on purpose.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Conflict {
    /// What the sides are about.
    pub subject: String,
    /// Which property of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<String>,
    /// The sides, each as its source says it.
    pub sides: Vec<String>,
}

impl Conflict {
    /// A disagreement about `subject`.
    pub fn new<T: Into<String>>(subject: impl Into<String>, sides: impl IntoIterator<Item = T>) -> Self {
        let sides = sides.into_iter().map(Into::into).collect();
        Conflict { subject: subject.into(), attribute: None, sides }
    }

    /// The same disagreement, about one property of the subject.
    pub fn about(mut self, attribute: impl Into<String>) -> Self {
        self.attribute = Some(attribute.into());
        self
    }
}

/// A claim that says which children it comes from.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Claim {
    /// What is claimed, in a sentence.
    pub text: String,
    /// Indexes of the children that say it, from 0.
    #[serde(default)]
    pub children: Vec<usize>,
}

impl Claim {
    /// A claim that cites these children, counted from 0.
    pub fn new(text: impl Into<String>, children: impl IntoIterator<Item = usize>) -> Self {
        Claim { text: text.into(), children: children.into_iter().collect() }
    }
}

/// A fact that is given up on purpose, with the reason.
#[derive(Clone, Debug, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Drop {
    /// The fact, as a child states it.
    pub text: String,
    /// Why it may go.
    pub reason: String,
}

impl Drop {
    /// A fact that may go, and why.
    pub fn new(text: impl Into<String>, reason: impl Into<String>) -> Self {
        Drop { text: text.into(), reason: reason.into() }
    }
}

/// A claim that a field declares.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct DeclaredClaim<'s> {
    /// What is claimed.
    pub text: &'s str,
    /// Indexes of the children that it cites, from 0.
    pub children: &'s [usize],
}

/// Everything that one summary declares.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Declaration<'s> {
    texts: Vec<&'s str>,
    claims: Vec<DeclaredClaim<'s>>,
    facts: Vec<DeclaredFact<'s>>,
    conflicts: Vec<&'s Conflict>,
    drops: Vec<&'s Drop>,
    children: Vec<NamedChild>,
    manifest: &'s [u8],
}

impl<'s> Declaration<'s> {
    /// What `summary` declares.
    pub fn of<S: Manifest + ?Sized>(summary: &'s S) -> Self {
        let mut declaration = Declaration::default();
        summary.declare(&mut declaration);
        declaration
    }

    /// Adds a text. A blank one declares nothing.
    pub fn text(&mut self, text: &'s str) {
        if !text.trim().is_empty() {
            self.texts.push(text);
        }
    }

    /// Adds a claim with the children that it cites, counted from 0. A blank one declares nothing.
    pub fn claim(&mut self, text: &'s str, children: &'s [usize]) {
        if !text.trim().is_empty() {
            self.claims.push(DeclaredClaim { text, children });
        }
    }

    /// Adds a fact. A blank one declares nothing.
    pub fn fact(&mut self, text: impl Into<Cow<'s, str>>, required: bool) {
        self.values().required(required).value(text);
    }

    /// Adds facts, and what is said of all of them.
    pub fn values(&mut self) -> Facts<'_, 's> {
        Facts::to(&mut self.facts)
    }

    /// Adds a conflict.
    pub fn conflict(&mut self, conflict: &'s Conflict) {
        self.conflicts.push(conflict);
    }

    /// Adds a drop.
    pub fn drop(&mut self, drop: &'s Drop) {
        self.drops.push(drop);
    }

    /// Adds a child that the summary was made from, by its place from 0 or by its name.
    pub fn child(&mut self, child: impl Into<NamedChild>) {
        self.children.push(child.into());
    }

    /// Hands over the bytes of the summary's own manifest.
    pub fn embedded(&mut self, manifest: &'s [u8]) {
        self.manifest = manifest;
    }

    /// Takes in what a summary within this one declares; its manifest is its own.
    fn within<S: Manifest + ?Sized>(&mut self, summary: &'s S) {
        let own = self.manifest;
        summary.declare(self);
        self.manifest = own;
    }

    /// The texts, in order.
    pub fn texts(&self) -> &[&'s str] {
        &self.texts
    }

    /// The claims, in order.
    pub fn claims(&self) -> &[DeclaredClaim<'s>] {
        &self.claims
    }

    /// The facts, in order.
    pub fn facts(&self) -> &[DeclaredFact<'s>] {
        &self.facts
    }

    /// The conflicts, in order.
    pub fn conflicts(&self) -> &[&'s Conflict] {
        &self.conflicts
    }

    /// The drops, in order.
    pub fn drops(&self) -> &[&'s Drop] {
        &self.drops
    }

    /// The children that it says it was made from, in order; empty if it does not say.
    pub fn children(&self) -> &[NamedChild] {
        &self.children
    }

    /// The bytes of its own manifest, unverified; empty if it has none.
    pub fn manifest(&self) -> &'s [u8] {
        self.manifest
    }
}
