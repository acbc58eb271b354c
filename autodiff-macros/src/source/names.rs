//! What the names in a module of a file stand for.

use super::home::Place;
use quote::ToTokens;
use std::collections::{HashMap, HashSet};
use std::hash::{DefaultHasher, Hash, Hasher};
use syn::visit::Visit;
use syn::{
    Attribute, Fields, FnArg, ImplItem, ImplItemFn, Item, ItemFn, ItemImpl, Signature, TraitItem, Type, UseTree,
};

/// The functions and types of one module of a file.
#[derive(Default)]
pub struct Module {
    /// Where it is in the file.
    pub place: Place,
    /// All functions, by their names.
    pub functions: Vec<String>,
    /// The functions as they are written, which tells those of one name apart: see [`written`].
    pub written: HashSet<u64>,
    /// The names of all items.
    pub items: HashSet<String>,
    /// What is imported by name, with its path.
    pub imports: HashMap<String, Vec<String>>,
    /// Whether it may have more than is written here: a glob import of the user's, or what a macro defines.
    pub is_open: bool,
    /// Whether it imports everything of nalgebra.
    pub has_nalgebra: bool,
    /// All `impl` blocks: the type, and the names of the methods.
    pub impls: Vec<(String, Vec<String>)>,
    /// The types of the fields of structs.
    pub fields: HashMap<String, HashMap<String, String>>,
    /// The results of functions that have no effect.
    pub pure_functions: HashMap<String, String>,
    /// How methods and associated functions that have no effect take `self`, and their results, by type and name.
    pub pure_methods: HashMap<(String, String), (This, String)>,
    /// Methods that change `self`, and have no other effect, by type and name.
    pub changing_methods: HashSet<(String, String)>,
}

#[derive(Clone, Copy, PartialEq, Eq)]
pub enum This {
    None,
    Value,
    Reference,
}

impl This {
    pub fn of(sig: &Signature) -> This {
        match sig.receiver() {
            None => This::None,
            Some(this) if this.reference.is_some() => This::Reference,
            Some(_) => This::Value,
        }
    }
}

/// A function with a body, a method or not.
#[derive(Clone, Copy)]
pub struct Callee<'f> {
    pub sig: &'f Signature,
    /// None, if it is only declared.
    pub block: Option<&'f syn::Block>,
    /// The type it belongs to.
    pub owner: Option<&'f Type>,
}

/// What an items list defines. What is there under a condition is not certain.
pub struct Names<'f> {
    pub functions: HashMap<String, Vec<Callee<'f>>>,
    /// Structs and enums.
    pub types: HashMap<String, Vec<&'f Item>>,
    pub aliases: HashMap<String, &'f Type>,
    pub constants: HashMap<String, &'f Type>,
    /// Those of types, by type and name.
    pub associated: HashMap<(String, String), &'f Type>,
    /// What is imported from the standard library.
    pub of_std: HashSet<String>,
    /// The methods of all types and traits of the file.
    pub methods: &'f HashMap<String, Vec<Callee<'f>>>,
    /// The methods of traits that a type implements, but the derived ones.
    pub traits: &'f HashMap<String, Vec<Callee<'f>>>,
    /// The macros that the file defines, and all names that it imports.
    pub macros: &'f HashSet<String>,
}

impl<'f> Names<'f> {
    pub fn of(
        items: &'f [Item],
        methods: &'f HashMap<String, Vec<Callee<'f>>>,
        traits: &'f HashMap<String, Vec<Callee<'f>>>,
        macros: &'f HashSet<String>,
    ) -> Names<'f> {
        let mut names = Names {
            functions: HashMap::new(),
            types: HashMap::new(),
            aliases: HashMap::new(),
            constants: HashMap::new(),
            associated: HashMap::new(),
            of_std: HashSet::new(),
            methods,
            traits,
            macros,
        };
        for item in items {
            match item {
                Item::Fn(item) => {
                    let callee = Callee {
                        sig: &item.sig,
                        block: Some(&*item.block).filter(|_| is_plain(&item.attrs)),
                        owner: None,
                    };
                    names.functions.entry(item.sig.ident.to_string()).or_default().push(callee);
                }
                Item::Struct(own) => names.types.entry(own.ident.to_string()).or_default().push(item),
                Item::Enum(own) => names.types.entry(own.ident.to_string()).or_default().push(item),
                Item::Type(own) if own.generics.params.is_empty() => {
                    names.aliases.insert(own.ident.to_string(), &own.ty);
                }
                Item::Const(own) => drop(names.constants.insert(own.ident.to_string(), &own.ty)),
                Item::Impl(own) => {
                    let Some(owner) = last_name(&own.self_ty) else { continue };
                    for item in &own.items {
                        let ImplItem::Const(constant) = item else { continue };
                        names.associated.insert((owner.clone(), constant.ident.to_string()), &constant.ty);
                    }
                }
                Item::Use(own) => names.imported(&own.tree),
                _ => {}
            }
        }
        names
    }

    fn imported(&mut self, tree: &UseTree) {
        if let UseTree::Path(path) = tree {
            if path.ident == "std" || path.ident == "core" {
                leaves(&path.tree, &mut self.of_std);
            }
        }
    }

    /// The only function of a name in this module.
    pub fn function(&self, name: &str) -> Option<Callee<'f>> {
        match &self.functions.get(name)?[..] {
            [one] => Some(*one),
            _ => None,
        }
    }

    /// The only struct or enum of a name in this module.
    pub fn ty(&self, name: &str) -> Option<&'f Item> {
        match &self.types.get(name)?[..] {
            [one] => Some(one),
            _ => None,
        }
    }

    /// The only method of a name that a type of this module has by itself.
    pub fn method(&self, owner: &str, name: &str) -> Option<Callee<'f>> {
        let own =
            self.methods.get(name)?.iter().filter(|callee| callee.owner.and_then(last_name).as_deref() == Some(owner));
        match &own.collect::<Vec<_>>()[..] {
            [one] => Some(**one),
            _ => None,
        }
    }
}

/// A function as it is written, in short.
pub fn written(item: &ItemFn) -> u64 {
    let mut hasher = DefaultHasher::new();
    item.sig.to_token_stream().to_string().hash(&mut hasher);
    item.block.to_token_stream().to_string().hash(&mut hasher);
    hasher.finish()
}

/// The name of an item, unless it is an import.
pub fn name_of(item: &Item) -> Option<String> {
    Some(match item {
        Item::Fn(item) => item.sig.ident.to_string(),
        Item::Mod(item) => item.ident.to_string(),
        Item::Struct(item) => item.ident.to_string(),
        Item::Enum(item) => item.ident.to_string(),
        Item::Trait(item) => item.ident.to_string(),
        Item::Type(item) => item.ident.to_string(),
        Item::Const(item) => item.ident.to_string(),
        Item::Static(item) => item.ident.to_string(),
        _ => return None,
    })
}

/// What is imported by name, with its path.
pub fn imports(tree: &UseTree, before: &[String], found: &mut HashMap<String, Vec<String>>) {
    let then = |name: &syn::Ident| [before, &[name.to_string()]].concat();
    match tree {
        UseTree::Path(path) => imports(&path.tree, &then(&path.ident), found),
        UseTree::Name(name) if name.ident == "self" => {
            found.extend(before.last().map(|last| (last.clone(), before.to_vec())));
        }
        UseTree::Name(name) => drop(found.insert(name.ident.to_string(), then(&name.ident))),
        UseTree::Rename(rename) => {
            let path = if rename.ident == "self" { before.to_vec() } else { then(&rename.ident) };
            found.insert(rename.rename.to_string(), path);
        }
        UseTree::Group(group) => group.items.iter().for_each(|tree| imports(tree, before, found)),
        UseTree::Glob(_) => {}
    }
}

fn leaves(tree: &UseTree, found: &mut HashSet<String>) {
    match tree {
        UseTree::Path(path) => leaves(&path.tree, found),
        UseTree::Name(name) => drop(found.insert(name.ident.to_string())),
        UseTree::Rename(name) => drop(found.insert(name.rename.to_string())),
        UseTree::Group(group) => group.items.iter().for_each(|tree| leaves(tree, found)),
        UseTree::Glob(_) => {}
    }
}

/// Whether nothing but words of ours and of rustc's lints stand before an item.
fn is_plain(attrs: &[Attribute]) -> bool {
    const HARMLESS: [&str; 7] = ["doc", "inline", "allow", "expect", "must_use", "differentiable", "derive"];
    attrs
        .iter()
        .all(|attr| attr.path().segments.last().is_some_and(|last| HARMLESS.iter().any(|name| last.ident == name)))
}

/// All methods of a file, by name; and the methods of traits, by the types that implement them.
pub fn methods_of<'f>(
    items: &'f [Item],
    methods: &mut HashMap<String, Vec<Callee<'f>>>,
    traits: &mut HashMap<String, Vec<Callee<'f>>>,
) {
    for item in items {
        match item {
            Item::Impl(block) => {
                for method in methods_in(block) {
                    let plain = is_plain(&block.attrs) && is_plain(&method.attrs);
                    let has_lifetimes_only =
                        block.generics.params.iter().all(|param| matches!(param, syn::GenericParam::Lifetime(_)));
                    let body = Some(&method.block).filter(|_| plain && has_lifetimes_only);
                    let callee = Callee { sig: &method.sig, block: body, owner: Some(&block.self_ty) };
                    methods.entry(method.sig.ident.to_string()).or_default().push(callee);
                    if let (Some(_), Some(owner)) = (&block.trait_, last_name(&block.self_ty)) {
                        traits.entry(owner).or_default().push(callee);
                    }
                }
            }
            Item::Trait(own) => {
                for item in &own.items {
                    let TraitItem::Fn(method) = item else { continue };
                    let callee = Callee { sig: &method.sig, block: method.default.as_ref(), owner: None };
                    methods.entry(method.sig.ident.to_string()).or_default().push(callee);
                }
            }
            Item::Mod(module) => methods_of(content(module), methods, traits),
            _ => {}
        }
    }
}

pub fn content(module: &syn::ItemMod) -> &[Item] {
    module.content.as_ref().map_or(&[], |(_, items)| items)
}

pub fn methods_in(block: &ItemImpl) -> impl Iterator<Item = &ImplItemFn> {
    block.items.iter().filter_map(|item| if let ImplItem::Fn(method) = item { Some(method) } else { None })
}

/// `Grid` of `crate::Grid` and of `&Grid`.
pub fn last_name(ty: &Type) -> Option<String> {
    match ty {
        Type::Path(path) if path.qself.is_none() => Some(path.path.segments.last()?.ident.to_string()),
        Type::Reference(reference) => last_name(&reference.elem),
        Type::Paren(paren) => last_name(&paren.elem),
        Type::Group(group) => last_name(&group.elem),
        _ => None,
    }
}

/// The fields of a struct or an enum.
pub fn fields(item: &Item) -> Vec<&syn::Field> {
    match item {
        Item::Struct(item) => item.fields.iter().collect(),
        Item::Enum(item) => item.variants.iter().flat_map(|variant| &variant.fields).collect(),
        _ => Vec::new(),
    }
}

/// The types of the named fields of a struct.
pub fn field_types(item: &Item) -> HashMap<String, String> {
    let Item::Struct(syn::ItemStruct { fields: Fields::Named(named), .. }) = item else { return HashMap::new() };
    let text = |field: &syn::Field| Some((field.ident.as_ref()?.to_string(), field.ty.to_token_stream().to_string()));
    named.named.iter().filter_map(text).collect()
}

/// The names that are bound anywhere in a body, by patterns or items; and those of the inputs of a signature.
pub fn bound(sig: Option<&Signature>, block: &syn::Block) -> HashSet<String> {
    struct Bound(HashSet<String>);
    impl<'ast> Visit<'ast> for Bound {
        fn visit_pat_ident(&mut self, pat: &'ast syn::PatIdent) {
            self.0.insert(pat.ident.to_string());
            syn::visit::visit_pat_ident(self, pat);
        }

        fn visit_item(&mut self, item: &'ast Item) {
            match item {
                Item::Fn(item) => drop(self.0.insert(item.sig.ident.to_string())),
                Item::Const(item) => drop(self.0.insert(item.ident.to_string())),
                Item::Static(item) => drop(self.0.insert(item.ident.to_string())),
                Item::Struct(item) => drop(self.0.insert(item.ident.to_string())),
                Item::Use(item) => leaves(&item.tree, &mut self.0),
                _ => {}
            }
            syn::visit::visit_item(self, item);
        }
    }
    let mut found = Bound(HashSet::new());
    for input in sig.iter().flat_map(|sig| &sig.inputs) {
        match input {
            FnArg::Receiver(_) => drop(found.0.insert("self".to_owned())),
            FnArg::Typed(typed) => found.visit_pat(&typed.pat),
        }
    }
    found.visit_block(block);
    found.0
}

/// A path as it is found, without the generic arguments.
pub fn without_arguments(path: &syn::Path) -> syn::Path {
    let mut path = path.clone();
    path.segments.iter_mut().for_each(|segment| segment.arguments = syn::PathArguments::None);
    path
}

/// The macros that a file defines anywhere, and the names that it imports: one of them may be a macro.
pub fn macros_of(file: &syn::File) -> HashSet<String> {
    struct Macros(HashSet<String>);
    impl<'ast> Visit<'ast> for Macros {
        fn visit_item_macro(&mut self, item: &'ast syn::ItemMacro) {
            self.0.extend(item.ident.iter().map(ToString::to_string));
        }

        fn visit_use_tree(&mut self, tree: &'ast UseTree) {
            leaves(tree, &mut self.0);
        }
    }
    let mut found = Macros(HashSet::new());
    found.visit_file(file);
    found.0
}

/// How often a file defines functions of each name, also inside of others and in macros.
pub fn counts(file: &syn::File) -> HashMap<String, usize> {
    struct Count(HashMap<String, usize>);
    impl<'ast> Visit<'ast> for Count {
        fn visit_item_fn(&mut self, item: &'ast ItemFn) {
            *self.0.entry(item.sig.ident.to_string()).or_default() += 1;
            syn::visit::visit_item_fn(self, item);
        }

        fn visit_macro(&mut self, mac: &'ast syn::Macro) {
            self.of_tokens(mac.tokens.clone());
        }
    }
    impl Count {
        fn of_tokens(&mut self, tokens: proc_macro2::TokenStream) {
            let mut after_fn = false;
            for token in tokens {
                match token {
                    proc_macro2::TokenTree::Group(group) => self.of_tokens(group.stream()),
                    proc_macro2::TokenTree::Ident(name) if after_fn => {
                        *self.0.entry(name.to_string()).or_default() += 1;
                        after_fn = false;
                    }
                    proc_macro2::TokenTree::Ident(name) => after_fn = name == "fn",
                    _ => after_fn = false,
                }
            }
        }
    }
    let mut count = Count(HashMap::new());
    count.visit_file(file);
    count.0
}
