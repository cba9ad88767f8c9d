//! Credentials: one fact, nothing inside.

mod key;
mod known;
mod name;
mod option;
mod shape;
#[cfg(test)]
mod tests;
mod told;
mod url;
mod value;

pub(super) use key::{assigned, bearer, keyed, word};
pub(crate) use known::Known;
pub(super) use option::option;
pub(super) use shape::{key_block, paired, shaped};
pub(super) use url::{in_path, in_url};
