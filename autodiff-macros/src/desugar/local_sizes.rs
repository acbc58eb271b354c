//! Sizes that are constants of a block, `const N: usize = 3;`, are written out in its types.
//!
//! A constant of a block is a variable to lowering. Generated code names the sizes of arrays outside of the body as well,
//! such as in the type of its residuals, where only rustc's constants are in scope.

use syn::visit_mut::VisitMut;
use syn::{Block, Expr, GenericArgument, Generics, Ident, Item, ItemConst, ItemFn, Stmt, Type};

/// Writes out the constants of a block wherever a size stands.
pub(super) fn write_out(block: &mut Block) {
    let constants: Vec<(Ident, Expr)> = block.stmts.iter().filter_map(size).collect();
    for (name, _) in &constants {
        // What a constant is made of has been written out in it by then.
        let Some((_, value)) = block.stmts.iter().filter_map(size).find(|(other, _)| other == name) else { continue };
        let mut sizes = Sizes { name, value: &value };
        block.stmts.iter_mut().for_each(|stmt| sizes.visit_stmt_mut(stmt));
        for stmt in &mut block.stmts {
            if let Stmt::Item(Item::Const(ItemConst { expr, .. })) = stmt {
                sizes.replace(expr);
            }
        }
    }
}

/// A constant `usize`.
fn size(stmt: &Stmt) -> Option<(Ident, Expr)> {
    match stmt {
        Stmt::Item(Item::Const(item)) if matches!(&*item.ty, Type::Path(ty) if ty.path.is_ident("usize")) => {
            Some((item.ident.clone(), (*item.expr).clone()))
        }
        _ => None,
    }
}

struct Sizes<'c> {
    name: &'c Ident,
    value: &'c Expr,
}

impl Sizes<'_> {
    /// In an expression that is a size.
    fn replace(&self, size: &mut Expr) {
        struct Names<'c>(&'c Sizes<'c>);
        impl VisitMut for Names<'_> {
            fn visit_expr_mut(&mut self, expr: &mut Expr) {
                match expr {
                    Expr::Path(path) if path.path.is_ident(self.0.name) => {
                        *expr = match self.0.value {
                            Expr::Lit(_) | Expr::Path(_) => self.0.value.clone(),
                            value => syn::parse_quote!((#value)),
                        };
                    }
                    _ => syn::visit_mut::visit_expr_mut(self, expr),
                }
            }
        }
        Names(self).visit_expr_mut(size);
    }

    fn is_redefined(&self, generics: &Generics) -> bool {
        generics.const_params().any(|param| param.ident == *self.name)
    }
}

impl VisitMut for Sizes<'_> {
    fn visit_type_array_mut(&mut self, array: &mut syn::TypeArray) {
        self.visit_type_mut(&mut array.elem);
        self.replace(&mut array.len);
    }

    fn visit_expr_repeat_mut(&mut self, array: &mut syn::ExprRepeat) {
        self.visit_expr_mut(&mut array.expr);
        self.replace(&mut array.len);
    }

    fn visit_generic_argument_mut(&mut self, argument: &mut GenericArgument) {
        match argument {
            GenericArgument::Type(Type::Path(ty)) if ty.path.is_ident(self.name) => {
                let value = self.value;
                *argument = GenericArgument::Const(match value {
                    Expr::Lit(_) => value.clone(),
                    value => syn::parse_quote!({ #value }),
                });
            }
            GenericArgument::Const(size) => self.replace(size),
            argument => syn::visit_mut::visit_generic_argument_mut(self, argument),
        }
    }

    /// A block may have another constant of that name.
    fn visit_block_mut(&mut self, block: &mut Block) {
        if !block.stmts.iter().filter_map(size).any(|(name, _)| name == *self.name) {
            syn::visit_mut::visit_block_mut(self, block);
        }
    }

    fn visit_item_fn_mut(&mut self, item: &mut ItemFn) {
        if !self.is_redefined(&item.sig.generics) {
            syn::visit_mut::visit_item_fn_mut(self, item);
        }
    }
}
