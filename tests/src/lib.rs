//! Tests across the crates; see `tests/`.
