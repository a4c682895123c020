//! Sums over many points that do not change, Σ sᵢ·Pᵢ, by buckets that all windows share.
//!
//! The windows of a scalar are the windows of one sum if the table has 2^(13j)·P for each window j. So the windows can be wide, since
//! there is one set of buckets to fold: for 4,096 points 10 windows of 13 bits for each of a scalar's halves, which make 82,000 terms in
//! 4,096 buckets, 86,000 additions in all, where `pippenger` has 111,000.

use crate::bucket::MAX_ENTRIES;
use crate::bucket_entry::SignedIndex;
use crate::digits::window_digit;
use crate::endomorphism;
use crate::g1::{G1Affine, G1};
use crate::pippenger::{fold, join};
use crate::point_table::PointTable;
use crate::raw::Raw;

/// Bits of a window.
const WIDTH: u32 = 13;

/// Windows of a half, which is below x² < 2¹²⁸: the top bit of the last one is zero, so that nothing is left over.
const WINDOWS: u32 = 128 / WIDTH + 1;

/// Buckets: digits from −2^(width − 1) to 2^(width − 1), but for their signs.
const BUCKETS: usize = 1 << (WIDTH - 1);

/// Points **of G1**, shifted by each window.
pub struct ShiftedPoints {
    /// By window, then point.
    table: PointTable,
    points: usize,
}

impl ShiftedPoints {
    /// Works out the table: 117 doublings a point, and ten points of memory.
    pub fn new(points: &[G1Affine]) -> Self {
        let mut last = PointTable::of(points);
        let mut table = last.clone();
        for _ in 1..WINDOWS {
            for _ in 0..WIDTH {
                last = last.doubled();
            }
            table.append(last.clone());
        }
        Self { table, points: points.len() }
    }

    /// Σ sᵢ·Pᵢ. Where the lists differ in length, what is beyond the shorter one is ignored. Running time depends on the scalars, which are
    /// public.
    pub fn msm(&self, scalars: &[Raw]) -> G1 {
        // Some buckets at a time, so that what is added stays near. Those of the upper halves are apart until they are full: the
        // endomorphism is applied to them, and not to their terms.
        let groups = (2 * WINDOWS as usize * self.points).div_ceil(MAX_ENTRIES).clamp(1, BUCKETS);
        let each = BUCKETS.div_ceil(groups) as u32;
        let mut terms = vec![Vec::new(); groups];
        for (i, scalar) in scalars.iter().enumerate().take(self.points) {
            let (low, high) = endomorphism::split(scalar.limbs());
            for (first, half) in [(0, low), (each, high)] {
                for window in 0..WINDOWS {
                    let digit = window_digit(half, window * WIDTH, WIDTH);
                    let Some(bucket) = (digit.unsigned_abs() as u32).checked_sub(1) else { continue };
                    let point = window * self.points as u32 + i as u32;
                    if let Some(terms) = terms.get_mut((bucket / each) as usize) {
                        terms.push(SignedIndex { sum: first + bucket % each, point, negative: digit < 0 });
                    }
                }
            }
        }
        let mut buckets = PointTable::default();
        for mut terms in terms {
            let near = self.table.gather(&mut terms);
            buckets.append(near.sum_halves(&terms, each as usize));
        }
        buckets.split_off(BUCKETS);
        join(&fold(buckets, 1, WIDTH))
    }
}
