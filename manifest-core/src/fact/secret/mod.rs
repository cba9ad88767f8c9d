//! Credentials: one fact, nothing inside.

mod before;
mod below;
mod key;
mod known;
mod name;
mod option;
mod script;
mod shape;
#[cfg(test)]
mod tests;
mod told;
mod url;
mod value;

pub(super) use key::{assigned, bearer, keyed, word};
pub(crate) use known::Known;
pub(super) use name::names_password;
pub(super) use option::option;
pub(super) use script::attached;
pub(super) use shape::{key_block, paired, shaped};
pub(super) use url::{in_path, in_url};

use super::scan::Scan;

/// How far the end of a value on its line is looked for, in bytes: a line of megabytes is not read anew at each key.
const LONGEST: usize = 4096;

/// What stands from `i` to the end of its line, and no more than `most` bytes of it.
fn rest_of_line<'a>(s: &Scan<'a>, i: usize, most: usize) -> &'a str {
    let rest = s.slice(i, s.floor(i.saturating_add(most)));
    rest.split('\n').next().unwrap_or(rest)
}
