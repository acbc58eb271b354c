//! Arrays of structs in the elements of `Vec`s and slices, where a constant of the file says how many there are.

use crate::harness::check;
use autodiff::check_grads;
use autodiff::prelude::*;

const HEADS: usize = 2;
const WIDTH: usize = HEADS + 1;

#[derive(Differentiable, Clone, Copy, Debug)]
struct Head {
    x: f64,
    y: f64,
}

#[derive(Differentiable, Clone, Debug)]
struct Block {
    heads: [Head; HEADS],
    weights: [f64; WIDTH],
    pairs: [(Head, f64); WIDTH],
}

#[derive(Differentiable, Clone, Debug)]
struct Model {
    blocks: Vec<Block>,
    first: Block,
    scale: f64,
}

#[derive(Differentiable, Clone, Debug)]
struct Stack {
    blocks: [Block; WIDTH],
    scale: f64,
}

#[differentiable(order = 2)]
impl Block {
    fn change(&mut self, by: f64) {
        for head in &mut self.heads {
            head.x *= by;
        }
        self.weights[0] += self.heads[0].x;
    }

    fn forward(&self, x: f64) -> f64 {
        let [a, b] = &self.heads;
        let mut y = a.x * x + b.y.sin() * x;
        for head in &self.heads {
            y += head.x * head.y * x;
        }
        for i in 0..WIDTH {
            y += self.weights[i] * self.pairs[i].0.x * self.pairs[i].1;
        }
        y
    }

    fn turned(&self, by: f64) -> Block {
        let mut heads = self.heads;
        heads[1].x *= by;
        Block { heads, weights: self.weights, pairs: self.pairs }
    }
}

#[differentiable(order = 2)]
impl Model {
    fn forward(&self, x: f64) -> f64 {
        let mut x = x;
        for block in &self.blocks {
            x = block.forward(x);
        }
        for i in 0..self.blocks.len() {
            x += self.blocks[i].heads[1].x * self.blocks[i].heads[i % 2].y;
        }
        x + self.first.forward(x)
    }

    fn made(&self, x: f64) -> f64 {
        let mut blocks: Vec<Block> = Vec::new();
        for block in &self.blocks {
            blocks.push(block.turned(x));
        }
        blocks.push(self.first.clone());
        blocks[0].heads[1].y *= x;
        let one = blocks[0].clone();
        let n = blocks.len();
        if x > 0.1 {
            blocks[n - 1] = one.turned(0.3);
        }
        let more = vec![self.first.turned(x), one.turned(0.2)];
        let again = vec![self.first.turned(x); 2];
        blocks.extend(more);
        blocks.extend_from_slice(&again);
        let last = if x > 0.2 { &blocks[0] } else { &self.first };
        blocks[1].weights[0] = last.heads[1].x;
        blocks.swap(0, 1);
        blocks.iter().map(|block| block.forward(x)).sum::<f64>() + one.forward(x)
    }
}

#[differentiable(order = 2)]
fn loss(model: &Model, x: f64) -> f64 {
    model.forward(x) * model.scale + model.made(x)
}

#[differentiable(order = 2)]
fn all(blocks: &[Block], x: f64) -> f64 {
    blocks.iter().map(|block| block.forward(x) + block.heads.iter().map(|head| head.x * x).sum::<f64>()).sum()
}

#[differentiable(order = 2)]
fn turned(blocks: &[Block], x: f64) -> Vec<Block> {
    blocks.iter().map(|block| block.turned(x)).collect()
}

#[differentiable(order = 2)]
fn stacked(stack: &Stack, x: f64) -> Stack {
    let mut blocks: [Block; WIDTH] = core::array::from_fn(|i| stack.blocks[i].turned(x * i as f64));
    blocks[0] = stack.blocks[1].turned(stack.scale);
    Stack { blocks, scale: stack.scale * x }
}

#[differentiable(order = 2)]
fn stacks(all: &[Stack], others: &[Block; 3], x: f64) -> f64 {
    let one = stacked(&all[0], x);
    let mut sum = one.blocks.iter().map(|block| block.forward(x)).sum::<f64>() * one.scale;
    for stack in all {
        for block in &stack.blocks {
            sum += block.forward(x);
        }
    }
    sum + others[1].forward(x)
}

#[differentiable(order = 2)]
fn scale<const N: usize>(heads: &mut [Head; N], by: f64) {
    for head in heads.iter_mut() {
        head.x *= by * head.y;
    }
}

#[differentiable(order = 2)]
fn total<const N: usize>(heads: &[Head; N], by: f64) -> f64 {
    heads.iter().map(|head| head.x * by * head.y).sum()
}

#[differentiable(order = 2)]
fn total_of(heads: [Head; HEADS]) -> f64 {
    heads.iter().map(|head| head.x * head.y).sum()
}

/// What is written out is passed as what is not.
#[differentiable(order = 2)]
fn changed(stack: &Stack, x: f64) -> f64 {
    let mut stack = stack.clone();
    stack.blocks[1].change(x);
    for i in 0..WIDTH {
        stack.blocks[i].change(x * 0.5);
    }
    let mut pair = [Head { x, y: 0.3 }, Head { x: 0.4, y: x }];
    scale(&mut pair, x);
    let mut other = [Head { x, y: 0.3 }; HEADS];
    scale(&mut other, x);
    let mut sum = total(&pair, x) + total(&other, x) + total(&stack.blocks[0].heads, x);
    sum += total_of(pair) + total_of(other) + total_of([other[0], pair[1]]);
    for block in &stack.blocks {
        sum += block.forward(x);
    }
    sum
}

#[differentiable(order = 2)]
fn of_numbers(x: f64, y: f64) -> f64 {
    let head = Head { x, y };
    let block = Block { heads: [head; HEADS], weights: [x, y, 0.5], pairs: [(head, x), (head, y), (head, 0.7)] };
    let blocks = turned(&[block.turned(x), block.turned(y)], x);
    all(&blocks, y) + loss(&Model { blocks, first: block, scale: y }, x)
}

fn block(s: f64) -> Block {
    let head = |k: f64| Head { x: s * k, y: s + k };
    let pairs = [(head(0.3), s), (head(0.7), 0.3), (head(0.4), 0.5)];
    Block { heads: [head(0.3), head(0.2)], weights: [s, 0.2, 0.4], pairs }
}

#[test]
fn written_out() {
    let model = Model { blocks: vec![block(0.3), block(0.5), block(0.2)], first: block(0.4), scale: 0.3 };
    for x in [0.05, 0.15, 0.4] {
        check_grads!(loss, &model, x);
        check_grads!(all, &model.blocks, x);
        check_grads!(turned, &model.blocks, x);
    }
    check!(of_numbers(x, y) by x = 0.4, y = 0.3);
    let stack = || Stack { blocks: [block(0.3), block(0.5), block(0.2)], scale: 0.3 };
    check_grads!(stacked, &stack(), 0.4);
    check_grads!(stacks, &[stack(), stack()], &[block(0.3), block(0.5), block(0.2)], 0.4);
    check_grads!(changed, &stack(), 0.4);
}
