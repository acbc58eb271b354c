//! Every message of the compiler, as rustc prints it. `TRYBUILD=overwrite cargo test --test ui` writes what has
//! changed; nobody edits a `.stderr` by hand.

#[test]
fn messages() {
    let cases = trybuild::TestCases::new();
    // With a case that passes, trybuild builds instead of checking: sizes of generic functions are compared
    // when these are instantiated, which `cargo check` does not do.
    cases.pass("ui/pass.rs");
    cases.compile_fail("ui/shape/*.rs");
    cases.compile_fail("ui/attribute/*.rs");
    cases.compile_fail("ui/unsupported/*.rs");
}
