//! The items of a source in this process: what the macro makes of each function, told of the others what their relays
//! would say.

use crate::conditional::Configuration;
use crate::desugar::is_higher_order;
use crate::diag::Errors;
use crate::ir::eval::Program;
use crate::ir::interface::Order;
use crate::lower::{self, Outcome, Primal};
use crate::module::is_marked;
use crate::parse::attr::Attr;
use crate::parse::function::{Function, function_generics, gives_place};
use crate::relay::{Generic, GenericKind, Info, Knowledge, key};
use crate::stage::info_of;
use crate::{derive, methods, pass, source};
use proc_macro2::TokenStream;
use quote::{ToTokens, quote};
use std::collections::BTreeMap;
use std::rc::Rc;
use syn::parse::Parser;
use syn::punctuated::Punctuated;
use syn::{Attribute, DeriveInput, File, Item, ItemFn, ItemImpl, Meta, Token};

/// What is known of some items, by their names.
#[derive(Default)]
pub struct Library {
    infos: BTreeMap<String, Info>,
    functions: Vec<(Function, Knowledge)>,
}

/// What an error begins with that is the macro's own: the program would not compile.
pub const REFUSED: &str = "refused: ";

/// A function in IR.
pub struct Compiled {
    pub primal: Primal,
    /// The names of its const parameters, and empty ones for others.
    sizes: Vec<String>,
}

fn texts(errors: Errors) -> String {
    format!("{REFUSED}{}", errors.texts().join("\n"))
}

impl Library {
    pub fn of(file: &File) -> Result<Library, String> {
        let mut library = Library::default();
        let (mut types, mut functions) = (Vec::new(), Vec::new());
        for item in &file.items {
            match item {
                Item::Struct(item) if derives(&item.attrs) => types.push(item.to_token_stream()),
                Item::Enum(item) if derives(&item.attrs) => types.push(item.to_token_stream()),
                Item::Fn(item) if is_marked(&item.attrs) && is_higher_order(item) => {
                    let mut item = item.clone();
                    take_attribute(&mut item.attrs);
                    library.add(item.sig.ident.to_string(), Info::HigherOrder(item.to_token_stream()))?;
                }
                Item::Fn(item) if is_marked(&item.attrs) || item.sig.ident == "program" => {
                    let Item::Fn(item) = configured(item)? else { return Err("a function is no function".into()) };
                    functions.push(item);
                }
                Item::Impl(block) if is_marked(&block.attrs) => {
                    // The methods that its trait provides are read in the file.
                    let of_file = || source::Source::read(&file.to_token_stream().to_string());
                    let of_file = block.trait_.is_some().then(of_file);
                    let block = source::with_provided_methods(block.to_token_stream(), of_file.as_ref());
                    let block: ItemImpl = syn::parse2(block).map_err(|error| error.to_string())?;
                    let Item::Impl(block) = configured(&block)? else { return Err("a block is no block".into()) };
                    for mut item in functions_of(block)? {
                        match gives_place(&item) {
                            true => {
                                take_attribute(&mut item.attrs);
                                library.add(item.sig.ident.to_string(), Info::HigherOrder(item.to_token_stream()))?;
                            }
                            false => functions.push(item),
                        }
                    }
                }
                _ => {}
            }
        }
        library.add_types(types)?;
        for item in functions {
            library.add_function(item)?;
        }
        Ok(library)
    }

    fn add_types(&mut self, types: Vec<TokenStream>) -> Result<(), String> {
        for tokens in types {
            let input: DeriveInput = syn::parse2(tokens).map_err(|error| error.to_string())?;
            let mut knowledge = Knowledge::default();
            let info = loop {
                match derive::known(&input, &knowledge).map_err(texts)? {
                    Ok(info) => break info,
                    // What a struct is made of stands before it.
                    Err(asked) => self.tell(&mut knowledge, &asked),
                }
            };
            self.add(input.ident.to_string(), Info::Struct(Rc::new(info)))?;
        }
        Ok(())
    }

    fn add_function(&mut self, mut item: ItemFn) -> Result<(), String> {
        let mut attr = Attr::parse(take_attribute(&mut item.attrs)).map_err(texts)?;
        attr.order = Some(Order::Fourth);
        let (function, errors) = Function::parse(attr, item);
        if !errors.is_empty() {
            return Err(texts(errors));
        }
        let mut knowledge = Knowledge::default();
        // The relay is defined at the first stage at which it can be.
        let info = loop {
            match info_of(&function, &knowledge) {
                Some((info, _)) => break info,
                None => self.ask_types(&function, &mut knowledge)?,
            }
        };
        // A small function that calls none tells its body. Every other one keeps it to itself, so that there are calls as well.
        let alone = self.compiled(&function, knowledge.clone()).ok();
        let body = alone.and_then(|compiled| pass::inlinable(&compiled.primal.body, false));
        let info = info.with_body(body.filter(|_| self.functions.len().is_multiple_of(2)));
        self.add(function.name().to_string(), Info::Fn(Rc::new(info)))?;
        self.functions.push((function, knowledge));
        Ok(())
    }

    fn ask_types(&self, function: &Function, knowledge: &mut Knowledge) -> Result<(), String> {
        let (mut errors, mut asked) = (Errors::default(), Vec::new());
        function.resolve(knowledge, &mut errors, &mut asked);
        if !errors.is_empty() || asked.is_empty() {
            return Err(texts(errors));
        }
        self.tell(knowledge, &asked);
        Ok(())
    }

    /// What is known travels as tokens.
    fn add(&mut self, name: String, info: Info) -> Result<(), String> {
        let info = syn::parse2(quote!(#info)).map_err(|error| format!("the relay of `{name}`: {error}"))?;
        self.infos.insert(name, info);
        Ok(())
    }

    /// Answers questions.
    fn tell(&self, knowledge: &mut Knowledge, asked: &[syn::Path]) {
        let mut told = Vec::new();
        for path in asked {
            let (key, last) = (key(path), path.segments.last().map(|last| last.ident.to_string()));
            let info = last.and_then(|last| self.infos.get(&last)).cloned().unwrap_or(Info::Unknown);
            if !told.contains(&key) {
                knowledge.insert(key.clone(), info);
                told.push(key);
            }
        }
    }

    /// All functions in IR, by name.
    pub fn compile(&self) -> Result<BTreeMap<String, Compiled>, String> {
        let compiled = self.functions.iter().map(|(function, knowledge)| {
            let name = function.name().to_string();
            let compiled = self.compiled(function, knowledge.clone());
            Ok((name, compiled?))
        });
        compiled.collect()
    }

    fn compiled(&self, function: &Function, mut knowledge: Knowledge) -> Result<Compiled, String> {
        let (params, result) = loop {
            let (mut errors, mut asked) = (Errors::default(), Vec::new());
            match function.resolve(&knowledge, &mut errors, &mut asked) {
                _ if !errors.is_empty() => return Err(texts(errors)),
                Some(resolved) => break resolved,
                None => self.tell(&mut knowledge, &asked),
            }
        };
        let primal = loop {
            match lower::lower(function, &params, &result, &knowledge) {
                Outcome::Done(primal) => break *primal,
                Outcome::Failed(errors) => return Err(texts(errors)),
                Outcome::Ask(asked) => self.tell(&mut knowledge, &asked),
            }
        };
        let size = |generic: Generic| if generic.kind == GenericKind::Size { generic.name } else { String::new() };
        let sizes = function_generics(function).into_iter().map(size).collect();
        Ok(Compiled { primal, sizes })
    }
}

/// The functions as callees.
pub fn add_all(program: &Program, compiled: &BTreeMap<String, Compiled>) {
    for function in compiled.values() {
        program.add(function.primal.clone(), function.sizes.clone());
    }
}

/// The functions that stand for methods.
fn functions_of(mut block: syn::ItemImpl) -> Result<Vec<ItemFn>, String> {
    let attr = take_attribute(&mut block.attrs);
    let expanded = methods::expand(&attr, block);
    if expanded.to_string().contains("compile_error") {
        return Err(format!("{REFUSED}methods"));
    }
    let file: File = syn::parse2(expanded).map_err(|error| error.to_string())?;
    let functions = file.items.into_iter().filter_map(|item| match item {
        Item::Fn(item) if is_marked(&item.attrs) => Some(item),
        _ => None,
    });
    Ok(functions.collect())
}

/// An item without the conditions in it.
fn configured(item: &impl ToTokens) -> Result<Item, String> {
    let configuration = Configuration::new(TokenStream::new(), item.to_token_stream());
    configuration.decided(&|predicate| holds(predicate)).map_err(|error| error.to_string())
}

/// Whether a predicate holds that is made of `any`, `all` and `not` only.
fn holds(predicate: &TokenStream) -> bool {
    let Ok(Meta::List(list)) = syn::parse2(predicate.clone()) else { return false };
    let parts = Punctuated::<Meta, Token![,]>::parse_terminated.parse2(list.tokens).unwrap_or_default();
    let mut parts = parts.iter().map(|part| holds(&part.to_token_stream()));
    match &list.path.to_token_stream().to_string()[..] {
        "all" => parts.all(|part| part),
        "not" => !parts.any(|part| part),
        _ => parts.any(|part| part),
    }
}

fn derives(attrs: &[Attribute]) -> bool {
    attrs.iter().any(|attr| attr.path().is_ident("derive") && attr.to_token_stream().to_string().contains("Differ"))
}

/// The arguments of `#[differentiable]`, which is taken off.
fn take_attribute(attrs: &mut Vec<Attribute>) -> TokenStream {
    let at = attrs.iter().position(|attr| is_marked(std::slice::from_ref(attr)));
    match at.map(|at| attrs.remove(at).meta) {
        Some(Meta::List(list)) => list.tokens,
        _ => TokenStream::new(),
    }
}
