//! What must not compile, and what its author reads.

#[test]
fn structs_with_mistakes() {
    trybuild::TestCases::new().compile_fail("tests/ui/derive/*.rs");
}

#[test]
fn steps_in_a_wrong_order() {
    trybuild::TestCases::new().compile_fail("tests/ui/node/*.rs");
}
