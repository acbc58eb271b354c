//! What patterns say of types, and the names that they bind.

use super::Inference;
use super::declared::Names;
use super::types::{Id, Shape, last};
use syn::Pat;

impl Inference<'_> {
    pub fn pattern(&mut self, pat: &Pat, ty: Id) {
        match pat {
            Pat::Ident(name) => {
                if Inference::is_variable(name) {
                    self.bind(&name.ident.to_string(), ty);
                    self.variables.push((name.ident.clone(), ty));
                }
                if let Some((_, inner)) = &name.subpat {
                    self.pattern(inner, ty);
                }
            }
            Pat::Type(typed) => {
                let declared = self.declared(&typed.ty, &Names::new());
                self.types.unify(declared, ty);
                self.pattern(&typed.pat, declared);
            }
            Pat::Reference(reference) => self.pattern(&reference.pat, ty),
            Pat::Paren(paren) => self.pattern(&paren.pat, ty),
            Pat::Or(or) => or.cases.iter().for_each(|case| self.pattern(case, ty)),
            Pat::Tuple(tuple) => {
                let pats: Vec<&Pat> = tuple.elems.iter().collect();
                let parts = self.parts(&pats, ty);
                pats.iter().zip(parts).for_each(|(pat, part)| self.pattern(pat, part));
            }
            Pat::Slice(slice) => {
                let elem = self.types.open();
                let seq = self.types.of(Shape::Seq(elem));
                self.types.unify(seq, ty);
                for pat in &slice.elems {
                    // `rest @ ..`
                    let is_rest = matches!(pat, Pat::Ident(name) if matches!(&name.subpat, Some((_, inner)) if matches!(**inner, Pat::Rest(_))));
                    self.pattern(pat, if is_rest { seq } else { elem });
                }
            }
            Pat::TupleStruct(pat) => {
                let pats: Vec<&Pat> = pat.elems.iter().collect();
                self.variant_pattern(&pat.path, &pats, ty);
            }
            Pat::Struct(pat) => {
                for field in &pat.fields {
                    let part = self.field_in_pattern(&pat.path, &field.member, ty);
                    self.pattern(&field.pat, part);
                }
            }
            Pat::Lit(_) | Pat::Range(_) | Pat::Wild(_) | Pat::Rest(_) | Pat::Path(_) | Pat::Const(_) => {}
            other => self.bind_unknown(other),
        }
    }

    fn bind_unknown(&mut self, pat: &Pat) {
        for name in crate::desugar::bound(pat) {
            let unknown = self.types.unknown();
            self.bind(&name.to_string(), unknown);
        }
    }

    /// The parts of a tuple that the patterns are for. `..` stands for any number of them.
    fn parts(&mut self, pats: &[&Pat], ty: Id) -> Vec<Id> {
        let rest = pats.iter().position(|pat| matches!(pat, Pat::Rest(_)));
        match (self.types.shape(ty), rest) {
            (Shape::Tuple(parts), None) if parts.len() == pats.len() => parts,
            (Shape::Tuple(parts), Some(rest)) if parts.len() + 1 >= pats.len() => {
                let after = pats.len() - rest - 1;
                let open = self.types.open();
                let (front, back) = (parts[..rest].to_vec(), parts[parts.len() - after..].to_vec());
                front.into_iter().chain([open]).chain(back).collect()
            }
            (Shape::Open, None) => {
                let parts: Vec<Id> = pats.iter().map(|_| self.types.open()).collect();
                let tuple = self.types.of(Shape::Tuple(parts.clone()));
                self.types.unify(ty, tuple);
                parts
            }
            _ => pats.iter().map(|_| self.types.unknown()).collect(),
        }
    }

    /// `Some(x)`, `Ok(x)`, `Shape::Circle(r)`
    fn variant_pattern(&mut self, path: &syn::Path, pats: &[&Pat], ty: Id) {
        if let (Some(inner), [pat]) = (self.inner_of_variant(&last(path), ty), pats) {
            return self.pattern(pat, inner);
        }
        let has_rest = pats.iter().any(|pat| matches!(pat, Pat::Rest(_)));
        for (k, pat) in pats.iter().enumerate() {
            let part = match has_rest {
                true => self.types.unknown(),
                false => self.field_in_pattern(path, &syn::Member::Unnamed(k.into()), ty),
            };
            self.pattern(pat, part);
        }
    }

    /// What is in an `Option` or a `Result`.
    pub fn inner_of_variant(&mut self, variant: &str, ty: Id) -> Option<Id> {
        let (value, other) = (self.types.open(), self.types.open());
        let shape = match variant {
            "Some" => Shape::Option(value),
            "Ok" => Shape::Result(value, other),
            "Err" => Shape::Result(other, value),
            _ => return None,
        };
        let whole = self.types.of(shape);
        self.types.unify(whole, ty);
        Some(value)
    }

    fn field_in_pattern(&mut self, path: &syn::Path, member: &syn::Member, ty: Id) -> Id {
        // What is taken apart is of the type that it was made as.
        let found = match self.types.shape(ty) {
            Shape::Named(owner, args) => self
                .variant_field(path, &args, member, Some(&owner))
                .or_else(|| self.field_of(&owner, &args, member, Some(ty))),
            _ => self.variant_field(path, &[], member, None).or_else(|| self.field_of(path, &[], member, None)),
        };
        found.unwrap_or_else(|| self.types.unknown())
    }

    /// The type of a field of an enum's variant.
    pub fn variant_field(
        &mut self,
        path: &syn::Path,
        args: &[Id],
        member: &syn::Member,
        owner: Option<&syn::Path>,
    ) -> Option<Id> {
        let variant = &path.segments.last()?.ident;
        let enum_path = match owner {
            Some(owner) => owner.clone(),
            None => {
                let mut owner = path.clone();
                owner.segments.pop()?;
                owner.segments.pop_punct();
                owner
            }
        };
        if let Some(info) = self.knowledge.find_struct(&enum_path) {
            let (_, range) = info.variant(variant)?;
            let field = info.fields[range].iter().find(|field| field.member == *member)?.clone();
            let params = info.generics.iter().filter(|param| param.kind != crate::relay::GenericKind::Size);
            let names: Names = params.map(|param| param.name.clone()).zip(args.iter().copied()).collect();
            return Some(match field.projected {
                true => self.types.unknown(),
                false => self.declared(&field.ty, &names),
            });
        }
        let source = self.source.clone()?;
        let name = format!("{}::{variant}", last(&enum_path));
        let (params, ty) = source.field(&name, &quote::ToTokens::to_token_stream(member).to_string())?;
        let names: Names = params.into_iter().zip(args.iter().copied()).collect();
        Some(self.declared(&ty, &names))
    }
}
