//! In which order iterations may run.

use crate::ir::text::parse;
use crate::pass::order::{verify, verify_directions};

/// A loop whose only equation changes what it carries.
fn body(order: &str, change: &str) -> crate::ir::Body {
    let text = format!(
        "fn f(mut %x: f64[4], %p: f64) {{
            %one: usize = dim[1]
            %y: f64[4] = for 0..3 {order} %x |%i: usize, %a: f64[4]| {{
                %j: usize = iadd %i %one
                {change}
                yield %b
            }}
            return %y
        }}"
    );
    parse(&text).unwrap_or_else(|problem| panic!("{problem}\n{text}"))
}

#[test]
fn claims_are_checked() {
    let own = "%b: f64[4] = set %a %p %i";
    assert!(verify(&body("independent", own)).is_ok());
    assert!(verify(&body("reduce", own)).is_ok());
    let scattered = "%b: f64[4] = acc %a %p %one";
    assert!(verify(&body("reduce", scattered)).is_ok());
    assert!(verify(&body("independent", scattered)).is_err());
    // The next iteration reads what this one writes.
    let recurrence = "%c: f64 = get %a %i %b: f64[4] = set %a %c %j".replace(" %b", "\n%b");
    assert!(verify(&body("", &recurrence)).is_ok());
    assert!(verify(&body("reduce", &recurrence)).is_err());
    assert!(verify(&body("independent", &recurrence)).is_err());
}

#[test]
fn an_effect_is_ordered() {
    let speaks = "%e: bool = effect[panic ! ()]\n%b: f64[4] = acc %a %p %i";
    assert!(verify(&body("", speaks)).is_ok());
    assert!(verify(&body("reduce", speaks)).is_err());
}

#[test]
fn an_ordered_loop_keeps_its_direction() {
    let recurrence = "%c: f64 = get %a %i\n%b: f64[4] = set %a %c %j";
    let (forwards, backwards) = (body("", recurrence), body("rev", recurrence));
    assert!(verify_directions(&forwards, &forwards).is_ok());
    assert!(verify_directions(&backwards, &forwards).is_err());
    let own = "%b: f64[4] = set %a %p %i";
    assert!(verify_directions(&body("rev", own), &body("independent", own)).is_ok());
}
