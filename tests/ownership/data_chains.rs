//! Methods with closures of data without a derivative, evaluated as they stand.

use crate::harness::check;
use autodiff::prelude::*;
use std::collections::BTreeMap;

struct Vocabulary {
    index: BTreeMap<String, usize>,
    weights: BTreeMap<usize, f64>,
    scale: Option<f64>,
}

#[differentiable(order = 2)]
fn looked_up(
    model: &[f64],
    #[no_diff] text: &str,
    #[no_diff] vocabulary: &Vocabulary,
    #[no_diff] window: usize,
) -> f64 {
    let tokens: Vec<usize> = text.split_whitespace().filter_map(|w| vocabulary.index.get(w).copied()).collect();
    let mut loss = 0.0;
    for (position, &centre) in tokens.iter().enumerate() {
        let start = position.saturating_sub(window);
        for context in start..position {
            loss += model[centre] * model[tokens[context]].sin();
        }
        if position > 0 {
            // What is captured changes from one iteration to the next.
            let heavier: f64 = vocabulary.weights.range(centre..).map(|(_, w)| *w).sum();
            loss *= 1.0 + 0.1 * heavier;
            let longest: f64 = text.split_whitespace().map(|w| w.len() as f64 * heavier).fold(0.5, |a, b| a.max(b));
            loss += longest * model[centre];
        }
    }
    loss
}

#[test]
fn words_are_looked_up() {
    let words = ["a", "bcd", "ef"];
    let vocabulary = Vocabulary {
        index: words.iter().enumerate().map(|(k, w)| (w.to_string(), k)).collect(),
        weights: [(0, 0.5), (2, 1.5)].into_iter().collect(),
        scale: Some(2.0),
    };
    for text in ["a ef unknown bcd a", "bcd", ""] {
        check!(looked_up(&model, text, &vocabulary, 2) by model = vec![0.3, 0.8, -0.6]);
    }
    assert_eq!(vocabulary.scale, Some(2.0));
}
