//! How the macro learns of items it does not see.
//!
//! Note [The relay]. Every differentiable function and derived struct also defines a hidden `macro_rules!` of
//! its own name, which hands what is to be known of it to the next macro in a list:
//!
//! ```text
//! Mlp! { [logits] [::autodiff::__expand] => { state… } }
//!     → logits! { [::autodiff::__expand] => { state… {struct …} } }
//!     → ::autodiff::__expand! { => { state… {struct …} {fn …} } }
//! ```
//!
//! A caller names the items it needs by the paths its user wrote, so that rustc's own name resolution finds
//! them: in other modules and crates, before or after, renamed or re-exported. An exported type may use
//! constants that the caller cannot name; they are exported as associated constants (`__Self::AUTODIFF_IN`), and
//! exported again by every item that hands the type on, so that `__Self` is always the item that was asked.
//!
//! Note [Unanswered questions]. A function that is not differentiable has no relay, and rustc would say that it cannot find a
//! macro. So the invocation stands in a block where the name is imported, inside one where the same name is a macro that
//! answers that nothing is known:
//!
//! ```text
//! const _: () = {
//!     use ::autodiff::__no_relay as __autodiff_ask_0;
//!     {
//!         use helper as __autodiff_ask_0;     // the function, and its relay if it has one
//!         { __autodiff_ask_0! { [::autodiff::__expand] => { state… } } }
//!     }
//! };
//! ```
//!
//! The function of a method (see [`crate::methods`]) is asked under all names that it may have. There may be no item of such a
//! name, which would be an error of the import, so that a glob import brings it, beside a function that there is in any case:
//!
//! ```text
//!     mod __autodiff_beside_0_0 { pub use $crate::shapes::*; pub fn Plain_area() {} }
//!     use __autodiff_beside_0_0::Plain_area as __autodiff_ask_0;
//! ```
//!
//! The import always finds the function. Whether it has found a macro, too, rustc knows once nothing around it is left to be
//! expanded, which is why the invocation has the innermost block to itself. One question stays rustc's to answer: that after
//! the result type of a function cannot stand in a block, because the relay of the function itself comes of it, and others name that.

mod export;
mod knowledge;
mod wire;

pub use crate::ir::inline::Inlinable;
pub use export::{Exporter, Sizes, known_size};
pub use knowledge::{
    FieldInfo, FnInfo, Generic, GenericKind, Home, Info, Knowledge, ParamInfo, StructInfo, VariantInfo,
};

use crate::diag::Error;
use crate::tokens::spelled;
use proc_macro2::{Ident, Span, TokenStream};
use quote::{format_ident, quote, quote_spanned};
use std::collections::BTreeMap;
use std::sync::{Mutex, PoisonError};
use syn::ext::IdentExt;
use syn::spanned::Spanned;
use syn::{GenericParam, Generics, Path, Visibility};

/// The type whose associated constants an item exports. They do not depend on its generics, for which any will do.
pub fn owner(path: &Path, generics: &[Generic]) -> String {
    let path = without_arguments(path);
    let any = generics.iter().map(|generic| if generic.kind == GenericKind::Size { quote!(0) } else { quote!(f64) });
    if generics.is_empty() { spelled(&path) } else { spelled(&quote!(#path::<#(#any),*>)) }
}

/// A path without its generic arguments, as tokens.
pub fn without_arguments(path: &Path) -> Path {
    let mut path = path.clone();
    for segment in &mut path.segments {
        segment.arguments = syn::PathArguments::None;
    }
    path
}

pub fn key(path: &Path) -> String {
    spelled(&without_arguments(path))
}

/// What travels along the relay: the work to go on with, what is known, what was asked.
pub struct State {
    /// Which entry point goes on.
    pub task: Ident,
    pub attr: TokenStream,
    pub item: TokenStream,
    pub knowledge: Knowledge,
    pub asked: Vec<Path>,
    /// Whether the first stage's items have been emitted.
    pub relay_done: bool,
}

impl State {
    /// The invocation that asks `self.asked` and comes back to `__expand`, in a block of its own: see Note [Unanswered questions].
    /// What comes of it may define nothing that is named outside. `candidates` says where a method's function may stand.
    pub fn ask(&self, krate: &TokenStream, candidates: impl Fn(&Path) -> Vec<Candidate>) -> TokenStream {
        if self.asked.iter().any(|path| path.segments.first().is_some_and(|first| first.ident == "Self")) {
            return self.ask_here(krate, candidates);
        }
        let mut levels: Vec<TokenStream> = Vec::new();
        let mut none = TokenStream::new();
        let mut names = Vec::new();
        for (k, path) in self.asked.iter().enumerate() {
            let candidates = if is_method(path) { candidates(path) } else { Vec::new() };
            let path = unambiguous(without_arguments(path));
            if is_method(&path) && candidates.is_empty() {
                names.push(path);
                continue;
            }
            // Where rustc points, if there is no such item at all.
            let name = Ident::new(&format!("__autodiff_ask_{k}"), Span::call_site().located_at(path.span()));
            none.extend(quote!(use #krate::__no_relay as #name;));
            let imports = match is_method(&path) {
                true => candidates.iter().enumerate().map(|(j, candidate)| candidate.import(&name, (k, j))).collect(),
                false => vec![quote!(use #path as #name;)],
            };
            levels.resize(levels.len().max(imports.len()), TokenStream::new());
            levels.iter_mut().zip(imports).for_each(|(level, import)| level.extend(import));
            names.push(Path::from(name));
        }
        let question = self.question(&names, krate);
        let question = levels.into_iter().rev().fold(question, |inner, imports| quote!({ #imports { #inner } }));
        quote! {
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            const _: () = { #none #question };
        }
    }

    /// The same in the place of a statement, where the answer is written.
    pub fn ask_in_place(&self, krate: &TokenStream) -> TokenStream {
        let mut imports = [TokenStream::new(), TokenStream::new()];
        let mut names = Vec::new();
        for (k, path) in self.asked.iter().enumerate() {
            let name = Ident::new(&format!("__autodiff_ask_{k}"), Span::call_site().located_at(path.span()));
            let path = unambiguous(without_arguments(path));
            imports[0].extend(quote!(#[allow(unused_imports)] use #krate::__no_relay as #name;));
            imports[1].extend(quote!(#[allow(unused_imports)] use #path as #name;));
            names.push(Path::from(name));
        }
        let (question, [none, own]) = (self.question(&names, krate), imports);
        quote!({ #none { #own { #question } } })
    }

    /// The same where the answer defines items that others name, such as a relay. If something has no relay, rustc says "cannot
    /// find macro", and that the type is not differentiable.
    pub fn ask_here(&self, krate: &TokenStream, candidates: impl Fn(&Path) -> Vec<Candidate>) -> TokenStream {
        let question = self.questioned(krate, candidates);
        let types = self.asked.iter().filter(|path| {
            let has_arguments = path.segments.iter().any(|segment| !segment.arguments.is_empty());
            is_type(path) && !has_arguments && !is_method(path)
        });
        let checks =
            types.map(|path| quote_spanned!(path.span()=> let _ = #krate::__private::is_differentiable::<#path>;));
        let checks: TokenStream = checks.collect();
        quote! {
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            const _: () = { #checks };
            #question
        }
    }

    /// The same where all that is asked for is known to have a relay. The types are named: what only functions with derivatives
    /// construct is used.
    pub fn ask_known(&self, krate: &TokenStream, candidates: impl Fn(&Path) -> Vec<Candidate>) -> TokenStream {
        let question = self.questioned(krate, candidates);
        let types = self.asked.iter().filter(|path| is_type(path) && !is_method(path)).enumerate().map(|(k, path)| {
            let (path, name) = (without_arguments(path), format_ident!("__autodiff_type_{k}"));
            quote!(use #path as #name;)
        });
        let types: TokenStream = types.collect();
        if types.is_empty() {
            return question;
        }
        quote! {
            #[allow(warnings, unused, clippy::all, clippy::pedantic, clippy::nursery, clippy::restriction)]
            const _: () = { #types };
            #question
        }
    }

    fn questioned(&self, krate: &TokenStream, candidates: impl Fn(&Path) -> Vec<Candidate>) -> TokenStream {
        let names = self.asked.iter().map(|path| {
            let home = if is_method(path) { candidates(path).iter().rev().find_map(Candidate::absolute) } else { None };
            home.unwrap_or_else(|| unambiguous(without_arguments(path)))
        });
        self.question(&names.collect::<Vec<Path>>(), krate)
    }

    fn question(&self, names: &[Path], krate: &TokenStream) -> TokenStream {
        let State { task, attr, item, knowledge, asked, relay_done } = self;
        let [first, rest @ ..] = names else { return TokenStream::new() };
        let keys = asked.iter().map(key);
        quote! {
            #first! {
                #([#rest])* [#krate::__expand] => {
                    #task #relay_done { #attr } { #item } { #knowledge } { #(#keys)* }
                }
            }
        }
    }
}

/// A place of a method's function, if it is there.
pub struct Candidate {
    /// A module, from one that stands beside the caller.
    pub module: TokenStream,
    pub name: String,
}

impl Candidate {
    /// Its path, if that means the same everywhere in the crate.
    fn absolute(&self) -> Option<Path> {
        let (module, name) = (&self.module, format_ident!("{}", self.name));
        let first = module.clone().into_iter().next()?.to_string();
        matches!(&first[..], "crate" | "$crate").then(|| syn::parse_quote!(#module::#name))
    }

    /// Imports its relay, or nothing but a function.
    fn import(&self, name: &Ident, (k, j): (usize, usize)) -> TokenStream {
        let (module, beside) = (&self.module, format_ident!("__autodiff_beside_{k}_{j}"));
        let function = format_ident!("{}", self.name);
        quote! {
            mod #beside { pub use #module::*; pub fn #function() {} }
            use #beside::#function as #name;
        }
    }
}

/// Whether a path is the name that [`crate::methods`] makes for a method, `Robot_energy`, under which there may be nothing.
pub fn is_method(path: &Path) -> bool {
    path.segments.last().is_some_and(|last| {
        let name = last.ident.unraw().to_string();
        name.starts_with(char::is_uppercase) && name.contains('_')
    })
}

/// What to say of a type that nothing is known of. One of the standard library cannot be changed.
pub fn type_without_relay(path: &Path) -> Error {
    let name = spelled(&without_arguments(path));
    let is_foreign = path.segments.last().is_some_and(|last| FOREIGN.contains(&&last.ident.to_string()[..]));
    let no_diff = "write `#[no_diff]` before the parameter or the field, if no derivative by it is wanted";
    let help = match is_foreign || is_of_library(path) {
        true => format!("{no_diff}, or keep its numbers in an array or a `Vec`"),
        false => format!("{no_diff}, or `#[derive(Differentiable)]` where `{name}` is defined"),
    };
    Error::new(path, format!("`{name}` is not known to be differentiable"))
        .note("a type has derivatives by its numbers, and says so by `#[derive(Differentiable)]`")
        .help(help)
}

/// Whether a path names something of the standard library.
fn is_of_library(path: &Path) -> bool {
    path.segments.len() > 1 && ["std", "core", "alloc"].iter().any(|library| path.segments[0].ident == library)
}

/// Types of the standard library, and of libraries of arrays, that fields and parameters often have.
const FOREIGN: &[&str] = &[
    "Arc",
    "Array1",
    "Array2",
    "ArrayD",
    "ArrayView1",
    "ArrayView2",
    "BTreeMap",
    "BTreeSet",
    "BinaryHeap",
    "Cell",
    "Duration",
    "HashMap",
    "HashSet",
    "Instant",
    "LinkedList",
    "Mutex",
    "PathBuf",
    "Rc",
    "RefCell",
    "RwLock",
    "String",
    "VecDeque",
];

/// Types are written in capitals.
fn is_type(path: &Path) -> bool {
    path.segments.last().is_some_and(|last| last.ident.unraw().to_string().starts_with(char::is_uppercase))
}

/// What to say of what is called, of which nothing is known.
pub fn function_without_relay(path: &Path) -> Error {
    let name = spelled(&without_arguments(path));
    if is_method(path) {
        let (owner, method) = name.split_once('_').unwrap_or_default();
        let at = path.segments.last();
        let error = Error::new(&at, format!("`{owner}::{method}` has no derivative that is known here"));
        return error.help(format!(
            "write `#[differentiable]` on the `impl` block of `{owner}` that has it; if that block stands in another module than `{owner}`, import `{name}` from there"
        ));
    }
    match is_type(path) {
        true => type_without_relay(path),
        false => Error::new(path, format!("`{name}` has no derivative")).help(match is_of_library(path) {
            true => "write what it computes with numbers, or `stop_gradient(…)` around what it is given, if no derivative is wanted".to_owned(),
            false => format!(
                "write `#[differentiable]` on `{name}`, or `stop_gradient(…)` around what it is given, if no derivative is wanted"
            ),
        }),
    }
}

/// A function may be called like a macro of the prelude or an attribute of the language. Its relay comes out of a macro's expansion,
/// so that rustc would not choose between the two.
fn unambiguous(path: Path) -> Path {
    let is_taken = path.get_ident().is_some_and(|name| {
        let name = name.unraw().to_string();
        PRELUDE.contains(&&name[..]) || ATTRIBUTES.contains(&&name[..])
    });
    if is_taken { syn::parse_quote!(self::#path) } else { path }
}

/// The attributes that are in scope everywhere, also those that only nightly compilers accept.
const ATTRIBUTES: &[&str] = &[
    "align",
    "allow",
    "bench",
    "cold",
    "coverage",
    "deny",
    "deprecated",
    "derive",
    "doc",
    "expect",
    "export_name",
    "feature",
    "forbid",
    "fundamental",
    "global_allocator",
    "ignore",
    "inline",
    "instruction_set",
    "lang",
    "link",
    "link_name",
    "link_section",
    "linkage",
    "loop_match",
    "marker",
    "may_dangle",
    "must_use",
    "naked",
    "no_mangle",
    "non_exhaustive",
    "optimize",
    "path",
    "proc_macro",
    "repr",
    "sanitize",
    "stable",
    "target_feature",
    "test",
    "track_caller",
    "unstable",
    "used",
    "warn",
];

/// The macros that are in scope everywhere.
const PRELUDE: &[&str] = &[
    "assert",
    "assert_eq",
    "assert_ne",
    "cfg",
    "column",
    "compile_error",
    "concat",
    "dbg",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "env",
    "eprint",
    "eprintln",
    "file",
    "format",
    "format_args",
    "include",
    "include_bytes",
    "include_str",
    "is_x86_feature_detected",
    "line",
    "matches",
    "module_path",
    "option_env",
    "panic",
    "print",
    "println",
    "stringify",
    "thread_local",
    "todo",
    "unimplemented",
    "unreachable",
    "vec",
    "write",
    "writeln",
];

/// The hidden macro of an item, imported under the item's own name.
pub fn define(vis: &Visibility, name: &Ident, info: &Info) -> TokenStream {
    let hidden = macro_name(name);
    let export = match vis {
        Visibility::Public(_) => quote!(#[macro_export]),
        _ => TokenStream::new(),
    };
    quote! {
        #[doc(hidden)]
        #[allow(unused_macros, non_local_definitions)]
        #export
        macro_rules! #hidden {
            ([$($next:tt)*] $([$($more:tt)*])* => { $($state:tt)* }) => {
                $($next)* ! { $([$($more)*])* => { $($state)* { #info } } }
            };
        }
        #[doc(hidden)]
        #[allow(unused_imports, clippy::pub_use)]
        #vis use #hidden as #name;
    }
}

/// Exported macros share the root of their crate, so the name has the place in it.
fn macro_name(name: &Ident) -> Ident {
    let text = name.to_string();
    let text = text.trim_start_matches("r#");
    if !crate::is_in_rustc() {
        return format_ident!("__autodiff_relay_{text}");
    }
    let span = name.span().unwrap();
    let (line, column) = (span.line(), span.column());
    let file = span.file().bytes().fold(5381_u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte));
    let place = format!("__autodiff_{text}_{file:x}_{line}_{column}");
    Ident::new(&unlike_others(place), Span::call_site())
}

/// The hidden macro that answers whether a predicate holds.
pub fn question_name(predicate: &TokenStream) -> Ident {
    let span = predicate.clone().into_iter().next().map_or_else(Span::call_site, |token| token.span());
    macro_name(&Ident::new("cfg", span))
}

/// Where something stands, short, and the same on every machine.
pub fn place(span: Span) -> String {
    let span = span.unwrap();
    let file = span.file();
    let file = file.rsplit(['/', '\\']).next().unwrap_or_default();
    let place = format!("{file}:{}:{}", span.line(), span.column());
    let hash = place.bytes().fold(5381_u32, |hash, byte| hash.wrapping_mul(33) ^ u32::from(byte));
    format!("{hash:x}")
}

/// A `macro_rules!` may make many items at one place. From the second on they are numbered.
pub fn unlike_others(place: String) -> String {
    static SEEN: Mutex<BTreeMap<String, u32>> = Mutex::new(BTreeMap::new());
    let mut seen = SEEN.lock().unwrap_or_else(PoisonError::into_inner);
    let times = seen.entry(place.clone()).or_insert(0);
    *times += 1;
    if *times == 1 { place } else { format!("{place}_{times}") }
}

/// The generic parameters of an item, for its relay.
pub fn generics(generics: &Generics) -> Vec<Generic> {
    generics
        .params
        .iter()
        .filter_map(|param| match param {
            GenericParam::Type(param) => {
                let default = param.default.as_ref().map(|ty| quote!(#ty));
                Some(Generic { name: param.ident.to_string(), kind: GenericKind::Number, default })
            }
            GenericParam::Const(param) => {
                let default = param.default.as_ref().map(|size| quote!(#size));
                Some(Generic { name: param.ident.to_string(), kind: GenericKind::Size, default })
            }
            GenericParam::Lifetime(_) => None,
        })
        .collect()
}
