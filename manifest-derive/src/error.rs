//! All mistakes of one struct, reported in one build.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// The mistakes so far.
#[derive(Default)]
pub(crate) struct Errors(Vec<syn::Error>);

impl Errors {
    /// A mistake at these tokens.
    pub(crate) fn at(&mut self, tokens: impl ToTokens, message: impl std::fmt::Display) {
        self.0.push(syn::Error::new_spanned(tokens, message));
    }

    /// A mistake that the parser found.
    pub(crate) fn push(&mut self, error: syn::Error) {
        self.0.push(error);
    }

    /// The mistakes as compile errors; `None` if there are none.
    pub(crate) fn into_compile_errors(self) -> Option<TokenStream> {
        let all = self.0.into_iter().reduce(|mut all, error| {
            all.combine(error);
            all
        });
        all.map(|all| all.to_compile_error())
    }
}

/// `` `a`, `b`, `c` ``
pub(crate) fn list(words: &[&str]) -> String {
    words.iter().map(|word| format!("`{word}`")).collect::<Vec<_>>().join(", ")
}

/// The accepted word that `word` was perhaps meant to be, as the end of a sentence.
pub(crate) fn did_you_mean(word: &str, accepted: &[&str]) -> String {
    let near = accepted
        .iter()
        .map(|candidate| (strsim::damerau_levenshtein(word, candidate), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min();
    near.map_or_else(String::new, |(_, candidate)| format!("; did you mean `{candidate}`?"))
}
