//! What a struct asks of a gate: the words beside its name.

use crate::attr::Word;
use crate::error::{Errors, did_you_mean, list};
use crate::model::check_words;
use proc_macro2::Literal;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Expr, ExprLit, Ident, Lit, Path};

const WORDS: &[&str] = &[
    "policy",
    "floor",
    "provenance",
    "orphans",
    "depth",
    "recall",
    "order",
    "conflicts",
    "ledger",
    "attempts",
    "observe",
    "crate",
];
const POLICIES: &[&str] = &["exact", "remediation", "narrative"];
const ORDERS: &[&str] = &["sequence", "parallel"];
const CONFLICTS: &[&str] = &["keep_both", "latest_wins"];
const DEPTH: &str = "a whole number of 1 or more, as one summary over leaves is depth 1";
const ATTEMPTS: &str = "a whole number of 1 or more, the first draft counted";
/// Shown where nothing stands.
pub(crate) const EXAMPLE: &str = "policy = \"remediation\", floor = 0.85";

/// What the struct asks of a gate.
#[derive(Default)]
pub(crate) struct Settings {
    pub(crate) policy: Option<Ident>,
    pub(crate) floor: Option<Expr>,
    pub(crate) provenance: Option<[Expr; 2]>,
    pub(crate) orphans: Option<[Expr; 2]>,
    pub(crate) depth: Option<Expr>,
    pub(crate) recall: Option<Expr>,
    pub(crate) order: Option<Ident>,
    pub(crate) conflicts: Option<Ident>,
    pub(crate) ledger: Option<Ledger>,
    pub(crate) attempts: Option<Expr>,
    pub(crate) observe: bool,
}

/// How large a ledger may be.
pub(crate) enum Ledger {
    Bytes(Expr),
    Share(Expr),
}

/// What the words of a struct ask for, and where the crate is found.
pub(crate) fn read(words: &[Word], errors: &mut Errors) -> (Settings, Option<Path>) {
    check_words(words, WORDS, "struct", errors);
    let (mut settings, mut root) = (Settings::default(), None);
    for word in words {
        match word.name.to_string().as_str() {
            "policy" => settings.policy = choice(word, "policy = \"remediation\"", POLICIES, errors),
            "order" => settings.order = choice(word, "order = \"parallel\"", ORDERS, errors),
            "floor" => settings.floor = share(word, "floor = 0.85", errors),
            "recall" => settings.recall = share(word, "recall = 0.95", errors),
            "provenance" => settings.provenance = bands(word, &PROVENANCE, errors),
            "orphans" => settings.orphans = bands(word, &ORPHANS, errors),
            "conflicts" => {
                settings.conflicts = choice(word, "conflicts = \"latest_wins\"", CONFLICTS, errors);
            }
            "ledger" => settings.ledger = ledger(word, errors),
            "depth" => settings.depth = count(word, "depth = 3", DEPTH, errors),
            "attempts" => settings.attempts = count(word, "attempts = 3", ATTEMPTS, errors),
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
    let variant: String = value.split('_').map(capital).collect();
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

/// A whole number of 1 or more; `range` says so.
fn count(word: &Word, example: &str, range: &str, errors: &mut Errors) -> Option<Expr> {
    let (expression, literal) = number(word, example, errors)?;
    match literal {
        None => Some(expression),
        Some(value) if value >= 1.0 && value <= f64::from(u32::MAX) && value.fract() <= 0.0 => {
            Some(expression)
        }
        Some(_) => {
            let name = &word.name;
            errors.at(
                &expression,
                format_args!("`{name}` is out of range; expected {range}: write `{example}`"),
            );
            None
        }
    }
}

/// Bytes or a share of the children's bytes, told apart by the way a literal is written; anything else is bytes.
fn ledger(word: &Word, errors: &mut Errors) -> Option<Ledger> {
    let example = "ledger = 4096";
    let (expression, literal) = number(word, example, errors)?;
    let is_share = matches!(&expression, Expr::Lit(ExprLit { lit: Lit::Float(_), .. }));
    let most = if is_share { 1.0 } else { f64::from(u32::MAX) };
    if literal.is_some_and(|value| value <= 0.0 || value > most) {
        errors.at(
            &expression,
            "`ledger` is out of range; expected bytes or a share of the children's bytes, both above 0: write `ledger = 4096` or `ledger = 0.05`",
        );
        return None;
    }
    Some(if is_share { Ledger::Share(expression) } else { Ledger::Bytes(expression) })
}

/// Which way the bounds of a figure lie.
struct Figure {
    example: &'static str,
    large_is_good: bool,
    order: &'static str,
}

const PROVENANCE: Figure = Figure {
    example: "provenance = (0.7, 0.5)",
    large_is_good: true,
    order: "the share that is promoted, then the lower one that is not yet rejected",
};
const ORPHANS: Figure = Figure {
    example: "orphans = (0.3, 0.45)",
    large_is_good: false,
    order: "the share that is promoted, then the higher one that is not yet rejected",
};

/// Two shares of 0 to 1: where the promote band ends, and where the warning band does.
fn bands(word: &Word, figure: &Figure, errors: &mut Errors) -> Option<[Expr; 2]> {
    let Figure { example, order, .. } = figure;
    let name = &word.name;
    let value = word.value(example, errors)?.clone();
    let bounds: Vec<Expr> = match syn::parse2::<Expr>(value.clone()) {
        Ok(Expr::Tuple(tuple)) => tuple.elems.into_iter().collect(),
        _ => Vec::new(),
    };
    let Ok([promote, warning]) = <[Expr; 2]>::try_from(bounds) else {
        errors.at(value, format_args!("`{name}` has two bounds: write `{example}`, {order}"));
        return None;
    };
    let promote = bound(name, promote, example, errors);
    let warning = bound(name, warning, example, errors);
    let ((promote, best), (warning, worst)) = (promote?, warning?);
    let inverted = |(best, worst): (f64, f64)| if figure.large_is_good { best < worst } else { best > worst };
    if best.zip(worst).is_some_and(inverted) {
        errors.at(value, format_args!("the bands of `{name}` are inverted: write `{example}`, {order}"));
        return None;
    }
    Some([promote, warning])
}

/// A share of 0 to 1, as an expression of a float.
fn bound(name: &Ident, value: Expr, example: &str, errors: &mut Errors) -> Option<(Expr, Option<f64>)> {
    let (value, literal) = numeric(name, value, example, errors)?;
    match literal {
        None => Some((value, None)),
        Some(share) if (0.0..=1.0).contains(&share) => {
            let float = Literal::f64_suffixed(share);
            Some((syn::parse_quote_spanned!(value.span()=> #float), Some(share)))
        }
        Some(_) => {
            errors.at(
                &value,
                format_args!("a bound of `{name}` is out of range; expected 0 to 1: write `{example}`"),
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
    numeric(&word.name, expression, example, errors)
}

fn numeric(
    name: &Ident,
    expression: Expr,
    example: &str,
    errors: &mut Errors,
) -> Option<(Expr, Option<f64>)> {
    let literal = match &expression {
        Expr::Lit(ExprLit { lit: Lit::Float(literal), .. }) => literal.base10_parse().ok(),
        Expr::Lit(ExprLit { lit: Lit::Int(literal), .. }) => literal.base10_parse().ok(),
        Expr::Unary(syn::ExprUnary { op: syn::UnOp::Neg(_), .. }) => Some(-1.0),
        Expr::Lit(_) => {
            errors.at(expression, format_args!("`{name}` is a number: write `{example}`"));
            return None;
        }
        _ => return Some((expression, None)),
    };
    if literal.is_none() {
        errors.at(&expression, format_args!("`{name}` is a plain number: write `{example}`"));
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

fn capital(word: &str) -> String {
    let mut letters = word.chars();
    letters.next().into_iter().flat_map(char::to_uppercase).chain(letters).collect()
}
