//! Methods of numbers, lists, `Option`, `Result`, and of types that are declared somewhere.

use super::Inference;
use super::expr::{bare, turbofish};
use super::pending::Pending;
use super::types::{Id, Shape, last};
use syn::{Expr, ExprMethodCall};

impl Inference<'_> {
    pub fn method_call(&mut self, call: &ExprMethodCall) -> Id {
        let receiver = self.expr(&call.receiver);
        self.settle_pending(false);
        let name = call.method.to_string();
        let args: Vec<&Expr> = call.args.iter().collect();
        // Those that every type has.
        if args.is_empty() && matches!(&name[..], "clone" | "to_owned" | "borrow" | "borrow_mut" | "as_ref" | "as_mut")
        {
            return receiver;
        }
        let found = match self.types.shape(receiver) {
            Shape::Integer | Shape::Is(_) => self.integer_method(&name, receiver, &args),
            Shape::Float => self.float_method(&name, &args),
            Shape::Seq(elem) => self.list_method(&name, receiver, elem, &args, call),
            Shape::Iter(item) => self.iterator_method(&name, receiver, item, &args, call),
            Shape::Option(inner) => self.option_method(&name, receiver, inner, &args),
            Shape::Result(value, error) => self.result_method(&name, receiver, value, error, &args),
            Shape::Named(path, parts) => self.own_method(&path, &parts, receiver, &name, &args),
            Shape::Plain => self.plain_method(&name, &args),
            Shape::Open | Shape::Tuple(_) | Shape::Callable(..) => None,
        };
        found.unwrap_or_else(|| self.unknown_method(&name, receiver, &args))
    }

    fn unknown_method(&mut self, name: &str, receiver: Id, args: &[&Expr]) -> Id {
        self.types.doubt(receiver);
        match (name, args) {
            ("len" | "count", []) => self.types.usize(),
            ("powi", [exponent]) => {
                let i32 = self.types.integer("i32");
                self.in_place(exponent, i32);
                self.types.unknown()
            }
            ("get" | "set", _) | (_, _) => self.unknown_args(args),
        }
    }

    /// Arguments that are of one type with the receiver.
    fn alike(&mut self, receiver: Id, args: &[&Expr]) -> Id {
        for arg in args {
            let arg = self.expr(arg);
            self.types.unify(arg, receiver);
        }
        receiver
    }

    pub fn integer_method(&mut self, name: &str, receiver: Id, args: &[&Expr]) -> Option<Id> {
        Some(match name {
            "pow" | "wrapping_pow" | "saturating_pow" | "rotate_left" | "rotate_right" | "wrapping_shl"
            | "wrapping_shr" => {
                let u32 = self.types.integer("u32");
                args.iter().for_each(|arg| self.in_place(arg, u32));
                receiver
            }
            "min" | "max" | "clamp" | "rem_euclid" | "div_euclid" | "div_ceil" | "midpoint" | "next_multiple_of" => {
                self.alike(receiver, args)
            }
            "abs" | "signum" | "swap_bytes" | "isqrt" | "next_power_of_two" | "not" => receiver,
            "add" | "sub" | "mul" | "div" | "rem" => self.alike(receiver, args),
            "abs_diff" => {
                self.alike(receiver, args);
                match self.types.shape(receiver) {
                    Shape::Is(name) if name.starts_with('i') => self.types.integer(&name.replacen('i', "u", 1)),
                    Shape::Is(_) => receiver,
                    _ => self.types.unknown(),
                }
            }
            "unsigned_abs" => match self.types.shape(receiver) {
                Shape::Is(name) => self.types.integer(&name.replacen('i', "u", 1)),
                _ => self.types.integer("u32"),
            },
            "checked_pow" => {
                let u32 = self.types.integer("u32");
                args.iter().for_each(|arg| self.in_place(arg, u32));
                self.types.of(Shape::Option(receiver))
            }
            "count_ones" | "count_zeros" | "leading_zeros" | "trailing_zeros" | "ilog2" | "ilog10" | "ilog" => {
                self.alike(receiver, args);
                self.types.integer("u32")
            }
            "is_power_of_two" | "is_positive" | "is_negative" => self.types.plain(),
            "is_multiple_of" | "cmp" | "partial_cmp" | "eq" | "ne" | "lt" | "le" | "gt" | "ge" => {
                self.alike(receiver, args);
                self.types.plain()
            }
            "to_string" => self.types.plain(),
            "into" | "try_into" => {
                // What it becomes has room for it.
                self.types.note_signed(receiver);
                self.types.unknown()
            }
            _ if name.starts_with("wrapping_") || name.starts_with("saturating_") => self.alike(receiver, args),
            _ if name.starts_with("checked_") => {
                self.alike(receiver, args);
                self.types.of(Shape::Option(receiver))
            }
            _ if name.starts_with("overflowing_") => {
                self.alike(receiver, args);
                let plain = self.types.plain();
                self.types.of(Shape::Tuple(vec![receiver, plain]))
            }
            _ => return None,
        })
    }

    fn float_method(&mut self, name: &str, args: &[&Expr]) -> Option<Id> {
        match name {
            "powi" => {
                let i32 = self.types.integer("i32");
                args.iter().for_each(|arg| self.in_place(arg, i32));
                return Some(self.types.float());
            }
            "to_bits" | "into" => return None,
            _ => {}
        }
        let mut only_floats = true;
        for arg in args {
            let ty = self.expr(arg);
            if self.types.is_integer(ty) {
                self.leave(arg);
                only_floats = false;
            }
        }
        let is_plain =
            name.starts_with("is_") || matches!(name, "partial_cmp" | "total_cmp" | "eq" | "lt" | "to_string");
        Some(match (only_floats, name) {
            (false, _) => self.types.unknown(),
            (_, "sin_cos") => {
                let parts = vec![self.types.float(), self.types.float()];
                self.types.of(Shape::Tuple(parts))
            }
            _ if is_plain => self.types.plain(),
            _ => self.types.float(),
        })
    }

    fn plain_method(&mut self, name: &str, args: &[&Expr]) -> Option<Id> {
        match name {
            "then" => {
                let value = self.given(args.first()?, &[]);
                Some(self.types.of(Shape::Option(value)))
            }
            "then_some" => {
                let value = self.expr(args.first()?);
                Some(self.types.of(Shape::Option(value)))
            }
            "len" => Some(self.types.usize()),
            "is_lt" | "is_gt" | "is_le" | "is_ge" | "is_eq" | "is_ne" | "reverse" | "then_with" => {
                args.iter().for_each(|arg| {
                    self.given(arg, &[]);
                });
                Some(self.types.plain())
            }
            _ => None,
        }
    }

    fn list_method(&mut self, name: &str, receiver: Id, elem: Id, args: &[&Expr], call: &ExprMethodCall) -> Option<Id> {
        let usize = self.types.usize();
        Some(match (name, args) {
            ("len", []) => usize,
            ("is_empty", []) => self.types.plain(),
            (
                "to_vec" | "as_slice" | "as_mut_slice" | "each_ref" | "each_mut" | "into_boxed_slice" | "into_vec",
                [],
            ) => receiver,
            ("iter" | "iter_mut" | "into_iter" | "drain", []) => self.types.of(Shape::Iter(elem)),
            ("drain", [range]) => {
                self.range_of_usize(range);
                self.types.of(Shape::Iter(elem))
            }
            ("first" | "last" | "first_mut" | "last_mut" | "pop" | "pop_front" | "pop_back" | "front" | "back", []) => {
                self.types.of(Shape::Option(elem))
            }
            ("get" | "get_mut", [at]) => {
                if matches!(bare(at), Expr::Range(_)) {
                    self.range_of_usize(at);
                    return Some(self.types.of(Shape::Option(receiver)));
                }
                self.in_place(at, usize);
                self.types.of(Shape::Option(elem))
            }
            ("swap", [a, b]) => {
                self.in_place(a, usize);
                self.in_place(b, usize);
                self.types.plain()
            }
            ("push" | "push_back" | "push_front" | "fill", [value]) => {
                self.argument(value, elem);
                self.types.plain()
            }
            ("contains" | "starts_with" | "ends_with", [value]) => {
                let value = self.expr(value);
                let to = if name == "contains" { elem } else { receiver };
                self.types.unify(value, to);
                self.types.plain()
            }
            ("insert", [at, value]) => {
                self.in_place(at, usize);
                self.argument(value, elem);
                self.types.plain()
            }
            ("remove" | "swap_remove", [at]) => {
                self.in_place(at, usize);
                elem
            }
            ("copy_within", [range, to]) => {
                self.range_of_usize(range);
                self.in_place(to, usize);
                self.types.plain()
            }
            ("truncate" | "rotate_left" | "rotate_right" | "reserve", [at]) => {
                self.in_place(at, usize);
                self.types.plain()
            }
            ("resize", [at, value]) => {
                self.in_place(at, usize);
                self.argument(value, elem);
                self.types.plain()
            }
            ("split_off", [at]) => {
                self.in_place(at, usize);
                receiver
            }
            ("split_at" | "split_at_mut", [at]) => {
                self.in_place(at, usize);
                self.types.of(Shape::Tuple(vec![receiver, receiver]))
            }
            ("split_first" | "split_last" | "split_first_mut" | "split_last_mut", []) => {
                let pair = self.types.of(Shape::Tuple(vec![elem, receiver]));
                self.types.of(Shape::Option(pair))
            }
            (
                "chunks" | "chunks_mut" | "chunks_exact" | "chunks_exact_mut" | "windows" | "rchunks" | "array_windows",
                [size],
            ) => {
                self.in_place(size, usize);
                self.types.of(Shape::Iter(receiver))
            }
            (
                "extend" | "append" | "extend_from_slice" | "copy_from_slice" | "clone_from_slice" | "swap_with_slice",
                [more],
            ) => {
                let more = self.expr(more);
                let item = self.item_of(more);
                self.types.unify(item, elem);
                self.types.plain()
            }
            ("sort" | "sort_unstable" | "reverse" | "clear" | "dedup" | "shrink_to_fit", []) => self.types.plain(),
            ("sort_by" | "sort_unstable_by" | "dedup_by", [by]) => {
                self.given(by, &[elem, elem]);
                self.types.plain()
            }
            ("sort_by_key" | "sort_unstable_by_key" | "retain" | "retain_mut" | "dedup_by_key", [by]) => {
                self.given(by, &[elem]);
                self.types.plain()
            }
            ("partition_point", [by]) => {
                self.given(by, &[elem]);
                usize
            }
            ("binary_search", [value]) => {
                let value = self.expr(value);
                self.types.unify(value, elem);
                self.types.of(Shape::Result(usize, usize))
            }
            ("binary_search_by", [by]) => {
                self.given(by, &[elem]);
                self.types.of(Shape::Result(usize, usize))
            }
            ("binary_search_by_key", [key, by]) => {
                let key = self.expr(key);
                let found = self.given(by, &[elem]);
                self.types.unify(key, found);
                self.types.of(Shape::Result(usize, usize))
            }
            ("map", [function]) => {
                let value = self.given(function, &[elem]);
                self.types.of(Shape::Seq(value))
            }
            ("concat", []) => elem,
            ("repeat", [count]) => {
                self.in_place(count, usize);
                receiver
            }
            ("unwrap" | "try_into", []) => return None,
            // `remainder` of chunks and others.
            _ => {
                let _ = call;
                return None;
            }
        })
    }

    fn range_of_usize(&mut self, range: &Expr) {
        let usize = self.types.usize();
        match bare(range) {
            Expr::Range(range) => range.start.iter().chain(&range.end).for_each(|end| self.in_place(end, usize)),
            other => {
                let ty = self.expr(other);
                let range = self.types.of(Shape::Iter(usize));
                self.types.unify(range, ty);
            }
        }
    }

    fn option_method(&mut self, name: &str, receiver: Id, inner: Id, args: &[&Expr]) -> Option<Id> {
        Some(match (name, args) {
            ("unwrap" | "expect" | "unwrap_or_default", _) => {
                args.iter().for_each(|arg| {
                    self.expr(arg);
                });
                inner
            }
            ("unwrap_or" | "get_or_insert" | "insert", [value]) => {
                self.argument(value, inner);
                inner
            }
            ("unwrap_or_else" | "get_or_insert_with", [function]) => {
                let value = self.given(function, &[]);
                self.types.unify(value, inner);
                inner
            }
            ("is_some" | "is_none", []) => self.types.plain(),
            ("is_some_and" | "is_none_or", [function]) => {
                self.given(function, &[inner]);
                self.types.plain()
            }
            ("copied" | "cloned" | "take" | "as_deref" | "as_deref_mut", []) => receiver,
            ("replace", [value]) => {
                self.argument(value, inner);
                receiver
            }
            ("filter" | "inspect", [function]) => {
                self.given(function, &[inner]);
                receiver
            }
            ("or" | "xor", [other]) => {
                let other = self.expr(other);
                self.types.unify(other, receiver);
                receiver
            }
            ("or_else", [function]) => {
                let other = self.given(function, &[]);
                self.types.unify(other, receiver);
                receiver
            }
            ("and", [other]) => self.expr(other),
            ("and_then", [function]) => self.given(function, &[inner]),
            ("map", [function]) => {
                let value = self.given(function, &[inner]);
                self.types.of(Shape::Option(value))
            }
            ("map_or", [default, function]) => {
                let default = self.expr(default);
                let value = self.given(function, &[inner]);
                self.types.unify(default, value);
                value
            }
            ("map_or_else", [default, function]) => {
                let default = self.given(default, &[]);
                let value = self.given(function, &[inner]);
                self.types.unify(default, value);
                value
            }
            ("ok_or", [error]) => {
                let error = self.expr(error);
                self.types.of(Shape::Result(inner, error))
            }
            ("ok_or_else", [error]) => {
                let error = self.given(error, &[]);
                self.types.of(Shape::Result(inner, error))
            }
            ("zip", [other]) => {
                let other = self.expr(other);
                let Shape::Option(second) = self.types.shape(other) else { return None };
                let pair = self.types.of(Shape::Tuple(vec![inner, second]));
                self.types.of(Shape::Option(pair))
            }
            ("iter" | "iter_mut" | "into_iter", []) => self.types.of(Shape::Iter(inner)),
            ("flatten", []) => inner,
            _ => return None,
        })
    }

    fn result_method(&mut self, name: &str, receiver: Id, value: Id, error: Id, args: &[&Expr]) -> Option<Id> {
        Some(match (name, args) {
            ("unwrap" | "expect" | "unwrap_or_default", _) => {
                args.iter().for_each(|arg| {
                    self.expr(arg);
                });
                value
            }
            ("unwrap_err" | "expect_err", _) => error,
            ("unwrap_or", [other]) => {
                self.argument(other, value);
                value
            }
            ("unwrap_or_else", [function]) => {
                let other = self.given(function, &[error]);
                self.types.unify(other, value);
                value
            }
            ("is_ok" | "is_err", []) => self.types.plain(),
            ("ok", []) => self.types.of(Shape::Option(value)),
            ("err", []) => self.types.of(Shape::Option(error)),
            ("map", [function]) => {
                let value = self.given(function, &[value]);
                self.types.of(Shape::Result(value, error))
            }
            ("map_err", [function]) => {
                let error = self.given(function, &[error]);
                self.types.of(Shape::Result(value, error))
            }
            ("map_or", [default, function]) => {
                let default = self.expr(default);
                let value = self.given(function, &[value]);
                self.types.unify(default, value);
                value
            }
            ("and_then", [function]) => {
                let next = self.given(function, &[value]);
                if let Shape::Result(_, other) = self.types.shape(next) {
                    self.types.unify(other, error);
                }
                next
            }
            ("copied" | "cloned", []) => receiver,
            _ => return None,
        })
    }

    /// A method of a type that a relay or the file tells of.
    fn own_method(&mut self, path: &syn::Path, parts: &[Id], receiver: Id, name: &str, args: &[&Expr]) -> Option<Id> {
        match (&last(path)[..], parts, name, args) {
            ("Cell", [inner], "get" | "take" | "into_inner", []) => return Some(*inner),
            ("Cell", [inner], "set", [value]) => {
                self.argument(value, *inner);
                return Some(self.types.plain());
            }
            ("Cell" | "RefCell", [inner], "replace", [value]) => {
                self.argument(value, *inner);
                return Some(*inner);
            }
            _ => {}
        }
        let mut relay = path.clone();
        if let Some(segment) = relay.segments.last_mut() {
            segment.ident = quote::format_ident!("{}_{name}", segment.ident);
        }
        let (params, result) = match self.knowledge.find_fn(&relay) {
            Some(info) => {
                let mut names = super::declared::Names::new();
                for generic in &info.generics {
                    let ty = self.types.unknown();
                    names.insert(generic.name.clone(), ty);
                }
                names.insert("Self".to_owned(), receiver);
                let params: Vec<Id> =
                    info.params.iter().skip(1).map(|param| self.declared(&param.ty, &names)).collect();
                (params, self.declared(&info.result, &names))
            }
            None => {
                let sig = self.source.clone()?.signature(&format!("{}::{name}", last(path)))?;
                sig.receiver()?;
                let callee = self.signature(&sig, Some(receiver));
                for ty in callee.params.iter().skip(1).chain([&callee.result]) {
                    self.types.note_inferred(*ty);
                }
                (callee.params[1..].to_vec(), callee.result)
            }
        };
        for (k, arg) in args.iter().enumerate() {
            match params.get(k) {
                Some(param) => self.argument(arg, *param),
                None => {
                    self.expr(arg);
                }
            }
        }
        Some(result)
    }

    /// What a method makes whose result follows from its use: `collect()`, `sum()`.
    pub fn made(&mut self, item: Id, call: &ExprMethodCall) -> Id {
        let result = match turbofish(call.turbofish.as_ref(), 0) {
            Some(ty) => self.declared(ty, &super::declared::Names::new()),
            None => self.types.open(),
        };
        self.pending.push(Pending::Made { result, item });
        self.settle_pending(false);
        result
    }
}
