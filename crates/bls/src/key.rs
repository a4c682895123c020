//! Public keys.

use crate::subgroup;
use blobcheck_curve::{g1, g1_encoding, sum, CurvePoint, G1Affine, PointError, G1};

/// A key that `KeyValidate` accepts: a point of G1 other than infinity.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PublicKey(G1Affine);

/// Why 48 bytes are not a public key.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum KeyError {
    /// Not a point of G1.
    Point(PointError),
    /// Infinity: it would verify infinity as its signature of any message.
    Infinity,
}

/// `KeyValidate` for each key, which is returned decompressed. Many keys at once take less time.
pub fn decompress_keys(keys: &[[u8; 48]]) -> Vec<Result<PublicKey, KeyError>> {
    let points = g1_encoding::decompress_on_curve(keys);
    let candidates: Vec<CurvePoint> = points.iter().flatten().copied().collect();
    let mut tested = subgroup::tested_each(&candidates, keys).into_iter();
    let valid = |point: Result<CurvePoint, PointError>| {
        let tested = point.and_then(|_| tested.next().flatten().ok_or(PointError::NotInSubgroup));
        let point = tested.map_err(KeyError::Point)?;
        if is_infinity(&point) {
            return Err(KeyError::Infinity);
        }
        Ok(PublicKey(point))
    };
    points.into_iter().map(valid).collect()
}

impl PublicKey {
    pub(crate) fn point(&self) -> &G1Affine {
        &self.0
    }
}

/// A sum of valid keys. Its signers can make it infinity, in which case nothing is signed by it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct AggregateKey(G1Affine);

impl AggregateKey {
    /// `AggregatePKs`; infinity for no keys.
    pub fn of(keys: &[PublicKey]) -> Self {
        let points: Vec<G1Affine> = keys.iter().map(|key| key.0).collect();
        Self(affine(sum(&points)))
    }

    /// The aggregate, compressed.
    pub fn to_bytes(&self) -> [u8; 48] {
        g1_encoding::compress(&self.0)
    }

    pub(crate) fn from_sum(sum: G1) -> Self {
        Self(affine(sum))
    }

    pub(crate) fn point(&self) -> &G1Affine {
        &self.0
    }

    pub(crate) fn is_infinity(&self) -> bool {
        is_infinity(&self.0)
    }
}

impl From<PublicKey> for AggregateKey {
    /// A single signer's.
    fn from(key: PublicKey) -> Self {
        Self(key.0)
    }
}

fn is_infinity(point: &G1Affine) -> bool {
    g1::is_identity(&(*point).into())
}

fn affine(point: G1) -> G1Affine {
    point.into()
}
