//! Which functions without a derivative have no effect.
//!
//! Note [Functions without an effect]. A function without a derivative is evaluated once, in its place, because it may have an
//! effect. Most have none: `grid.sin_latitude(i)`. One that stands in the module of the caller can be read. It has no effect, and
//! depends on its arguments only, if
//!
//! - its types are numbers, texts, the collections of the standard library, and structs of the module that are made of these and
//!   implement no operator with an effect: then nothing in them can change behind a shared reference, and
//! - it calls nothing but what the standard library has for these, and functions of the module of which the same is known, uses
//!   no macro but those that check or make a value, no `static`, nothing unsafe, and changes nothing that it is given.
//!
//! Which function a name means follows from Rust's rules: an item of the module comes before what a glob import brings, a method of
//! the type before one of a trait. What is not certain by this is left as it is. Methods are known by their names: what another file
//! gives a type of this one must not have the name of a method of the standard library and an effect. The attribute is given what is
//! concluded, `__pure(.sin_latitude -> f64, span -> usize)`, with the type of the result, which the compiler would not see otherwise.

use super::home::Place;
use super::judged::is_of_users;
use super::names::{
    Callee, Module, Names, This, bound, content, counts, field_types, fields, imports, last_name, macros_of,
    methods_in, methods_of, name_of, written,
};
use crate::tokens::PRIMITIVES;
use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;
use std::cell::RefCell;
use std::collections::{HashMap, HashSet};
use syn::punctuated::Punctuated;
use syn::visit::Visit;
use syn::{Expr, FnArg, GenericArgument, Item, Macro, PathArguments, ReturnType, Stmt, Token, Type};

pub const COLLECTIONS: [&str; 9] =
    ["Vec", "Option", "Result", "Box", "String", "HashMap", "BTreeMap", "HashSet", "BTreeSet"];
/// Functions of the standard library's types that read or make values.
const FUNCTIONS: [&str; 12] =
    ["new", "with_capacity", "from", "try_from", "min", "max", "default", "from_fn", "repeat", "abs", "powi", "sqrt"];
/// Macros that check or make a value of what they are given.
const MACROS: [&str; 10] = [
    "vec",
    "assert",
    "assert_eq",
    "assert_ne",
    "debug_assert",
    "debug_assert_eq",
    "debug_assert_ne",
    "panic",
    "unreachable",
    "unimplemented",
];
/// Methods of the standard library's types.
const METHODS: &str = "abs abs_diff abs_sub acos acosh all any as_bytes as_deref as_mut as_ref as_slice as_str asin asinh atan \
    atan2 atanh binary_search_by bytes cbrt ceil chain chars checked_add checked_div checked_mul checked_sub chunks \
    chunks_exact clamp clone cloned cmp collect concat contains contains_key copied copysign cos cosh count count_ones \
    cycle div_ceil div_euclid enumerate ends_with entry eq exp exp2 exp_m1 extend extend_from_slice fill filter filter_map \
    find find_map first first_mut flat_map flatten floor fold fract from_fn ge get get_mut get_or_insert gt hypot insert \
    into_iter is_empty is_finite is_infinite is_nan is_none is_ok is_some is_some_and is_negative is_positive \
    is_sign_negative is_sign_positive iter iter_mut keys last last_mut le leading_zeros len lines ln ln_1p log log10 \
    log2 lt map map_or map_or_else map_while max max_by max_by_key min min_by min_by_key mul_add ne next next_back nth ok \
    ok_or or or_else parse partial_cmp partition partition_point peek peekable pop pos position pow powf powi product push \
    push_str reduce rem_euclid remove repeat replace resize rev reverse round rposition saturating_add saturating_sub scan \
    signum sin sin_cos sinh skip skip_while sort sort_by sort_by_key sort_unstable sort_unstable_by split split_at \
    split_first split_last split_whitespace sqrt starts_with step_by sum swap take take_while tan tanh to_ascii_lowercase \
    to_degrees to_lowercase to_owned to_radians to_uppercase to_vec total_cmp trim trunc truncate unwrap unwrap_or \
    unwrap_or_default unwrap_or_else values windows with_capacity wrapping_add wrapping_mul wrapping_sub zip";

/// Whether a path is that of a function that makes a value of the standard library: `Vec::new`, `f64::from`.
pub fn makes_value(path: &syn::Path) -> bool {
    let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
    matches!(&words[..], [.., owner, name]
        if (PRIMITIVES.contains(&&owner[..]) || COLLECTIONS.contains(&&owner[..])) && FUNCTIONS.contains(&&name[..]))
}

/// What is known of the modules of a file.
pub fn modules_of(file: &syn::File) -> Vec<Module> {
    let (mut methods, mut traits) = (HashMap::new(), HashMap::new());
    methods_of(&file.items, &mut methods, &mut traits);
    let counts = counts(file);
    let macros = macros_of(file);
    let mut found = Vec::new();
    collect(&file.items, &methods, &traits, &macros, &Place::ROOT, &mut found);
    // Of a function that there is twice it is not known in which module it stands.
    for module in &mut found {
        module.functions.retain(|name| counts.get(name) == Some(&1));
    }
    found
}

fn collect<'f>(
    items: &'f [Item],
    methods: &'f HashMap<String, Vec<Callee<'f>>>,
    traits: &'f HashMap<String, Vec<Callee<'f>>>,
    macros: &'f HashSet<String>,
    place: &Place,
    found: &mut Vec<Module>,
) {
    let names = Names::of(items, methods, traits, macros);
    let judge = Judge { names: &names, known: RefCell::default(), within: RefCell::default() };
    let mut module =
        Module { items: items.iter().filter_map(name_of).collect(), place: place.clone(), ..Module::default() };
    for item in items {
        match item {
            Item::Use(own) => {
                imports(&own.tree, &[], &mut module.imports);
                module.is_open |= is_of_users(&own.tree);
                module.has_nalgebra |= super::matrices::is_glob_of_nalgebra(&own.tree, false);
            }
            Item::Macro(own) => module.is_open |= own.ident.is_none(),
            Item::Fn(item) => {
                let name = item.sig.ident.to_string();
                module.written.insert(written(item));
                if let Some(callee) = names.function(&name).filter(|callee| judge.is_pure(*callee)) {
                    module.pure_functions.insert(name.clone(), result_of(callee));
                }
                module.functions.push(name);
            }
            Item::Impl(block) => {
                let Some(owner) = last_name(&block.self_ty) else { continue };
                let own: Vec<String> = methods_in(block).map(|method| method.sig.ident.to_string()).collect();
                for name in own.iter().filter(|_| block.trait_.is_none() && names.ty(&owner).is_some()) {
                    if let Some(callee) = names.method(&owner, name).filter(|callee| judge.is_pure(*callee)) {
                        let key = (owner.clone(), name.clone());
                        module.pure_methods.insert(key, (This::of(callee.sig), result_of(callee)));
                    } else if names.method(&owner, name).is_some_and(|callee| judge.changes_only_self(callee)) {
                        module.changing_methods.insert((owner.clone(), name.clone()));
                    }
                }
                module.impls.push((block.self_ty.to_token_stream().to_string(), own));
            }
            Item::Struct(own) => {
                let name = own.ident.to_string();
                module.fields.insert(name.clone(), field_types(item));
                // Zeros, unless a method of the type itself has that name.
                let is_own = names.ty(&name).is_some() && names.method(&name, "default").is_none();
                if is_own && derives_default(own) && own.fields.iter().all(|field| is_of_numbers(&field.ty)) {
                    module.pure_methods.entry((name.clone(), "default".to_owned())).or_insert((This::None, name));
                }
            }
            Item::Mod(inner) => {
                let is_public = matches!(inner.vis, syn::Visibility::Public(_));
                collect(
                    content(inner),
                    methods,
                    traits,
                    macros,
                    &place.within(&inner.ident.to_string(), is_public),
                    found,
                );
            }
            _ => {}
        }
    }
    found.push(module);
}

/// Whether the standard library's macro makes the default of a struct without generics.
fn derives_default(item: &syn::ItemStruct) -> bool {
    let derives = item.attrs.iter().filter(|attr| attr.path().is_ident("derive"));
    let mut traits =
        derives.filter_map(|attr| attr.parse_args_with(Punctuated::<syn::Path, Token![,]>::parse_terminated).ok());
    item.generics.params.is_empty() && traits.any(|traits| traits.iter().any(|path| path.is_ident("Default")))
}

/// Whether a type is a number, or an array of numbers.
fn is_of_numbers(ty: &Type) -> bool {
    match ty {
        Type::Array(array) => is_of_numbers(&array.elem),
        Type::Path(path) => path.path.get_ident().is_some_and(|name| PRIMITIVES.iter().any(|number| name == number)),
        _ => false,
    }
}

/// The type of what a function gives, as text; of a method with the name of its type in the place of `Self`. What depends on the
/// arguments is not known.
fn result_of(callee: Callee) -> String {
    let generics: Vec<String> = callee.sig.generics.const_params().map(|param| param.ident.to_string()).collect();
    match &callee.sig.output {
        ReturnType::Default => "()".to_owned(),
        ReturnType::Type(_, ty) if names_any(ty.to_token_stream(), &generics) => "_".to_owned(),
        ReturnType::Type(_, ty) => match callee.owner {
            Some(owner) if last_name(ty).as_deref() == Some("Self") => owner.to_token_stream().to_string(),
            _ => ty.to_token_stream().to_string(),
        },
    }
}

fn names_any(tokens: TokenStream, names: &[String]) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(ident) => names.contains(&ident.to_string()),
        TokenTree::Group(group) => names_any(group.stream(), names),
        _ => false,
    })
}

/// Judges the functions of a module.
struct Judge<'f> {
    names: &'f Names<'f>,
    /// By the place of the body. One that is being judged is pure as far as itself goes.
    known: RefCell<HashMap<*const syn::Block, bool>>,
    /// The structs that are being judged: a tree contains itself.
    within: RefCell<Vec<String>>,
}

impl Judge<'_> {
    /// Whether a function has no effect at all.
    fn is_pure(&self, callee: Callee) -> bool {
        let takes_only_values = callee.sig.inputs.iter().all(|input| match input {
            FnArg::Receiver(this) => this.mutability.is_none() || this.reference.is_none(),
            FnArg::Typed(typed) => !is_mutable(&typed.ty),
        });
        takes_only_values && self.changes_only_arguments(callee)
    }

    /// Whether a method has no effect but on `self`.
    fn changes_only_self(&self, callee: Callee) -> bool {
        let typed = callee.sig.inputs.iter().filter_map(|input| match input {
            FnArg::Typed(typed) => Some(&*typed.ty),
            FnArg::Receiver(_) => None,
        });
        This::of(callee.sig) == This::Reference
            && !typed.into_iter().any(is_mutable)
            && self.changes_only_arguments(callee)
    }

    /// Whether a function has no effect but on what it is lent.
    fn changes_only_arguments(&self, callee: Callee) -> bool {
        let Some(block) = callee.block else { return false };
        if let Some(known) = self.known.borrow().get(&std::ptr::from_ref(block)) {
            return *known;
        }
        self.known.borrow_mut().insert(block, true);
        let known = callee.sig.generics.type_params().next().is_none() && self.does_no_more(callee, block, &|_| false);
        self.known.borrow_mut().insert(block, known);
        known
    }

    /// The same of a method over iterators, such as `sum`: what they yield is another matter.
    fn changes_only_what_it_iterates_over(&self, callee: Callee) -> bool {
        let Some(block) = callee.block else { return false };
        let is_iterator = |param: &syn::TypeParam| {
            let bounds = param.bounds.iter().map(|bound| bound.to_token_stream().to_string());
            let is_one = |bound: String| ["Iterator <", "IntoIterator <"].iter().any(|name| bound.starts_with(name));
            !param.bounds.is_empty() && bounds.into_iter().all(is_one)
        };
        let names: Vec<String> = callee.sig.generics.type_params().map(|param| param.ident.to_string()).collect();
        let is_param = |ty: &Type| last_name(ty).is_some_and(|name| names.contains(&name));
        callee.sig.generics.type_params().all(is_iterator) && self.does_no_more(callee, block, &is_param)
    }

    /// Whether the arguments, but for those of some types, and the body have no effect.
    fn does_no_more(&self, callee: Callee, block: &syn::Block, is_left_out: &dyn Fn(&Type) -> bool) -> bool {
        let (sig, owner) = (callee.sig, callee.owner);
        let plain = sig.unsafety.is_none() && sig.asyncness.is_none() && sig.abi.is_none() && sig.variadic.is_none();
        let mut taken = sig.inputs.iter().filter_map(|input| match input {
            FnArg::Receiver(_) => owner,
            FnArg::Typed(typed) => Some(&*typed.ty),
        });
        plain && taken.all(|ty| is_left_out(ty) || self.is_closed(ty, owner, 0)) && {
            let mut body = InBody { judge: self, owner, bound: bound(Some(sig), block), ok: true };
            body.visit_return_type(&sig.output);
            body.visit_block(block);
            body.ok
        }
    }

    /// Whether nothing in a type can change behind a shared reference, and its operators have no effect.
    fn is_closed(&self, ty: &Type, owner: Option<&Type>, depth: usize) -> bool {
        let closed = |ty: &Type| self.is_closed(ty, owner, depth + 1);
        match ty {
            _ if depth > 12 => false,
            Type::Reference(reference) => closed(&reference.elem),
            Type::Slice(slice) => closed(&slice.elem),
            Type::Array(array) => closed(&array.elem),
            Type::Paren(paren) => closed(&paren.elem),
            Type::Group(group) => closed(&group.elem),
            Type::Tuple(tuple) => tuple.elems.iter().all(closed),
            Type::Infer(_) => true,
            Type::Path(path) if path.qself.is_none() && path.path.segments.len() == 1 => {
                let segment = &path.path.segments[0];
                let name = segment.ident.to_string();
                let given = match &segment.arguments {
                    PathArguments::None => true,
                    PathArguments::AngleBracketed(args) => args.args.iter().all(|arg| match arg {
                        GenericArgument::Type(ty) => closed(ty),
                        other => matches!(other, GenericArgument::Lifetime(_) | GenericArgument::Const(_)),
                    }),
                    PathArguments::Parenthesized(_) => false,
                };
                given
                    && match self.names.ty(&name) {
                        Some(item) => self.is_closed_struct(&name, item, depth),
                        None if name == "Self" => {
                            owner.is_some_and(|owner| last_name(owner).as_deref() != Some("Self") && closed(owner))
                        }
                        None if self.names.types.contains_key(&name) => false,
                        None => match self.names.aliases.get(&name) {
                            Some(target) => closed(target),
                            None => {
                                PRIMITIVES.contains(&&name[..]) || COLLECTIONS.contains(&&name[..]) || name == "str"
                            }
                        },
                    }
            }
            _ => false,
        }
    }

    fn is_closed_struct(&self, name: &str, item: &Item, depth: usize) -> bool {
        if self.within.borrow().iter().any(|outer| outer == name) {
            return true;
        }
        self.within.borrow_mut().push(name.to_owned());
        let owner: Type = syn::parse_str(name).unwrap_or(Type::Verbatim(TokenStream::new()));
        let of_numbers = PRIMITIVES.iter().filter_map(|number| self.names.traits.get(*number));
        let mut implemented = self.names.traits.get(name).into_iter().chain(of_numbers).flatten();
        let is_closed = fields(item).iter().all(|field| self.is_closed(&field.ty, Some(&owner), depth + 1))
            // What shows a value is called by no function that is known here.
            && implemented.all(|method| {
                method.sig.ident == "fmt"
                    || self.changes_only_arguments(*method)
                    || self.changes_only_what_it_iterates_over(*method)
            });
        self.within.borrow_mut().pop();
        is_closed
    }
}

fn is_mutable(ty: &Type) -> bool {
    match ty {
        Type::Reference(reference) => reference.mutability.is_some() || is_mutable(&reference.elem),
        _ => false,
    }
}

/// Looks for what may have an effect.
struct InBody<'j, 'f> {
    judge: &'j Judge<'f>,
    owner: Option<&'j Type>,
    bound: HashSet<String>,
    ok: bool,
}

impl InBody<'_, '_> {
    /// `span(…)`, `Grid::new(…)`, `f64::from(…)`, `Some(…)`
    fn may_call(&self, path: &syn::Path) -> bool {
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let judge = self.judge;
        match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            ["Some" | "Ok" | "Err"] => true,
            // A closure of the body may have the name of a function, and be made by it.
            [name] if judge.names.functions.contains_key(*name) => {
                judge.names.function(name).is_some_and(|callee| judge.changes_only_arguments(callee))
            }
            [name] => self.bound.contains(*name) || self.may_make(name),
            [owner, name] => {
                let own = self.owner.and_then(last_name);
                let owner = if *owner == "Self" { own.as_deref().unwrap_or("Self") } else { owner };
                match (judge.names.ty(owner), judge.names.method(owner, name)) {
                    (Some(_), Some(callee)) => judge.changes_only_arguments(callee),
                    (Some(Item::Enum(item)), None) => {
                        item.variants.iter().any(|variant| variant.ident == name) && self.may_make(owner)
                    }
                    (Some(item), None) => {
                        *name == "default"
                            && matches!(item, Item::Struct(item) if derives_default(item))
                            && self.may_make(owner)
                    }
                    (None, _) => self.is_of_std(owner) && (FUNCTIONS.contains(name) || is_method_of_std(name)),
                }
            }
            ["std" | "core", .., "mem", "swap" | "replace" | "take"] => true,
            ["std" | "core", .., name] => FUNCTIONS.contains(name),
            _ => false,
        }
    }

    /// A struct or an enum of the module.
    fn may_make(&self, name: &str) -> bool {
        let own = self.owner.and_then(last_name);
        let name = if name == "Self" { own.as_deref().unwrap_or("Self") } else { name };
        self.judge.names.ty(name).is_some_and(|item| self.judge.is_closed_struct(name, item, 0))
    }

    fn is_of_std(&self, name: &str) -> bool {
        let names = self.judge.names;
        let own = names.types.contains_key(name) || names.aliases.contains_key(name);
        !own && (PRIMITIVES.contains(&name) || COLLECTIONS.contains(&name) || names.of_std.contains(name))
    }

    /// A variable or a constant.
    fn may_name(&self, path: &syn::Path) -> bool {
        let names = self.judge.names;
        let words: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        match &words.iter().map(String::as_str).collect::<Vec<_>>()[..] {
            [name] => {
                let constant = names.constants.get(*name);
                self.bound.contains(*name)
                    || constant.is_some_and(|ty| self.judge.is_closed(ty, None, 0))
                    || ["self", "None"].contains(name)
                    || constant.is_none() && names.of_std.contains(*name)
                    || self.may_call(path)
            }
            ["std" | "core", .., name] => is_constant(name) || FUNCTIONS.contains(name) || is_method_of_std(name),
            [owner, .., name] => {
                let own = self.owner.and_then(last_name);
                let owner = if *owner == "Self" { own.as_deref().unwrap_or("Self") } else { owner };
                let associated = names.associated.get(&(owner.to_owned(), (*name).to_owned()));
                associated.is_some_and(|ty| self.judge.is_closed(ty, self.owner, 0))
                    || associated.is_none() && self.is_of_std(owner) && is_constant(name)
                    || self.may_call(path)
            }
            _ => false,
        }
    }

    fn arguments(&mut self, mac: &Macro) {
        let is_own = |name: &str| self.judge.names.macros.contains(name);
        let is_known = MACROS.iter().any(|name| mac.path.is_ident(name) && !is_own(name));
        let args = mac.parse_body_with(Punctuated::<Expr, Token![,]>::parse_terminated);
        let repeated = || {
            mac.parse_body_with(|input: syn::parse::ParseStream| {
                let value = input.parse::<Expr>()?;
                input.parse::<Token![;]>()?;
                Ok([value, input.parse::<Expr>()?])
            })
        };
        match (is_known, args) {
            (true, Ok(args)) => args.iter().for_each(|arg| self.visit_expr(arg)),
            (true, Err(_)) => match repeated() {
                Ok(args) => args.iter().for_each(|arg| self.visit_expr(arg)),
                Err(_) => self.ok = false,
            },
            (false, _) => self.ok = false,
        }
    }
}

/// `EPSILON`
fn is_constant(name: &str) -> bool {
    !name.contains(char::is_lowercase)
}

/// Whether a type of the standard library has a method of this name without an effect.
pub fn is_method_of_std(name: &str) -> bool {
    METHODS.split_whitespace().any(|known| known == name)
}

impl<'ast> Visit<'ast> for InBody<'_, '_> {
    fn visit_expr(&mut self, expr: &'ast Expr) {
        match expr {
            Expr::Call(call) => match &*call.func {
                Expr::Path(path) if path.qself.is_none() => {
                    self.ok &= self.may_call(&path.path);
                    call.args.iter().for_each(|arg| self.visit_expr(arg));
                }
                _ => self.ok = false,
            },
            Expr::MethodCall(call) => {
                let name = call.method.to_string();
                let judge = self.judge;
                let own = judge.names.methods.get(&name).map_or(&[][..], |own| own);
                self.ok &= own.iter().all(|callee| judge.changes_only_arguments(*callee));
                self.ok &= !own.is_empty() || is_method_of_std(&name);
                syn::visit::visit_expr(self, expr);
            }
            Expr::Path(path) => self.ok &= path.qself.is_none() && self.may_name(&path.path),
            Expr::Struct(literal) => {
                self.ok &= literal.path.segments.first().is_some_and(|first| self.may_make(&first.ident.to_string()));
                literal.fields.iter().for_each(|field| self.visit_expr(&field.expr));
                literal.rest.iter().for_each(|rest| self.visit_expr(rest));
            }
            Expr::Macro(mac) => self.arguments(&mac.mac),
            Expr::Unsafe(_)
            | Expr::Async(_)
            | Expr::Await(_)
            | Expr::Yield(_)
            | Expr::Verbatim(_)
            | Expr::RawAddr(_)
            | Expr::Const(_)
            | Expr::TryBlock(_) => self.ok = false,
            _ => syn::visit::visit_expr(self, expr),
        }
    }

    fn visit_stmt(&mut self, stmt: &'ast Stmt) {
        match stmt {
            Stmt::Macro(mac) => self.arguments(&mac.mac),
            Stmt::Item(Item::Const(_)) => syn::visit::visit_stmt(self, stmt),
            Stmt::Item(_) => self.ok = false,
            _ => syn::visit::visit_stmt(self, stmt),
        }
    }

    fn visit_type(&mut self, ty: &'ast Type) {
        self.ok &= self.judge.is_closed(ty, self.owner, 0);
    }
}
