//! What relays have told of other items.

use super::key;
use crate::ir::call::Origin;
use crate::ir::inline::Inlinable;
use crate::ir::interface::Order;
use proc_macro2::{Ident, TokenStream, TokenTree};
use std::rc::Rc;
use syn::{ItemEnum, Member, Path, Type};

/// The module of a type, or of the function that stands for a method: see Note [Homes] in `source/home.rs`.
#[derive(Clone, Debug)]
pub struct Home {
    /// `$crate::shapes`. In the relay itself the dollar sign is for `macro_rules!`.
    pub module: TokenStream,
    /// What the item is called there.
    pub name: String,
    /// The crate, as rustc calls it.
    pub of: String,
    /// Whether other crates may name the module.
    pub is_public: bool,
    /// The name that the item is imported under where it is used. A path with `$crate` would not survive as text, which types are.
    pub alias: Option<Ident>,
}

impl Home {
    /// The names of the modules, from the root of the crate.
    pub fn path(&self) -> Vec<String> {
        let names = self.module.clone().into_iter().filter_map(|token| match token {
            TokenTree::Ident(name) => Some(name.to_string()),
            _ => None,
        });
        // `$crate` comes first.
        names.skip(1).collect()
    }
}

/// A generic parameter of an exported item.
#[derive(Clone, Debug)]
pub struct Generic {
    pub name: String,
    pub kind: GenericKind,
    /// What it is where nothing is written: a type or a size.
    pub default: Option<TokenStream>,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum GenericKind {
    /// A type bound by `Real`.
    Number,
    /// A const parameter.
    Size,
    /// A type bound by `Callable`.
    Function,
}

/// A derived struct or enum.
#[derive(Clone, Debug)]
pub struct StructInfo {
    pub generics: Vec<Generic>,
    /// Of an enum, those of all variants in order.
    pub fields: Vec<FieldInfo>,
    /// None, if it is a struct.
    pub variants: Vec<VariantInfo>,
    /// The structs among the field types.
    pub nested: Knowledge,
    /// Where it is defined, as far as that is known.
    pub home: Option<Home>,
    /// Whether something is wrong with a field, which has been said there.
    pub failed: bool,
}

#[derive(Clone, Debug)]
pub struct VariantInfo {
    pub name: Ident,
    /// How many fields it has.
    pub count: usize,
}

impl StructInfo {
    /// Of an enum without a derivative.
    pub fn plain(item: &ItemEnum) -> StructInfo {
        let fields = item.variants.iter().flat_map(|variant| variant.fields.iter().zip(variant.fields.members()));
        let fields = fields.map(|(field, member)| {
            let ty = field.ty.clone();
            FieldInfo { member, ty, active: false, projected: false }
        });
        let variants = item.variants.iter();
        let variants = variants.map(|variant| VariantInfo { name: variant.ident.clone(), count: variant.fields.len() });
        StructInfo {
            generics: Vec::new(),
            fields: fields.collect(),
            variants: variants.collect(),
            nested: Knowledge::default(),
            home: None,
            failed: false,
        }
    }

    /// A variant by its name, with the places of its fields.
    pub fn variant(&self, name: &Ident) -> Option<(usize, std::ops::Range<usize>)> {
        let at = self.variants.iter().position(|variant| variant.name == *name)?;
        let start = self.variants[..at].iter().map(|variant| variant.count).sum();
        Some((at, start..start + self.variants[at].count))
    }
}

#[derive(Clone, Debug)]
pub struct FieldInfo {
    pub member: Member,
    pub ty: Type,
    pub active: bool,
    /// Whether `FieldType` names its type.
    pub projected: bool,
}

#[derive(Clone, Debug)]
pub struct FnInfo {
    pub name: String,
    pub generics: Vec<Generic>,
    pub params: Vec<ParamInfo>,
    pub result: Type,
    pub nested: Knowledge,
    /// The names of what it calls, and whether callers are told to keep nothing of it: see Note [Cycles of calls].
    pub calls: Vec<String>,
    pub recursive: bool,
    pub origin: Origin,
    /// How many times it can be differentiated, and how many times callers can do so: see Note [Higher orders for callers] in
    /// `source/callers.rs`.
    pub order: Order,
    pub order_for_callers: Order,
    /// Whether it has a function for Taylor series.
    pub taylor: bool,
    /// Whether rotations in its parameters or its result change on the left.
    pub left: bool,
    /// The trait of the method that it stands for, if it is one of a trait.
    pub of_trait: String,
    /// Of a method, where the function is defined, as far as that is known.
    pub home: Option<Home>,
    /// Its body, if callers take that over: see Note [Inlined functions] in `ir/inline.rs`.
    pub inline: Option<Inlinable>,
}

impl FnInfo {
    /// The same of a small function, with its body.
    #[must_use]
    pub fn with_body(self, inline: Option<Inlinable>) -> FnInfo {
        let grows_nothing = self.params.iter().all(|param| !param.grown);
        let is_plain = self.generics.is_empty() && !self.recursive && !self.left && self.origin == Origin::Body;
        FnInfo { inline: inline.filter(|_| is_plain && grows_nothing), ..self }
    }
}

#[derive(Clone, Debug)]
pub struct ParamInfo {
    pub ty: Type,
    pub active: bool,
    /// Whether the function takes it and gives it back: see Note [Vecs that a callee makes longer] in `source/grown.rs`.
    pub grown: bool,
    /// Whether it is an integer that is lent, and that the function lends to others: see [`crate::ir::call::Callee::once`].
    pub handed_on: bool,
}

impl ParamInfo {
    /// Whether the caller lends it, to be changed.
    pub fn is_mutable(&self) -> bool {
        self.grown || matches!(&self.ty, Type::Reference(reference) if reference.mutability.is_some())
    }
}

#[derive(Clone, Debug)]
pub enum Info {
    Struct(Rc<StructInfo>),
    Fn(Rc<FnInfo>),
    /// A function that takes closures: its source.
    HigherOrder(TokenStream),
    /// A function without a derivative by anything, which says so.
    Inactive,
    /// A type of the user's own, whose name is one that the compiler knows. It may be asked for.
    Own,
    /// It has no relay.
    Unknown,
    /// Something is wrong with it, which has been said there.
    Failed,
}

/// What is known of other items, by the path they were asked for.
#[derive(Clone, Debug, Default)]
pub struct Knowledge(pub(super) Vec<(String, Info)>);

impl Knowledge {
    pub fn insert(&mut self, key: String, info: Info) {
        self.0.push((key, info));
    }

    /// The homes of the types that a method may be of, by the name of its function there.
    pub fn homes(&self, relay: &str) -> Vec<Home> {
        let mut found = Vec::new();
        for (key, info) in &self.0 {
            let info = match info {
                Info::Struct(info) => info,
                Info::Fn(info) => {
                    found.extend(info.nested.homes(relay));
                    continue;
                }
                _ => continue,
            };
            let name = key.rsplit("::").next().unwrap_or_default().trim();
            if let Some(home) = &info.home {
                let method = relay.strip_prefix(name).filter(|rest| rest.starts_with('_'));
                let renamed = method.map(|method| format!("{}{method}", home.name));
                let other = relay.strip_suffix(name).filter(|rest| rest.ends_with('_')).map(|_| relay.to_owned());
                found.extend(renamed.or(other).map(|name| Home { name, ..home.clone() }));
            }
            found.extend(info.nested.homes(relay));
        }
        found
    }

    /// All homes, of what is nested, too.
    pub fn each_home(&mut self, visit: &mut dyn FnMut(&mut Home)) {
        for (_, info) in &mut self.0 {
            let (home, nested) = match info {
                Info::Struct(info) => {
                    let info = Rc::make_mut(info);
                    (&mut info.home, &mut info.nested)
                }
                Info::Fn(info) => {
                    let info = Rc::make_mut(info);
                    (&mut info.home, &mut info.nested)
                }
                _ => continue,
            };
            home.iter_mut().for_each(&mut *visit);
            nested.each_home(visit);
        }
    }

    /// Whether it was asked for, and nothing answered: it is not differentiable, or not there.
    pub fn is_unknown(&self, path: &Path) -> bool {
        let key = key(path);
        self.0.iter().any(|(name, info)| matches!(info, Info::Unknown) && *name == key)
    }

    /// Whether a name that the compiler knows is that of a type of the user's.
    pub fn is_own(&self, name: &str) -> bool {
        self.0.iter().any(|(own, info)| matches!(info, Info::Own) && own == name)
    }

    /// Whether it is a function that says that it has no derivative.
    pub fn is_inactive(&self, path: &Path) -> bool {
        let key = key(path);
        self.0.iter().any(|(name, info)| matches!(info, Info::Inactive) && *name == key)
    }

    /// Whether something is wrong with anything that was asked for, so that no more is to be said.
    pub fn has_failed(&self) -> bool {
        self.0.iter().any(|(_, info)| match info {
            Info::Failed => true,
            Info::Struct(info) => info.failed || info.nested.has_failed(),
            Info::Fn(info) => info.nested.has_failed(),
            Info::HigherOrder(_) | Info::Inactive | Info::Own | Info::Unknown => false,
        })
    }

    /// Whether it was asked for, whatever it is.
    pub fn is_known(&self, path: &Path) -> bool {
        let key = key(path);
        self.0.iter().any(|(name, info)| *name == key && !matches!(info, Info::Own))
    }

    /// The source of a function that takes closures.
    pub fn find_higher_order(&self, path: &Path) -> Option<TokenStream> {
        let key = key(path);
        self.0.iter().find_map(|(name, info)| match info {
            Info::HigherOrder(source) if *name == key => Some(source.clone()),
            _ => None,
        })
    }

    /// The sources of all functions that take closures.
    pub fn sources(&self) -> impl Iterator<Item = &TokenStream> {
        self.0.iter().filter_map(|(_, info)| match info {
            Info::HigherOrder(source) => Some(source),
            _ => None,
        })
    }

    pub fn find_struct(&self, path: &Path) -> Option<Rc<StructInfo>> {
        let key = key(path);
        self.0.iter().find_map(|(name, info)| match info {
            Info::Struct(info) if *name == key => Some(info.clone()),
            _ => None,
        })
    }

    /// The enums that have a variant of this name, with the paths they were asked for.
    pub fn with_variant<'k>(&'k self, name: &'k Ident) -> impl Iterator<Item = (&'k str, &'k Rc<StructInfo>)> {
        self.0.iter().filter_map(move |(key, info)| match info {
            Info::Struct(info) if info.variant(name).is_some() => Some((&key[..], info)),
            _ => None,
        })
    }

    pub fn find_fn(&self, path: &Path) -> Option<Rc<FnInfo>> {
        let key = key(path);
        self.0.iter().find_map(|(name, info)| match info {
            Info::Fn(info) if *name == key => Some(info.clone()),
            _ => None,
        })
    }

    /// Which parameters of a function are mutable borrows.
    pub fn mutable_params(&self, path: &Path) -> Option<Vec<bool>> {
        let info = self.find_fn(path)?;
        Some(info.params.iter().map(ParamInfo::is_mutable).collect())
    }

    /// Whether a method of this name changes its receiver, if there is a function that stands for one.
    pub fn method_changes(&self, method: &Ident) -> Option<bool> {
        let suffix = format!("_{method}");
        let infos = self.0.iter().filter_map(|(name, info)| match info {
            Info::Fn(info) if name.ends_with(&suffix) => Some(info.params.first().is_some_and(ParamInfo::is_mutable)),
            // One that gives a place changes nothing itself.
            Info::HigherOrder(_) if name.ends_with(&suffix) && name.starts_with(char::is_uppercase) => Some(false),
            _ => None,
        });
        infos.reduce(|any, one| any || one)
    }
}
