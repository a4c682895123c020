//! Limbs in lanes, on the edges of their bounds.

use crate::support::Rng;

/// Limbs of which the largest of place i is `largest(i)`: all of them the largest, of one sign, of random signs, zeros among them,
/// powers of two below 2^`bits`, or random.
pub fn extreme_limbs<const LIMBS: usize>(
    rng: &mut Rng,
    largest: impl Fn(usize) -> f64,
    bits: usize,
) -> [[f64; 2]; LIMBS] {
    let shape = rng.below(6);
    core::array::from_fn(|i| {
        let largest = largest(i);
        core::array::from_fn(|_| {
            let sign = if rng.below(2) == 0 { -1.0 } else { 1.0 };
            match shape {
                0 => largest,
                1 => -largest,
                2 => sign * largest,
                3 => [0.0, 1.0, -1.0, largest, -largest, largest - 1.0][rng.below(6)],
                4 => sign * 2f64.powi(rng.below(bits) as i32).min(largest),
                _ => sign * (rng.next() % (largest as u64 + 1)) as f64,
            }
        })
    })
}
