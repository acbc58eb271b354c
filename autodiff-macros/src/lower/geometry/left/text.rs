//! The formulas of changes, in Rust: see Note [Changes on the left] in `left.rs`. `held` are the numbers of a rotation, `moved` is
//! a translation, `by` a change: of a rotation, of a translation, or of both, first that of the translation.

/// Of what something consists.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) struct Shape {
    pub(super) turns: bool,
    pub(super) moves: bool,
}

impl Shape {
    fn is_both(self) -> bool {
        self.turns && self.moves
    }

    /// `v` and `w`, the parts of the change `by`: none, where it is zero.
    fn parts(self, by: &str) -> (Option<String>, Option<String>) {
        let from = |k: usize| format!("nalgebra::Vector3::new({by}[{k}], {by}[{}], {by}[{}])", k + 1, k + 2);
        match (self.turns, self.moves) {
            (true, true) => (Some(from(0)), Some(from(3))),
            (true, false) => (None, Some(by.to_owned())),
            _ => (Some(by.to_owned()), None),
        }
    }
}

/// The part of the rotation in the change of both.
pub(super) const TURN_OF_BOTH: &str = "nalgebra::Vector3::new(by[3], by[4], by[5])";

/// The entries of the matrix of the rotation.
const MATRIX: &str = "let (i, j, k, s) = (held[0], held[1], held[2], held[3]); \
    let (m00, m01, m02) = (1.0 - 2.0 * (j * j + k * k), 2.0 * (i * j - s * k), 2.0 * (i * k + s * j)); \
    let (m10, m11, m12) = (2.0 * (i * j + s * k), 1.0 - 2.0 * (i * i + k * k), 2.0 * (j * k - s * i)); \
    let (m20, m21, m22) = (2.0 * (i * k - s * j), 2.0 * (j * k + s * i), 1.0 - 2.0 * (i * i + j * j));";

fn turned(v: &str, back: bool) -> String {
    let row = |r: usize| {
        let terms = (0..3).map(|c| if back { format!("m{c}{r} * {v}[{c}]") } else { format!("m{r}{c} * {v}[{c}]") });
        terms.collect::<Vec<_>>().join(" + ")
    };
    format!("nalgebra::Vector3::new({}, {}, {})", row(0), row(1), row(2))
}

/// A change of the parts `v` and `w`.
fn joined(v: Option<&str>, w: Option<&str>, into: Shape) -> String {
    if !into.is_both() {
        return w.or(v).unwrap_or_default().to_owned();
    }
    let entries = |part: Option<&str>| {
        (0..3).map(|k| part.map_or("0.0".to_owned(), |part| format!("{part}[{k}]"))).collect::<Vec<_>>().join(", ")
    };
    format!("nalgebra::Vector6::new({}, {})", entries(v), entries(w))
}

/// `v` and `w` of `by` as variables.
fn named((v, w): (Option<String>, Option<String>)) -> String {
    let named = |name: &str, part: Option<String>| part.map_or(String::new(), |part| format!("let {name} = {part}; "));
    named("v", v) + &named("w", w)
}

/// A change as that of something more.
pub(super) fn lifted(of: Shape, into: Shape) -> String {
    let parts = of.parts("by");
    let (v, w) = (parts.0.is_some().then_some("v"), parts.1.is_some().then_some("w"));
    format!("{{ let by = by.__vanishing(); {}{} }}", named(parts), joined(v, w, into))
}

/// `Ad(a)·by` of the change of something into that of a product.
pub(super) fn carried(a: Shape, of: Shape, into: Shape) -> String {
    let parts = of.parts("by");
    let (has_v, has_w) = (parts.0.is_some(), parts.1.is_some());
    let mut text = named(parts);
    if a.turns {
        text += MATRIX;
        if has_v {
            text += &format!("let v = {}; ", turned("v", false));
        }
        if has_w {
            text += &format!("let w = {}; ", turned("w", false));
        }
    }
    let mut v = has_v.then_some("v");
    if a.moves && has_w {
        text += if has_v { "let v = v + moved.cross(w); " } else { "let v = moved.cross(w); " };
        v = Some("v");
    }
    format!("{{ {text}{} }}", joined(v, has_w.then_some("w"), into))
}

/// `Ad(r)·by`
pub(super) fn outward(of: Shape) -> String {
    carried(of, of, of)
}

/// `Ad(r⁻¹)·by`
pub(super) fn inward(of: Shape) -> String {
    let parts = of.parts("by");
    let v =
        if of.moves { format!("let v = v - moved.cross(w); let v = {};", turned("v", true)) } else { String::new() };
    let (v_name, w) = (of.moves.then_some("v"), turned("w", true));
    format!("{{ {}{MATRIX} {v} let w = {w}; {} }}", named(parts), joined(v_name, Some("w"), of))
}

/// `left ∘ by`, by the formula of Baker, Campbell and Hausdorff.
pub(super) fn composed(a: Shape, into: Shape, degree: u8) -> String {
    let size = if into.is_both() { 6 } else { 3 };
    let own = a.parts("left");
    // Where it is, if it is one of both already.
    let (mut start, at) = match (a.is_both() == into.is_both(), own) {
        (true, _) => ("let mut sum = left; ".to_owned(), "by"),
        (false, (v, w)) => {
            let names = (v.as_ref().map(|_| "left"), w.as_ref().map(|_| "left"));
            (format!("let left = {}; let mut sum = left; ", joined(names.0, names.1, into)), "by")
        }
    };
    for k in 0..size {
        start += &format!("sum[{k}] += {at}[{k}]; ");
    }
    if degree < 2 {
        return format!("{{ {start}sum }}");
    }
    let both = |name: &str, by: &str| {
        let (v, w) = into.parts(by);
        let v = v.map_or(String::new(), |v| format!("let {name}v = {v}; "));
        format!("{v}let {name}w = {}; ", w.unwrap_or_default())
    };
    let bracket = |name: &str, a: &str, b: &str| {
        let v = format!("let {name}v = {a}w.cross({b}v) - {b}w.cross({a}v); ");
        format!("{}let {name}w = {a}w.cross({b}w); ", if into.is_both() { v } else { String::new() })
    };
    start += &(both("l", "left") + &both("p", "by") + &bracket("c", "l", "p"));
    let mut terms = vec![("c", "2.0")];
    if degree > 2 {
        start += &(bracket("d", "l", "c") + &bracket("e", "c", "p"));
        terms.extend([("d", "12.0"), ("e", "12.0")]);
    }
    if degree > 3 {
        start += &bracket("f", "d", "p");
        terms.push(("f", "24.0"));
    }
    let sum = |part: &str| {
        terms.iter().map(|(name, divisor)| format!("{name}{part} / {divisor}")).collect::<Vec<_>>().join(" + ")
    };
    let more = match into.is_both() {
        true => format!("let (v, w) = ({}, {}); sum + {}", sum("v"), sum("w"), joined(Some("v"), Some("w"), into)),
        false => format!("sum + ({})", sum("w")),
    };
    format!("{{ {start}{more} }}")
}

/// What a change adds to a point: `a + b/2 + …` of `a = w × p + v` and `b = w × a`.
fn added(point: &str, v: Option<&str>, degree: u8) -> String {
    let mut text = format!("let a = w.cross({point}){}; ", v.map_or(String::new(), |v| format!(" + {v}")));
    let mut sum = "a".to_owned();
    for (name, before, divisor) in
        [("b", "a", "2.0"), ("c", "b", "6.0"), ("d", "c", "24.0")].into_iter().take(usize::from(degree) - 1)
    {
        text += &format!("let {name} = w.cross({before}); ");
        sum += &format!(" + {name} / {divisor}");
    }
    format!("{{ {text}{sum} }}")
}

/// Where `from` comes to, which is at `to` without the change.
pub(super) fn moved_point(of: Shape, is_left: bool, degree: u8) -> String {
    let v = of.moves.then_some("v");
    let parts = named(of.parts("by"));
    match is_left {
        true => format!("{{ {parts}let more = {}; to + more }}", added("to", v, degree)),
        false => {
            format!("{{ {parts}let more = {}; {MATRIX} to + {} }}", added("from", v, degree), turned("more", false))
        }
    }
}

/// `V⁻¹(w)·x`, where `V` is the left Jacobian.
fn straightened(degree: u8) -> &'static str {
    match degree {
        1 => "x",
        2 => "x - w.cross(x) * 0.5",
        _ => "{ let y = w.cross(x); x - y * 0.5 + w.cross(y) / 12.0 }",
    }
}

/// The change on the left of a rotation that has the change `left`, with the translation `there`, whose value is `moved`.
pub(super) fn assembled(degree: u8) -> String {
    let both = Shape { turns: true, moves: true };
    format!(
        "{{ let w = left; let more = {}; let x = there.__vanishing() - more; let v = {}; {} }}",
        added("moved", None, degree),
        straightened(degree),
        joined(Some("v"), Some("w"), both)
    )
}

/// The same on the right, of a rotation that has the change `by`.
pub(super) fn assembled_on_right(degree: u8) -> String {
    let both = Shape { turns: true, moves: true };
    format!(
        "{{ let w = by; let x = there.__vanishing(); {MATRIX} let x = {}; let v = {}; {} }}",
        turned("x", true),
        straightened(degree),
        joined(Some("v"), Some("w"), both)
    )
}

/// The numbers of `exp(by)·r`.
pub(super) fn numbers(of: Shape, degree: u8) -> String {
    let parts = named(of.parts("by"));
    let numbers = "nalgebra::Vector4::new(\
        i * c[3] + u * c[0] + j * c[2] - k * c[1], \
        j * c[3] - i * c[2] + u * c[1] + k * c[0], \
        k * c[3] + i * c[1] - j * c[0] + u * c[2], \
        u * c[3] - i * c[0] - j * c[1] - k * c[2])";
    let turn = format!(
        "let c = held; let s = w[0] * w[0] + w[1] * w[1] + w[2] * w[2]; let f = 0.5 - s / 48.0; \
         let (i, j, k, u) = (w[0] * f, w[1] * f, w[2] * f, 1.0 - s / 8.0 + s * s / 384.0); let numbers = {numbers};"
    );
    match of.moves {
        true => {
            format!("{{ {parts}let more = {}; {turn} (numbers, moved + more) }}", added("moved", Some("v"), degree))
        }
        false => format!("{{ {parts}{turn} numbers }}"),
    }
}

/// `m·by` of the matrix `m = g + f·φφᵀ + (p, q, r)×`, where `φ` is `(x, y, z)`.
const APPLIED: &str = "nalgebra::Vector3::new(\
    (g + f * x * x) * by[0] + (f * x * y - r) * by[1] + (f * x * z + q) * by[2], \
    (f * x * y + r) * by[0] + (g + f * y * y) * by[1] + (f * y * z - p) * by[2], \
    (f * x * z - q) * by[0] + (f * y * z + p) * by[1] + (g + f * z * z) * by[2])";

/// The logarithm of a rotation: to the first order it changes by `J⁻¹·by`, where `J` is the Jacobian of SO(3) on that side. It is
/// computed of the sine and the cosine of half the angle, so that little of it has to wait for the angle.
pub(super) fn logarithm(is_left: bool) -> String {
    let half = if is_left { "-0.5 * ratio" } else { "0.5 * ratio" };
    format!(
        "{{ let (axis, cos, square, ratio) = this.__half_turn(); let (x, y, z) = (axis[0], axis[1], axis[2]); \
         let g = 0.5 * ratio * cos; \
         let f = if square < 1e-6 {{ 1.0 / 3.0 + square * 2.0 / 15.0 }} else {{ 1.0 / square * (1.0 - g) }}; \
         let half = {half}; let (p, q, r) = (half * x, half * y, half * z); axis * ratio + {APPLIED} }}"
    )
}

/// The change on the left of the exponential of `log`, which is `held`, to the first order: `J·by` with the left Jacobian.
pub(super) fn exponential() -> String {
    format!(
        "{{ let (x, y, z) = (log[0], log[1], log[2]); let square = x * x + y * y + z * z; \
         let (a, f) = if square < 4e-6 {{ (0.5 - square / 24.0, 1.0 / 6.0 - square / 120.0) }} else {{ \
             let sine = held[0] * held[0] + held[1] * held[1] + held[2] * held[2]; \
             let along = held[0] * x + held[1] * y + held[2] * z; \
             (2.0 * sine / square, (square - 2.0 * along * held[3]) / (square * square)) \
         }}; \
         let g = 1.0 - f * square; let (p, q, r) = (a * x, a * y, a * z); {APPLIED} }}"
    )
}
