//! The policy that a command line names.

use crate::error::Failure;
use manifest_core::Policy;
use std::path::Path;

/// `exact`, `remediation`, `narrative`, or a TOML file. A name goes before a file that is called like it.
pub(crate) fn load(name: &str, observe: bool) -> Result<Policy, Failure> {
    let failed = |why: String| Failure::Policy { name: name.to_owned(), why };
    let path = Path::new(name);
    let is_path = || {
        let suffix = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
        suffix || name.contains(['/', '\\']) || path.is_file()
    };
    let policy = match Policy::named(name) {
        Err(_) if is_path() => {
            let text = std::fs::read_to_string(path)
                .map_err(|source| Failure::Read { path: path.to_owned(), source })?;
            toml::from_str(&text).map_err(|error| failed(error.to_string()))?
        }
        named => named.map_err(|error| failed(error.to_string()))?,
    };
    Ok(if observe { policy.observing(true) } else { policy })
}
