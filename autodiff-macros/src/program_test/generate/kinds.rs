//! What is drawn.

/// Whether a kind of Rust is drawn.
#[derive(Clone, Copy)]
pub(super) struct Drawn {
    /// Functions and methods that are called, with the types of their parameters.
    pub items: bool,
    /// Structs and methods among them.
    pub structs: bool,
    pub methods: bool,
    pub enums: bool,
    pub recursion: bool,
    /// Operands and conditions that change variables.
    pub effects: bool,
    /// `while { y *= x; n < 2 }`
    pub effects_in_while: bool,
    /// `a && { p *= 0.5; q > p }`
    pub effects_behind_and: bool,
    /// `v[{ p *= x; 1 }]`
    pub effects_in_index: bool,
    /// `let r = if c { &mut p } else { &mut q };`
    pub choices_of_borrows: bool,
    /// Closures that change what they capture.
    pub changing_closures: bool,
    pub cfg: bool,
    /// Functions without a derivative that are not pure.
    pub impure: bool,
}

/// Everything that the interpreter knows.
pub(super) const ALL: Drawn = Drawn {
    items: true,
    structs: true,
    methods: true,
    enums: true,
    recursion: true,
    effects: true,
    effects_in_while: true,
    effects_behind_and: true,
    effects_in_index: true,
    choices_of_borrows: true,
    changing_closures: true,
    cfg: true,
    impure: true,
};

/// What the compiler's programs have.
pub(super) const DRAWN: Drawn = Drawn {
    items: false,
    structs: false,
    methods: false,
    enums: false,
    recursion: false,
    effects: false,
    effects_in_while: false,
    effects_behind_and: false,
    effects_in_index: false,
    choices_of_borrows: false,
    changing_closures: false,
    cfg: false,
    impure: false,
};

/// Text that must occur in several of the programs.
pub(in crate::program_test) const KINDS: &[&str] = &[
    "for ",
    "while ",
    "loop {",
    "if ",
    "else if",
    "break",
    "continue",
    "return",
    "'l",
    ".rev()",
    "step_by",
    "0..i",
    "s.len()",
    "vec![",
    ".push(",
    ".clear()",
    ".truncate(",
    "swap(",
    ".fill(",
    "copy_from_slice",
    "reverse()",
    "iter_mut",
    "enumerate",
    ".zip(",
    "fold(",
    "windows",
    "|u: f64|",
    "let d",
    "[[",
    ".max(",
    ".abs()",
    "&&",
    "||",
    "split_at",
    "..=",
    "(f64, f64)",
    "] +=",
    "] *=",
    "kept",
    "match (",
    "match i",
    "=> {",
    "unwrap_or",
    ".chunks(",
    ".filter(",
    ".skip(",
];
