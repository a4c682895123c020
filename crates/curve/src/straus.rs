//! Sums of few points (Straus): signed digits of each point, summed for each bit of the scalars.
//!
//! What takes long before the digits can be summed is a table of odd multiples. A point's image under the
//! endomorphism has the images of the point's multiples, for one multiplication each in place of an addition; and
//! the table of points that do not change is made once.

use crate::bucket_entry::SignedIndex;
use crate::digits::non_adjacent;
use crate::g1::{add_affine, double, identity, G1Affine, G1};
use crate::point_table::PointTable;

/// The odd multiples of some points.
pub(crate) struct Multiples {
    /// By factor, then point; and behind them those of the images, likewise.
    table: PointTable,
    /// Points without the images.
    points: usize,
    images: usize,
    width: u32,
}

impl Multiples {
    /// Those of `points`, and of the products of the first `images` of them, which are **of G1**, with x².
    pub(crate) fn of(points: &[G1Affine], images: usize, width: u32) -> Self {
        let images = images.min(points.len());
        let table = PointTable::of(points);
        let twice: Vec<SignedIndex> =
            (0..points.len() as u32).flat_map(|i| [SignedIndex::of(i, i); 2]).collect();
        let twice = table.sum_each(&twice, points.len());
        let mut table = table.odd_multiples(&twice, width);
        table.append(table.images(points.len(), images));
        Self { table, points: points.len(), images, width }
    }

    /// How many points there are, images among them.
    pub(crate) fn count(&self) -> usize {
        self.points + self.images
    }

    /// The place of a multiple of the i-th point, or image.
    fn place(&self, i: usize, factor: usize) -> usize {
        match i.checked_sub(self.points) {
            None => factor * self.points + i,
            Some(image) => (self.points << (self.width - 2)) + factor * self.images + image,
        }
    }

    /// Σ sᵢ·Pᵢ.
    pub(crate) fn sum(&self, scalars: &[u128]) -> G1 {
        let bits = 128 - scalars.iter().fold(0, |all, scalar| all | scalar).leading_zeros();
        let digits = (bits + 1).div_ceil(self.width + 1) as usize + 2;
        let mut indices = Vec::with_capacity(scalars.len() * digits);
        for (i, scalar) in scalars.iter().enumerate().take(self.count()) {
            non_adjacent(*scalar, bits, self.width, |at, digit| {
                // From the top bit down.
                let (sum, point) = (bits - at, self.place(i, digit.unsigned_abs() as usize / 2) as u32);
                indices.push(SignedIndex { sum, point, negative: digit < 0 });
            });
        }
        let terms = self.table.reduce(&indices, bits as usize + 1).into_entries();
        let mut terms = terms.iter().peekable();
        let mut total = identity();
        for at in 0..=bits {
            double(&mut total);
            while let Some((_, point)) = terms.next_if(|(term, _)| *term == at) {
                add_affine(&mut total, point);
            }
        }
        total
    }
}
