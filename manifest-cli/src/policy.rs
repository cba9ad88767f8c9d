//! The policy that a command line names.

use crate::error::Failure;
use manifest_core::Policy;
use std::path::Path;

/// `exact`, `remediation`, `narrative`, or a TOML file.
pub(crate) fn load(name: &str, observe: bool) -> Result<Policy, Failure> {
    let path = Path::new(name);
    let policy = if path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"))
        || name.contains(['/', '\\'])
    {
        let text = std::fs::read_to_string(path)
            .map_err(|source| Failure::Read { path: path.to_owned(), source })?;
        toml::from_str(&text).map_err(|e| Failure::Policy { name: name.to_owned(), why: e.to_string() })?
    } else {
        Policy::named(name).map_err(|e| Failure::Policy { name: name.to_owned(), why: e.to_string() })?
    };
    Ok(if observe { policy.observing(true) } else { policy })
}
