//! What a store can do.

use super::StoreError;

/// What a store can do, as it says itself when it is opened.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
#[expect(clippy::struct_excessive_bools, reason = "each is an answer of its own; none excludes another")]
pub struct Capabilities {
    /// A write can be refused because the name is taken, by the store itself: of many writers exactly one wins. Without it
    /// two writers overwrite each other's heads, so such a store is refused.
    pub create_only: bool,
    /// What is acknowledged survives the loss of power.
    pub durable: bool,
    /// A listing shows every object whose write was acknowledged before. Without it nothing may be swept.
    pub list_after_write: bool,
    /// Objects carry the time of their last write, by the store's clock. Without it nothing is ever old enough to be swept.
    pub written: bool,
}

impl Capabilities {
    /// Nothing.
    pub const fn none() -> Self {
        Capabilities { create_only: false, durable: false, list_after_write: false, written: false }
    }

    /// Sets [`create_only`](Self::create_only).
    pub const fn create_only(self, create_only: bool) -> Self {
        Capabilities { create_only, ..self }
    }

    /// Sets [`durable`](Self::durable).
    pub const fn durable(self, durable: bool) -> Self {
        Capabilities { durable, ..self }
    }

    /// Sets [`list_after_write`](Self::list_after_write).
    pub const fn list_after_write(self, list_after_write: bool) -> Self {
        Capabilities { list_after_write, ..self }
    }

    /// Sets [`written`](Self::written).
    pub const fn written(self, written: bool) -> Self {
        Capabilities { written, ..self }
    }

    /// Refuses a store whose writes cannot be create-only.
    ///
    /// # Errors
    /// [`StoreError::Unsupported`].
    pub fn admit(self) -> Result<(), StoreError> {
        if self.create_only {
            return Ok(());
        }
        Err(StoreError::Unsupported {
            what: "create-only writes",
            why: "two writers would overwrite each other's heads",
        })
    }

    /// Refuses to sweep a store whose listings may lag behind its writes, or whose objects have no age.
    ///
    /// # Errors
    /// [`StoreError::Unsupported`].
    pub fn admit_sweep(self) -> Result<(), StoreError> {
        let what = match (self.list_after_write, self.written) {
            (true, true) => return Ok(()),
            (false, _) => "listings that show every acknowledged write",
            (true, false) => "the time of each object's last write",
        };
        Err(StoreError::Unsupported { what, why: "a sweep could take what a writer has just stored" })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_store_is_admitted_by_what_it_can_do() {
        let bare = Capabilities::none();
        let error = bare.durable(true).list_after_write(true).written(true).admit().unwrap_err();
        assert!(error.to_string().contains("no create-only writes"), "{error}");
        bare.create_only(true).admit().unwrap();
    }

    #[test]
    fn a_sweep_needs_listings_and_ages() {
        let bare = Capabilities::none().create_only(true);
        for (lacking, what) in [(bare.written(true), "listings"), (bare.list_after_write(true), "last write")]
        {
            let error = lacking.admit_sweep().unwrap_err();
            assert!(error.to_string().contains(what), "{error}");
        }
        bare.list_after_write(true).written(true).admit_sweep().unwrap();
    }
}
