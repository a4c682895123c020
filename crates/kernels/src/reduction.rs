//! The kernel that makes a number small again, without a product.

use crate::limbs::{Limbs, Single};
use crate::program::{Factor, Operation, Program, Value};
use Operation::{Constant, Difference, Fused, Limb, Sum};

/// x − m·p for the m next to x/p, in small limbs: `Sum::reduce` of `FpLimbs` has the proof.
pub fn kernel(limbs: &Limbs, name: &'static str) -> Program {
    let n = limbs.count;
    let what = format!("x less the multiple of {} next to it, in small limbs.", limbs.prime);
    let mut program = Program::new(name, what, 1, n);
    let c = program.line("c".to_string(), Constant(limbs.single_at(Single::C)));
    let s = program.line("s".to_string(), Constant(limbs.single_at(Single::S)));
    let (top, share) =
        (program.part(Limb(Factor::X, n - 1)), program.part(Constant(limbs.single_at(Single::Share))));
    let round = program.line("round".to_string(), Constant(limbs.single_at(Single::Round)));
    let rounded = program.part(Fused(top, share, round));
    let multiple = program.line("m".to_string(), Difference(round, rounded));
    let mut below: Option<Value> = None;
    for i in 0..n {
        let (limb, digit) = (program.part(Limb(Factor::X, i)), program.part(Constant(limbs.prime_at() + i)));
        let total = program.line(format!("t{i}"), Fused(multiple, digit, limb));
        let mut low = total;
        let mut rounded = None;
        if i + 1 < n {
            let sum = program.part(Sum(total, c));
            let high = program.line(format!("r{i}"), Difference(sum, c));
            low = program.part(Difference(total, high));
            rounded = Some(high);
        }
        if let Some(below) = below {
            low = program.part(Fused(below, s, low));
        }
        program.result.push(low);
        below = rounded;
    }
    program
}
