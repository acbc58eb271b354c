//! Functions of one number, element by element.

use autodiff::prelude::*;

cases! {
    neg(x: [4, 3]) -> [4, 3] { -x }
    abs(x: [4, 3]) -> [4, 3] { x.abs() }
    signum(x: [4, 3]) -> [4, 3] { x.signum() }
    square(x: [4, 3]) -> [4, 3] { x.square() }
    sqrt(x: [4, 3]) -> [4, 3] { x.sqrt() }
    rsqrt(x: [4, 3]) -> [4, 3] { x.rsqrt() }
    cbrt(x: [4, 3]) -> [4, 3] { x.cbrt() }
    recip(x: [4, 3]) -> [4, 3] { x.recip() }
    exp(x: [4, 3]) -> [4, 3] { x.exp() }
    exp2(x: [4, 3]) -> [4, 3] { x.exp2() }
    exp_m1(x: [4, 3]) -> [4, 3] { x.exp_m1() }
    ln(x: [4, 3]) -> [4, 3] { x.ln() }
    log2(x: [4, 3]) -> [4, 3] { x.log2() }
    log10(x: [4, 3]) -> [4, 3] { x.log10() }
    ln_1p(x: [4, 3]) -> [4, 3] { x.ln_1p() }
    sin(x: [4, 3]) -> [4, 3] { x.sin() }
    cos(x: [4, 3]) -> [4, 3] { x.cos() }
    tan(x: [4, 3]) -> [4, 3] { x.tan() }
    asin(x: [4, 3]) -> [4, 3] { x.asin() }
    acos(x: [4, 3]) -> [4, 3] { x.acos() }
    atan(x: [4, 3]) -> [4, 3] { x.atan() }
    sinh(x: [4, 3]) -> [4, 3] { x.sinh() }
    cosh(x: [4, 3]) -> [4, 3] { x.cosh() }
    tanh(x: [4, 3]) -> [4, 3] { x.tanh() }
    asinh(x: [4, 3]) -> [4, 3] { x.asinh() }
    acosh(x: [4, 3]) -> [4, 3] { x.acosh() }
    atanh(x: [4, 3]) -> [4, 3] { x.atanh() }
    erf(x: [4, 3]) -> [4, 3] { x.erf() }
    sigmoid(x: [4, 3]) -> [4, 3] { x.sigmoid() }
    log_sigmoid(x: [4, 3]) -> [4, 3] { x.log_sigmoid() }
    relu(x: [4, 3]) -> [4, 3] { x.relu() }
    relu6(x: [4, 3]) -> [4, 3] { x.relu6() }
    leaky_relu(x: [4, 3]) -> [4, 3] { x.leaky_relu(0.1) }
    elu(x: [4, 3]) -> [4, 3] { x.elu(1.3) }
    selu(x: [4, 3]) -> [4, 3] { x.selu() }
    celu(x: [4, 3]) -> [4, 3] { x.celu(0.7) }
    gelu(x: [4, 3]) -> [4, 3] { x.gelu() }
    gelu_tanh(x: [4, 3]) -> [4, 3] { x.gelu_tanh() }
    gelu_quick(x: [4, 3]) -> [4, 3] { x.gelu_quick() }
    silu(x: [4, 3]) -> [4, 3] { x.silu() }
    mish(x: [4, 3]) -> [4, 3] { x.mish() }
    softplus(x: [4, 3]) -> [4, 3] { x.softplus() }
    softsign(x: [4, 3]) -> [4, 3] { x.softsign() }
    hard_sigmoid(x: [4, 3]) -> [4, 3] { x.hard_sigmoid() }
    hard_swish(x: [4, 3]) -> [4, 3] { x.hard_swish() }
    hard_tanh(x: [4, 3]) -> [4, 3] { x.hard_tanh() }
    step(x: [4, 3]) -> [4, 3] { x.step() }
    clamp(x: [4, 3]) -> [4, 3] { x.clamp(-0.5, 1.25) }
    powi(x: [4, 3]) -> [4, 3] { x.powi(3) }
    powf(x: [4, 3]) -> [4, 3] { x.powf(1.7) }
    floor(x: [4, 3]) -> [4, 3] { x.floor() }
    ceil(x: [4, 3]) -> [4, 3] { x.ceil() }
    trunc(x: [4, 3]) -> [4, 3] { x.trunc() }
    scale_shift(x: [4, 3]) -> [4, 3] { 2.5 * x - 0.75 }
    scalar_div(x: [4, 3]) -> [4, 3] { 1.5 / x }
    rsub(x: [4, 3]) -> [4, 3] { 1.0 - x }
}
