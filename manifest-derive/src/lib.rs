//! `#[derive(Manifest)]`: says of a summary struct which fields hold text, facts, claims, conflicts, drops, children and the manifest, and which policy
//! it asks for. Used through `manifest-core`, which re-exports it beside the trait of that name.
//!
//! The work is done in stages: `attr` reads tokens into words and values, `model` makes a valid whole of them, `expand`
//! writes it and cannot fail. All mistakes of a struct are reported in one build, and a struct with mistakes still gets
//! an implementation, so that one mistake gives one message.

mod attr;
mod error;
mod expand;
mod model;
mod settings;

use proc_macro2::TokenStream;
use syn::DeriveInput;

/// Implements `manifest_core::Manifest`.
///
/// On the struct, all optional:
///
/// | `#[manifest(…)]` | |
/// |---|---|
/// | `policy = "remediation"` | the policy to start from: `exact`, `remediation` (the default), `narrative` |
/// | `floor = 0.85` | the least share of required facts that must reach the root |
/// | `provenance = (0.7, 0.5)` | the share of claims with a source that is promoted, and the lower one that is not yet rejected |
/// | `orphans = (0.3, 0.45)` | the share of mentions without a source that is promoted, and the higher one that is not yet rejected |
/// | `depth = 3` | the planned height of the tree |
/// | `recall = 0.95` | the recall a level that the plan assumes; a depth that the floor cannot afford at it does not compile |
/// | `order = "sequence"` | or `"parallel"`, for independent children |
/// | `conflicts = "keep_both"` | or `"latest_wins"`: a summary may tell the latest side of a conflict alone, and the report says what it superseded |
/// | `ledger = 4096` | the bytes of the ledger; or its share of the children's bytes, as `0.05` |
/// | `attempts = 3` | the drafts that a driver asks a summarizer for; it is `Manifest::ATTEMPTS` |
/// | `observe` | the same verdicts, and nothing is blocked |
/// | `crate = ::path` | where `manifest_core` is found under another name |
///
/// On every field, one of:
///
/// | `#[manifest(…)]` | |
/// |---|---|
/// | `text` | prose; a summary has at least one, or `nested` or `claims` |
/// | `fact` | exact values that the summary states; each must be in the children |
/// | `fact, required` | the values must survive every summary above this one |
/// | `fact, kind = "error_code"` | a value that is read as another kind of fact is told |
/// | `fact, required, kind = "error_code"` | also: every fact of this kind in the children must survive in this summary |
/// | `fact, subject = "timeout"` | what the values are of: they are audited as `timeout: 30s`; the keys of a map are the subjects of its values |
/// | `fact, display` | the values as they print, for types that implement `Display` and no `FactField` |
/// | `nested` | a struct that derives `Manifest` itself, or an option or list of it: all that it declares, under this struct's policy |
/// | `claims` | sentences that cite their children: `Vec<Claim>`; each is checked against those alone |
/// | `conflicts` | disagreements told on purpose: `Vec<Conflict>` |
/// | `drops` | facts given up on purpose: `Vec<Drop>` |
/// | `children` | the children that the summary was made from, by place from 0, name or id: what only another child says is told |
/// | `manifest` | the summary's own manifest, opaque: `Embedded`; what stands in it that this version does not know is kept |
/// | `skip` | not audited |
#[proc_macro_derive(Manifest, attributes(manifest))]
pub fn derive_manifest(input: proc_macro::TokenStream) -> proc_macro::TokenStream {
    derive(&syn::parse_macro_input!(input as DeriveInput)).into()
}

fn derive(input: &DeriveInput) -> TokenStream {
    let (model, errors) = model::Model::of(input);
    match errors.into_compile_errors() {
        None => expand::expand(&model),
        Some(errors) => {
            let fallback = expand::fallback(&model);
            quote::quote! { #errors #fallback }
        }
    }
}

#[cfg(test)]
mod tests;
