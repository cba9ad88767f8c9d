//! What the expansion of the derive calls for each field; named with the field's type, so that a wrong one is reported
//! there.

use super::field::DisplayField;
use super::{
    ChildrenField, ClaimsField, ConflictsField, Declaration, DropsField, FactField, Facts, Kinds,
    ManifestField, NestedField, TextField,
};
use std::marker::PhantomData;

/// Hands over a field's texts.
#[doc(hidden)]
pub fn texts<'s, F: TextField + ?Sized>(field: &'s F, to: &mut Declaration<'s>) {
    field.texts(to);
}

/// Hands over a field's facts.
#[doc(hidden)]
pub fn facts<'s, F: FactField + ?Sized>(field: &'s F, to: &mut Facts<'_, 's>) {
    field.facts(to);
}

/// Hands over a field's facts as they print.
#[doc(hidden)]
pub fn displayed<'s, F: DisplayField<How> + ?Sized, How>(field: &'s F, to: &mut Facts<'_, 's>) {
    field.facts(to);
}

/// Hands over a field's claims.
#[doc(hidden)]
pub fn claims<'s, F: ClaimsField + ?Sized>(field: &'s F, to: &mut Declaration<'s>) {
    field.claims(to);
}

/// Hands over a field's conflicts.
#[doc(hidden)]
pub fn conflicts<'s, F: ConflictsField + ?Sized>(field: &'s F, to: &mut Declaration<'s>) {
    field.conflicts(to);
}

/// Hands over a field's drops.
#[doc(hidden)]
pub fn drops<'s, F: DropsField + ?Sized>(field: &'s F, to: &mut Declaration<'s>) {
    field.drops(to);
}

/// Hands over the children that a field names.
#[doc(hidden)]
pub fn children<'s, F: ChildrenField + ?Sized>(field: &'s F, to: &mut Declaration<'s>) {
    field.children(to);
}

/// Hands over a field's manifest.
#[doc(hidden)]
pub fn manifest<'s, F: ManifestField + ?Sized>(field: &'s F, to: &mut Declaration<'s>) {
    to.embedded(field.bytes());
}

/// A field for a manifest.
#[doc(hidden)]
#[derive(Debug)]
pub struct Opaque<'f, F: ?Sized>(pub &'f mut F);

impl<F: ManifestField + ?Sized> Opaque<'_, F> {
    /// Puts a manifest into it.
    #[doc(hidden)]
    pub fn embed(self, manifest: &[u8]) -> bool {
        self.0.embed(manifest);
        true
    }
}

/// Answers for a type that holds no manifest, so that the mistake is told once, where its field is handed over.
#[doc(hidden)]
pub trait NoManifest: Sized {
    fn embed(self, manifest: &[u8]) -> bool {
        let _ = manifest;
        false
    }
}

impl<F: ?Sized> NoManifest for Opaque<'_, F> {}

/// Hands over what the summaries of a field declare.
#[doc(hidden)]
pub fn nested<'s, F: NestedField + ?Sized>(field: &'s F, to: &mut Declaration<'s>) {
    field.nested(to);
}

/// The type of a nested field, to be asked for the kinds that it requires.
#[doc(hidden)]
#[derive(Debug)]
pub struct Nested<F: ?Sized>(PhantomData<F>);

impl<F: ?Sized> Nested<F> {
    #[doc(hidden)]
    pub const TYPE: Self = Nested(PhantomData);
}

impl<F: NestedField + ?Sized> Nested<F> {
    /// Adds the kinds that the summaries of the field require.
    #[doc(hidden)]
    pub fn add_kinds(self, to: &mut Kinds) {
        F::required_kinds(to);
    }
}

/// Answers for a type that is no summary, so that the mistake is told once, where its field is handed over.
#[doc(hidden)]
pub trait NoSummary: Sized {
    fn add_kinds(self, to: &mut Kinds) {
        let _ = to;
    }
}

impl<F: ?Sized> NoSummary for Nested<F> {}
