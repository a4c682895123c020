//! Sums of products of a 128-bit coefficient and a 255-bit integer, reduced once at the end.

use crate::raw::Raw;
use crate::scalar;

/// Σ cᵢ·aᵢ as a plain integer of 448 bits.
///
/// Bound: a product is below 2¹²⁸·2²⁵⁵ = 2³⁸³, so that 2⁶⁵ of them fit; no batch has as many.
#[derive(Clone, Copy, Default)]
pub struct Wide([u64; 7]);

impl Wide {
    /// Adds `coefficient · value`.
    #[inline(never)]
    pub fn add_product(&mut self, coefficient: u128, value: &Raw) {
        let value = value.limbs();
        let halves = [coefficient as u64, (coefficient >> 64) as u64];
        for (shift, half) in halves.into_iter().enumerate() {
            let mut carry = 0u64;
            for (i, limb) in value.iter().enumerate() {
                // 64×64 + 64 + 64 bits: at most (2⁶⁴−1)² + 2(2⁶⁴−1) = 2¹²⁸ − 1.
                let t =
                    u128::from(*limb) * u128::from(half) + u128::from(self.0[i + shift]) + u128::from(carry);
                self.0[i + shift] = t as u64;
                carry = (t >> 64) as u64;
            }
            for limb in &mut self.0[4 + shift..] {
                let (sum, over) = limb.overflowing_add(carry);
                *limb = sum;
                carry = u64::from(over);
                if carry == 0 {
                    break;
                }
            }
        }
    }

    /// The sum modulo r.
    pub fn reduce(&self) -> Raw {
        let [a0, a1, a2, a3, b0, b1, b2] = self.0;
        // a + b·2²⁵⁶ with b < 2¹⁹² < r: b·R mod r is b's internal form, one multiplication.
        let high = Raw::from_form_of(scalar::from_limbs([b0, b1, b2, 0]));
        Raw::from_limbs(scalar::reduce([a0, a1, a2, a3])) + high
    }
}
