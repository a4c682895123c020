//! A prime in balanced limbs, and what a Montgomery step in doubles needs of it.

/// The shape of a kernel on doubles: `count` signed limbs of `width` bits, R = 2^(count·width).
#[derive(Debug)]
pub struct Limbs {
    /// The prime's name in the comments.
    pub prime: &'static str,
    /// How many limbs a number has.
    pub count: usize,
    /// Bits of a limb.
    pub width: u32,
    /// What the bounds of two factors may multiply to, in units of the prime and of a limb.
    pub factors: i128,
    /// The prime's limbs, each at most 2^(width−1) in size, least significant first.
    pub p: Vec<i64>,
    /// The limbs of M = (p·inverse + 1)/2^width.
    pub m: Vec<i64>,
    /// −1/p modulo 2^width, of the least size.
    pub inverse: i64,
}

/// Constants of one number, in the order in which they stand.
#[derive(Clone, Copy, Debug)]
pub(crate) enum Single {
    /// −1/p modulo 2^width.
    Inverse,
    /// C = 3·2^(width + 51).
    C,
    /// 2^−width.
    S,
    /// 1 by the prime's top limb.
    Share,
    /// 1.5·2⁵², around which the last place is 1.
    Round,
}

impl Limbs {
    /// The shape of numbers modulo `modulus`, its lowest word first.
    pub fn new(prime: &'static str, modulus: &[u64], width: u32, factors: i128) -> Self {
        let count = (64 * modulus.len()).div_ceil(width as usize);
        let digit = |i: usize| {
            let at = i * width as usize;
            let word = |i: usize| u128::from(modulus.get(i).copied().unwrap_or(0));
            let pair = word(at / 64) | word(at / 64 + 1) << 64;
            ((pair >> (at % 64)) as i128) & ((1 << width) - 1)
        };
        let p = balanced((0..count).map(digit), width);
        // Newton: each round doubles the number of right bits of 1/p; x = p is right modulo 8.
        let mut x = modulus[0];
        for _ in 0..5 {
            x = x.wrapping_mul(2u64.wrapping_sub(modulus[0].wrapping_mul(x)));
        }
        let inverse = low(i128::from(x.wrapping_neg()), width);
        let mut product: Vec<i128> = p.iter().map(|digit| i128::from(*digit) * inverse).collect();
        product[0] += 1;
        product.push(0);
        let product = balanced(product.into_iter(), width);
        assert_eq!(product[0], 0);
        Self { prime, count, width, factors, p, m: product[1..].to_vec(), inverse: inverse as i64 }
    }

    /// Where the constants begin that are the prime's limbs; those of M are first.
    pub(crate) fn prime_at(&self) -> usize {
        self.count
    }

    /// Where the constants are that have but one number, in their order.
    pub(crate) fn single_at(&self, which: Single) -> usize {
        2 * self.count + which as usize
    }

    /// What kernels load: the limbs of M, those of the prime, and each `Single`.
    pub fn constants(&self) -> Vec<f64> {
        let digits = self.m.iter().chain(&self.p).chain([&self.inverse]).map(|digit| *digit as f64);
        let width = self.width as i32;
        let share = 1.0 / self.p[self.count - 1] as f64;
        digits.chain([3.0 * 2f64.powi(width + 51), 2f64.powi(-width), share, 1.5 * 2f64.powi(52)]).collect()
    }

    /// Σ of the sizes of what `M` adds to a result, in units of p: the reason why one step with p is enough.
    /// M/p = inverse/2^width, and each of the steps but the last leaves at most half of that.
    pub fn short_step_share(&self) -> f64 {
        self.inverse.unsigned_abs() as f64 / 2f64.powi(self.width as i32)
    }
}

/// The low `width` bits of a number, as the number of the least size that has them.
fn low(value: i128, width: u32) -> i128 {
    let rest = value & ((1 << width) - 1);
    if rest >> (width - 1) == 1 {
        rest - (1 << width)
    } else {
        rest
    }
}

/// The same number in digits of at most 2^(width−1) in size; the last one takes what remains.
fn balanced(digits: impl ExactSizeIterator<Item = i128>, width: u32) -> Vec<i64> {
    let (last, mut carry) = (digits.len() - 1, 0);
    digits
        .enumerate()
        .map(|(i, digit)| {
            let value = digit + carry;
            let kept = if i == last { value } else { low(value, width) };
            carry = (value - kept) >> width;
            assert!(kept.unsigned_abs() <= 1 << (width - 1), "the top limb is too large");
            kept as i64
        })
        .collect()
}
