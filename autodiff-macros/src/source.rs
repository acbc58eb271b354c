//! What the file of an item says of the items around it.
//!
//! Note [The file of an item]. A macro sees one item, and a relay answers for what is differentiable only. But the path of the file
//! that an item stands in is known, and what is written there is read: what aliases stand for, which types constants have, which
//! operators and methods there are. Another item may be meant by a name that is imported, so that nothing here is more than a
//! conjecture, which chooses between what rustc then checks, or between messages.

mod beside;
mod callers;
mod circle;
mod derived;
mod families;
mod grown;
mod held;
mod home;
mod imported;
mod judged;
mod matrices;
mod mentions;
mod names;
mod orders;
mod plain;
mod provided;
mod purity;
#[cfg(test)]
mod purity_test;
mod resolved;
mod ruled;
mod searched;
mod signatures;
mod sizes;
mod stated;
mod sums;
mod tables;

pub use beside::is_said_before;
pub use circle::{are_marked_beside, is_called_once, is_in_large_circle, is_in_no_circle, may_be_in_circle};
pub use derived::is_underived;
pub use grown::is_growing;
pub use held::holds;
pub use home::{candidates, home_of, with_imports};
pub use judged::judgement;
pub use matrices::{is_name_of_nalgebra, with_own_matrices};
pub use orders::with_order;
pub use plain::{with_plain_enums, with_plain_result};
pub use provided::with_provided_methods;
pub use purity::{COLLECTIONS, is_method_of_std, makes_value};
pub use resolved::constant_of_std;
pub use resolved::{may_be_of_library, with_resolved_names};
pub use ruled::{rule_beside, rule_of};
pub use searched::{file_of_item, note_item};
pub use sizes::with_sizes_of_elements;
pub use stated::with_what_is_pure;

use crate::methods;
use crate::module::is_marked;
use crate::parse::families::Families;
use crate::tokens::{mentions, placed, spelled};
use home::Place;
use proc_macro2::Span;
use quote::ToTokens;
use resolved::LIBRARIES;
use std::collections::{HashMap, HashSet};
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::SystemTime;
use syn::visit_mut::VisitMut;
use syn::{Attribute, Expr, ImplItem, Item, ItemImpl, Type};

/// The texts of what is found, by name: tokens do not outlive an invocation.
#[derive(Default)]
pub struct Source {
    pub aliases: HashMap<String, String>,
    /// The types of constants, `ORIGIN` and `Vec3::ORIGIN`.
    constants: HashMap<String, Known>,
    /// The functions that constants consist of.
    tables: tables::Tables,
    sizes: sizes::Sizes,
    operators: Vec<Operator>,
    /// The functions that belong to types, by the names of their relays.
    methods: HashMap<String, Method>,
    traits: HashSet<String>,
    /// The methods that traits provide, with the traits.
    provided_names: Vec<(String, String)>,
    /// See Note [Provided methods].
    provided: provided::Provided,
    /// How many types there are of a name.
    types: HashMap<String, usize>,
    /// The modules of types and of methods, by the names of these types and of the methods' relays. None, if there are several.
    places: HashMap<String, Option<Place>>,
    /// Enums that derive `Default`.
    default_enums: HashSet<String>,
    /// Structs without fields.
    units: HashSet<String>,
    /// The types without our derive.
    underived: HashSet<String>,
    modules: Vec<names::Module>,
    /// The variants of enums, with the names of these.
    variants: HashSet<(String, String)>,
    /// Enums without numbers: see Note [Plain enums].
    plain: HashMap<String, String>,
    plain_definitions: HashMap<String, String>,
    folds: sums::Folds,
    /// See Note [Vecs that a callee makes longer].
    grown: grown::Grown,
    held: held::Held,
    functions: HashSet<String>,
    ruled: Vec<ruled::Ruled>,
    /// See Note [Orders that are found out].
    mentioning: Vec<orders::Mentioning>,
    /// What is named outside of functions: see Note [Derivatives that are named] in `parse/families.rs`.
    families: Families,
    /// See Note [Higher orders for callers].
    unwritten: callers::Unwritten,
    signatures: signatures::Signatures,
    macros: HashSet<String>,
    marked: circle::Marked,
    /// See Note [Operators by value and by reference].
    marked_operators: beside::Operators,
}

enum Known {
    As(String),
    /// There are several.
    Not,
}

struct Operator {
    left: String,
    method: String,
    right: String,
}

struct Method {
    owner: String,
    name: String,
    /// What its block begins with: `impl Add for V`.
    header: String,
    is_marked: bool,
}

impl Source {
    /// A file is read once, as long as it does not change.
    pub fn of(file: &Path) -> Option<Arc<Source>> {
        static KNOWN: Mutex<Option<HashMap<PathBuf, (SystemTime, Arc<Source>)>>> = Mutex::new(None);
        let time = std::fs::metadata(file).ok()?.modified().ok()?;
        let mut known = KNOWN.lock().unwrap_or_else(PoisonError::into_inner);
        let known = known.get_or_insert_default();
        if let Some((_, source)) = known.get(file).filter(|(read, _)| *read == time) {
            return Some(source.clone());
        }
        let source = Arc::new(Source::read(&std::fs::read_to_string(file).ok()?));
        known.insert(file.to_owned(), (time, source.clone()));
        Some(source)
    }

    pub fn read(text: &str) -> Source {
        let mut source = Source::default();
        let Ok(file) = syn::parse_file(text) else { return source };
        source.families = Families::NONE;
        let mut others = Vec::new();
        source.modules = purity::modules_of(&file);
        source.collect(&file.items, &mut others, false, &Place::ROOT);
        source.aliases.retain(|name, _| !others.contains(name));
        source.forget_doubtful_places(text);
        source.mark_ruled();
        source.signatures.collect(&file.items);
        source.provided.collect(&file.items, false);
        source.add_provided();
        source.collect_grown(&file);
        source
    }

    /// What stands among items and in their modules. A name that has several meanings has none here.
    fn collect(&mut self, items: &[Item], others: &mut Vec<String>, is_among_marked: bool, place: &Place) {
        for item in items {
            self.mention(item, is_among_marked, place);
            match item {
                Item::Type(alias) if alias.generics.lifetimes().next().is_none() => {
                    let (name, text) = (alias.ident.to_string(), alias.to_token_stream().to_string());
                    let other = self.aliases.insert(name.clone(), text.clone()).is_some_and(|before| before != text);
                    others.extend(other.then_some(name));
                }
                Item::Mod(module) => {
                    let items = module.content.as_ref().map_or(&[][..], |(_, items)| items);
                    let is_among_marked = is_among_marked || says_differentiable(&module.attrs);
                    let is_public = matches!(module.vis, syn::Visibility::Public(_));
                    self.collect(items, others, is_among_marked, &place.within(&module.ident.to_string(), is_public));
                }
                Item::Const(item) => {
                    self.constant(item.ident.to_string(), &item.ty);
                    self.sizes.collect(item, place);
                    self.tables.collect(&item.ident, &item.ty, &item.expr, place);
                }
                Item::Static(item) => {
                    self.constant(item.ident.to_string(), &item.ty);
                    self.tables.collect(&item.ident, &item.ty, &item.expr, place);
                }
                Item::Impl(block) => self.block(block, is_among_marked, place),
                Item::Macro(item) => self.macros.extend(item.ident.iter().map(ToString::to_string)),
                Item::Fn(item) => {
                    self.functions.insert(item.sig.ident.to_string());
                    self.marked.note(item, is_among_marked);
                    self.ruled.extend(ruled::Ruled::read(item, place));
                }
                Item::Struct(syn::ItemStruct { ident, attrs, .. }) | Item::Enum(syn::ItemEnum { ident, attrs, .. }) => {
                    if !derived::may_be_derived(attrs, &self.modules) {
                        self.underived.insert(ident.to_string());
                    }
                    let derives = |attr: &Attribute| {
                        attr.path().is_ident("derive") && mentions(&attr.to_token_stream(), "Default")
                    };
                    if matches!(item, Item::Enum(_)) && attrs.iter().any(derives) {
                        self.default_enums.insert(ident.to_string());
                    }
                    if matches!(item, Item::Struct(item) if matches!(item.fields, syn::Fields::Unit)) {
                        self.units.insert(ident.to_string());
                    }
                    match item {
                        Item::Struct(item) => self.hold(ident, std::iter::once(&item.fields)),
                        Item::Enum(item) => self.hold(ident, item.variants.iter().map(|variant| &variant.fields)),
                        _ => {}
                    }
                    if let Item::Enum(item) = item {
                        let variants = item.variants.iter().map(|variant| variant.ident.to_string());
                        self.variants.extend(variants.map(|variant| (ident.to_string(), variant)));
                        self.plain.extend(plain::arms(item).map(|arms| (ident.to_string(), arms)));
                        let definition = plain::definition(item);
                        self.plain_definitions.extend(definition.map(|text| (ident.to_string(), text)));
                    }
                    *self.types.entry(ident.to_string()).or_default() += 1;
                    self.put(ident.to_string(), place);
                    others.push(ident.to_string());
                }
                Item::Trait(item) => {
                    self.traits.insert(item.ident.to_string());
                    others.push(item.ident.to_string());
                    let provided = item.items.iter().filter_map(|method| match method {
                        syn::TraitItem::Fn(method) => method.default.as_ref().map(|_| method.sig.ident.to_string()),
                        _ => None,
                    });
                    self.provided_names.extend(provided.map(|method| (method, item.ident.to_string())));
                }
                Item::Union(item) => others.push(item.ident.to_string()),
                Item::Type(item) => others.push(item.ident.to_string()),
                _ => {}
            }
        }
    }

    fn put(&mut self, name: String, place: &Place) {
        let known = self.places.entry(name).or_insert_with(|| Some(place.clone()));
        if known.as_ref() != Some(place) {
            *known = None;
        }
    }

    /// A function's body may have a type of the same name.
    fn forget_doubtful_places(&mut self, text: &str) {
        let mut times = HashMap::new();
        let words: Vec<&str> =
            text.split(|c: char| !c.is_alphanumeric() && c != '_').filter(|word| !word.is_empty()).collect();
        for pair in words.windows(2).filter(|pair| matches!(pair[0], "struct" | "enum")) {
            *times.entry(pair[1]).or_insert(0) += 1;
        }
        let methods = &self.methods;
        for (name, place) in &mut self.places {
            let owner = methods.get(name).map_or(name, |method| &method.owner);
            if times.get(&owner[..]).is_some_and(|times| *times > 1) {
                *place = None;
            }
        }
    }

    fn constant(&mut self, name: String, ty: &syn::Type) {
        let ty = ty.to_token_stream().to_string();
        let known = match self.constants.get(&name) {
            Some(Known::As(other)) if *other == ty => Known::As(ty),
            Some(_) => Known::Not,
            None => Known::As(ty),
        };
        self.constants.insert(name, known);
    }

    fn block(&mut self, block: &ItemImpl, is_among_marked: bool, place: &Place) {
        sums::collect(block, &mut self.folds);
        let Some(owner) = methods::self_name(&block.self_ty) else { return };
        let sides = methods::operator_sides(block);
        let is_differentiable = is_among_marked || says_differentiable(&block.attrs);
        if is_differentiable {
            self.marked_operators.note(block);
        }
        self.provided.note(block, &owner.to_string(), (is_differentiable, header(block)), place);
        for item in &block.items {
            match item {
                ImplItem::Const(item) if block.generics.params.is_empty() => {
                    let ty = match &item.ty {
                        syn::Type::Path(path) if path.path.is_ident("Self") => &block.self_ty,
                        ty => ty,
                    };
                    self.constant(format!("{owner}::{}", item.ident), ty);
                }
                ImplItem::Fn(method) => {
                    let is_marked = is_differentiable || says_differentiable(&method.attrs);
                    let name = methods::relay_name(block, &owner, method).to_string();
                    if let Some((left, right)) = &sides {
                        let (left, method, right) = (left.clone(), method.sig.ident.to_string(), right.clone());
                        self.operators.push(Operator { left, method, right });
                    }
                    self.put(name.clone(), place);
                    match self.methods.get_mut(&name) {
                        Some(known) => known.is_marked |= is_marked,
                        None => {
                            let (owner, of) = (owner.to_string(), method.sig.ident.to_string());
                            let method = Method { owner, name: of, header: header(block), is_marked };
                            self.methods.insert(name, method);
                        }
                    }
                }
                _ => {}
            }
        }
    }

    /// The type that a constant has, as it is written.
    pub fn constant_type(&self, path: &syn::Path) -> Option<syn::Type> {
        let names: Vec<String> = path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let starts_upper = |name: &String| name.starts_with(char::is_uppercase);
        let name = match &names[..] {
            [.., owner, name] if starts_upper(owner) => format!("{owner}::{name}"),
            [.., module, name] if matches!(&module[..], "self" | "super" | "crate") => name.clone(),
            [name] => name.clone(),
            _ => return None,
        };
        match self.constants.get(&name)? {
            Known::As(ty) => {
                let ty = syn::parse2(placed(ty.parse().ok()?, path.segments.first()?.ident.span())).ok()?;
                Some(self.unaliased(ty))
            }
            Known::Not => None,
        }
    }

    /// A type with what they stand for in the places of aliases.
    fn unaliased(&self, mut ty: Type) -> Type {
        Unaliased { source: self, steps: 0 }.visit_type_mut(&mut ty);
        ty
    }

    /// Whether a macro of that name is here.
    pub fn defines_macro(&self, name: &str) -> bool {
        self.macros.contains(name)
    }

    /// Whether a struct or an enum of that name is here.
    pub fn defines_type(&self, name: &str) -> bool {
        self.types.contains_key(name)
    }

    /// Whether a type of that name is here, or imported from the user's own modules.
    pub fn has_type(&self, name: &str) -> bool {
        let is_own = |path: &Vec<String>| !LIBRARIES.contains(&&path[0][..]);
        self.defines_type(name) || self.modules.iter().any(|module| module.imports.get(name).is_some_and(is_own))
    }

    /// The type of a field of a struct, if there is one struct of that name.
    pub fn field_type(&self, owner: &str, field: &str) -> Option<Type> {
        let fields = self.modules.iter().find_map(|module| module.fields.get(owner))?;
        let text = fields.get(field).filter(|_| self.types.get(owner) == Some(&1))?;
        Some(self.unaliased(syn::parse_str(text).ok()?))
    }

    /// The type of a field of a struct that is the only type of its name here.
    pub fn type_of_field(&self, owner: &Type, member: &syn::Member) -> Option<Type> {
        let name = names::last_name(owner).filter(|owner| self.types.get(owner) == Some(&1))?;
        let syn::Member::Named(member) = member else { return None };
        let text = self.modules.iter().find_map(|module| module.fields.get(&name)?.get(&member.to_string()))?;
        let field = self.with_arguments(placed(text.parse().ok()?, member.span()), owner)?;
        Some(self.unaliased(syn::parse2(field).ok()?))
    }

    /// Whether a method of a type that is defined here, and is the only one of its name, has no effect but on `self`.
    pub fn changes_only_self(&self, owner: &str, method: &str) -> bool {
        let key = (owner.to_owned(), method.to_owned());
        self.types.get(owner) == Some(&1) && self.modules.iter().any(|module| module.changing_methods.contains(&key))
    }

    /// Whether a function of that name is here.
    pub fn names_function(&self, name: &str) -> bool {
        self.functions.contains(name)
    }

    /// What `sum` or `product` of a type does, with names of a place.
    pub fn fold(&self, owner: &str, name: &str, at: Span) -> Option<(Expr, Expr)> {
        let fold = self.folds.get(&(owner.to_owned(), name.to_owned()))?.as_ref()?;
        let parsed = |text: &str| syn::parse2(placed(text.parse().ok()?, at)).ok();
        let is_certain = self.types.get(owner) == Some(&1);
        is_certain.then_some((parsed(&fold.first)?, parsed(&fold.next)?))
    }

    /// What may stand on the left of an operator, by what it is called in names, if there is one only.
    pub fn left_of(&self, method: &str, right: &str) -> Option<&str> {
        let found = self.operators.iter().filter(|it| it.method == method && it.right == right);
        only(found.map(|it| &it.left[..]))
    }

    /// What may stand on the right of an operator.
    pub fn right_of(&self, left: &str, method: &str) -> Option<&str> {
        let found = self.operators.iter().filter(|it| it.method == method && it.left == left);
        only(found.map(|it| &it.right[..]))
    }

    /// Whether a type is defined here, and no other of its name.
    pub fn defines_one_type(&self, path: &syn::Path) -> bool {
        path.segments.last().is_some_and(|last| self.types.get(&last.ident.to_string()) == Some(&1))
    }

    /// Whether a function gives the default variant of an enum that is the only type of its name here: `Mode::default`.
    pub fn is_default_of_enum(&self, function: &str) -> bool {
        let owner = function.strip_suffix("::default").filter(|owner| self.types.get(*owner) == Some(&1));
        owner.is_some_and(|owner| self.default_enums.contains(owner))
    }

    /// Whether a path is the name of a struct without fields, which is the only type of its name here.
    pub fn is_unit_struct(&self, path: &syn::Path) -> bool {
        path.get_ident().is_some_and(|name| self.units.contains(&name.to_string())) && self.defines_one_type(path)
    }

    /// Whether an enum that is defined here, and is the only type of its name, has a variant.
    pub fn is_variant(&self, owner: &str, variant: &str) -> bool {
        self.types.get(owner) == Some(&1) && self.variants.contains(&(owner.to_owned(), variant.to_owned()))
    }

    /// The enum that a variant of this name is of, if there is one only.
    pub fn enum_of(&self, variant: &str) -> Option<&str> {
        let owners = self.variants.iter().filter(|(_, name)| name == variant);
        only(owners.map(|(owner, _)| &owner[..])).filter(|owner| self.types.get(*owner) == Some(&1))
    }

    /// Whether a trait is defined here, and no type of its name.
    pub fn defines_trait(&self, name: &str) -> bool {
        self.traits.contains(name) && !self.types.contains_key(name)
    }

    /// The type that a method with our attribute belongs to, if there is one method of that name.
    pub fn owner_of(&self, method: &str) -> Option<&str> {
        let mut found = self.methods.values().filter(|known| known.name == method);
        let (only, None) = (found.next()?, found.next()) else { return None };
        (only.is_marked && self.types.get(&only.owner) == Some(&1)).then_some(&only.owner[..])
    }

    /// Whether a type here has a method of this name.
    pub fn has_method(&self, name: &str) -> bool {
        self.methods.values().any(|method| method.name == name)
    }

    /// Whether a method here has this relay, or would have it with our attribute.
    pub fn has_function(&self, relay: &str) -> bool {
        self.methods.contains_key(relay)
    }

    /// The type and the trait of the method that a missing relay would be of, if the trait provides it and the type leaves it at that.
    pub fn provided(&self, relay: &str) -> Option<(String, &str)> {
        let mut found = self.provided_names.iter().rev().filter_map(|(method, of)| {
            let owner = relay.strip_suffix(&format!("_{method}"))?;
            let is_left = self.types.get(owner) == Some(&1) && !self.methods.contains_key(relay);
            is_left.then(|| (format!("{owner}::{method}"), &of[..]))
        });
        found.next()
    }

    /// The method that a missing relay would be of, if it is here without an attribute, and what its block begins with.
    pub fn unmarked(&self, relay: &str) -> Option<(String, &str)> {
        let method = self.methods.get(relay).filter(|method| !method.is_marked)?;
        let is_certain = matches!(&method.owner[..], "f32" | "f64") || self.types.get(&method.owner) == Some(&1);
        is_certain.then(|| (format!("{}::{}", method.owner, method.name), &method.header[..]))
    }
}

/// Puts what they stand for in the places of aliases without parameters.
struct Unaliased<'s> {
    source: &'s Source,
    steps: usize,
}

impl VisitMut for Unaliased<'_> {
    fn visit_type_mut(&mut self, ty: &mut Type) {
        while let Some(target) = self.target(ty).filter(|_| self.steps < 32) {
            self.steps += 1;
            *ty = target;
        }
        syn::visit_mut::visit_type_mut(self, ty);
    }
}

impl Unaliased<'_> {
    fn target(&self, ty: &Type) -> Option<Type> {
        let Type::Path(path) = ty else { return None };
        self.source.alias(path.path.get_ident()?)
    }
}

/// `impl Add for V`
fn header(block: &ItemImpl) -> String {
    let (of, ty) = (block.trait_.as_ref().map(|(_, of, _)| spelled(of)), spelled(&block.self_ty));
    of.map_or_else(|| format!("impl {ty}"), |of| format!("impl {of} for {ty}"))
}

/// The one thing that there is.
fn only<'s>(mut found: impl Iterator<Item = &'s str>) -> Option<&'s str> {
    let first = found.next()?;
    found.all(|other| other == first).then_some(first)
}

/// Whether attributes name ours, also under a condition.
fn says_differentiable(attrs: &[Attribute]) -> bool {
    is_marked(attrs) || attrs.iter().any(|attr| mentions(&attr.to_token_stream(), "differentiable"))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn ty(source: &Source, path: &str) -> Option<String> {
        let ty = source.constant_type(&syn::parse_str(path).unwrap())?;
        Some(crate::tokens::spelled(&ty))
    }

    #[test]
    fn types_of_constants() {
        let text =
            "const I: C64 = C64 { re: 0.0, im: 1.0 }; mod m { static T: [V<f64>; 2] = f(); const I2: f64 = 1.0; }
            mod n { const I2: V = v(); } impl V { const ZERO: Self = v(); const N: usize = 3; }";
        let source = Source::read(text);
        assert_eq!(ty(&source, "I").as_deref(), Some("C64"));
        assert_eq!(ty(&source, "self::T").as_deref(), Some("[V<f64> ; 2]"));
        assert_eq!(ty(&source, "V::ZERO").as_deref(), Some("V"));
        assert_eq!(ty(&source, "I2"), None);
        assert_eq!(ty(&source, "std::f64::consts::I"), None);
        assert_eq!(ty(&source, "ZERO"), None);
    }

    #[test]
    fn operators_and_what_is_not_marked() {
        let text = "struct V; #[differentiable] impl Mul for V { type Output = V; fn mul(self, o: V) -> V { o } }
            impl Mul<V> for f64 { type Output = V; fn mul(self, o: V) -> V { o } }
            impl Add for V { type Output = V; fn add(self, o: V) -> V { o } }
            impl V { fn a(&self) -> f64 { 0.0 } #[differentiable] fn b(&self) -> f64 { 0.0 } }";
        let source = Source::read(text);
        assert_eq!(source.left_of("mul", "V"), None);
        assert_eq!(source.right_of("V", "mul"), Some("V"));
        assert_eq!(source.left_of("add", "V"), Some("V"));
        assert_eq!(source.unmarked("V_add"), Some(("V::add".to_owned(), "impl Add for V")));
        assert_eq!(source.unmarked("V_a"), Some(("V::a".to_owned(), "impl V")));
        assert_eq!(source.unmarked("Number_mul_V"), Some(("f64::mul".to_owned(), "impl Mul<V> for f64")));
        assert!(["V_mul", "V_b", "V_c"].iter().all(|relay| source.unmarked(relay).is_none()));
    }
}
