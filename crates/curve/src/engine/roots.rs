//! Powers, as many at a time as the kernel has lanes: the exponent is the same for all.

use super::kernel::{Bounded, Kernel, LanesOf};
use crate::addition_chain::AdditionChain;
use crate::backend::Fq;

/// Each number to the power of the chain's exponent.
pub(crate) fn power_each<K: Kernel>(chain: &AdditionChain, numbers: &[Fq]) -> Vec<Fq> {
    let mut powers = Vec::with_capacity(numbers.len());
    for some in numbers.chunks(K::LANES) {
        power::<K>(chain, &Bounded::of_each(some)).give_numbers(|at, power| {
            if at < some.len() {
                powers.push(power);
            }
        });
    }
    powers
}

#[inline(never)]
fn power<K: Kernel>(chain: &AdditionChain, a: &LanesOf<K, 1>) -> LanesOf<K, 1> {
    chain.power_by(*a, Bounded::square, Bounded::mul)
}
