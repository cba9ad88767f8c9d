//! What structs declare through the derive, and what is audited of it.
#![expect(dead_code, reason = "fields that only the derive reads, or that it leaves out")]

use manifest_core::{
    Class, Conflict, ConflictRule, Declaration, Drop, Kinds, Manifest, Order, Policy, Ppm, Preset,
};
use std::borrow::Cow;
use std::collections::BTreeSet;
use std::net::IpAddr;
use std::path::PathBuf;

#[derive(Manifest, Default)]
#[manifest(policy = "narrative", floor = 0.9, recall = 0.95, depth = 2, order = "parallel", observe)]
struct Incident {
    #[manifest(text)]
    narrative: String,
    #[manifest(text)]
    asides: Vec<Option<String>>,
    #[manifest(fact, required, kind = "error_code")]
    error_codes: Vec<String>,
    #[manifest(fact, required, kind = "path")]
    paths: BTreeSet<PathBuf>,
    #[manifest(fact)]
    retries: Option<u32>,
    #[manifest(conflicts)]
    conflicts: Vec<Conflict>,
    #[manifest(drops)]
    dropped: Vec<Drop>,
    #[manifest(skip)]
    model: String,
}

fn incident() -> Incident {
    Incident {
        narrative: "The upload failed with E_QUOTA_4417.".to_owned(),
        asides: vec![None, Some("It was tried again.".to_owned()), Some(" \n".to_owned())],
        error_codes: vec!["E_QUOTA_4417".to_owned(), "E_DISK_9".to_owned(), String::new()],
        paths: BTreeSet::from([PathBuf::from("/var/log/b.log"), PathBuf::from("/var/log/a.log")]),
        retries: Some(3),
        conflicts: vec![Conflict::new("uploader", ["30s", "60 s\nor so"]).about("timeout")],
        dropped: vec![Drop::new("PAY-119", "closed")],
        model: "small".to_owned(),
    }
}

#[test]
fn a_struct_declares_what_its_fields_hold() {
    let incident = incident();
    let declaration = Declaration::of(&incident);
    assert_eq!(declaration.texts(), ["The upload failed with E_QUOTA_4417.", "It was tried again."]);
    let facts: Vec<_> = declaration.facts().iter().map(|fact| (fact.text.as_ref(), fact.required)).collect();
    let expected = [
        ("E_QUOTA_4417", true),
        ("E_DISK_9", true),
        ("/var/log/a.log", true),
        ("/var/log/b.log", true),
        ("3", false),
    ];
    assert_eq!(facts, expected);
    assert_eq!(declaration.conflicts(), [&incident.conflicts[0]]);
    assert_eq!(declaration.drops(), [&incident.dropped[0]]);
    assert_eq!(Kinds::of::<Incident>(), [Class::ErrorCode, Class::Path]);
}

#[test]
fn the_audited_text_is_the_prose_and_a_line_for_what_it_does_not_state() {
    let rendered = Declaration::of(&incident()).render().text;
    assert_eq!(
        rendered,
        "The upload failed with E_QUOTA_4417.\n\nIt was tried again.\n\n\
         - uploader timeout: 30s vs 60 s or so (conflicting)\n\
         - E_DISK_9\n- /var/log/a.log\n- /var/log/b.log\n- 3"
    );
    assert_eq!(Declaration::of(&Incident::default()).render().text, "");
    let facts_only = Incident { retries: Some(3), ..Incident::default() };
    assert_eq!(Declaration::of(&facts_only).render().text, "- 3");
}

#[test]
fn a_value_cannot_become_a_heading_or_a_list() {
    let incident =
        Incident { error_codes: vec!["E_1\n\n# Done\n- all good".to_owned()], ..Incident::default() };
    assert_eq!(Declaration::of(&incident).render().text, "- E_1 # Done - all good");
}

#[test]
fn the_attributes_make_a_policy() {
    let policy = Incident::policy();
    let expected = Policy::preset(Preset::Narrative)
        .with_floor(0.9)
        .and_then(|policy| policy.with_recall(0.95))
        .and_then(|policy| policy.with_depth(2))
        .unwrap()
        .with_order(Order::Parallel)
        .observing(true);
    assert_eq!(policy, expected);
}

#[derive(Manifest)]
#[manifest(policy = "narrative", provenance = (0.9, 0.5), orphans = (0, 1), conflicts = "latest_wins")]
#[manifest(ledger = 0.125, attempts = 5)]
struct Tuned(#[manifest(text)] String);

const BEST: f64 = 0.25;
const BYTES: usize = 2 << 10;

#[derive(Manifest)]
#[manifest(orphans = (BEST, 0.5), ledger = BYTES, conflicts = "keep_both")]
struct ByConstants(#[manifest(text)] String);

#[test]
fn every_attribute_is_the_setter_of_its_name() {
    let tuned = Policy::narrative()
        .with_provenance(0.9, 0.5)
        .and_then(|policy| policy.with_orphan_density(0.0, 1.0))
        .and_then(|policy| policy.with_ledger(0.125, 600, 8192))
        .unwrap()
        .with_conflicts(ConflictRule::LatestWins);
    assert_eq!(Tuned::policy(), tuned);
    let by_constants = Policy::remediation()
        .with_orphan_density(0.25, 0.5)
        .and_then(|policy| policy.with_ledger(0.05, 2048, 2048))
        .unwrap();
    assert_eq!(ByConstants::policy(), by_constants);
    assert_eq!((Tuned::ATTEMPTS, ByConstants::ATTEMPTS), (Some(5), None));
    assert_eq!(<&Box<Tuned>>::ATTEMPTS, Some(5));
    // Read back as written, and without a word where it is the default.
    let file = toml::to_string(&tuned).unwrap();
    assert!(file.contains("conflicts = \"latest_wins\""), "{file}");
    assert_eq!(toml::from_str::<Policy>(&file).unwrap(), tuned);
    assert!(!toml::to_string(&by_constants).unwrap().contains("conflicts"));
}

const FLOOR: f64 = 0.75;
const DEPTH: u32 = 2 + 3;

#[derive(Manifest)]
#[manifest(floor = FLOOR, depth = DEPTH, recall = 1)]
struct Planned<'a>(#[manifest(text)] &'a str);

#[test]
fn constants_are_numbers_too() {
    let policy = Planned::policy();
    assert_eq!(
        (policy.floor(), policy.depth(), policy.recall()),
        (Ppm::new(750_000), Some(5), Some(Ppm::ONE))
    );
}

#[derive(Manifest)]
struct Everything<'a, T, const N: usize>
where
    T: Clone,
{
    #[manifest(text)]
    text: Cow<'a, str>,
    #[manifest(fact)]
    list: [T; N],
    #[manifest(fact)]
    boxed: Box<[Option<&'a T>]>,
    #[manifest(fact)]
    peer: IpAddr,
    #[manifest(fact)]
    share: f64,
    #[manifest(conflicts)]
    conflict: Option<Conflict>,
    #[manifest(drops)]
    dropped: Box<[Drop]>,
    #[manifest(skip)]
    r#type: std::marker::PhantomData<T>,
}

#[test]
fn generic_fields_are_bounded_by_their_types() {
    let (one, two) = ("a.rs".to_owned(), "b.rs".to_owned());
    let everything = Everything {
        text: Cow::Borrowed("text"),
        list: [one.clone(), two],
        boxed: Box::new([Some(&one), None]),
        peer: IpAddr::from([10, 0, 0, 1]),
        share: 0.5,
        conflict: None,
        dropped: Box::new([]),
        r#type: std::marker::PhantomData,
    };
    let declaration = Declaration::of(&everything);
    let facts: Vec<_> = declaration.facts().iter().map(|fact| fact.text.as_ref()).collect();
    assert_eq!(facts, ["a.rs", "b.rs", "a.rs", "10.0.0.1", "0.5"]);
}

#[test]
fn plain_strings_are_summaries() {
    let text = "All is well.".to_owned();
    assert_eq!(Declaration::of(&text).texts(), ["All is well."]);
    assert_eq!(Declaration::of(&&*text).render().text, "All is well.");
    assert_eq!(<String as Manifest>::policy(), Policy::remediation());
}

/// Names that an expansion must not pick up.
mod hygiene {
    #![expect(non_camel_case_types, reason = "names that shadow")]

    mod core {}
    mod std {}
    mod manifest_core {}
    struct Plan;
    struct Manifest;
    struct Vec;
    struct String;
    struct Some;
    struct u32;
    trait FactField {}

    #[derive(::manifest_core::Manifest)]
    #[manifest(policy = "exact", floor = 0.5, observe)]
    pub(super) struct Shadowed<T> {
        #[manifest(text)]
        pub(super) to: ::std::string::String,
        #[manifest(fact, required, kind = "path")]
        pub(super) fact: T,
    }
}

#[test]
fn shadowed_names_change_nothing() {
    let shadowed = hygiene::Shadowed { to: "prose".to_owned(), fact: 7_u8 };
    assert_eq!(Declaration::of(&shadowed).render().text, "prose\n\n- 7");
}
