//! What the tests of the classes share.

use super::{Class, Fact, read};

/// The facts of a text by class and surface, parts included.
pub(super) fn all(text: &str) -> Vec<(Class, &str)> {
    read(text).facts.iter().map(|f| (f.class, f.span.of(text))).collect()
}

/// The surfaces of one class.
pub(super) fn of(class: Class, text: &str) -> Vec<&str> {
    all(text).into_iter().filter(|(c, _)| *c == class).map(|(_, t)| t).collect()
}

/// The only fact of a text that is no part.
pub(super) fn only(text: &str) -> Fact {
    let facts: Vec<Fact> = read(text).facts.into_iter().filter(|f| f.whole.is_none()).collect();
    assert_eq!(facts.len(), 1, "{text:?} reads as {:?}", all(text));
    facts.into_iter().next().unwrap()
}

/// Whether the only facts of two texts are equal in value.
pub(super) fn same(a: &str, b: &str) -> bool {
    only(a).same(&only(b))
}

/// All texts of a row state one value.
#[track_caller]
pub(super) fn equal(texts: &[&str]) {
    for b in texts {
        assert!(same(texts[0], b), "{:?} and {b:?}: {:?} {:?}", texts[0], all(texts[0]), all(b));
    }
}

/// No two texts of a row state one value.
#[track_caller]
pub(super) fn unequal(texts: &[&str]) {
    for (i, a) in texts.iter().enumerate() {
        for b in &texts[i + 1..] {
            assert!(!same(a, b), "{a:?} and {b:?} read as equal");
        }
    }
}

/// Each text has exactly these surfaces of the class.
#[track_caller]
pub(super) fn reads(class: Class, rows: &[(&str, &[&str])]) {
    for (text, want) in rows {
        assert_eq!(of(class, text), *want, "{class} in {text:?}: {:?}", all(text));
    }
}

/// No text of the row has a fact of the class.
#[track_caller]
pub(super) fn none(class: Class, texts: &[&str]) {
    for text in texts {
        assert_eq!(of(class, text), Vec::<&str>::new(), "{class} in {text:?}");
    }
}
