//! A case is a row: `name(x: [4, 3], b: [], ids: &[usize; 2] = [0, 1]) -> [4, 3] { body }`. `[4, 3]` is a tensor of that
//! shape, borrowed, and `[]` is a number; integers are given in the row.

use crate::case::Json;
use std::collections::BTreeMap;

/// The functions of the rows, and for each its tests.
macro_rules! cases {
    ($($(#[$note:meta])* $name:ident($($params:tt)*) -> $result:tt { $($body:tt)* })*) => {
        pub(crate) const ROWS: &[(&str, &str)] =
            &[$((stringify!($name), stringify!(($($params)*) -> $result { $($body)* }))),*];
        $(
            $(#[$note])*
            mod $name {
                use super::*;
                function! { double f64 [] [$($params)*,] $result { $($body)* } }
                function! { single f32 [] [$($params)*,] $result { $($body)* } }
                tests! { $name [] [] [] [$($params)*,] $result }
            }
        )*
    };
}

/// The function of a row in one precision: `[parameters so far] [parameters of the row] result { body }`.
macro_rules! function {
    ($f:ident $T:ident [$($p:tt)*] [$x:ident: [], $($more:tt)*] $r:tt $body:tt) => {
        function! { $f $T [$($p)* $x: $T,] [$($more)*] $r $body }
    };
    ($f:ident $T:ident [$($p:tt)*] [$x:ident: [$a:tt], $($more:tt)*] $r:tt $body:tt) => {
        function! { $f $T [$($p)* $x: &Tensor1<$T, $a>,] [$($more)*] $r $body }
    };
    ($f:ident $T:ident [$($p:tt)*] [$x:ident: [$a:tt, $b:tt], $($more:tt)*] $r:tt $body:tt) => {
        function! { $f $T [$($p)* $x: &Tensor2<$T, $a, $b>,] [$($more)*] $r $body }
    };
    ($f:ident $T:ident [$($p:tt)*] [$x:ident: [$a:tt, $b:tt, $c:tt], $($more:tt)*] $r:tt $body:tt) => {
        function! { $f $T [$($p)* $x: &Tensor3<$T, $a, $b, $c>,] [$($more)*] $r $body }
    };
    ($f:ident $T:ident [$($p:tt)*] [$x:ident: [$a:tt, $b:tt, $c:tt, $d:tt], $($more:tt)*] $r:tt $body:tt) => {
        function! { $f $T [$($p)* $x: &Tensor4<$T, $a, $b, $c, $d>,] [$($more)*] $r $body }
    };
    ($f:ident $T:ident [$($p:tt)*] [$x:ident: [$a:tt, $b:tt, $c:tt, $d:tt, $e:tt], $($more:tt)*] $r:tt $body:tt) => {
        function! { $f $T [$($p)* $x: &Tensor5<$T, $a, $b, $c, $d, $e>,] [$($more)*] $r $body }
    };
    ($f:ident $T:ident [$($p:tt)*] [$x:ident: &$integers:tt = $list:tt, $($more:tt)*] $r:tt $body:tt) => {
        function! { $f $T [$($p)* $x: &$integers,] [$($more)*] $r $body }
    };
    ($f:ident $T:ident $p:tt [] [] $body:tt) => { function! { $f $p $T $body } };
    ($f:ident $T:ident $p:tt [] [$a:tt] $body:tt) => { function! { $f $p (Tensor1<$T, $a>) $body } };
    ($f:ident $T:ident $p:tt [] [$a:tt, $b:tt] $body:tt) => { function! { $f $p (Tensor2<$T, $a, $b>) $body } };
    ($f:ident $T:ident $p:tt [] [$a:tt, $b:tt, $c:tt] $body:tt) => {
        function! { $f $p (Tensor3<$T, $a, $b, $c>) $body }
    };
    ($f:ident $T:ident $p:tt [] [$a:tt, $b:tt, $c:tt, $d:tt] $body:tt) => {
        function! { $f $p (Tensor4<$T, $a, $b, $c, $d>) $body }
    };
    ($f:ident $T:ident $p:tt [] [$a:tt, $b:tt, $c:tt, $d:tt, $e:tt] $body:tt) => {
        function! { $f $p (Tensor5<$T, $a, $b, $c, $d, $e>) $body }
    };
    ($f:ident [$($p:tt)*] $result:tt $body:tt) => {
        #[differentiable]
        fn $f($($p)*) -> $result $body
    };
}

/// The tests of a row: `[inputs so far] [arguments so far] [tangents so far] [parameters of the row] result`. `case` is named
/// here and nowhere else, so that it is one name in all of them.
macro_rules! tests {
    ($name:ident [$($x:ident)*] [$($arg:tt)*] [$($dot:tt)*] [$y:ident: [], $($more:tt)*] $r:tt) => {
        tests! { $name [$($x)* $y] [$($arg)* ($y)] [$($dot)* ()] [$($more)*] $r }
    };
    ($name:ident [$($x:ident)*] [$($arg:tt)*] [$($dot:tt)*] [$y:ident: [$($n:tt)*], $($more:tt)*] $r:tt) => {
        tests! { $name [$($x)* $y] [$($arg)* (&$y)] [$($dot)* (&)] [$($more)*] $r }
    };
    ($name:ident $x:tt [$($arg:tt)*] $dot:tt [$y:ident: &$integers:tt = $list:tt, $($more:tt)*] $r:tt) => {
        tests! { $name $x [$($arg)* (&$list)] $dot [$($more)*] $r }
    };
    ($name:ident $x:tt $arg:tt $dot:tt [] []) => { tests! { $name $x $arg $dot () } };
    ($name:ident $x:tt $arg:tt $dot:tt [] [$($n:tt)*]) => { tests! { $name $x $arg $dot (&) } };
    ($name:ident $x:tt $arg:tt $dot:tt $by:tt) => {
        #[test]
        fn in_double_precision() {
            tests! { double $name $x $arg $dot $by }
        }
        #[test]
        fn in_single_precision() {
            tests! { single $name $x $arg $dot $by }
        }
    };
    ($f:ident $name:ident [$($x:ident)*] [$(($($arg:tt)*))*] [$(($($dot:tt)?))*] ($($by:tt)?)) => {
        let mut case = $crate::case::Case::$f(stringify!($name));
        $(let $x = case.input();)*
        let (value, pullback) = $f::vjp($($($arg)*),*);
        let (same_value, tangent) = $f::jvp($($($arg)*,)* $($($dot)? case.tangent()),*);
        let gradients = pullback($($by)? case.cotangent());
        case.check([&value, &same_value, &$f($($($arg)*),*)], &tangent, &gradients);
    };
}

/// Every case of the file is a row, and every row is a case of the file, with these inputs, this result and this body.
#[test]
fn the_rows_are_the_cases_of_the_file() {
    let rows = [
        crate::broadcast::ROWS,
        crate::convention::ROWS,
        crate::linalg::ROWS,
        crate::nn::ROWS,
        crate::reduce::ROWS,
        crate::seeds::ROWS,
        crate::shape::ROWS,
        crate::unary::ROWS,
    ];
    let dense = |text: &str| text.split_whitespace().collect::<String>();
    let rows: BTreeMap<String, String> =
        rows.concat().into_iter().map(|(name, row)| (name.to_owned(), dense(row))).collect();
    let cases = crate::case::all().map(|case| (case["name"].as_str().expect("a name").to_owned(), dense(&row(case))));
    let cases: BTreeMap<String, String> = cases.collect();
    for (name, case) in &cases {
        assert_eq!(rows.get(name), Some(case), "the row of `{name}`");
    }
    assert_eq!(rows.len(), cases.len(), "rows and cases");
}

/// The row of a case, without its name.
fn row(case: &Json) -> String {
    let list = |key: &str| case[key].as_array().expect("a list");
    let mut params: Vec<String> = list("inputs")
        .iter()
        .map(|input| format!("{}: {}", input["name"].as_str().expect("a name"), input["shape"]))
        .collect();
    for input in list("int_inputs") {
        let sizes = dims(&input["shape"]);
        let ty = sizes.iter().rev().fold("usize".to_owned(), |ty, n| format!("[{ty}; {n}]"));
        let data: Vec<String> = input["data"].as_array().expect("data").iter().map(Json::to_string).collect();
        params.push(format!("{}: &{ty} = {}", input["name"].as_str().expect("a name"), nested(&sizes, &data)));
    }
    let body = case["rust"].as_str().expect("a body");
    format!("({}) -> {} {{ {body} }}", params.join(", "), case["output"]["shape"])
}

fn dims(shape: &Json) -> Vec<usize> {
    let dims = shape.as_array().expect("a shape").iter();
    dims.map(|dim| usize::try_from(dim.as_u64().expect("a size")).expect("a small size")).collect()
}

/// An array of arrays, as it is written.
fn nested(shape: &[usize], data: &[String]) -> String {
    match shape {
        [] => data[0].clone(),
        [_, inner @ ..] => {
            let parts: Vec<String> = data.chunks(inner.iter().product()).map(|part| nested(inner, part)).collect();
            format!("[{}]", parts.join(", "))
        }
    }
}

#[test]
fn lists_as_they_are_written() {
    let data = ["1", "2", "3", "4"].map(str::to_owned);
    assert_eq!(nested(&[2, 2], &data), "[[1, 2], [3, 4]]");
}
