//! Whether this module computes rightly where it runs.

use wasm_bindgen::prelude::wasm_bindgen;

/// The known-answer test of what the variant relies on: that multiplication and addition are fused, and that every kernel
/// on top of it agrees with arithmetic on integers. Always true in the baseline, which relies on nothing that the
/// WebAssembly standard leaves open.
#[wasm_bindgen]
pub fn fused() -> bool {
    #[cfg(all(target_arch = "wasm32", feature = "relaxed-simd"))]
    return relaxed::madd_is_fused() && crate::passes_self_test();
    #[cfg(not(all(target_arch = "wasm32", feature = "relaxed-simd")))]
    true
}

#[cfg(all(target_arch = "wasm32", feature = "relaxed-simd"))]
mod relaxed {
    use core::{
        arch::wasm32::{f64x2, f64x2_extract_lane, f64x2_relaxed_madd, f64x2_splat},
        hint::black_box,
    };

    /// (1 + ε)(1 − ε) − 1 = −ε² for ε = 2⁻³⁰ if the product is not rounded before the addition, and 0 if it is.
    pub(super) fn madd_is_fused() -> bool {
        let epsilon = f64::from_bits((1023 - 30) << 52);
        let a = black_box(f64x2(1.0 + epsilon, 1.0 - epsilon));
        let b = black_box(f64x2(1.0 - epsilon, 1.0 + epsilon));
        let fused = f64x2_relaxed_madd(a, b, black_box(f64x2_splat(-1.0)));
        let expected = -epsilon * epsilon;
        f64x2_extract_lane::<0>(fused) == expected && f64x2_extract_lane::<1>(fused) == expected
    }
}
