//! `TransactionPayloadBody` of a type-3 transaction (EIP-4844): fourteen fields, each of its own width.

use crate::fields::{all_fixed, end, fixed, integer, integer_u64, list, string};
use crate::reason::Reason;
use crate::rlp::List;

/// Bytes of a 256-bit integer.
const UINT256: usize = 32;

/// The fields of a blob transaction that say what it is; blobcheck's own checks look at the versioned hashes alone.
///
/// The others (fees of gas, value, data, access list, signature) are held to their types and then dropped.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TransactionBody<'a> {
    /// `chain_id`: big-endian, without leading zeros, at most 32 bytes.
    pub chain_id: &'a [u8],
    /// `nonce`, below 2^64 - 1 (EIP-2681).
    pub nonce: u64,
    /// `gas_limit`.
    pub gas_limit: u64,
    /// `to`: never empty, since a blob transaction creates no contract.
    pub to: &'a [u8; 20],
    /// `max_fee_per_blob_gas`: big-endian, without leading zeros, at most 32 bytes.
    pub max_fee_per_blob_gas: &'a [u8],
    /// `blob_versioned_hashes`, in the order of the blobs.
    pub versioned_hashes: Vec<&'a [u8; 32]>,
}

impl<'a> TransactionBody<'a> {
    /// Reads the payload of the body's list, and all of it.
    ///
    /// # Errors
    /// [`Reason::Rlp`] and [`Reason::TransactionFields`].
    pub fn from_rlp(mut fields: List<'a>) -> Result<Self, Reason> {
        let fields = &mut fields;
        let chain_id = integer(fields, UINT256)?;
        let nonce = integer_u64(fields)?;
        if nonce == u64::MAX {
            return Err(Reason::TransactionFields);
        }
        integer(fields, UINT256)?; // max_priority_fee_per_gas
        integer(fields, UINT256)?; // max_fee_per_gas
        let gas_limit = integer_u64(fields)?;
        let to = fixed(fields, Reason::TransactionFields)?;
        integer(fields, UINT256)?; // value
        string(fields)?; // data
        access_list(list(fields)?)?;
        let max_fee_per_blob_gas = integer(fields, UINT256)?;
        let versioned_hashes = all_fixed(list(fields)?, Reason::TransactionFields)?;
        y_parity(fields)?;
        integer(fields, UINT256)?; // r
        integer(fields, UINT256)?; // s
        end(fields)?;
        Ok(Self { chain_id, nonce, gas_limit, to, max_fee_per_blob_gas, versioned_hashes })
    }
}

/// A list of `[address, [storage key, …]]` (EIP-2930).
fn access_list(mut entries: List<'_>) -> Result<(), Reason> {
    while !entries.is_empty() {
        let mut entry = list(&mut entries)?;
        fixed::<20>(&mut entry, Reason::TransactionFields)?;
        let mut keys = list(&mut entry)?;
        while !keys.is_empty() {
            fixed::<32>(&mut keys, Reason::TransactionFields)?;
        }
        end(&entry)?;
    }
    Ok(())
}

fn y_parity(fields: &mut List<'_>) -> Result<(), Reason> {
    match integer(fields, 1)? {
        [] | [1] => Ok(()),
        _ => Err(Reason::TransactionFields),
    }
}
