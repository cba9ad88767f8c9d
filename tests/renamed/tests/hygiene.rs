//! The expansion under no prelude and another name of the crate: everything it writes must be absolute.
#![no_implicit_prelude]
#![deny(warnings)]
#![allow(missing_docs, reason = "nothing here is read")]

#[derive(::renamed_core::Manifest)]
#[manifest(crate = ::renamed_core, policy = "remediation", floor = 0.85, recall = 0.95, depth = 3, order = "parallel")]
pub struct Bare<'a, T: ::std::clone::Clone> {
    #[manifest(text)]
    pub narrative: &'a str,
    #[manifest(fact, required, kind = "error_code")]
    pub codes: ::std::vec::Vec<T>,
    #[manifest(conflicts)]
    pub conflicts: ::std::vec::Vec<::renamed_core::Conflict>,
    #[manifest(drops)]
    pub dropped: ::std::vec::Vec<::renamed_core::Drop>,
    #[manifest(nested)]
    pub inner: ::std::option::Option<Inner>,
    #[manifest(fact, display, subject = "port")]
    pub port: u16,
    #[manifest(claims)]
    pub claims: ::std::vec::Vec<::renamed_core::Claim>,
    #[manifest(skip)]
    pub model: ::std::string::String,
}

#[derive(::renamed_core::Manifest)]
#[manifest(crate = ::renamed_core)]
pub struct Inner(#[manifest(text)] pub ::std::string::String);

#[test]
fn it_compiles_and_declares() {
    let bare = Bare {
        narrative: "text",
        codes: ::std::vec!["E_1"],
        conflicts: ::std::vec::Vec::new(),
        dropped: ::std::vec::Vec::new(),
        inner: ::std::option::Option::None,
        port: 80,
        claims: ::std::vec::Vec::new(),
        model: ::std::string::String::new(),
    };
    ::std::assert_eq!(::renamed_core::Declaration::of(&bare).render().text, "text\n\n- E_1\n- port: 80");
}
