//! Cells of a blob, and a blob of cells.

use super::polynomials::{ckzg_blob, draw_blob, world};
use super::spoil::spoil_data;
use crate::draw::{below, rng};
use arbitrary::{Result, Unstructured};
use blobcheck_kzg::api;

/// Cells of a blob are c-kzg's, and any 64 give the others back; what no blob has is refused.
pub fn cells(input: &mut Unstructured<'_>) -> Result<()> {
    let mut random = rng(input)?;
    let mut blob = draw_blob(input)?;
    if below(input, 4)? == 0 {
        spoil_data(input, &mut blob)?;
    }
    let ours = api::compute_cells(&blob).ok();
    let theirs = world().theirs.compute_cells(&ckzg_blob(&blob)).ok();
    let theirs: Option<Vec<u8>> = theirs.map(|cells| cells.iter().flat_map(|cell| cell.to_bytes()).collect());
    assert!(ours == theirs, "the cells of a blob");
    let Some(all) = ours else { return Ok(()) };

    // So many cells, in an order of the generator's.
    let mut order: Vec<u64> = (0..128).collect();
    for at in (1..order.len()).rev() {
        order.swap(at, random.below(at + 1));
    }
    order.truncate(if input.arbitrary()? { 64 } else { 60 + below(input, 69)? });
    if below(input, 8)? > 0 {
        order.sort_unstable();
    }
    // One of them twice.
    if below(input, 8)? == 0 {
        let at = below(input, order.len())?;
        order.insert(at, order[at]);
    }
    let mut given: Vec<Vec<u8>> =
        order.iter().map(|k| all[2048 * *k as usize..2048 * (*k as usize + 1)].to_vec()).collect();
    let is_spoiled = below(input, 3)? == 0;
    let before = given.clone();
    if is_spoiled {
        let at = below(input, given.len())?;
        spoil_data(input, &mut given[at])?;
    }
    let is_canonical = given.iter().all(|cell| cell.chunks(32).all(|element| element < &crate::draw::R[..]));
    let may = (64..=128).contains(&order.len()) && order.is_sorted_by(|a, b| a < b) && is_canonical;
    let views: Vec<&[u8]> = given.iter().map(Vec::as_slice).collect();
    let recovered = api::recover_cells(&order, &views);
    let rebuilt = api::rebuild_blob(&order, &given.concat());
    assert_eq!(recovered.is_ok(), rebuilt.is_ok());
    match recovered {
        // Of 64 cells there is always a blob; of more, where they agree.
        Ok(cells) => {
            assert!(may && (given == before || order.len() == 64), "what no blob has, or in no order");
            assert_eq!(cells == all, given == before);
            for (k, cell) in order.iter().zip(&given) {
                assert_eq!(cells[2048 * *k as usize..2048 * (*k as usize + 1)], cell[..]);
            }
            assert!(rebuilt.as_deref() == Ok(&cells[..131_072]));
            assert!(api::compute_cells(&cells[..131_072]) == Ok(cells));
        }
        Err(error) => assert!(!may || given != before, "{error}"),
    }
    Ok(())
}
