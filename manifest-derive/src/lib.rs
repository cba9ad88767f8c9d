//! `#[derive(Manifest)]`.
