//! From the cells' sums to the proofs: π_k = W_k + f(D\[k\]), where f is the polynomial over points, of degree below 64, that
//! takes the values W_l at the D\[l\] of the *other* half. One inverse transform of length 64 and one transform for each
//! half, which know nothing of each other.

use crate::point_fft;
use blobcheck_curve::{g1, g1_encoding, G1};
use blobcheck_kzg::constants::{Bytes48, CELLS_PER_BLOB, CELLS_PER_EXT_BLOB};

/// Which 64 of the 128 cells.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Half {
    /// Cells 0 to 63: the blob.
    Blob,
    /// Cells 64 to 127.
    Extension,
}

impl Half {
    fn block(self) -> usize {
        match self {
            Self::Blob => 0,
            Self::Extension => 1,
        }
    }
}

/// The proofs of a half's cells from all 128 sums W_k/64 ([`crate::cell_sums`]); sums that are missing count as the identity.
pub fn proofs(sums: &[G1], half: Half) -> Vec<Bytes48> {
    let mut sums: Vec<G1> = sums.to_vec();
    sums.resize(CELLS_PER_EXT_BLOB, g1::identity());
    let (blob, extension) = sums.split_at_mut(CELLS_PER_BLOB);
    let (own, other) = match half {
        Half::Blob => (blob, extension),
        Half::Extension => (extension, blob),
    };
    point_fft::interpolate(other, 1 - half.block());
    point_fft::evaluate(other, half.block());
    let proofs: Vec<G1> = own.iter().zip(other).map(|(own, other)| times_64(*own) + *other).collect();
    g1::normalize(&proofs).iter().map(g1_encoding::compress).collect()
}

fn times_64(point: G1) -> G1 {
    (0..6).fold(point, |point, _| point + point)
}
