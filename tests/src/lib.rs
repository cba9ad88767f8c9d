//! Tests across the crates; see `tests/`.

/// The Rust code that the README shows is compiled and run.
#[cfg(doctest)]
#[doc = include_str!("../../README.md")]
struct Readme;
