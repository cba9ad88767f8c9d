//! From words to a valid whole: what a struct declares, with every cross-check.

use crate::attr::{self, Word};
use crate::error::{Errors, did_you_mean, list};
use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Expr, ExprLit, Fields, Generics, Ident, Lit, LitStr, Member, Path, Type};

const STRUCT_WORDS: &[&str] = &["policy", "floor", "depth", "recall", "order", "observe", "crate"];
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
    "skip",
];
const ROLES: &[&str] = &["text", "fact", "nested", "claims", "conflicts", "drops", "skip"];
/// Words that say more of a fact.
const FACT_WORDS: &[&str] = &["required", "kind", "subject", "display"];
const POLICIES: &[&str] = &["exact", "remediation", "narrative"];
const ORDERS: &[&str] = &["sequence", "parallel"];
const STRUCT_EXAMPLE: &str = "policy = \"remediation\", floor = 0.85";
const FIELD_EXAMPLE: &str = "text";

/// A summary struct.
pub(crate) struct Model<'i> {
    pub(crate) name: &'i Ident,
    pub(crate) generics: &'i Generics,
    pub(crate) root: Path,
    pub(crate) settings: Settings,
    pub(crate) fields: Vec<Field<'i>>,
}

/// What the struct asks of a gate.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) policy: Option<Ident>,
    pub(crate) floor: Option<Expr>,
    pub(crate) depth: Option<Expr>,
    pub(crate) recall: Option<Expr>,
    pub(crate) order: Option<Ident>,
    pub(crate) observe: bool,
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
        let words = attr::words(&input.attrs, STRUCT_EXAMPLE, &mut errors);
        let (settings, root) = settings(&words, &mut errors);
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
fn check_words(words: &[Word], accepted: &[&str], place: &str, errors: &mut Errors) {
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

fn settings(words: &[Word], errors: &mut Errors) -> (Settings, Option<Path>) {
    check_words(words, STRUCT_WORDS, "struct", errors);
    let (mut settings, mut root) = (Settings::default(), None);
    for word in words {
        match word.name.to_string().as_str() {
            "policy" => settings.policy = choice(word, "policy = \"remediation\"", POLICIES, errors),
            "order" => settings.order = choice(word, "order = \"parallel\"", ORDERS, errors),
            "floor" => settings.floor = share(word, "floor = 0.85", errors),
            "recall" => settings.recall = share(word, "recall = 0.95", errors),
            "depth" => settings.depth = depth(word, errors),
            "observe" => {
                word.bare(errors);
                settings.observe = true;
            }
            "crate" => root = crate_path(word, errors),
            _ => {}
        }
    }
    (settings, root)
}

/// One of a few names, as the variant that it stands for.
fn choice(word: &Word, example: &str, accepted: &[&str], errors: &mut Errors) -> Option<Ident> {
    let literal = word.string(example, errors)?;
    let value = literal.value();
    if !accepted.contains(&value.as_str()) {
        let near = did_you_mean(&value, accepted);
        let name = &word.name;
        errors.at(&literal, format_args!("unknown {name} `{value}`; accepted are {}{near}", list(accepted)));
        return None;
    }
    let mut letters = value.chars();
    let variant: String = letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect();
    Some(Ident::new(&variant, literal.span()))
}

/// A share above 0, up to 1. A literal is checked here, anything else where the expansion is compiled.
fn share(word: &Word, example: &str, errors: &mut Errors) -> Option<Expr> {
    let (expression, literal) = number(word, example, errors)?;
    match literal {
        None => Some(expression),
        Some(value) if value > 0.0 && value <= 1.0 => {
            #[expect(clippy::float_cmp, reason = "1 and 1.0 alike")]
            let one = value == 1.0;
            // An integer 1 is meant as a share too.
            Some(if one { syn::parse_quote_spanned!(expression.span()=> 1.0) } else { expression })
        }
        Some(_) => {
            let name = &word.name;
            errors.at(
                &expression,
                format_args!(
                    "`{name}` is out of range; expected a share above 0, up to 1: write `{example}`"
                ),
            );
            None
        }
    }
}

fn depth(word: &Word, errors: &mut Errors) -> Option<Expr> {
    let example = "depth = 3";
    let (expression, literal) = number(word, example, errors)?;
    match literal {
        None => Some(expression),
        Some(value) if value >= 1.0 && value <= f64::from(u32::MAX) && value.fract() <= 0.0 => {
            Some(expression)
        }
        Some(_) => {
            errors.at(
                &expression,
                format_args!("`depth` is out of range; expected a whole number of 1 or more, as one summary over leaves is depth 1: write `{example}`"),
            );
            None
        }
    }
}

/// A numeric value: the expression, and its number if it is a literal.
fn number(word: &Word, example: &str, errors: &mut Errors) -> Option<(Expr, Option<f64>)> {
    let value = word.value(example, errors)?.clone();
    let Ok(expression) = syn::parse2::<Expr>(value.clone()) else {
        errors.at(value, format_args!("`{}` is a number: write `{example}`", word.name));
        return None;
    };
    let literal = match &expression {
        Expr::Lit(ExprLit { lit: Lit::Float(literal), .. }) => literal.base10_parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_parse().ok(),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), .. }) => Some(-1.0),
        Expr::Lit(_) => {
            errors.at(value, format_args!("`{}` is a number: write `{example}`", word.name));
            return None;
        }
        _ => return Some((expression, None)),
    };
    if literal.is_none() {
        errors.at(value, format_args!("`{}` is a plain number: write `{example}`", word.name));
    }
    literal.map(|literal| (expression, Some(literal)))
}

/// An absolute path: a relative one would mean something else wherever the expansion stands.
fn crate_path(word: &Word, errors: &mut Errors) -> Option<Path> {
    let value = word.value("crate = ::manifest_core", errors)?.clone();
    match syn::parse2::<Path>(value.clone()) {
        Ok(path) if path.leading_colon.is_some() => Some(path),
        Ok(path) if path.segments.first().is_some_and(|first| first.ident == "crate") => Some(path),
        Ok(path) => {
            let path = quote!(#path).to_string().replace(' ', "");
            errors.at(value, format_args!("the path must be absolute: write `crate = ::{path}`"));
            None
        }
        Err(_) => {
            errors.at(value, "`crate` is a path, not a string: write `crate = ::manifest_core`");
            None
        }
    }
}

fn fields<'i>(input: &'i DeriveInput, fields: &'i Fields, errors: &mut Errors) -> Vec<Field<'i>> {
    let mut found = Vec::new();
    let mut unread = false;
    for (field, member) in fields.iter().zip(fields.members()) {
        let words = attr::words(&field.attrs, FIELD_EXAMPLE, errors);
        check_words(&words, FIELD_WORDS, "field", errors);
        match role(&field_name(&member), field, &words, errors) {
            Reading::Role(role) => found.push(Field { member, ty: &field.ty, role }),
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
