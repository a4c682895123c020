//! A prime cut into limbs, and what a Montgomery step needs of it.

/// The shape of a kernel: `limbs` digits of `width` bits for a number of `words` 64-bit words.
pub struct Field {
    /// The prime's name in the comments.
    pub prime: &'static str,
    pub words: usize,
    pub width: usize,
    /// The prime's digits, least significant first.
    pub p: Vec<u64>,
    /// −p⁻¹ modulo 2^width.
    pub inverse: u64,
    /// Digits of M = (p·inverse + 1)/2^width.
    pub m: Vec<u64>,
    /// How many of the steps take M in place of p.
    pub short_steps: usize,
}

impl Field {
    pub fn new(prime: &'static str, modulus: &[u64], width: usize, short_steps: usize) -> Self {
        let words = modulus.len();
        let p: Vec<u64> =
            (0..(64 * words).div_ceil(width)).map(|i| digit(modulus, i * width, width)).collect();
        let mask = (1u64 << width) - 1;
        // Newton: each round doubles the number of right bits of p⁻¹; x = p is right modulo 8.
        let mut x = p[0];
        for _ in 0..5 {
            x = x.wrapping_mul(2u64.wrapping_sub(p[0].wrapping_mul(x)));
        }
        let inverse = x.wrapping_neg() & mask;
        let mut carry = 1;
        let mut product: Vec<u64> = p
            .iter()
            .map(|digit| {
                let t = digit * inverse + carry;
                carry = t >> width;
                t & mask
            })
            .collect();
        product.push(carry);
        assert_eq!(product[0], 0);
        Self { prime, words, width, p, inverse, m: product[1..].to_vec(), short_steps }
    }

    pub fn limbs(&self) -> usize {
        self.p.len()
    }

    pub fn mask(&self) -> u64 {
        (1 << self.width) - 1
    }

    /// Bits of the last step: the steps divide by 2^(64·words) in all.
    pub fn last_width(&self) -> usize {
        64 * self.words - (self.limbs() - 1) * self.width
    }

    /// The digits Dⱼ that step i adds to column i + 1 + j: those of M, or those of p above the lowest.
    pub fn paired_digits(&self) -> &[u64] {
        if self.short_steps > 0 {
            &self.m
        } else {
            &self.p[1..]
        }
    }

    /// How many steps share multiplications, as the limbs of a product do: no more than there are digits.
    pub fn paired_steps(&self) -> usize {
        if self.short_steps > 0 {
            self.short_steps
        } else {
            self.limbs() - 1
        }
    }

    /// The largest value of limb `i` of *any* number of `words` words.
    pub fn limb_bound(&self, i: usize) -> u128 {
        let width = if i + 1 == self.limbs() { self.last_width() } else { self.width };
        (1 << width) - 1
    }
}

/// `width` bits of a number from bit `at`; zeros beyond its end.
fn digit(words: &[u64], at: usize, width: usize) -> u64 {
    let word = |i: usize| u128::from(words.get(i).copied().unwrap_or(0));
    let pair = word(at / 64) | word(at / 64 + 1) << 64;
    (pair >> (at % 64)) as u64 & ((1 << width) - 1)
}
