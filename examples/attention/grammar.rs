//! A language small enough that a program can tell what is right in it.
//!
//! ```text
//! sentence  →  group [adverb] verb group "."      the first group and the verb of one number
//! group     →  article [adjective] noun
//! ```

use rand::RngExt;
use rand::seq::IndexedRandom;

const ADJECTIVES: &[&str] = &["small", "tall", "quick", "red", "brave"];
/// Plural with an `s`.
const NOUNS: &[&str] = &["cat", "dog", "bird", "frog", "horse", "lion"];
/// Singular with an `s`.
const VERBS: &[&str] = &["see", "like", "find", "chase", "hear"];
const ADVERBS: &[&str] = &["often", "never", "always"];

#[derive(Clone, Copy, PartialEq, Eq)]
enum Number {
    Singular,
    Plural,
}
use Number::{Plural, Singular};

fn one(words: &[&str], rng: &mut impl RngExt) -> String {
    words.choose(rng).expect("a list of words").to_string()
}

/// A sentence without the blank behind it.
pub fn sentence(rng: &mut impl RngExt) -> String {
    let [number, other] = [0; 2].map(|_| if rng.random() { Singular } else { Plural });
    let mut words = group(number, rng);
    if rng.random_bool(0.5) {
        words.push(one(ADVERBS, rng));
    }
    let verb = one(VERBS, rng);
    words.push(if number == Singular { verb + "s" } else { verb });
    words.extend(group(other, rng));
    words.join(" ") + "."
}

/// `the small cats`
fn group(number: Number, rng: &mut impl RngExt) -> Vec<String> {
    let mut words = vec![if number == Singular && rng.random() { "a" } else { "the" }.to_string()];
    if rng.random_bool(0.4) {
        words.push(one(ADJECTIVES, rng));
    }
    let noun = one(NOUNS, rng);
    words.push(if number == Singular { noun } else { noun + "s" });
    words
}

/// Whether a sentence, with its full stop, is one of the language.
pub fn accepts(sentence: &str) -> bool {
    let words: Option<Vec<&str>> = sentence.strip_suffix('.').map(|words| words.split(' ').collect());
    words.is_some_and(|words| parse(&words).is_some())
}

/// Goes through the words of a sentence; `None` where one is not what may follow.
fn parse(mut words: &[&str]) -> Option<()> {
    let number = take_group(&mut words)?;
    if words.first().is_some_and(|word| ADVERBS.contains(word)) {
        words = &words[1..];
    }
    let (verb, mut words) = words.split_first()?;
    let verb = if number == Singular { verb.strip_suffix('s')? } else { verb };
    take_group(&mut words)?;
    (VERBS.contains(&verb) && words.is_empty()).then_some(())
}

/// Takes an article, perhaps an adjective, and a noun.
fn take_group(words: &mut &[&str]) -> Option<Number> {
    let (article, mut rest) = words.split_first()?;
    if rest.first().is_some_and(|word| ADJECTIVES.contains(word)) {
        rest = &rest[1..];
    }
    let (noun, rest) = rest.split_first()?;
    *words = rest;
    let number = if NOUNS.contains(noun) { Singular } else { Plural };
    let known = number == Singular || noun.strip_suffix('s').is_some_and(|noun| NOUNS.contains(&noun));
    (known && (*article == "the" || *article == "a" && number == Singular)).then_some(number)
}
