//! What README.md and ARCHITECTURE.md show of generated code and of messages is what the compiler does. After a change that is
//! meant, `AUTODIFF_BLESS=1 cargo test -p autodiff-macros readme` writes the generated code there.

use crate::expand;
use proc_macro2::TokenStream;
use std::{env, fs};
use syn::visit::Visit;

fn path(file: &str) -> String {
    format!("{}/../{file}", env!("CARGO_MANIFEST_DIR"))
}

/// The blocks of a file that are marked as Rust, or as whatever else.
fn blocks<'t>(text: &'t str, kind: &str) -> Vec<&'t str> {
    let begin = format!("```{kind}\n");
    text.split(&begin).skip(1).map(|rest| rest.split("```").next().unwrap()).collect()
}

/// The function that follows `#[differentiable]` in a block, expanded.
fn expansion(block: &str) -> TokenStream {
    let function = block.split("#[differentiable]").nth(1).unwrap().split("\n}\n").next().unwrap();
    expand::differentiable(TokenStream::new(), format!("{function}\n}}").parse().unwrap())
}

/// The statements of the function that adds the gradient.
fn gradient(block: &str) -> String {
    struct Find(Option<syn::ImplItemFn>);
    impl<'f> Visit<'f> for Find {
        fn visit_impl_item_fn(&mut self, function: &'f syn::ImplItemFn) {
            if self.0.is_none() && function.sig.ident == "__accumulate" {
                self.0 = Some(function.clone());
            }
        }
    }
    let mut find = Find(None);
    find.visit_file(&syn::parse2(expansion(block)).unwrap());
    let body = find.0.unwrap().block;
    let text = prettyplease::unparse(&syn::parse_quote!(fn f() #body));
    let lines = text.lines().filter_map(|line| line.strip_prefix("    "));
    lines.map(|line| format!("{line}\n")).collect()
}

/// The last block of Rust in a file is the gradient of a function.
fn shows_the_gradient(file: &str, of: &str) {
    let text = fs::read_to_string(path(file)).unwrap();
    let shown = *blocks(&text, "rust").iter().rfind(|block| block.contains("_bar")).unwrap();
    let made = gradient(of);
    if env::var_os("AUTODIFF_BLESS").is_some() {
        fs::write(path(file), text.replace(shown, &made)).unwrap();
        return;
    }
    assert_eq!(shown, made, "{file} shows other code than what is generated; AUTODIFF_BLESS=1 writes it");
}

#[test]
fn generated_code() {
    let chain = "#[differentiable]\nfn f(a: &Tensor2<f64, 4, 3>, b: &Tensor1<f64, 3>, c: &Tensor2<f64, 4, 1>) -> f64 {\n    \
                 (a * b + c).sum()\n}\n";
    shows_the_gradient("README.md", chain);
    let architecture = fs::read_to_string(path("ARCHITECTURE.md")).unwrap();
    let energy =
        blocks(&architecture, "rust").into_iter().find(|block| block.contains("fn energy")).unwrap().to_owned();
    shows_the_gradient("ARCHITECTURE.md", &energy);
}

/// The first function of README.md compiles, and its mistake has the message that stands there.
#[test]
fn the_message_of_a_wrong_shape() {
    let text = fs::read_to_string(path("README.md")).unwrap();
    let function = "#[differentiable]\nfn loss(w: &Tensor2<f64, 2, 3>, b: &Tensor1<f64, 2>, x: &Tensor2<f64, 8, 3>, \
                    y: &Tensor2<f64, 8, 2>) -> f64 {\n    (x.matmul(w) + b).tanh().mse(y)\n}\n";
    assert!(!expansion(&function.replace("2, 3>", "3, 2>")).to_string().contains("compile_error"));
    let expanded = expansion(function).to_string();
    let shown = blocks(&text, "text")[0];
    let lines = shown.lines().take_while(|line| !line.contains("-->"));
    for line in lines.map(|line| line.trim().trim_start_matches("error: ").replace("p.w", "w")) {
        assert!(expanded.contains(&line), "README.md has a message that there is not: {line}\n{expanded}");
    }
}
