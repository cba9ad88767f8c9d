//! The manifest of a summary, as one opaque field of its struct.

/// A field that can hold the manifest of its struct: [`Embedded`](crate::Embedded), or an option of it.
#[diagnostic::on_unimplemented(
    message = "a field of type `{Self}` cannot be `#[manifest(manifest)]`",
    label = "holds no manifest",
    note = "write `manifest_core::Embedded`, or an `Option` of it"
)]
pub trait ManifestField {
    /// The bytes of the manifest, unverified; none where there is no manifest.
    fn bytes(&self) -> &[u8];

    /// Puts the bytes of a manifest here, in the place of what was there.
    fn embed(&mut self, manifest: &[u8]);
}

impl<T: ManifestField + Default> ManifestField for Option<T> {
    fn bytes(&self) -> &[u8] {
        self.as_ref().map(T::bytes).unwrap_or_default()
    }

    fn embed(&mut self, manifest: &[u8]) {
        self.get_or_insert_default().embed(manifest);
    }
}

impl<T: ManifestField + ?Sized> ManifestField for Box<T> {
    fn bytes(&self) -> &[u8] {
        (**self).bytes()
    }

    fn embed(&mut self, manifest: &[u8]) {
        (**self).embed(manifest);
    }
}
