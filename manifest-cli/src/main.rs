//! The program `manifest`.
fn main() {}
