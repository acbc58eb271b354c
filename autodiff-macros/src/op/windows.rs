//! `windows[3/1/1, 3/1/1]`: the windows of an image as the columns of a matrix, `[c, h, w] -> [c·u·v, places]`, for both axes
//! size, stride and dilation; `windows_t[…| c, h, w]` is its transpose. Kernels: `autodiff_core::kernel::{windows, windows_t}`.

use super::method::window::Window;
use super::{Class, Mismatch, Operator, Typed, list};
#[cfg(test)]
use super::{Sample, sample};
use crate::ir::builder::Builder;
use crate::ir::dim::Dim;
#[cfg(test)]
use crate::ir::eval::{Array, indices};
use crate::ir::{Ty, Var};
#[cfg(test)]
use std::rc::Rc;

/// Without padding. Both forms are linear, and each is the derivative of the other in reverse.
#[derive(Debug, Clone)]
pub struct Windows {
    windows: [Window; 2],
    /// Size, stride and dilation of each.
    numbers: [[i64; 3]; 2],
    /// The shape of the image, if it is the result.
    image: Option<Vec<Dim>>,
}

impl Windows {
    /// The operator, if the windows are two with sizes that the macro knows.
    pub fn of(windows: &[Window]) -> Option<Windows> {
        let numbers = |window: &Window| {
            Some([window.size.as_literal()?, window.stride.as_literal()?, window.dilation.as_literal()?])
        };
        let [first, second] = windows else { return None };
        let numbers = [numbers(first)?, numbers(second)?];
        // The image has its border.
        let plain = |window: &Window| Window { padding: Dim::literal(0), ..window.clone() };
        Some(Windows { windows: [plain(first), plain(second)], numbers, image: None })
    }

    /// The shape of the matrix for an image.
    fn matrix(&self, image: &[Dim]) -> Vec<Dim> {
        let [first, second] = &self.windows;
        let rows = image[0].times(&first.size).times(&second.size);
        vec![rows, first.places(&image[1]).times(&second.places(&image[2]))]
    }

    /// For the evaluator: the place in the image of every element of the matrix.
    #[cfg(test)]
    fn place(&self, [_, _, width]: [usize; 3], at: &[usize]) -> [usize; 3] {
        let [[rows, down, apart], [columns, right, beside]] = self.numbers.map(|numbers| numbers.map(|n| n as usize));
        let places = (width - beside * (columns - 1) - 1) / right + 1;
        let (p, i, j) = (at[0], at[1] / places, at[1] % places);
        [p / (rows * columns), i * down + p / columns % rows * apart, j * right + p % columns * beside]
    }
}

impl Operator for Windows {
    fn text(&self) -> String {
        let windows = list(&self.numbers.map(|[size, stride, dilation]| format!("{size}/{stride}/{dilation}")));
        match &self.image {
            None => format!("windows[{windows}]"),
            Some(image) => format!("windows_t[{windows}| {}]", list(image)),
        }
    }

    fn class(&self) -> Class {
        Class::Kernel(if self.image.is_none() { "windows" } else { "windows_t" })
    }

    fn noun(&self) -> &'static str {
        if self.image.is_none() { "windows" } else { "image" }
    }

    fn result(&self, args: &[Ty]) -> Result<Typed, Mismatch> {
        let dims = self.image.clone().unwrap_or_else(|| self.matrix(&args[0].dims));
        Ok(Ty::tensor(args[0].elem.clone(), dims).into())
    }

    fn tangent(&self, b: &mut Builder, _: &[Var], _y: Var, dots: &[Option<Var>]) -> Option<Var> {
        Some(b.apply(self.clone(), &[dots[0]?]))
    }

    fn adjoint(&self, b: &mut Builder, args: &[Var], _y: Var, y_bar: Var, _: &[bool]) -> Vec<Option<Var>> {
        let image = if self.image.is_none() { Some(b.ty(args[0]).dims.clone()) } else { None };
        vec![Some(b.apply(Windows { image, ..self.clone() }, &[y_bar]))]
    }

    fn loops(&self, _b: &mut Builder, _args: &[Var], _ty: &Ty) -> Option<Var> {
        None
    }

    fn sets(&self) -> bool {
        true
    }

    fn moves(&self) -> bool {
        true
    }

    fn sizes(&self) -> Vec<[i64; 2]> {
        (0..3).map(|k| self.numbers.map(|numbers| numbers[k])).collect()
    }

    #[cfg(test)]
    fn eval(&self, args: &[Array], dims: &[usize]) -> Option<Array> {
        let image = if self.image.is_none() { &args[0].dims } else { dims };
        let image = <[usize; 3]>::try_from(image).ok()?;
        if self.image.is_none() {
            return Some(Array::from_fn(dims, |at| args[0].at(&self.place(image, at))));
        }
        let mut result = Array::from_fn(dims, |_| 0.0);
        for at in indices(&args[0].dims) {
            *result.at_mut(&self.place(image, &at)) += args[0].at(&at);
        }
        Some(result)
    }
}

#[cfg(test)]
pub fn parse(text: &str) -> Option<Rc<dyn Operator>> {
    let (name, inner) = text.strip_suffix(']')?.split_once('[')?;
    let (windows, image) = match name {
        "windows" => (inner, None),
        "windows_t" => inner.split_once('|').map(|(windows, image)| (windows, Some(image)))?,
        _ => return None,
    };
    let window = |window: &str| {
        let sizes: Vec<Dim> =
            window.trim().split('/').map(|size| size.parse().map(Dim::literal)).collect::<Result<_, _>>().ok()?;
        let [size, stride, dilation] = <[Dim; 3]>::try_from(sizes).ok()?;
        Some(Window { size, stride, padding: Dim::literal(0), dilation })
    };
    let windows: Vec<Window> = windows.split(',').map(window).collect::<Option<_>>()?;
    let image = image.map(|dims| super::view::parse_dims(&dims.split(',').map(str::trim).collect::<Vec<_>>()));
    let op = Windows::of(&windows)?;
    Some(Rc::new(Windows { image, ..op }))
}

#[cfg(test)]
pub fn samples() -> Vec<Sample> {
    vec![
        sample("windows[2/1/1, 3/1/1]", &["f64[2, 3, 4]"]),
        sample("windows[2/2/1, 2/1/2]", &["f64[1, 5, 4]"]),
        sample("windows_t[2/1/1, 3/1/1| 2, 3, 4]", &["f64[12, 4]"]),
    ]
}
