//! The policy that a command line names.

use crate::error::Failure;
use crate::{input, refusal};
use manifest_core::Policy;
use std::path::Path;

/// A policy has a few hundred bytes; what is larger is another file, in bytes.
const LARGEST: usize = 1 << 20;

/// `exact`, `remediation`, `narrative`, or a TOML file. A name goes before a file that is called like it.
pub(crate) fn load(name: &str, observe: bool) -> Result<Policy, Failure> {
    let failed = |why: String| Failure::Policy { name: refusal::masked(name), why };
    let path = Path::new(name);
    let is_path = || {
        let suffix = path.extension().is_some_and(|e| e.eq_ignore_ascii_case("toml"));
        suffix || name.contains(['/', '\\']) || path.is_file()
    };
    let policy = match Policy::named(name) {
        Err(_) if is_path() => {
            let text = input::text_of(path, LARGEST)?;
            parse(input::without_mark(&text)).map_err(failed)?
        }
        named => named.map_err(|error| Failure::Policy {
            name: refusal::quoted(name),
            why: refusal::plainly(&match name {
                "" => error.to_string(),
                _ => error.to_string().replace(name, &refusal::quoted(name)),
            }),
        })?,
    };
    Ok(if observe { policy.observing(true) } else { policy })
}

/// The policy that a TOML text says; an error names the line and the key.
fn parse(text: &str) -> Result<Policy, String> {
    let told = |path: Option<String>, error: &toml::de::Error| {
        let at = error.span().map(|span| {
            let before = text.get(..span.start).unwrap_or(text);
            let line = before.matches('\n').count() + 1;
            format!("line {line}: ")
        });
        let key = path.filter(|path| path != ".").map(|path| format!("{path}: ")).unwrap_or_default();
        let mut what = refusal::plainly(error.message());
        if error.message() == "duplicate key"
            && let Some(name) = error.span().and_then(|span| text.get(span))
        {
            what = format!("the key `{}` stands twice", refusal::quoted(name));
        }
        format!("{}{key}{what}", at.unwrap_or_default())
    };
    let reader = toml::Deserializer::parse(text).map_err(|error| told(None, &error))?;
    serde_path_to_error::deserialize(reader)
        .map_err(|error| told(Some(error.path().to_string()), error.inner()))
}
