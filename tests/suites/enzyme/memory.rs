//! Loops over memory that is read, written and read again.

use autodiff::prelude::*;

#[differentiable]
fn sum_until(x: &[f64], limit: f64) -> f64 {
    let mut res = 0.0;
    for i in 0..x.len() {
        if x[i] > limit {
            break;
        }
        res += x[i] * x[i];
    }
    res
}

#[differentiable]
fn read_write_read(x: &mut [f64]) -> f64 {
    let mut sum = 0.0;
    for i in 0..x.len() {
        sum += x[i] * x[i];
        x[i] = 0.0;
    }
    sum
}

#[differentiable]
fn nested_sums(x: &[f64]) -> f64 {
    let n = x.len();
    let mut sum = 0.0;
    for i in 0..n {
        for j in 0..=i {
            for k in j..n {
                sum += x[i] * x[j] * x[k];
            }
        }
    }
    sum
}

#[differentiable]
fn insertion_sort_then_sum(array: &[f64]) -> f64 {
    let mut array = array.to_vec();
    let n = array.len();
    for i in 1..n {
        let mut j = i;
        while j > 0 && array[j - 1] < array[j] {
            let tmp = array[j];
            array[j] = array[j - 1];
            array[j - 1] = tmp;
            j -= 1;
        }
    }
    let mut sum = 0.0;
    for i in 0..n / 2 {
        sum += array[i];
    }
    sum
}

#[differentiable]
fn smallest_first(array: &[f64]) -> f64 {
    let mut sorted = Vec::new();
    let mut used = vec![false; array.len()];
    for _ in 0..array.len() {
        let mut best = usize::MAX;
        for (i, &a) in array.iter().enumerate() {
            if !used[i] && (best == usize::MAX || a < array[best]) {
                best = i;
            }
        }
        used[best] = true;
        sorted.push(array[best]);
    }
    sorted.iter().enumerate().map(|(i, s)| s * i as f64).sum()
}

#[differentiable]
fn mean_of_the_largest(vec: &[f64]) -> f64 {
    let mut ret = f64::NEG_INFINITY;
    let mut maxes = Vec::new();
    for i in 0..vec.len() {
        if vec[i] > ret {
            maxes.clear();
            ret = vec[i];
        }
        if vec[i] == ret {
            maxes.push(vec[i]);
        }
    }
    let mut ret = 0.0;
    for a in &maxes {
        ret += *a;
    }
    ret /= maxes.len() as f64;
    ret
}

#[differentiable]
fn tile(frame: &[f64], start: usize, end: usize) -> f64 {
    if end - start > 3 {
        let middle = start + (end - start) / 2;
        let sum1 = tile(frame, start, middle);
        let sum2 = tile(frame, middle, end);
        return sum1 + sum2 * sum2;
    }
    let mut sum = 0.0;
    let mut c = start;
    if c < end {
        loop {
            sum += frame[c];
            c += 1;
            if c >= end {
                break;
            }
        }
    }
    sum
}

#[differentiable]
fn bounds_from_metadata(a: &[f64], meta: &[usize; 2]) -> f64 {
    let size = meta[1] - meta[0];
    let mut a = a.to_vec();
    for i in 0..size {
        a[i] *= 2.0;
    }
    a[0] = 0.0;
    a.iter().product::<f64>() + a.iter().sum::<f64>()
}

#[differentiable]
fn reallocated(x: f64, n: usize) -> f64 {
    let mut arr = Vec::with_capacity(1);
    for i in 0..n {
        arr.push(x * i as f64);
    }
    let mut sum = 0.0;
    for i in 0..n {
        sum += arr[i] * arr[i];
    }
    sum
}

#[differentiable]
fn copied(src: &[f64; 6]) -> f64 {
    let mut dst = [0.0; 6];
    dst[..3].copy_from_slice(&src[3..]);
    dst[3..].copy_from_slice(&src[..3]);
    let mut s = 0.0;
    for i in 0..6 {
        s += dst[i] * (i + 1) as f64 * dst[i];
    }
    s
}

#[differentiable]
fn stencil(u: &[f64], steps: usize, nu: f64) -> f64 {
    let n = u.len();
    let mut now = u.to_vec();
    let mut next = vec![0.0; n];
    for _ in 0..steps {
        for i in 1..n - 1 {
            next[i] = now[i] + nu * (now[i - 1] - 2.0 * now[i] + now[i + 1]);
        }
        next[0] = now[0];
        next[n - 1] = now[n - 1];
        std::mem::swap(&mut now, &mut next);
    }
    now.iter().map(|v| v * v).sum()
}

#[differentiable]
fn gemm(a: &[f64], b: &[f64], c: &mut [f64], alpha: f64, beta: f64) {
    let (m, n, k) = (2, 2, 3);
    for i in 0..m {
        for j in 0..n {
            let mut sum = 0.0;
            for l in 0..k {
                sum += a[i * k + l] * b[l * n + j];
            }
            c[i * n + j] = alpha * sum + beta * c[i * n + j];
        }
    }
}

#[differentiable]
fn sum_of_gemm(a: &[f64], b: &[f64], alpha: f64, beta: f64) -> f64 {
    let mut c = vec![1.0, 2.0, 3.0, 4.0];
    gemm(a, b, &mut c, alpha, beta);
    let mut s = 0.0;
    for (i, x) in c.iter().enumerate() {
        s += x * x * (i as f64 - 1.5);
    }
    s
}

#[differentiable]
fn dot(x: &[f64], y: &[f64], incx: usize) -> f64 {
    let mut s = 0.0;
    for (a, b) in x.iter().step_by(incx).zip(y) {
        s += a * b;
    }
    s
}

#[test]
fn gradients() {
    gradient!(sum_until(&x, l) by x = vec![1.0, 2.0, 3.0, 1.0], l = 2.5 => [2.0, 4.0, 0.0, 0.0, 0.0]);
    gradient!(read_write_read(&mut x) by x = [1.0, 2.0, 3.0] => [2.0, 4.0, 6.0]);
    gradient!(nested_sums(&x) by x = vec![1.0, 2.0, 3.0]);
    gradient!(insertion_sort_then_sum(&a) by a = vec![0.1, 1.0, 0.2, 1.1, 0.3, 1.2] => [0.0, 1.0, 0.0, 1.0, 0.0, 1.0]);
    gradient!(smallest_first(&a) by a = vec![3.0, 1.0, 2.0] => [2.0, 0.0, 1.0]);
    assert_eq!(mean_of_the_largest::grad(&[-1.0, 2.0, -0.2, 2.0, 1.0]), [0.0, 0.5, 0.0, 0.5, 0.0]);
    gradient!(tile(&f, 0, 10) by f = vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0]);
    gradient!(bounds_from_metadata(&a, &[198, 200]) by a = vec![1.0, 2.0, 3.0] => [0.0, 2.0, 1.0]);
    gradient!(reallocated(x, 5) by x = 2.0 => [120.0]);
    gradient!(copied(&s) by s = [1.0, 2.0, 3.0, 4.0, 5.0, 6.0] => [8.0, 20.0, 36.0, 8.0, 20.0, 36.0]);
    gradient!(stencil(&u, 4, nu) by u = vec![0.0, 1.0, 0.5, -1.0, 0.3], nu = 0.2);
    gradient!(sum_of_gemm(&a, &b, alpha, beta) by a = vec![1.0, 2.0, 3.0, 4.0, 5.0, 6.0], b = vec![0.1, 0.2, 0.3, 0.4, 0.5, 0.6],
        alpha = 0.5, beta = 2.0);
    gradient!(dot(&x, &y, 2) by x = vec![1.0, 2.0, 3.0, 4.0], y = vec![5.0, 6.0] => [5.0, 0.0, 6.0, 0.0, 1.0, 3.0]);
}
