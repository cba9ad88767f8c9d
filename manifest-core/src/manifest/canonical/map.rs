//! A map that is written in the order of its keys, in whatever order they are put.

use super::Writer;

/// Keys with their written values.
#[derive(Debug, Default)]
pub(in super::super) struct Map<'k>(Vec<(&'k str, Vec<u8>)>);

impl<'k> Map<'k> {
    /// Puts a value under a key.
    pub(in super::super) fn put(&mut self, key: &'k str, write: impl FnOnce(&mut Writer)) {
        let mut value = Writer::default();
        write(&mut value);
        self.0.push((key, value.into_bytes()));
    }

    /// Puts a value, if there is one.
    pub(in super::super) fn put_some<T>(
        &mut self,
        key: &'k str,
        value: Option<T>,
        write: impl FnOnce(&mut Writer, T),
    ) {
        if let Some(value) = value {
            self.put(key, |w| write(w, value));
        }
    }

    /// Writes the map. Of a key that was put twice, the last value stands.
    pub(in super::super) fn write(mut self, to: &mut Writer) {
        self.0.reverse();
        self.0.sort_by_key(|(key, _)| (key.len(), *key));
        self.0.dedup_by_key(|(key, _)| *key);
        to.map(self.0.len());
        for (key, value) in &self.0 {
            to.text(key);
            to.item(value);
        }
    }
}
