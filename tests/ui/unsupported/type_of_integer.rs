use autodiff::prelude::*;

mod elsewhere {
    pub struct Table(pub [f64; 4]);
    impl std::ops::Index<i16> for Table {
        type Output = f64;
        fn index(&self, at: i16) -> &f64 {
            &self.0[at as usize]
        }
    }
    macro_rules! functions {
        ($name:ident) => {
            pub fn $name(k: u32) -> f64 {
                f64::from(k)
            }
        };
    }
    functions!(made);
}

// Only rustc knows what `made` takes.
#[differentiable]
fn counted(x: f64) -> f64 {
    let mut k = 2;
    let y: f64 = elsewhere::made(k);
    k += 1;
    let z: f64 = elsewhere::made(k);
    x * y * z
}

// With tensors nothing can be confirmed.
#[differentiable]
fn with_tensors(x: Tensor1<f64, 3>) -> f64 {
    let mut k = 2;
    let y: f64 = elsewhere::made(k);
    k += 1;
    let z: f64 = elsewhere::made(k);
    x.sum() * y * z
}

fn main() {}
