//! Containers whose headers have a fixed size in Altair, offsets from Capella on, and a fixed size again in Gloas.

use super::error::ObjectError;
use super::header::LightClientHeader;
use super::sync_aggregate::SyncAggregate;
use super::sync_committee::SyncCommittee;
use crate::bytes::{take_offset, take_slice, take_u64};
use crate::chain::LightClientFork;
use crate::header::BeaconBlockHeader;
use crate::Bytes32;

/// A cursor over a container's fixed part, which remembers where its headers are.
pub(super) struct Reader<'a> {
    bytes: &'a [u8],
    rest: &'a [u8],
    fork: LightClientFork,
    committee_size: usize,
    headers: Vec<Place<'a>>,
}

enum Place<'a> {
    Here(&'a [u8]),
    At(usize),
}

impl<'a> Reader<'a> {
    pub(super) fn new(bytes: &'a [u8], fork: LightClientFork, committee_size: usize) -> Self {
        Self { bytes, rest: bytes, fork, committee_size, headers: Vec::new() }
    }

    /// A `LightClientHeader`, which [`Self::headers`] gives in the end.
    pub(super) fn header(&mut self) -> Result<(), ObjectError> {
        let place = match self.fork {
            LightClientFork::Altair => {
                take_slice(&mut self.rest, BeaconBlockHeader::SSZ_BYTES).map(Place::Here)
            }
            LightClientFork::Gloas => {
                take_slice(&mut self.rest, LightClientHeader::GLOAS_BYTES).map(Place::Here)
            }
            _ => take_offset(&mut self.rest).map(Place::At),
        };
        self.headers.push(place.ok_or(ObjectError::Length)?);
        Ok(())
    }

    /// A `SyncCommittee`; `None` for `SyncCommittee()`, which is all zero.
    pub(super) fn committee(&mut self) -> Result<Option<SyncCommittee>, ObjectError> {
        let length = SyncCommittee::ssz_bytes(self.committee_size);
        let bytes = take_slice(&mut self.rest, length).ok_or(ObjectError::Length)?;
        if bytes.iter().all(|byte| *byte == 0) {
            return Ok(None);
        }
        SyncCommittee::from_ssz(bytes).map(Some).ok_or(ObjectError::Length)
    }

    /// A branch that has `depths` siblings before Electra, from Electra on, and from Gloas on, the last of which is `N`;
    /// normalized to `N` by zero chunks before it.
    ///
    /// Spec: `normalize_merkle_branch`, `electra/light-client/fork.md`.
    pub(super) fn branch<const N: usize>(&mut self, depths: [usize; 3]) -> Result<[Bytes32; N], ObjectError> {
        let [old, electra, gloas] = depths;
        let siblings = match self.fork {
            LightClientFork::Altair | LightClientFork::Capella | LightClientFork::Deneb => old,
            LightClientFork::Electra | LightClientFork::Fulu => electra,
            LightClientFork::Gloas => gloas,
        };
        let siblings = siblings.min(N);
        let bytes = take_slice(&mut self.rest, 32 * siblings).ok_or(ObjectError::Length)?;
        let mut branch = [[0; 32]; N];
        branch[N - siblings..].as_flattened_mut().copy_from_slice(bytes);
        Ok(branch)
    }

    /// A `SyncAggregate`.
    pub(super) fn aggregate(&mut self) -> Result<SyncAggregate, ObjectError> {
        SyncAggregate::take(&mut self.rest, self.committee_size).ok_or(ObjectError::Length)
    }

    /// An `uint64`.
    pub(super) fn number(&mut self) -> Result<u64, ObjectError> {
        take_u64(&mut self.rest).ok_or(ObjectError::Length)
    }

    /// The headers, once the fixed part is at its end: the first begins there, each where the one before it ends, and the
    /// last ends with the bytes.
    pub(super) fn headers<const N: usize>(self) -> Result<[LightClientHeader; N], ObjectError> {
        let fixed = self.bytes.len() - self.rest.len();
        let first = self.headers.first();
        if matches!(first, Some(Place::At(offset)) if *offset != fixed) {
            return Err(ObjectError::Offsets);
        }
        if matches!(first, Some(Place::Here(_)) | None) && !self.rest.is_empty() {
            return Err(ObjectError::Length);
        }
        let ends = self.headers.iter().skip(1).map(|place| match place {
            Place::At(offset) => *offset,
            Place::Here(_) => self.bytes.len(),
        });
        let headers = self.headers.iter().zip(ends.chain([self.bytes.len()])).map(|(place, end)| {
            let bytes = match place {
                Place::Here(bytes) => bytes,
                // `get` refuses both a start after the end and an end beyond the bytes.
                Place::At(start) => self.bytes.get(*start..end).ok_or(ObjectError::Offsets)?,
            };
            LightClientHeader::from_ssz(bytes, self.fork)
        });
        let headers = headers.collect::<Result<Vec<_>, _>>()?;
        // The callers ask for as many as they have read.
        headers.try_into().map_err(|_| ObjectError::Length)
    }
}
