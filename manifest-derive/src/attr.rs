//! From tokens to words: what stands in `#[manifest(…)]`, whatever it means.

use crate::error::Errors;
use proc_macro2::{TokenStream, TokenTree};
use quote::{ToTokens, quote};
use syn::ext::IdentExt;
use syn::parse::{ParseStream, Parser};
use syn::{Attribute, Ident, Meta, Token};

/// `word` or `word = value`.
pub(crate) struct Word {
    pub(crate) name: Ident,
    /// What stands after the `=`, if one does.
    pub(crate) value: Option<TokenStream>,
}

impl Word {
    /// The value where one must stand.
    pub(crate) fn value(&self, example: &str, errors: &mut Errors) -> Option<&TokenStream> {
        if self.value.is_none() {
            errors.at(&self.name, format_args!("`{}` needs a value: write `{example}`", self.name));
        }
        self.value.as_ref()
    }

    /// Complains if a value stands where none belongs.
    pub(crate) fn bare(&self, errors: &mut Errors) {
        if let Some(value) = &self.value {
            errors.at(value, format_args!("`{0}` takes no value: write `{0}`", self.name));
        }
    }

    /// A string value.
    pub(crate) fn string(&self, example: &str, errors: &mut Errors) -> Option<syn::LitStr> {
        let value = self.value(example, errors)?.clone();
        let literal = syn::parse2(value.clone()).ok();
        if literal.is_none() {
            errors.at(value, format_args!("`{}` is a string: write `{example}`", self.name));
        }
        literal
    }
}

impl ToTokens for Word {
    fn to_tokens(&self, tokens: &mut TokenStream) {
        self.name.to_tokens(tokens);
        if let Some(value) = &self.value {
            quote!(= #value).to_tokens(tokens);
        }
    }
}

/// The words of all `#[manifest(…)]` attributes, in order; `example` is shown where there are none inside.
pub(crate) fn words(attributes: &[Attribute], example: &str, errors: &mut Errors) -> Vec<Word> {
    let mut words = Vec::new();
    for attribute in attributes.iter().filter(|attribute| attribute.path().is_ident("manifest")) {
        let Meta::List(list) = &attribute.meta else {
            errors.at(
                attribute,
                format_args!("the words stand in parentheses: write `#[manifest({example})]`"),
            );
            continue;
        };
        if list.tokens.is_empty() {
            errors.at(attribute, format_args!("nothing is said here: write `#[manifest({example})]`"));
            continue;
        }
        let parse = |input: ParseStream<'_>| {
            parse_words(input, &mut words, errors);
            Ok(())
        };
        if let Err(error) = parse.parse2(list.tokens.clone()) {
            errors.push(error);
        }
    }
    words
}

/// Reads words up to the end, whatever is wrong with one of them.
fn parse_words(input: ParseStream<'_>, words: &mut Vec<Word>, errors: &mut Errors) {
    while !input.is_empty() {
        match parse_word(input) {
            Ok(word) => words.push(word),
            Err(error) => {
                errors.push(error);
                skip_to_comma(input);
            }
        }
        if !input.is_empty()
            && let Err(error) = input.parse::<Token![,]>()
        {
            errors.push(syn::Error::new(error.span(), "expected `,` between two words"));
            skip_to_comma(input);
            let _ = input.parse::<Token![,]>();
        }
    }
}

fn parse_word(input: ParseStream<'_>) -> syn::Result<Word> {
    let name = input.call(Ident::parse_any).map_err(|error| {
        syn::Error::new(error.span(), "expected a word, such as `text` or `floor = 0.85`")
    })?;
    let value = if input.peek(Token![=]) {
        let equals = input.parse::<Token![=]>()?;
        let value = skip_to_comma(input);
        if value.is_empty() {
            return Err(syn::Error::new(equals.spans[0], format!("expected a value after `{name} =`")));
        }
        Some(value)
    } else {
        None
    };
    Ok(Word { name, value })
}

/// Takes everything up to the next comma.
fn skip_to_comma(input: ParseStream<'_>) -> TokenStream {
    let mut skipped = TokenStream::new();
    while !input.is_empty() && !input.peek(Token![,]) {
        match input.parse::<TokenTree>() {
            Ok(token) => skipped.extend([token]),
            Err(_) => break,
        }
    }
    skipped
}
