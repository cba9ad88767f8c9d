//! The expansion, pinned; and every mistake with its message.

use syn::parse_quote;

fn expansion(input: &syn::DeriveInput) -> String {
    let file = syn::parse2(super::derive(input)).unwrap();
    prettyplease::unparse(&file)
}

/// The messages of a struct with mistakes.
fn mistakes(input: &syn::DeriveInput) -> Vec<String> {
    let (_, errors) = crate::model::Model::of(input);
    let tokens = errors.into_compile_errors().unwrap_or_default();
    let file: syn::File = syn::parse2(tokens).unwrap();
    let message = |item: &syn::Item| match item {
        syn::Item::Macro(item) => item.mac.parse_body::<syn::LitStr>().unwrap().value(),
        _ => panic!("a compile error is a macro"),
    };
    file.items.iter().map(message).collect()
}

#[test]
fn a_full_struct() {
    insta::assert_snapshot!(expansion(&parse_quote! {
        #[manifest(policy = "remediation", floor = 0.85, recall = 0.95, depth = 3, order = "parallel", observe)]
        #[manifest(provenance = (0.8, 0), orphans = (0.2, WORST), conflicts = "latest_wins", ledger = 0.1, attempts = 5)]
        struct IncidentSummary {
            #[manifest(text)]
            narrative: String,
            #[manifest(fact, required, kind = "error_code")]
            error_codes: Vec<String>,
            #[manifest(fact)]
            paths: Vec<std::path::PathBuf>,
            #[manifest(fact, display, kind = "quantity", subject = "timeout")]
            timeout: Seconds,
            #[manifest(nested)]
            causes: Vec<Cause>,
            #[manifest(claims)]
            claims: Vec<Claim>,
            #[manifest(conflicts)]
            conflicts: Vec<Conflict>,
            #[manifest(drops)]
            dropped: Vec<Drop>,
            #[manifest(children)]
            made_from: Vec<usize>,
            #[manifest(manifest)]
            manifest: Embedded,
            #[manifest(skip)]
            model: String,
        }
    }));
}

#[test]
fn generics_under_another_name() {
    insta::assert_snapshot!(expansion(&parse_quote! {
        #[manifest(crate = ::fidelity::manifest_core)]
        pub struct Note<'a, T: Clone = String, const N: usize = 2>(
            #[manifest(text)] &'a str,
            #[manifest(fact)] [T; N],
            #[manifest(fact, required)] u32,
        ) where T: Send;
    }));
}

#[test]
fn a_struct_with_mistakes_still_gets_an_implementation() {
    insta::assert_snapshot!(expansion(&parse_quote! {
        struct Nothing<T>(#[manifest(skip)] T);
    }));
}

#[test]
fn five_mistakes_give_five_messages() {
    let found = mistakes(&parse_quote! {
        #[manifest(polcy = "exact", floor = 1.5, depth = 0)]
        struct Summary {
            #[manifest(txt)]
            narrative: String,
            #[manifest(text, fact)]
            codes: Vec<String>,
        }
    });
    assert_eq!(found.len(), 5, "{found:#?}");
}

/// Each struct has one mistake, and this is said of it.
macro_rules! said {
    ($($said:literal: { $($input:tt)* })*) => {$(
        let found = mistakes(&parse_quote! { $($input)* });
        assert_eq!(found, [$said]);
    )*};
}

#[test]
fn each_mistake_says_what_to_write() {
    said! {
        "unknown word `polcy` on a struct; accepted are `policy`, `floor`, `provenance`, `orphans`, `depth`, `recall`, `order`, `conflicts`, `ledger`, `attempts`, `observe`, `crate`; did you mean `policy`?":
            { #[manifest(polcy = "exact")] struct S { #[manifest(text)] t: String } }
        "unknown word `txt` on a field; accepted are `text`, `fact`, `required`, `kind`, `subject`, `display`, `nested`, `claims`, `conflicts`, `drops`, `children`, `manifest`, `skip`; did you mean `text`?":
            { struct S { #[manifest(txt)] t: String } }
        "unknown word `serialize` on a field; accepted are `text`, `fact`, `required`, `kind`, `subject`, `display`, `nested`, `claims`, `conflicts`, `drops`, `children`, `manifest`, `skip`":
            { struct S { #[manifest(text, serialize)] t: String } }
        "`floor` is given twice: keep one of the two":
            { #[manifest(floor = 0.5)] #[manifest(floor = 0.6)] struct S { #[manifest(text)] t: String } }
        "`text` is given twice: keep one of the two":
            { struct S { #[manifest(text, text)] t: String } }
        "unknown policy `remedation`; accepted are `exact`, `remediation`, `narrative`; did you mean `remediation`?":
            { #[manifest(policy = "remedation")] struct S { #[manifest(text)] t: String } }
        "`policy` is a string: write `policy = \"remediation\"`":
            { #[manifest(policy = exact)] struct S { #[manifest(text)] t: String } }
        "`policy` needs a value: write `policy = \"remediation\"`":
            { #[manifest(policy)] struct S { #[manifest(text)] t: String } }
        "`floor` is out of range; expected a share above 0, up to 1: write `floor = 0.85`":
            { #[manifest(floor = 85)] struct S { #[manifest(text)] t: String } }
        "`recall` is out of range; expected a share above 0, up to 1: write `recall = 0.95`":
            { #[manifest(recall = -0.5)] struct S { #[manifest(text)] t: String } }
        "`floor` is a number: write `floor = 0.85`":
            { #[manifest(floor = "0.85")] struct S { #[manifest(text)] t: String } }
        "`depth` is out of range; expected a whole number of 1 or more, as one summary over leaves is depth 1: write `depth = 3`":
            { #[manifest(depth = 0)] struct S { #[manifest(text)] t: String } }
        "`attempts` is out of range; expected a whole number of 1 or more, the first draft counted: write `attempts = 3`":
            { #[manifest(attempts = 0)] struct S { #[manifest(text)] t: String } }
        "the bands of `provenance` are inverted: write `provenance = (0.7, 0.5)`, the share that is promoted, then the lower one that is not yet rejected":
            { #[manifest(provenance = (0.5, 0.7))] struct S { #[manifest(text)] t: String } }
        "the bands of `orphans` are inverted: write `orphans = (0.3, 0.45)`, the share that is promoted, then the higher one that is not yet rejected":
            { #[manifest(orphans = (0.45, 0.3))] struct S { #[manifest(text)] t: String } }
        "`orphans` has two bounds: write `orphans = (0.3, 0.45)`, the share that is promoted, then the higher one that is not yet rejected":
            { #[manifest(orphans = 0.3)] struct S { #[manifest(text)] t: String } }
        "a bound of `provenance` is out of range; expected 0 to 1: write `provenance = (0.7, 0.5)`":
            { #[manifest(provenance = (70, 0.5))] struct S { #[manifest(text)] t: String } }
        "`provenance` is a number: write `provenance = (0.7, 0.5)`":
            { #[manifest(provenance = ("0.7", 0.5))] struct S { #[manifest(text)] t: String } }
        "unknown conflicts `latest`; accepted are `keep_both`, `latest_wins`":
            { #[manifest(conflicts = "latest")] struct S { #[manifest(text)] t: String } }
        "unknown conflicts `latest_win`; accepted are `keep_both`, `latest_wins`; did you mean `latest_wins`?":
            { #[manifest(conflicts = "latest_win")] struct S { #[manifest(text)] t: String } }
        "`ledger` is out of range; expected bytes or a share of the children's bytes, both above 0: write `ledger = 4096` or `ledger = 0.05`":
            { #[manifest(ledger = 1.5)] struct S { #[manifest(text)] t: String } }
        "`ledger` is out of range; expected bytes or a share of the children's bytes, both above 0: write `ledger = 4096` or `ledger = 0.05`":
            { #[manifest(ledger = 0)] struct S { #[manifest(text)] t: String } }
        "`ledger` is a number: write `ledger = 4096`":
            { #[manifest(ledger = "4 KiB")] struct S { #[manifest(text)] t: String } }
        "`observe` takes no value: write `observe`":
            { #[manifest(observe = true)] struct S { #[manifest(text)] t: String } }
        "the path must be absolute: write `crate = ::core_renamed`":
            { #[manifest(crate = core_renamed)] struct S { #[manifest(text)] t: String } }
        "`crate` is a path, not a string: write `crate = ::manifest_core`":
            { #[manifest(crate = "manifest_core")] struct S { #[manifest(text)] t: String } }
    }
}

#[test]
fn each_mistake_of_a_field_says_what_to_write() {
    said! {
        "`S` has no text: write `#[manifest(text)]` on the field that holds its prose":
            { struct S { #[manifest(fact)] codes: Vec<String> } }
        "`S` has no text: write `#[manifest(text)]` on the field that holds its prose":
            { struct S; }
        "field `note` does not say what it holds: write one of `text`, `fact`, `nested`, `claims`, `conflicts`, `drops`, `children`, `manifest`, `skip` in `#[manifest(…)]`; `#[manifest(skip)]` leaves it out of the audit":
            { struct S { #[manifest(text)] t: String, note: String } }
        "field `1` does not say what it holds: write one of `text`, `fact`, `nested`, `claims`, `conflicts`, `drops`, `children`, `manifest`, `skip` in `#[manifest(…)]`; `#[manifest(skip)]` leaves it out of the audit":
            { struct S(#[manifest(text)] String, String); }
        "field `t` is `text` already: keep one of the two":
            { struct S { #[manifest(text, fact)] t: String } }
        "`required` belongs to a fact: write `#[manifest(fact, required)]`":
            { struct S { #[manifest(text)] t: String, #[manifest(required)] codes: Vec<String> } }
        "`required` belongs to a fact, and field `t` is `text`":
            { struct S { #[manifest(text, required)] t: String } }
        "`kind` belongs to a fact: write `#[manifest(fact, kind = \"path\")]`":
            { struct S { #[manifest(text)] t: String, #[manifest(kind = "path")] paths: Vec<String> } }
        "`subject` belongs to a fact, and field `t` is `text`":
            { struct S { #[manifest(text, subject = "timeout")] t: String } }
        "`display` takes no value: write `display`":
            { struct S { #[manifest(text)] t: String, #[manifest(fact, display = "{}")] code: Code } }
        "the subject says what the values are of: write `subject = \"timeout\"`":
            { struct S { #[manifest(text)] t: String, #[manifest(fact, subject = " ")] timeout: String } }
        "`subject` is a string: write `subject = \"timeout\"`":
            { struct S { #[manifest(text)] t: String, #[manifest(fact, subject = timeout)] timeout: String } }
        "field `inner` is `nested` already: keep one of the two":
            { struct S { #[manifest(nested, skip)] inner: Inner } }
        "`claims` takes no value: write `claims`":
            { struct S { #[manifest(claims = 3)] claims: Vec<Claim> } }
        "field `b` is the second for the manifest, after `a`: a summary has one manifest, keep one of the two":
            { struct S { #[manifest(text)] t: String, #[manifest(manifest)] a: Embedded, #[manifest(manifest)] b: Embedded } }
        "`children` takes no value: write `children`":
            { struct S { #[manifest(text)] t: String, #[manifest(children = 3)] from: Vec<usize> } }
        "`required` belongs to a fact, and field `from` is `children`":
            { struct S { #[manifest(text)] t: String, #[manifest(children, required)] from: Vec<usize> } }
        "unknown word `manifst` on a field; accepted are `text`, `fact`, `required`, `kind`, `subject`, `display`, `nested`, `claims`, `conflicts`, `drops`, `children`, `manifest`, `skip`; did you mean `manifest`?":
            { struct S { #[manifest(text)] t: String, #[manifest(manifst)] m: Embedded } }
        "the words stand in parentheses: write `#[manifest(text)]`":
            { struct S { #[manifest(text)] t: String, #[manifest = "text"] u: String } }
        "nothing is said here: write `#[manifest(text)]`":
            { struct S { #[manifest(text)] t: String, #[manifest()] u: String } }
        "expected a value after `floor =`":
            { #[manifest(floor =)] struct S { #[manifest(text)] t: String } }
        "expected `,` between two words":
            { struct S { #[manifest(text fact)] t: String } }
        "a summary is a struct: put the enum into a field of one":
            { enum S { A } }
        "a summary is a struct: a union cannot say what it holds":
            { union S { a: u32 } }
    }
}

#[test]
fn any_tokens_give_messages_or_an_implementation() {
    let scraps = [
        "text", "fact", "required", "kind", "subject", "nested", "=", ",", "\"x\"", "1.5", "-", "(", ")",
        "crate", "::", "r#text", "#",
    ];
    // A small congruential walk: every sequence of up to seven scraps is reached by some seed.
    let mut state = 1_u64;
    let mut next = || {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        usize::try_from(state >> 33).unwrap()
    };
    for _ in 0..5000 {
        let words: Vec<&str> = (0..next() % 8).map(|_| scraps[next() % scraps.len()]).collect();
        let source = format!("#[manifest({0})] struct S {{ #[manifest({0})] t: String }}", words.join(" "));
        if let Ok(input) = syn::parse_str::<syn::DeriveInput>(&source) {
            syn::parse2::<syn::File>(super::derive(&input)).unwrap();
        }
    }
}
