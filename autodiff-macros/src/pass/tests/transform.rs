//! Tangent and adjoint transformations: their text on small bodies, and what they give composed.

use super::{body, same};
use crate::ir::eval::{Array, Machine};
use crate::ir::text::print;
use crate::ir::{Body, Var};
use crate::pass::adjoint::{self, CallStrategy, Joint, Output, Seed};
use crate::pass::split::split;
use crate::pass::{activity, simplify, tangent};

#[track_caller]
fn jvp(body: &Body) -> Body {
    tangent::transform(body, &floats(body)).unwrap_or_else(|unsupported| panic!("{}", unsupported.message))
}

#[track_caller]
fn joint(body: &Body, seed: Seed, output: Output) -> Joint {
    adjoint::transform(body, &floats(body), seed, output, CallStrategy::Residuals)
        .unwrap_or_else(|unsupported| panic!("{}", unsupported.message))
}

fn floats(body: &Body) -> Vec<Var> {
    body.block.params.iter().copied().filter(|param| body.ty(*param).is_float()).collect()
}

/// The gradient alone.
#[track_caller]
fn gradient(body: &Body) -> Body {
    let mut gradient = joint(body, Seed::One, Output::Fresh).body;
    gradient.block.results.remove(0);
    gradient
}

/// The derivative of all results, without their values.
#[track_caller]
fn derivative(body: &Body) -> Body {
    let mut derivative = jvp(body);
    derivative.block.results.drain(..body.block.results.len());
    derivative
}

#[track_caller]
fn run(body: &Body, args: &[Array]) -> Vec<Array> {
    let result = Machine::new(&[("N", 4)]).run(body, args);
    result.unwrap_or_else(|problem| panic!("{problem}\n{}", print(body)))
}

#[track_caller]
fn close(given: &[Array], expected: &[Array]) {
    crate::pass::check::all_agree(given, expected, crate::pass::check::ROUNDING).unwrap();
}

fn vector(data: &[f64]) -> Array {
    Array { dims: vec![data.len()], data: data.to_vec() }
}

#[test]
fn tangent_of_one_equation() {
    same(
        &jvp(&body("fn f(%x: f64) {\n%y: f64 = tanh %x\nreturn %y\n}")),
        "
        fn f_jvp(%x: f64, %x_dot: f64) {
            %y: f64 = tanh %x
            %q: f64 = mul %y %y
            %one: f64 = const 1.0
            %p: f64 = sub %one %q
            %y_dot: f64 = mul %p %x_dot
            return %y %y_dot
        }",
    );
}

#[test]
fn adjoint_of_one_equation() {
    same(
        &joint(&body("fn f(%x: f64) {\n%y: f64 = tanh %x\nreturn %y\n}"), Seed::Parameter, Output::Fresh).body,
        "
        fn f_vjp(%x: f64, %y_bar: f64) {
            %y: f64 = tanh %x
            %q: f64 = mul %y %y
            %one: f64 = const 1.0
            %p: f64 = sub %one %q
            %x_bar: f64 = mul %p %y_bar
            return %y %x_bar
        }",
    );
}

/// A variable used twice gets the sum of two cotangents; what was broadcast is summed.
#[test]
fn cotangents_add_up() {
    let f = body("fn f(%x: f64, %v: f64[3]) {\n%y: f64[3] = mul %v %x\n%z: f64[3] = add %y %v\nreturn %z\n}");
    same(
        &simplify::run(joint(&f, Seed::Parameter, Output::Fresh).body),
        "
        fn f_vjp(%x: f64, %v: f64[3], %z_bar: f64[3]) {
            %y: f64[3] = mul %v %x
            %z: f64[3] = add %y %v
            %a: f64[3] = mul %x %z_bar
            %v_bar: f64[3] = add %z_bar %a
            %b: f64[3] = mul %v %z_bar
            %x_bar: f64 = sum_to[] %b
            return %z %x_bar %v_bar
        }",
    );
}

#[test]
fn what_depends_on_no_input_is_inactive() {
    let f = body(
        "fn f(%x: f64, %k: f64) {
        %a: f64 = sin %k
        %b: f64 = mul %a %x
        %c: bool = gt %b %a
        %s: f64, %t: f64 = for 0..3 %a %a |%i: usize, %p: f64, %q: f64| {
            %r: f64 = cos %q
            yield %q %b
        }
        return %s %t
    }",
    );
    let varied = activity::varied(&f, &f.block.params[..1]);
    let names: Vec<&str> = f
        .vars
        .iter()
        .enumerate()
        .filter(|(k, _)| varied.contains(&Var(*k as u32)))
        .filter_map(|(_, data)| data.hint.as_deref())
        .collect();
    // `q` is `b` after one iteration, and `p` after two.
    assert_eq!(names, ["x", "b", "p", "q", "r", "s", "t"]);
}

// --- loops (Note [Loops in reverse]) -------------------------------------------------------------------

const SUM: &str = "fn f(%x: f64[N]) {
    %zero: f64 = const 0.0
    %y: f64 = for 0..N %zero |%i: usize, %s: f64| {
        %e: f64 = get %x %i
        %q: f64 = sin %e
        %n: f64 = add %s %q
        yield %n
    }
    return %y
}";

const PRODUCT: &str = "fn f(%x: f64[N]) {
    %one: f64 = const 1.0
    %y: f64 = for 0..N %one |%i: usize, %s: f64| {
        %e: f64 = get %x %i
        %n: f64 = mul %s %e
        yield %n
    }
    return %y
}";

/// A sum stores nothing; a product stores what was multiplied so far, also under the factor 0.
#[test]
fn loops_store_what_their_reverse_reads() {
    let x = vector(&[0.5, -2.0, 3.0, 0.25]);
    let sum = gradient(&body(SUM));
    assert!(!print(&sum).contains("f64[N, "), "{}", print(&sum));
    close(&run(&sum, std::slice::from_ref(&x)), &[x.map(f64::cos)]);

    let product = gradient(&body(PRODUCT));
    assert!(print(&product).contains(" set "), "{}", print(&product));
    close(&run(&product, &[x]), &[vector(&[-1.5, 0.375, -0.25, -3.0])]);
    close(&run(&product, &[vector(&[0.5, 0.0, 3.0, 2.0])]), &[vector(&[0.0, 3.0, 0.0, 0.0])]);
}

/// Expensive values are computed once, however deep the loops are; a sum of such values is not stored at all.
#[test]
fn nested_loops_compute_expensive_values_once() {
    let nested = |next: &str| {
        body(&format!(
            "fn f(%x: f64[M]) {{
            %one: f64 = const 1.0
            %y: f64 = for 0..N %one |%t: usize, %s: f64| {{
                %r: f64 = for 0..M %s |%j: usize, %p: f64| {{
                    %v: f64 = get %x %j
                    %m: f64 = mul %v %p
                    %e: f64 = exp %m
                    %n: f64 = {next}
                    yield %n
                }}
                yield %r
            }}
            return %y
        }}"
        ))
    };
    let count = |body: &Body| print(body).matches("= exp").count();
    assert_eq!(count(&gradient(&nested("sin %e"))), 1);
    let sum = body(SUM);
    assert!(!print(&gradient(&sum)).contains("history"), "{}", print(&gradient(&sum)));
}

/// What a branch computes at a cost, its reverse reads: also where the derivative of a sine is a cosine that is there.
#[test]
fn branches_compute_expensive_values_once() {
    let function = body(
        "fn f(%x: f64) {
        %zero: f64 = const 0.0
        %c: bool = gt %x %zero
        %y: f64 = if %c || {
            %e: f64 = exp %x
            %s: f64 = sin %e
            %k: f64 = cos %e
            %p: f64 = mul %s %k
            yield %p
        } || {
            yield %x
        }
        return %y
    }",
    );
    let derivative = gradient(&function);
    for name in ["= exp", "= sin", "= cos"] {
        assert_eq!(print(&derivative).matches(name).count(), 1, "{}", print(&derivative));
    }
    let expected = |x: f64| x.exp() * (2.0 * x.exp()).cos();
    close(&run(&derivative, &[Array::scalar(0.3)]), &[Array::scalar(expected(0.3))]);
    close(&run(&derivative, &[Array::scalar(-0.3)]), &[Array::scalar(1.0)]);
}

/// `let mut p = x; for _ in 0..3 { p *= x; }`: `x` is the first value, and read by every iteration.
#[test]
fn an_initial_value_that_the_loop_reads_too() {
    let power = body(
        "fn f(%x: f64) {
        %y: f64 = for 0..3 %x |%i: usize, %p: f64| {
            %n: f64 = mul %p %x
            yield %n
        }
        return %y
    }",
    );
    close(&run(&gradient(&power), &[Array::scalar(1.5)]), &[Array::scalar(4.0 * 1.5_f64.powi(3))]);
    // sₙ₊₁ = a·sₙ + x from s₀ = x: y = x·(1 + a + a² + a³), from the second iteration on.
    let recurrence = body(
        "fn f(%x: f64, %a: f64) {
        %y: f64 = for 2..5 %x |%i: usize, %s: f64| {
            %m: f64 = mul %a %s
            %n: f64 = add %m %x
            yield %n
        }
        return %y
    }",
    );
    let (x, a) = (0.7, 1.25);
    let expected = [1.0 + a + a * a + a * a * a, x * (1.0 + 2.0 * a + 3.0 * a * a)];
    close(&run(&gradient(&recurrence), &[Array::scalar(x), Array::scalar(a)]), &expected.map(Array::scalar));
}

/// Carried values change places, and a loop without iterations hands them on.
#[test]
fn carried_values_that_swap_and_loops_that_do_not_run() {
    let text = |range: &str| {
        format!(
            "fn f(%x: f64, %y: f64) {{
        %a: f64, %b: f64 = for {range} %x %y |%i: usize, %p: f64, %q: f64| {{
            %n: f64 = mul %p %q
            yield %q %n
        }}
        return %a
    }}"
        )
    };
    let at = [Array::scalar(2.0), Array::scalar(3.0)];
    // (x, y), (y, xy), (xy, xy²), (xy², …)
    close(&run(&gradient(&body(&text("0..3"))), &at), &[Array::scalar(9.0), Array::scalar(12.0)]);
    close(&run(&gradient(&body(&text("1..1"))), &at), &[Array::scalar(1.0), Array::scalar(0.0)]);
}

// --- composition ----------------------------------------------------------------------------------------

/// H·v as the tangent of the gradient and as the gradient of the directional derivative.
#[track_caller]
fn hvp_is(f: &str, x: &Array, v: &Array, expected: &Array) {
    let f = body(f);
    let forward_over_reverse = derivative(&gradient(&f));
    close(&run(&forward_over_reverse, &[x.clone(), v.clone()]), std::slice::from_ref(expected));
    let directional = derivative(&f);
    let reverse_over_forward = gradient(&directional);
    close(&run(&reverse_over_forward, &[x.clone(), v.clone()])[..1], std::slice::from_ref(expected));
}

/// f(x) = x·sin x: f″ = 2·cos x − x·sin x
#[test]
fn hvp_of_a_scalar_function() {
    let f = "fn f(%x: f64) {\n%s: f64 = sin %x\n%y: f64 = mul %x %s\nreturn %y\n}";
    let x = 0.7_f64;
    let expected = 3.0 * (2.0 * x.cos() - x * x.sin());
    hvp_is(f, &Array::scalar(x), &Array::scalar(3.0), &Array::scalar(expected));
}

/// f(X) = Σᵢⱼ (X·X)ᵢⱼ²/2: the gradient is P·Xᵀ + Xᵀ·P with P = X·X, and H·V its derivative along V.
#[test]
fn hvp_of_a_tensor_function() {
    let f = "fn f(%x: f64[3, 3]) {
        %p: f64[3, 3] = matmul %x %x
        %q: f64[3, 3] = mul %p %p
        %s: f64 = sum[0, 1] %q
        %half: f64 = const 0.5
        %y: f64 = mul %half %s
        return %y
    }";
    let x = Array::from_fn(&[3, 3], |at| 0.3 * at[0] as f64 - 0.5 * at[1] as f64 + 0.2);
    let v = Array::from_fn(&[3, 3], |at| (1.0 + at[0] as f64) * 0.25 - at[1] as f64 * 0.75);
    let times = |a: &Array, b: &Array| {
        Array::from_fn(&[3, 3], |at| (0..3).map(|k| a.at(&[at[0], k]) * b.at(&[k, at[1]])).sum())
    };
    let t = |a: &Array| Array::from_fn(&[3, 3], |at| a.at(&[at[1], at[0]]));
    let plus = |a: &Array, b: &Array| a.zip(b, |a, b| a + b);
    let p = times(&x, &x);
    let p_dot = plus(&times(&v, &x), &times(&x, &v));
    let left = plus(&times(&p_dot, &t(&x)), &times(&p, &t(&v)));
    let right = plus(&times(&t(&v), &p), &times(&t(&x), &p_dot));
    hvp_is(f, &x, &v, &plus(&left, &right));
}

/// Loops whose reverse stores, differentiated again: f(x) = Π xᵢ.
#[test]
fn hvp_of_a_loop() {
    let x = [0.5, -2.0, 3.0, 0.25];
    let v = [1.0, 0.5, -1.0, 2.0];
    let product =
        |without: &[usize]| x.iter().enumerate().filter(|(k, _)| !without.contains(k)).map(|(_, x)| x).product::<f64>();
    let hv = |i: usize| (0..4).filter(|j| *j != i).map(|j| product(&[i, j]) * v[j]).sum();
    hvp_is(PRODUCT, &vector(&x), &vector(&v), &Array::from_fn(&[4], |at| hv(at[0])));
}

// --- two sweeps -------------------------------------------------------------------------------------------

/// The reverse sweep gets what it reads and cannot have again for nothing.
#[test]
fn residuals() {
    let f = body(
        "fn f(%x: f64[2, 3]) {
        %t: f64[3, 2] = permute[1, 0] %x
        %e: f64[3, 2] = exp %t
        %two: f64 = const 2.0
        %s: f64[3, 2] = square %t
        %y: f64[3, 2] = mul %e %s
        return %y
    }",
    );
    let halves = split(&joint(&f, Seed::Parameter, Output::Fresh), &f, &[]);
    let names: Vec<&str> =
        halves.residuals.iter().filter_map(|var| halves.forward.data(*var).hint.as_deref()).collect();
    // The transpose is a view of the argument: the reverse sweep makes it again.
    assert_eq!(names, ["e", "s"]);
    assert!(print(&halves.reverse).contains("permute[1, 0]"));
    assert!(!print(&halves.reverse).contains("exp"));
}

/// No derivative flows through what is constant between its jumps, nor through what is made of it.
#[test]
fn what_is_constant_between_its_jumps_is_inactive() {
    let body = body(
        "fn f(%0: f64, %1: f64[3]) {
            %2: f64 = floor %0
            %3: f64[3] = stop_gradient %1
            %4: f64[3] = mul %3 %2
            %5: f64[3] = mul %4 %1
            return %4 %5
        }",
    );
    let varied = activity::varied(&body, &floats(&body));
    let results = &body.block.results;
    assert!(!varied.contains(&results[0]) && varied.contains(&results[1]));
}
