//! Einstein summation: `einsum!("ij,jk->ik", x, y)`. Products that are matrix products, of stacks too, use the
//! kernels; all others are loop nests.

use super::batched::{Batch, Batched};
use super::linalg::MatMul;
use super::nest::generate;
#[cfg(test)]
use super::page::Page;
use super::view::Permute;
use super::{Mismatch, Typed};
use crate::ir::builder::Builder;
use crate::ir::dim::{self, Comparison, Dim};
use crate::ir::{Ty, Var};
use std::rc::Rc;

#[cfg(test)]
pub static PAGE: Page = Page {
    calls: &["einsum!(\"ij,jk->ik\", x, w)"],
    doc: "Products of one, two or more operands, summed over the letters that do not come out. A letter twice in one operand is its diagonal.",
    shape: "the letters name the axes; those of one letter have one size",
    derivative: "of each operand: einsum of ȳ and the others, with its letters coming out",
    example: "(x: &Tensor3<f64, 2, 3, 4>, w: &Tensor2<f64, 4, 5>) -> Tensor2<f64, 5, 3> {\n    einsum!(\"bij,jk->ki\", x, w)\n}",
};

/// `ij,jk->ik`
#[derive(PartialEq, Debug)]
pub struct Subscripts {
    inputs: Vec<Vec<char>>,
    output: Vec<char>,
}

impl Subscripts {
    /// Reads the text for a number of operands.
    pub fn parse(text: &str, operands: usize) -> Result<Subscripts, Mismatch> {
        let refuse = |message: String, help: Option<String>| Mismatch {
            message,
            note: "the subscripts name the axes of every operand and of the result: \"ij,jk->ik\"".into(),
            help,
        };
        let Some((inputs, output)) = text.split_once("->") else {
            let letters: Vec<char> = text.chars().filter(char::is_ascii_alphabetic).collect();
            let mut once: Vec<char> =
                letters.iter().copied().filter(|x| letters.iter().filter(|y| *y == x).count() == 1).collect();
            once.sort_unstable();
            let help = format!("write what comes out: \"{}->{}\"", text.trim(), once.iter().collect::<String>());
            return Err(refuse("the subscripts have no `->`".into(), Some(help)));
        };
        let letters = |part: &str| {
            part.chars()
                .filter(|c| !c.is_whitespace())
                .map(|c| {
                    if c.is_ascii_alphabetic() {
                        return Ok(c);
                    }
                    let help = if c == '.' {
                        "give every axis a letter".into()
                    } else {
                        "name axes `a` to `z` and `A` to `Z`".into()
                    };
                    Err(refuse(format!("`{c}` is no subscript"), Some(help)))
                })
                .collect::<Result<Vec<char>, Mismatch>>()
        };
        let subscripts =
            Subscripts { inputs: inputs.split(',').map(letters).collect::<Result<_, _>>()?, output: letters(output)? };
        if subscripts.inputs.len() != operands {
            let count = subscripts.inputs.len();
            return Err(refuse(
                format!("subscripts for {} and {operands} given", super::method::counted(count, "operand")),
                Some("separate those of the operands by commas".into()),
            ));
        }
        for (k, letter) in subscripts.output.iter().enumerate() {
            if subscripts.output[..k].contains(letter) {
                let help = "a diagonal can be read, not written".into();
                return Err(refuse(format!("`{letter}` occurs twice in the result"), Some(help)));
            }
            if !subscripts.inputs.iter().any(|input| input.contains(letter)) {
                let help = format!("leave `{letter}` out, or name an axis of an operand so");
                return Err(refuse(format!("`{letter}` of the result is in no operand"), Some(help)));
            }
        }
        Ok(subscripts)
    }

    /// The letters that are summed over, as they come.
    fn summed(&self) -> Vec<char> {
        let mut summed = Vec::new();
        for letter in self.inputs.iter().flatten() {
            if !self.output.contains(letter) && !summed.contains(letter) {
                summed.push(*letter);
            }
        }
        summed
    }
}

/// What each letter stands for.
struct Sizes(Vec<(char, Dim)>);

impl Sizes {
    fn of(&self, letter: char) -> Dim {
        self.0.iter().find(|(own, _)| *own == letter).map_or(Dim::literal(1), |(_, dim)| dim.clone())
    }

    fn all(&self, letters: &[char]) -> Vec<Dim> {
        letters.iter().map(|letter| self.of(*letter)).collect()
    }

    /// Checks ranks, and that a letter has one size wherever it stands.
    fn check(b: &mut Builder, subscripts: &Subscripts, args: &[Var]) -> Result<Sizes, Mismatch> {
        let mut sizes: Vec<(char, Dim)> = Vec::new();
        for (k, (input, arg)) in subscripts.inputs.iter().zip(args).enumerate() {
            let dims = b.ty(*arg).dims.clone();
            let text: String = input.iter().collect();
            if dims.len() != input.len() {
                return Err(Mismatch {
                    message: format!(
                        "`{text}` names {}, operand {k} has {}: {}",
                        super::method::counted(input.len(), "axis"),
                        dims.len(),
                        dim::show(&dims)
                    ),
                    note: "every axis of an operand has a letter".into(),
                    help: None,
                });
            }
            for (letter, size) in input.iter().zip(&dims) {
                let Some((_, known)) = sizes.iter().find(|(own, _)| own == letter) else {
                    sizes.push((*letter, size.clone()));
                    continue;
                };
                let message = format!("`{letter}` is {known} and, in `{text}`, {size}");
                match known.compare(size) {
                    Comparison::Equal => {}
                    Comparison::Unknown => {
                        let mut typed = Typed::from(Ty::index());
                        typed.equal.push((known.clone(), size.clone(), message));
                        b.oblige(&typed);
                    }
                    Comparison::Different => {
                        let note = "a letter has the same size wherever it stands".into();
                        return Err(Mismatch { message, note, help: None });
                    }
                }
            }
        }
        Ok(Sizes(sizes))
    }
}

/// The sum over all letters that are not in the result of the products of the operands.
pub fn build(b: &mut Builder, subscripts: &Subscripts, args: &[Var]) -> Result<Var, Mismatch> {
    let sizes = Sizes::check(b, subscripts, args)?;
    if let [x, y] = args {
        if let Some(product) = Product::find(subscripts) {
            return product.build(b, subscripts, &sizes, [*x, *y]);
        }
    }
    Ok(nest(b, subscripts, &sizes, args))
}

fn nest(b: &mut Builder, subscripts: &Subscripts, sizes: &Sizes, args: &[Var]) -> Var {
    let Subscripts { inputs, output } = subscripts;
    let summed = subscripts.summed();
    let ty = Ty::tensor(b.ty(args[0]).elem.clone(), sizes.all(output));
    let term = |b: &mut Builder, letters: &[char], at: &[Var]| {
        let factors = inputs
            .iter()
            .zip(args)
            .map(|(input, arg)| {
                let places = input.iter().filter_map(|letter| letters.iter().position(|other| other == letter));
                let at: Vec<Var> = places.map(|place| at[place]).collect();
                b.get(*arg, &at)
            })
            .collect::<Vec<Var>>();
        factors.into_iter().reduce(|product, factor| b.mul(product, factor)).unwrap_or(args[0])
    };
    if summed.is_empty() {
        return generate(b, ty, &mut |b, at| term(b, output, at));
    }
    // Where the last axis of the result is the last of every operand that has it, it is the innermost loop, and each
    // of its steps is a sum of its own. Else the sums are innermost, each kept in a register.
    let last =
        output.last().filter(|last| inputs.iter().all(|input| !input[..input.len().saturating_sub(1)].contains(*last)));
    if let Some(last) = last {
        let order = [&output[..output.len() - 1], &summed, &[*last]].concat();
        let zero = b.zero(ty);
        return b.nest(&sizes.all(&order), &[zero], &mut |b, at, t| {
            let to: Vec<Var> = [&at[..output.len() - 1], &at[at.len() - 1..]].concat();
            let v = term(b, &order, at);
            vec![b.acc(t[0], v, &to)]
        })[0];
    }
    let letters = [&output[..], &summed].concat();
    let (elem, inner) = (ty.elem.clone(), sizes.all(&summed));
    generate(b, ty, &mut |b, at| {
        let zero = b.constant(&elem, 0.0);
        let at = at.to_vec();
        b.nest(&inner, &[zero], &mut |b, k, sum| {
            let v = term(b, &letters, &[&at[..], k].concat());
            vec![b.add(sum[0], v)]
        })[0]
    })
}

/// Two operands that have one letter of their own each, share one that is summed, and share the rest with the result.
struct Product {
    /// Which operand is on the left.
    left: usize,
    row: char,
    column: char,
    inner: char,
}

impl Product {
    fn find(subscripts: &Subscripts) -> Option<Product> {
        let Subscripts { inputs, output } = subscripts;
        let repeats = |input: &Vec<char>| input.iter().enumerate().any(|(k, letter)| input[..k].contains(letter));
        if inputs.iter().any(repeats) {
            return None;
        }
        let only = |letters: Vec<char>| if let [letter] = letters[..] { Some(letter) } else { None };
        let inner = only(subscripts.summed())?;
        if !inputs.iter().all(|input| input.contains(&inner)) {
            return None;
        }
        let own = |k: usize| only(inputs[k].iter().copied().filter(|letter| !inputs[1 - k].contains(letter)).collect());
        let owners = [own(0)?, own(1)?];
        // The operand whose letter comes first in the result is on the left.
        let place = |letter: char| output.iter().position(|other| *other == letter);
        let left = usize::from(place(owners[0]) > place(owners[1]));
        Some(Product { left, row: owners[left], column: owners[1 - left], inner })
    }

    fn build(&self, b: &mut Builder, subscripts: &Subscripts, sizes: &Sizes, args: [Var; 2]) -> Result<Var, Mismatch> {
        let Product { left, row, column, inner } = *self;
        let output = &subscripts.output;
        let outer: Vec<char> = output.iter().copied().filter(|letter| *letter != row && *letter != column).collect();
        let follow = |letters: &[char]| {
            letters.iter().map(|letter| outer.iter().position(|other| other == letter)).collect::<Vec<_>>()
        };
        let (x, x_outer, ta) = matrix(b, args[left], &subscripts.inputs[left], row, inner);
        let (y, y_outer, tb) = matrix(b, args[1 - left], &subscripts.inputs[1 - left], inner, column);
        let op = MatMul { ta, tb };
        let product = if outer.is_empty() {
            b.tensor(Rc::new(op), &[x, y])?
        } else {
            let axes = [follow(&x_outer), follow(&y_outer), follow(&outer)];
            b.tensor(Rc::new(Batched { op, batch: Batch { dims: sizes.all(&outer), axes } }), &[x, y])?
        };
        let made = [&outer[..], &[row, column]].concat();
        Ok(permuted(b, product, &made, output))
    }
}

/// The operand with the axes of the matrix at the end; the letters of the others; whether the matrix is transposed.
fn matrix(b: &mut Builder, x: Var, letters: &[char], row: char, column: char) -> (Var, Vec<char>, bool) {
    let outer: Vec<char> = letters.iter().copied().filter(|letter| *letter != row && *letter != column).collect();
    let transposed = letters.ends_with(&[column, row]);
    if transposed || letters.ends_with(&[row, column]) {
        return (x, outer, transposed);
    }
    let wanted = [&outer[..], &[row, column]].concat();
    (permuted(b, x, letters, &wanted), outer, false)
}

fn permuted(b: &mut Builder, x: Var, from: &[char], to: &[char]) -> Var {
    if from == to {
        return x;
    }
    let axes = to.iter().filter_map(|letter| from.iter().position(|other| other == letter)).collect();
    b.apply(Permute { axes }, &[x])
}

#[cfg(test)]
mod tests {
    use super::*;

    fn message(text: &str, operands: usize) -> String {
        Subscripts::parse(text, operands).expect_err(text).message
    }

    #[test]
    fn subscripts() {
        let parsed = Subscripts::parse("ij, jk -> ik", 2).unwrap();
        assert_eq!(parsed, Subscripts { inputs: vec![vec!['i', 'j'], vec!['j', 'k']], output: vec!['i', 'k'] });
        assert_eq!(parsed.summed(), ['j']);
        assert!(Subscripts::parse("ii->", 1).unwrap().output.is_empty());
    }

    #[test]
    fn what_is_refused() {
        assert_eq!(message("ij,jk", 2), "the subscripts have no `->`");
        assert_eq!(message("ij,jk->ik", 3), "subscripts for 2 operands and 3 given");
        assert_eq!(message("ij,jk->il", 2), "`l` of the result is in no operand");
        assert_eq!(message("ij->ii", 1), "`i` occurs twice in the result");
        assert_eq!(message("i1->i", 1), "`1` is no subscript");
    }

    #[test]
    fn what_is_a_matrix_product() {
        let is_product = |text: &str| Product::find(&Subscripts::parse(text, 2).unwrap()).is_some();
        assert!(is_product("ij,jk->ik") && is_product("bqhd,bkhd->bhqk") && is_product("ij,jk->ki"));
        assert!(
            !is_product("ij,jk->k") && !is_product("ij,ij->i") && !is_product("ii,ij->j") && !is_product("i,j->ij")
        );
    }
}
