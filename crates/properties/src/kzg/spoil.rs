//! Claims that are no longer true.

use super::polynomials::Bytes48;
use crate::draw::{below, scalar};
use crate::points::{compress, draw_bytes, draw_on_curve};
use arbitrary::{Result, Unstructured};
use ark_bls12_381::G1Affine;
use ark_ec::CurveGroup;
use ark_serialize::CanonicalDeserialize;

/// Another point in the place of one: any bytes, the opposite, infinity, or with a defect.
pub(super) fn spoil_point(input: &mut Unstructured<'_>, point: &mut Bytes48) -> Result<()> {
    match below(input, 5)? {
        0 => *point = draw_bytes(input)?,
        1 => point[0] ^= 0x20,
        2 => *point = compress(&G1Affine::identity()),
        3 => {
            if let Ok(read) = G1Affine::deserialize_compressed(&point[..]) {
                let defect = draw_on_curve(input)?;
                *point = compress(&(read + defect.point()).into_affine());
            }
        }
        _ => point[below(input, 48)?] ^= 1 << below(input, 8)?,
    }
    Ok(())
}

/// Another field element in the place of one.
pub(super) fn spoil_data(input: &mut Unstructured<'_>, data: &mut [u8]) -> Result<()> {
    let at = below(input, data.len() / 32)? * 32;
    data[at..at + 32].copy_from_slice(&scalar(input)?);
    Ok(())
}
