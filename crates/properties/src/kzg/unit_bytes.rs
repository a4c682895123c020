//! The bytes that units and sums travel in.

use super::polynomials::Bytes48;
use super::spoil::spoil_data;
use crate::draw::{alter, below, rng};
use crate::points::draw_bytes;
use arbitrary::{Result, Unstructured};
use blobcheck_kzg::shared::GroupSums;
use blobcheck_kzg::{batch, BareBlob, FreshSeed, Unit};

/// Units are written as they were read, of whatever bytes, and checked as each of their elements is by blst and by comparison with r.
pub fn unit_bytes(input: &mut Unstructured<'_>) -> Result<()> {
    let mut random = rng(input)?;
    let kind = [1u8, 2, 3, 5, 6, 0, 4, 7][below(input, 8)?];
    let mut bytes = vec![kind];
    let blob = |input: &mut Unstructured<'_>| -> Result<Vec<u8>> {
        let mut blob = [0, 0, 0, 5].repeat(32_768);
        if input.arbitrary()? {
            spoil_data(input, &mut blob)?;
        }
        Ok(blob)
    };
    match kind {
        1 => {
            bytes.extend(draw_bytes(input)?);
            bytes.extend(b"FSBLOBVERIFY_V1_");
            bytes.extend(4096u128.to_be_bytes());
            bytes.extend(blob(input)?);
            bytes.extend(draw_bytes(input)?);
        }
        2 => {
            let rows = below(input, 4)?;
            bytes.extend([below(input, 140)? as u8, rows as u8, 0]);
            for _ in 0..2 * rows {
                bytes.extend(draw_bytes(input)?);
            }
            let mut cells = vec![0; 2048 * rows];
            if rows > 0 && input.arbitrary()? {
                spoil_data(input, &mut cells)?;
            }
            bytes.extend(cells);
        }
        3 => {
            for _ in 0..2 {
                bytes.extend(draw_bytes(input)?);
            }
            bytes.extend([0xc0].iter().chain(&[0; 47]).copied().collect::<Vec<u8>>().repeat(127));
            bytes.extend(blob(input)?);
        }
        5 => {
            bytes.extend(draw_bytes(input)?);
            bytes.extend(blob(input)?);
        }
        6 => {
            bytes.extend(random.vec(32 * below(input, 4)?));
            bytes.extend(blob(input)?);
        }
        _ => bytes.extend(random.vec(200)),
    }
    alter(input, &mut bytes)?;

    let encodings = |points: &[Bytes48]| {
        points.iter().all(|point| {
            let read = blst::min_sig::Signature::uncompress(point);
            use blst::BLST_ERROR::{BLST_POINT_NOT_IN_GROUP, BLST_POINT_NOT_ON_CURVE};
            matches!(read, Ok(_) | Err(BLST_POINT_NOT_ON_CURVE | BLST_POINT_NOT_IN_GROUP))
        })
    };
    // The layouts, by their lengths.
    let rest = bytes.len().saturating_sub(1);
    let named = rest.checked_sub(131_072);
    let has_layout = match bytes.first() {
        Some(1) => {
            rest == 48 + 32 + 131_072 + 48
                && bytes[49..].starts_with(b"FSBLOBVERIFY_V1_")
                && bytes[65..81] == 4096u128.to_be_bytes()
        }
        Some(2) => {
            rest >= 3
                && rest - 3 == usize::from(bytes[2]) * 2144 + usize::from(bytes[3]) * 256 * 2144
                && rest > 3
        }
        Some(3) => rest == 129 * 48 + 131_072,
        _ => false,
    };
    assert_eq!(Unit::parse(&bytes).is_ok(), has_layout);
    let has_layout = match bytes.first() {
        Some(5) => named == Some(48),
        Some(6) => named.is_some_and(|named| named % 32 == 0 && (1..=4096).contains(&(named / 32))),
        _ => false,
    };
    assert_eq!(BareBlob::parse(&bytes).is_ok(), has_layout);
    let elements = |data: &[u8]| data.chunks(32).all(|element| element < &crate::draw::R[..]);
    if let Ok(unit) = Unit::parse(&bytes) {
        assert_eq!(unit.to_bytes(), bytes);
        let (data, index) = match unit {
            Unit::Blob { blob, .. } | Unit::ExtendedBlob { blob, .. } => (&blob[..], 0),
            Unit::Column { cells, index, .. } => (cells.as_flattened(), index),
        };
        let is_good =
            encodings(unit.commitments()) && encodings(unit.proofs()) && elements(data) && index < 128;
        assert_eq!(blobcheck_kzg::check::check(&unit).is_ok(), is_good);
        assert!(BareBlob::parse(&bytes).is_err());
    }
    if let Ok(bare) = BareBlob::parse(&bytes) {
        assert_eq!(bare.to_bytes(), bytes);
        let named = match bare.named {
            blobcheck_kzg::bare_blob::Named::Commitment(point) => encodings(&[*point]),
            blobcheck_kzg::bare_blob::Named::VersionedHashes(_) => true,
        };
        assert_eq!(bare.check().is_ok(), named && elements(bare.blob));
    }
    // Sums of a worker's, altered on the way: they are none, or others.
    let seed = FreshSeed::from_csprng([1; 32]);
    let (_, sums) = batch::collect_group(&[], seed, 1 + below(input, 2)?);
    let mut sums = sums.to_bytes();
    alter(input, &mut sums)?;
    if let Some(read) = GroupSums::from_bytes(&sums) {
        assert_eq!(read.to_bytes(), sums);
    }
    Ok(())
}
