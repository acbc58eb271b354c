//! What a vanishing number is a factor of is zero.
//!
//! ```text
//! d = vanishing(x)                     d = zero
//! p = mul(q, d)                        p = zero
//! y = add(c, p)                        y = add(c, p)      which is c: `simplify` says so
//! ```
//!
//! The change of a rotation has the value zero, see Note [Changes of rotations] in `parse/geometry.rs`. What is computed of
//! it is there for the sake of its derivatives. When these have been taken, nothing of it is left. A zero of the user's is
//! another thing, since times infinity it is not zero: only what is made of `vanishing` counts.

use crate::ir::{Block, Body, Op, VarData, VarSet};

pub fn run(mut body: Body) -> Body {
    let mut vanished = VarSet::default();
    block(&mut body.block, &body.vars, &mut vanished);
    body
}

fn block(block: &mut Block, vars: &[VarData], vanished: &mut VarSet) {
    for eqn in &mut block.eqns {
        let is: Vec<bool> = eqn.args.iter().map(|arg| vanished.contains(*arg)).collect();
        let vanishes = match &eqn.op {
            Op::Map(row) => row.vanishes(&is),
            // An element of an array, and an array of elements or with other ones.
            Op::Get => is.first() == Some(&true),
            Op::Pack => !is.is_empty() && !is.contains(&false),
            Op::Set | Op::Acc => matches!(&is[..], [true, true, ..]),
            _ => false,
        };
        if vanishes {
            // Zeros of a size that run time tells have an array to be as large as: there the operation stays, and its elements vanish.
            let is_of_run_time = eqn.outs.iter().any(|out| vars[out.0 as usize].ty.is_dynamic());
            if !is_of_run_time {
                eqn.op = Op::Zero(None);
                eqn.args.clear();
            }
            vanished.extend(&eqn.outs);
        }
        for region in &mut eqn.regions {
            self::block(region, vars, vanished);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::run;
    use crate::ir::text::{canonical, parse};

    fn becomes(text: &str, expected: &str) {
        let [text, expected] = [text, expected].map(|text| parse(text).unwrap());
        assert_eq!(canonical(&run(text)), canonical(&expected));
    }

    #[test]
    fn what_a_vanishing_number_is_a_factor_of() {
        becomes(
            "fn f(%q: f64, %x: f64) {
                %d: f64 = vanishing %x
                %p: f64 = mul %q %d
                %s: f64 = mul %d %d
                %r: f64 = sub %p %s
                %n: f64 = neg %r
                %h: f64 = div %n %q
                %y: f64 = add %q %h
                return %y
            }",
            "fn f(%q: f64, %x: f64) {
                %d: f64 = zero
                %p: f64 = zero
                %s: f64 = zero
                %r: f64 = zero
                %n: f64 = zero
                %h: f64 = zero
                %y: f64 = add %q %h
                return %y
            }",
        );
    }

    /// A zero of the user's times infinity is no zero, and what only divides does not vanish.
    #[test]
    fn other_zeros_stay() {
        let text = "fn f(%q: f64, %x: f64) {
            %zero: f64 = const 0.0
            %p: f64 = mul %q %zero
            %y: f64 = add %p %x
            return %y
        }";
        becomes(text, text);
        becomes(
            "fn f(%q: f64, %x: f64) {
                %d: f64 = vanishing %x
                %y: f64 = div %q %d
                %z: f64 = add %y %d
                %w: f64 = cos %d
                return %z %w
            }",
            "fn f(%q: f64, %x: f64) {
                %d: f64 = zero
                %y: f64 = div %q %d
                %z: f64 = add %y %d
                %w: f64 = cos %d
                return %z %w
            }",
        );
    }

    /// An array that vanishes, and has an element that does, still vanishes; one of which an element does not, does not.
    #[test]
    fn elements_that_are_set() {
        becomes(
            "fn f(%x: f64[3], %y: f64, %i: usize) {
                %d: f64[3] = vanishing %x
                %e: f64 = vanishing %y
                %s: f64[3] = set %d %e %i
                %a: f64[3] = acc %s %e %i
                %m: f64[3] = mul %a %x
                %t: f64[3] = set %d %y %i
                %n: f64[3] = mul %t %x
                return %m %n
            }",
            "fn f(%x: f64[3], %y: f64, %i: usize) {
                %d: f64[3] = zero
                %e: f64 = zero
                %s: f64[3] = zero
                %a: f64[3] = zero
                %m: f64[3] = zero
                %t: f64[3] = set %d %y %i
                %n: f64[3] = mul %t %x
                return %m %n
            }",
        );
    }

    /// In regions, too, and through the elements of arrays.
    #[test]
    fn elements_in_regions() {
        becomes(
            "fn f(%q: f64, %x: f64[3], %c: bool) {
                %d: f64[3] = vanishing %x
                %y: f64 = if %c || {
                    %i: usize = dim[1]
                    %e: f64 = get %d %i
                    %p: f64 = mul %e %q
                    yield %p
                } || {
                    yield %q
                }
                return %y
            }",
            "fn f(%q: f64, %x: f64[3], %c: bool) {
                %d: f64[3] = zero
                %y: f64 = if %c || {
                    %i: usize = dim[1]
                    %e: f64 = zero
                    %p: f64 = zero
                    yield %p
                } || {
                    yield %q
                }
                return %y
            }",
        );
    }
}
