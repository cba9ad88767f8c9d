//! The derive on the structs that people have: other derives beside it, fields of many types, structs in structs.
#![expect(dead_code, reason = "fields that only the derive reads, or that it leaves out")]

use manifest_core::{Claim, Class, Conflict, Declaration, Drop, FactField, Facts, Kinds, Manifest};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::collections::{BTreeMap, HashMap, HashSet, VecDeque};
use std::fmt::{self, Display};
use std::num::NonZero;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;

fn facts<S: Manifest>(summary: &S) -> Vec<(Option<String>, String)> {
    let declaration = Declaration::of(summary);
    let pair = |fact: &manifest_core::DeclaredFact<'_>| {
        (fact.subject.as_deref().map(str::to_owned), fact.text.clone().into_owned())
    };
    declaration.facts().iter().map(pair).collect()
}

fn values<S: Manifest>(summary: &S) -> Vec<String> {
    facts(summary).into_iter().map(|(_, value)| value).collect()
}

fn rendered<S: Manifest>(summary: &S) -> String {
    Declaration::of(summary).render().text
}

/// What a model fills in: read from its reply, its form told by a schema.
#[derive(Manifest, Serialize, Deserialize, JsonSchema, Debug, PartialEq)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
#[manifest(policy = "exact")]
struct Reply {
    /// The prose.
    #[serde(alias = "summary")]
    #[manifest(text)]
    narrative: String,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    #[manifest(fact, required, kind = "error_code")]
    error_codes: Vec<String>,
    #[serde(rename = "hosts", default)]
    #[manifest(fact)]
    nodes: Option<Vec<String>>,
    #[serde(skip)]
    #[schemars(skip)]
    #[manifest(skip)]
    tokens: u64,
}

#[test]
fn serde_and_schemars_stand_beside_it() {
    let json = r#"{"summary": "It failed.", "errorCodes": ["E_1"], "hosts": ["db-7"]}"#;
    let reply: Reply = serde_json::from_str(json).unwrap();
    assert_eq!(values(&reply), ["E_1", "db-7"]);
    let written = serde_json::to_string(&reply).unwrap();
    assert_eq!(written, r#"{"narrative":"It failed.","errorCodes":["E_1"],"hosts":["db-7"]}"#);
    assert_eq!(serde_json::from_str::<Reply>(&written).unwrap(), reply);
    let schema = serde_json::to_value(schemars::schema_for!(Reply)).unwrap();
    let properties = schema["properties"].as_object().unwrap();
    let mut names: Vec<&String> = properties.keys().collect();
    names.sort_unstable();
    assert_eq!(names, ["errorCodes", "hosts", "narrative"]);
}

#[derive(Manifest, Serialize, Deserialize)]
struct Outer {
    #[manifest(text)]
    headline: String,
    #[serde(flatten)]
    #[manifest(nested)]
    inner: Inner,
    #[serde(default)]
    #[manifest(nested)]
    others: Vec<Inner>,
    #[serde(default)]
    #[manifest(nested)]
    last: Option<Box<Inner>>,
    #[manifest(fact, required, kind = "path")]
    paths: Vec<String>,
}

#[derive(Manifest, Serialize, Deserialize, Default)]
#[manifest(policy = "narrative")]
struct Inner {
    #[manifest(text)]
    detail: String,
    #[manifest(fact, required, kind = "error_code")]
    codes: Vec<String>,
    #[serde(default)]
    #[manifest(conflicts)]
    conflicts: Vec<Conflict>,
    #[serde(default)]
    #[manifest(drops)]
    dropped: Vec<Drop>,
    #[serde(default)]
    #[manifest(claims)]
    claims: Vec<Claim>,
}

#[test]
fn what_a_nested_struct_declares_is_taken_in() {
    let json = r#"{"headline": "One.", "detail": "Two.", "codes": ["E_1"], "paths": ["/a/b"],
        "claims": [{"text": "Four.", "children": [1]}], "dropped": [{"text": "E_9", "reason": "old"}],
        "others": [{"detail": "Three.", "codes": ["E_2"], "conflicts": [{"subject": "x", "sides": ["1", "2"]}]}]}"#;
    let outer: Outer = serde_json::from_str(json).unwrap();
    let declaration = Declaration::of(&outer);
    assert_eq!(declaration.texts(), ["One.", "Two.", "Three."]);
    assert_eq!(values(&outer), ["E_1", "E_2", "/a/b"]);
    assert_eq!(
        (declaration.conflicts().len(), declaration.drops().len(), declaration.claims().len()),
        (1, 1, 1)
    );
    assert_eq!(
        declaration.render().text,
        "One.\n\nTwo.\n\nThree.\n\n- Four.\n- x: 1 vs 2 (conflicting)\n- E_1\n- E_2\n- /a/b"
    );
    // Required by the type, whether there is such a struct or not.
    assert_eq!(Kinds::of::<Outer>(), [Class::Path, Class::ErrorCode]);
    // The outer struct's policy is asked, not the inner one's.
    assert_eq!(Outer::policy(), manifest_core::Policy::default());
}

#[derive(Manifest)]
struct OnlyNested(#[manifest(nested)] Inner);

#[derive(Manifest)]
struct OnlyClaims {
    #[manifest(claims)]
    claims: Vec<Claim>,
}

#[test]
fn nested_structs_and_claims_are_text_enough() {
    let inner = Inner { detail: "Two.".to_owned(), ..Inner::default() };
    assert_eq!(rendered(&OnlyNested(inner)), "Two.");
    assert_eq!(rendered(&OnlyClaims { claims: vec![Claim::new("One.\n# Two", [0])] }), "- One. # Two");
}

#[test]
fn a_claim_that_is_a_sentence_of_the_text_is_said_once() {
    let detail = "Build 1.2 failed. It ran\n  on db-7!\nTwice.".to_owned();
    let claims = ["Twice.", "Build 1.2 failed.", "It ran on db-7!", "2 failed.", "on db-7!"];
    let claims: Vec<Claim> = claims.iter().map(|text| Claim::new(*text, [0])).collect();
    let rendered = Declaration::of(&Inner { detail, claims, ..Inner::default() }).render();
    let stands: Vec<&str> = rendered.cited.iter().map(|claim| claim.span.of(&rendered.text)).collect();
    assert_eq!(stands, ["Twice.", "Build 1.2 failed.", "It ran on db-7!", "2 failed.", "on db-7!"]);
    assert_eq!(
        rendered.text,
        "Build 1.2 failed. It ran\n  on db-7!\nTwice.\n\n- It ran on db-7!\n- 2 failed."
    );
}

#[derive(Manifest)]
struct Generic<'a, N, T: Clone, const K: usize = 2>
where
    N: Manifest,
{
    #[manifest(nested)]
    inner: N,
    #[manifest(nested)]
    list: [Option<N>; K],
    #[manifest(fact)]
    values: &'a [T],
    #[manifest(skip)]
    rest: fn(T) -> &'a str,
}

#[test]
fn generics_need_the_bounds_of_their_fields_only() {
    let inner = |detail: &str| Inner { detail: detail.to_owned(), ..Inner::default() };
    let generic: Generic<'_, _, u8> =
        Generic { inner: inner("One."), list: [None, Some(inner("Two."))], values: &[1, 2], rest: |_| "" };
    assert_eq!(rendered(&generic), "One.\n\nTwo.\n\n- 1\n- 2");
    assert_eq!(Kinds::of::<Generic<'_, Inner, u8>>(), [Class::ErrorCode]);
}

/// Summaries within summaries of the same type.
#[derive(Manifest)]
struct Cause<T> {
    #[manifest(text)]
    text: &'static str,
    #[manifest(fact, required, kind = "number")]
    value: Option<T>,
    #[manifest(nested)]
    causes: Vec<Cause<T>>,
}

#[test]
fn a_summary_may_hold_its_own_type() {
    let leaf = |text, value| Cause { text, value: Some(value), causes: vec![] };
    let cause = Cause { text: "a", value: None, causes: vec![leaf("b", 4), leaf("c", 5)] };
    assert_eq!(rendered(&cause), "a\n\nb\n\nc\n\n- 4\n- 5");
    assert_eq!(Kinds::of::<Cause<u8>>(), [Class::Number]);
}

#[derive(Manifest)]
struct Text<'a>(
    #[manifest(text)] &'a str,
    #[manifest(text)] Option<Cow<'a, str>>,
    #[manifest(text)] Vec<Arc<str>>,
    #[manifest(text)] Rc<String>,
    #[manifest(text)] Cow<'a, [String]>,
);

#[test]
fn text_is_found_behind_every_pointer() {
    let text = Text(
        "a",
        Some(Cow::Borrowed("b")),
        vec!["c".into()],
        Rc::new("d".to_owned()),
        Cow::Owned(vec!["e".to_owned(), "f".to_owned()]),
    );
    assert_eq!(rendered(&text), "a\n\nb\n\nc\n\nd\n\ne\n\nf");
}

/// A value of one's own that prints.
struct Code(u32);

impl Display for Code {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "E_{:04}", self.0)
    }
}

/// A value of one's own that says what it declares.
struct Ticket(&'static str, u32);

impl FactField for Ticket {
    fn facts<'s>(&'s self, to: &mut Facts<'_, 's>) {
        to.value(format!("{}-{}", self.0, self.1));
    }
}

#[derive(Manifest)]
struct Values<'a, T: Display> {
    #[manifest(text)]
    text: &'a str,
    #[manifest(fact)]
    path: &'a Path,
    #[manifest(fact)]
    paths: VecDeque<Cow<'a, Path>>,
    #[manifest(fact)]
    number: Option<NonZero<u16>>,
    #[manifest(fact)]
    hosts: HashSet<String>,
    #[manifest(fact)]
    tickets: Arc<[Ticket]>,
    #[manifest(fact, display)]
    code: Code,
    #[manifest(fact, display, required)]
    codes: Vec<Option<Code>>,
    #[manifest(fact, display)]
    others: Vec<T>,
}

#[test]
fn facts_are_whatever_has_an_exact_value() {
    let values_of = Values {
        text: "",
        path: Path::new("/a"),
        paths: [Cow::Owned(PathBuf::from("/b")), Cow::Borrowed(Path::new("/c"))].into(),
        number: NonZero::new(7),
        hosts: ["db-7", "db-1", "db-3"].map(str::to_owned).into(),
        tickets: [Ticket("PAY", 119)].into(),
        code: Code(1),
        codes: vec![Some(Code(2)), None, Some(Code(3))],
        others: vec![4_i64, 5],
    };
    let expected =
        ["/a", "/b", "/c", "7", "db-1", "db-3", "db-7", "PAY-119", "E_0001", "E_0002", "E_0003", "4", "5"];
    assert_eq!(values(&values_of), expected);
}

#[derive(Manifest, Default)]
struct Settings {
    #[manifest(text)]
    text: String,
    #[manifest(fact, subject = "retries")]
    retries: Option<u32>,
    #[manifest(fact, required, kind = "quantity")]
    limits: HashMap<String, Vec<String>>,
    #[manifest(fact, subject = "timeout")]
    timeouts: BTreeMap<&'static str, String>,
    #[manifest(fact, display)]
    codes: BTreeMap<u8, f32>,
}

#[test]
fn keys_are_the_subjects_of_their_values() {
    let settings = Settings {
        text: "The importer has 30s and 3 retries.".to_owned(),
        retries: Some(3),
        limits: HashMap::from([
            ("quota".to_owned(), vec!["640 GiB".to_owned(), "700 GiB".to_owned()]),
            ("memory".to_owned(), vec!["2 GiB".to_owned()]),
        ]),
        timeouts: BTreeMap::from([("importer", "30s".to_owned()), (" ", "60s".to_owned())]),
        codes: BTreeMap::from([(7, 0.5)]),
    };
    let rendered = Declaration::of(&settings).render();
    assert_eq!(
        rendered.text,
        "The importer has 30s and 3 retries.\n\n- retries: 3\n- memory: 2 GiB\n- quota: 640 GiB\n- quota: 700 GiB\n\
         - timeout: 60s\n- importer timeout: 30s\n- 7: 0.5"
    );
    let stands: Vec<&str> = rendered.facts.iter().map(|span| &rendered.text[span.start..span.end]).collect();
    assert_eq!(stands, ["3", "2 GiB", "640 GiB", "700 GiB", "60s", "30s", "0.5"]);
    assert_eq!(rendered.kinds.len(), 3);
}

#[test]
fn a_binding_that_is_declared_twice_is_one_line() {
    let twice = Settings { retries: Some(3), ..Settings::default() };
    let mut declaration = Declaration::of(&twice);
    declaration.values().subject("retries").value("3");
    assert_eq!(declaration.render().text, "- retries: 3");
    declaration.values().subject("re\ntries").value(" 3\n\n# x ");
    assert_eq!(declaration.render().text, "- retries: 3\n- re tries: 3 # x");
}

mod with_serde {
    use super::*;

    fn upper<S: serde::Serializer>(text: &str, to: S) -> Result<S::Ok, S::Error> {
        to.serialize_str(&text.to_uppercase())
    }

    /// What callers have already: borrowed and flattened fields, names that are words of the language, an own way to write.
    #[derive(Manifest, Serialize, Deserialize, Debug, PartialEq)]
    #[serde(rename_all = "SCREAMING-KEBAB-CASE")]
    pub(super) struct Borrowed<'a> {
        #[serde(borrow)]
        #[manifest(text)]
        pub(super) r#type: Cow<'a, str>,
        #[serde(default = "Borrowed::host", serialize_with = "upper")]
        #[manifest(fact, subject = "host")]
        host: String,
        #[serde(flatten)]
        #[manifest(skip)]
        rest: BTreeMap<String, serde_json::Value>,
    }

    impl Borrowed<'_> {
        fn host() -> String {
            "db-0".to_owned()
        }
    }

    /// A newtype, as its inside.
    #[derive(Manifest, Serialize, Deserialize, JsonSchema)]
    #[serde(transparent)]
    pub(super) struct Transparent(#[manifest(text)] pub(super) Box<str>);

    #[derive(Manifest, JsonSchema, Serialize, Deserialize)]
    pub(super) struct Schemed<T> {
        #[manifest(text)]
        pub(super) text: String,
        #[serde(flatten)]
        #[manifest(nested)]
        pub(super) inner: Values<T>,
    }

    #[derive(Manifest, JsonSchema, Serialize, Deserialize)]
    pub(super) struct Values<T> {
        #[serde(skip)]
        #[manifest(text)]
        pub(super) text: Option<String>,
        #[schemars(length(max = 3))]
        #[manifest(fact, required, kind = "path")]
        pub(super) paths: Vec<T>,
    }
}

#[test]
fn a_struct_keeps_its_ways_of_being_written() {
    use with_serde::{Borrowed, Schemed, Transparent};
    let json = r#"{"TYPE": "It failed.", "other": [1]}"#;
    let borrowed: Borrowed<'_> = serde_json::from_str(json).unwrap();
    assert_eq!(rendered(&borrowed), "It failed.\n\n- host: db-0");
    let written = serde_json::to_string(&borrowed).unwrap();
    assert_eq!(written, r#"{"TYPE":"It failed.","HOST":"DB-0","other":[1]}"#);
    let transparent: Transparent = serde_json::from_str(r#""One.""#).unwrap();
    assert_eq!((rendered(&transparent), &*transparent.0), ("One.".to_owned(), "One."));
    let schema = serde_json::to_value(schemars::schema_for!(Schemed<String>)).unwrap();
    assert_eq!(schema["properties"]["paths"]["maxItems"], 3);
    let schemed: Schemed<PathBuf> = serde_json::from_str(r#"{"text": "", "paths": ["/a/b"]}"#).unwrap();
    assert_eq!(
        (values(&schemed), Kinds::of::<Schemed<PathBuf>>()),
        (vec!["/a/b".to_owned()], vec![Class::Path])
    );
}

/// A struct that another macro writes.
macro_rules! summary {
    ($name:ident, $field:ident: $ty:ty, $floor:expr) => {
        #[derive(Manifest)]
        #[manifest(floor = $floor)]
        pub(crate) struct $name<'a, T: ?Sized + for<'b> PartialEq<&'b str>>
        where
            T: Display,
        {
            #[manifest(text)]
            pub(crate) $field: $ty,
            #[manifest(fact, display)]
            pub(crate) of: &'a T,
        }
    };
}

summary!(Made, text: Option<&'static str>, 0.75);

struct Same(&'static str);

impl PartialEq<&str> for Same {
    fn eq(&self, other: &&str) -> bool {
        self.0 == *other
    }
}

impl Display for Same {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.0)
    }
}

#[test]
fn a_struct_may_come_from_another_macro() {
    let made = Made { text: Some("It failed."), of: &Same("E_1") };
    assert_eq!(rendered(&made), "It failed.\n\n- E_1");
    let floor = manifest_core::Policy::default().with_floor(0.75).unwrap();
    assert_eq!(Made::<'_, Same>::policy(), floor);
}
