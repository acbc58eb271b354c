//! Functions that take closures, and calls of them.

use super::{Kind, Writer};

const ONCE: &str = "#[differentiable]
fn q1(f: impl Fn(f64) -> f64, v: f64) -> f64 {
    let u = f(v);
    u - 0.5 * f(0.3 * u)
}

";

const COUNTED: &str = "#[differentiable]
fn q2<F>(mut f: F, v: f64, n: usize) -> f64
where
    F: FnMut(f64) -> f64,
{
    let mut z = v;
    for i in 0..n {
        if z > 1.2 {
            return z * v;
        }
        z = 0.5 * z + f(0.1 * i as f64 + z.sin());
    }
    z
}

";

const CHANGING: &str = "#[differentiable]
fn q3(f: &dyn Fn(f64, f64) -> f64, b: &mut [f64; 2], v: f64) {
    b[0] = f(b[1], v).sin();
    b[1] += 0.2 * q1(|u| f(u, v), b[0]).cos();
}

";

impl Writer<'_> {
    fn needs(&mut self, item: &str) {
        if !self.items.contains(item) {
            self.items.push_str(item);
        }
    }

    /// What a closure gives for its arguments.
    pub(super) fn closure_body(&mut self, arguments: &[&str]) -> String {
        let (loops, nonempty) = (std::mem::take(&mut self.loops), self.nonempty);
        let pure = std::mem::replace(&mut self.pure, true);
        self.nonempty = false;
        let body = self.scoped(|writer| {
            for argument in arguments {
                writer.define(argument, Kind::Number, false);
            }
            writer.number(1)
        });
        (self.loops, self.nonempty, self.pure) = (loops, nonempty, pure);
        body
    }

    /// A call with a closure.
    pub(super) fn higher_order(&mut self) {
        if !self.drawn.items || self.inside || self.pure {
            return self.let_number();
        }
        let name = self.fresh("r");
        match self.pick(4) {
            0 => {
                self.needs(ONCE);
                let (body, at) = (self.closure_body(&["u"]), self.atom());
                let given = match self.pick(2) {
                    0 => format!("|u| {body}"),
                    _ => {
                        let closure = self.fresh("f");
                        self.line(&format!("let {closure} = |u: f64| {body};"));
                        format!("&{closure}")
                    }
                };
                self.line(&format!("let {name}: f64 = q1({given}, {at});"));
            }
            1 => {
                self.needs(COUNTED);
                let (body, at) = (self.closure_body(&["u"]), self.atom());
                self.line(&format!("let {name}: f64 = q2(|u| {body}, {at}, n);"));
            }
            2 => {
                self.needs(COUNTED);
                let (captured, at) = (self.fresh("p"), self.atom());
                self.line(&format!("let mut {captured}: f64 = 0.5 * {at};"));
                let (body, start) = (self.closure_body(&["u"]), self.atom());
                let change = format!("{captured} = 0.6 * {captured} + 0.3 * (0.2 * u + {body}).sin();");
                self.line(&format!(
                    "let {name}: f64 = q2(|u| {{ {change} {captured} * u }}, {start}, n) * {captured};"
                ));
                self.define(&captured, Kind::Number, true);
            }
            _ => {
                self.needs(ONCE);
                self.needs(CHANGING);
                let (array, first, at) = (self.fresh("b"), self.atom(), self.atom());
                self.line(&format!("let mut {array}: [f64; 2] = [{first}, 0.5];"));
                let body = self.closure_body(&["u", "w"]);
                self.line(&format!("q3(&|u, w| {body}, &mut {array}, {at});"));
                self.line(&format!("let {name}: f64 = {array}[0] * {array}[1];"));
            }
        }
        self.define(&name, Kind::Number, false);
    }
}
