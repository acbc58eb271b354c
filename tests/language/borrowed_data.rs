//! Lists of data without a derivative, taken apart where they are: texts, enums and structs are borrowed, numbers are copied.

use autodiff::check_grads;
use autodiff::prelude::*;
use std::collections::HashMap;

/// There is no `Default` for it.
#[derive(Clone, PartialEq, Debug)]
enum Side {
    Left,
    Right(String),
}

fn weight(side: &Side) -> f64 {
    match side {
        Side::Left => 1.0,
        Side::Right(name) => name.len() as f64,
    }
}

struct Item {
    side: Side,
    count: usize,
    name: String,
}

#[differentiable]
fn basket(
    prices: &[f64],
    #[no_diff] places: &HashMap<String, usize>,
    #[no_diff] basket: &[(String, u32)],
    bonus: f64,
) -> f64 {
    let mut total = 0.0;
    for (name, count) in basket {
        if let Some(&k) = places.get(name) {
            total += prices[k].sqrt() * f64::from(*count);
        }
        let place: usize = places.get(name).copied().unwrap_or(0);
        total += bonus * prices[place];
    }
    let rare = basket.iter().filter(|(name, _)| name.starts_with('b'));
    total + rare.map(|(name, count)| prices[places[name]].ln() * *count as f64).sum::<f64>()
}

#[differentiable(order = 2)]
fn sides(prices: &[f64], #[no_diff] sides: &[(Side, u32)]) -> f64 {
    let mut total = 0.0;
    for (k, (side, count)) in sides.iter().enumerate() {
        let by: f64 = weight(side);
        total += by * prices[k].sqrt() * f64::from(*count);
        if *side == Side::Left {
            total *= 0.5;
        }
        if let Side::Right(name) = side {
            total += name.len() as f64 * prices[k];
        }
    }
    total
}

#[differentiable]
fn items(prices: &[f64], #[no_diff] places: &HashMap<String, usize>, #[no_diff] items: &[Item]) -> f64 {
    let mut total = 0.0;
    for Item { side, count, name } in items {
        let by: f64 = weight(side);
        total += by * prices[places[name]] * *count as f64 * prices[*count];
    }
    for item in items {
        let Item { side, count: at, .. } = item;
        total += weight(side) * prices[*at].sin();
    }
    total
}

#[test]
fn patterns_in_loops() {
    let places = HashMap::from([("a".to_owned(), 1), ("bb".to_owned(), 0), ("bc".to_owned(), 2)]);
    let prices = [2.0, 3.0, 0.5];
    let bought = [("a".to_owned(), 2), ("bb".to_owned(), 1), ("bc".to_owned(), 4)];
    check_grads!(basket, &prices, &places, &bought, 0.3);
    let both = [(Side::Left, 2), (Side::Right("abc".to_owned()), 1), (Side::Left, 4)];
    check_grads!(sides, &prices, &both);
    // Each square root has its own second derivative.
    let second = sides::hvp(&prices, &both, &[0.0, 1.0, 0.0]);
    let expected = 0.5 * 3.0 * -0.25 * 3.0_f64.powf(-1.5);
    assert!((second[1] - expected).abs() < 1e-12, "{second:?} {expected}");
    let of = |k: usize, name: &str| Item { side: both[k].0.clone(), count: k, name: name.to_owned() };
    check_grads!(items, &prices, &places, &[of(0, "a"), of(1, "bb"), of(2, "a"), of(1, "bc")]);
}
