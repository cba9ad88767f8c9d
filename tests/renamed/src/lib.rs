//! The derive where the crate has another name; see `tests/`.
