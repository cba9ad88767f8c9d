//! From words to a valid whole: what a struct declares, with every cross-check.

use crate::attr::{self, Word};
use crate::error::{Errors, did_you_mean, list};
use crate::settings::{self, Settings};
use proc_macro2::TokenStream;
use quote::quote;
use syn::{Data, DeriveInput, Fields, Generics, Ident, LitStr, Member, Path, Type};

const FIELD_WORDS: &[&str] = &[
    "text",
    "fact",
    "required",
    "kind",
    "subject",
    "display",
    "nested",
    "claims",
    "conflicts",
    "drops",
    "children",
    "manifest",
    "skip",
];
const ROLES: &[&str] =
    &["text", "fact", "nested", "claims", "conflicts", "drops", "children", "manifest", "skip"];
/// Words that say more of a fact.
const FACT_WORDS: &[&str] = &["required", "kind", "subject", "display"];
const FIELD_EXAMPLE: &str = "text";

/// A summary struct.
pub(crate) struct Model<'i> {
    pub(crate) name: &'i Ident,
    pub(crate) generics: &'i Generics,
    pub(crate) root: Path,
    pub(crate) settings: Settings,
    pub(crate) fields: Vec<Field<'i>>,
}

/// A field with something to declare.
pub(crate) struct Field<'i> {
    pub(crate) member: Member,
    pub(crate) ty: &'i Type,
    pub(crate) role: Role,
}

pub(crate) enum Role {
    Text,
    Fact(Fact),
    Nested,
    Claims,
    Conflicts,
    Drops,
    Children,
    Manifest,
}

/// What a field says of its facts.
#[derive(Default)]
pub(crate) struct Fact {
    pub(crate) required: bool,
    pub(crate) kind: Option<LitStr>,
    pub(crate) subject: Option<LitStr>,
    pub(crate) display: bool,
}

impl<'i> Model<'i> {
    /// The model of a struct, as far as it is one, and everything that is wrong with it.
    pub(crate) fn of(input: &'i DeriveInput) -> (Self, Errors) {
        let mut errors = Errors::default();
        let words = attr::words(&input.attrs, settings::EXAMPLE, &mut errors);
        let (settings, root) = settings::read(&words, &mut errors);
        let fields = match &input.data {
            Data::Struct(data) => fields(input, &data.fields, &mut errors),
            Data::Enum(data) => {
                errors.at(data.enum_token, "a summary is a struct: put the enum into a field of one");
                Vec::new()
            }
            Data::Union(data) => {
                errors.at(data.union_token, "a summary is a struct: a union cannot say what it holds");
                Vec::new()
            }
        };
        let root = root.unwrap_or_else(|| syn::parse_quote!(::manifest_core));
        (Model { name: &input.ident, generics: &input.generics, root, settings, fields }, errors)
    }
}

/// Complains about unknown words and about words given twice.
pub(crate) fn check_words(words: &[Word], accepted: &[&str], place: &str, errors: &mut Errors) {
    for (i, word) in words.iter().enumerate() {
        let name = word.name.to_string();
        if !accepted.contains(&name.as_str()) {
            let near = did_you_mean(&name, accepted);
            errors.at(
                &word.name,
                format_args!("unknown word `{name}` on a {place}; accepted are {}{near}", list(accepted)),
            );
        } else if words.iter().take(i).any(|earlier| earlier.name == word.name) {
            errors.at(&word.name, format_args!("`{name}` is given twice: keep one of the two"));
        }
    }
}

fn fields<'i>(input: &'i DeriveInput, fields: &'i Fields, errors: &mut Errors) -> Vec<Field<'i>> {
    let mut found = Vec::new();
    let mut unread = false;
    let mut manifest: Option<String> = None;
    for (field, member) in fields.iter().zip(fields.members()) {
        let words = attr::words(&field.attrs, FIELD_EXAMPLE, errors);
        check_words(&words, FIELD_WORDS, "field", errors);
        match role(&field_name(&member), field, &words, errors) {
            Reading::Role(Role::Manifest) if manifest.is_some() => {
                let second = words.iter().find(|word| word.name == "manifest");
                errors.at(
                    second.map(|word| &word.name),
                    format_args!(
                        "field `{}` is the second for the manifest, after `{}`: a summary has one manifest, keep one of the two",
                        field_name(&member),
                        manifest.as_deref().unwrap_or_default()
                    ),
                );
            }
            Reading::Role(role) => {
                if matches!(role, Role::Manifest) {
                    manifest = Some(field_name(&member));
                }
                found.push(Field { member, ty: &field.ty, role });
            }
            Reading::Skipped => {}
            Reading::Unread => unread = true,
        }
    }
    let text = found.iter().any(|field| matches!(field.role, Role::Text | Role::Nested | Role::Claims));
    if !text && !unread {
        errors.at(
            &input.ident,
            format_args!(
                "`{}` has no text: write `#[manifest(text)]` on the field that holds its prose",
                input.ident
            ),
        );
    }
    found
}

fn field_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}

/// What is known of a field.
enum Reading {
    Role(Role),
    Skipped,
    /// Something is wrong with it, and said.
    Unread,
}

fn role(name: &str, field: &syn::Field, words: &[Word], errors: &mut Errors) -> Reading {
    let given = |word: &str| words.iter().find(|given| given.name == word);
    let mut roles = words.iter().filter(|word| ROLES.contains(&word.name.to_string().as_str()));
    let Some(first) = roles.next() else {
        let about: TokenStream = match (words.first(), &field.ident) {
            (Some(word), _) => quote!(#word),
            (None, Some(ident)) => quote!(#ident),
            (None, None) => {
                let ty = &field.ty;
                quote!(#ty)
            }
        };
        if let Some(word) = FACT_WORDS.iter().find_map(|word| given(word)) {
            let shown = if word.value.is_some() { quote!(#word).to_string() } else { word.name.to_string() };
            errors.at(
                word,
                format_args!("`{}` belongs to a fact: write `#[manifest(fact, {shown})]`", word.name),
            );
        } else if words.is_empty()
            && !field.attrs.iter().any(|attribute| attribute.path().is_ident("manifest"))
        {
            errors.at(
                about,
                format_args!(
                    "field `{name}` does not say what it holds: write one of {} in `#[manifest(…)]`; `#[manifest(skip)]` leaves it out of the audit",
                    list(ROLES)
                ),
            );
        }
        return Reading::Unread;
    };
    if let Some(second) = roles.find(|word| word.name != first.name) {
        errors.at(second, format_args!("field `{name}` is `{}` already: keep one of the two", first.name));
        return Reading::Unread;
    }
    if first.name != "skip" {
        first.bare(errors);
    }
    if first.name != "fact" {
        for word in FACT_WORDS.iter().filter_map(|word| given(word)) {
            errors.at(
                word,
                format_args!("`{}` belongs to a fact, and field `{name}` is `{}`", word.name, first.name),
            );
        }
    }
    match first.name.to_string().as_str() {
        "text" => Reading::Role(Role::Text),
        "fact" => Reading::Role(Role::Fact(fact(&given, errors))),
        "nested" => Reading::Role(Role::Nested),
        "claims" => Reading::Role(Role::Claims),
        "conflicts" => Reading::Role(Role::Conflicts),
        "drops" => Reading::Role(Role::Drops),
        "children" => Reading::Role(Role::Children),
        "manifest" => Reading::Role(Role::Manifest),
        _ => {
            first.bare(errors);
            Reading::Skipped
        }
    }
}

/// What the words of a field say of its facts.
fn fact<'w>(given: &impl Fn(&str) -> Option<&'w Word>, errors: &mut Errors) -> Fact {
    let mut flag = |name| {
        let word = given(name)?;
        word.bare(errors);
        Some(())
    };
    let (required, display) = (flag("required").is_some(), flag("display").is_some());
    let kind = given("kind").and_then(|word| word.string("kind = \"error_code\"", errors));
    let example = "subject = \"timeout\"";
    let subject = given("subject").and_then(|word| word.string(example, errors));
    let blank = subject.as_ref().filter(|subject| subject.value().trim().is_empty());
    if let Some(subject) = blank {
        errors.at(subject, format_args!("the subject says what the values are of: write `{example}`"));
    }
    Fact { required, kind, subject, display }
}
