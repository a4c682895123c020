//! What is signed, and by whom.

use crate::{Committees, Reason};
use blobcheck_beacon::{
    domain::{compute_domain, compute_signing_root, DOMAIN_BEACON_PROPOSER, DOMAIN_SYNC_COMMITTEE},
    header::SignedBeaconBlockHeader,
    light_client::{LightClientUpdate, SyncAggregate, SyncCommittee},
    Bytes32, ChainConfig,
};
use blobcheck_bls::{api, Claim};

/// The claim of an update: that its participants, of this committee, signed the attested header.
///
/// # Errors
/// Those of [`claim_of_aggregate`].
pub fn claim(
    chain: &ChainConfig,
    committees: &mut Committees,
    committee: &SyncCommittee,
    update: &LightClientUpdate,
) -> Result<Claim, Reason> {
    claim_of_aggregate(committees, committee, &update.sync_aggregate, signing_root(chain, update))
}

/// The claim of a `SyncAggregate`: that its participants, of this committee, signed `signing_root`.
///
/// # Errors
/// [`Reason::CommitteeKeys`]; [`Reason::NoParticipants`], also where there are not as many bits as keys.
pub fn claim_of_aggregate(
    committees: &mut Committees,
    committee: &SyncCommittee,
    aggregate: &SyncAggregate,
    signing_root: Bytes32,
) -> Result<Claim, Reason> {
    let key = committees
        .keys(committee)?
        .participants(&aggregate.sync_committee_bits())
        .map_err(|_| Reason::NoParticipants)?;
    Ok(Claim { key, message: signing_root, signature: aggregate.signature })
}

/// `compute_signing_root(attested_header.beacon, domain)`. The domain's fork is that of the slot before the signature's,
/// when the committee signed, and not the attested header's: at a fork's boundary they differ.
pub fn signing_root(chain: &ChainConfig, update: &LightClientUpdate) -> Bytes32 {
    let fork_version = chain.fork_version_at_slot(update.signature_slot.max(1) - 1);
    let domain = compute_domain(DOMAIN_SYNC_COMMITTEE, fork_version, &chain.genesis_validators_root);
    compute_signing_root(&update.attested_header.beacon.hash_tree_root(), &domain)
}

/// Whether the proposer whose key is `pubkey` signed the header.
///
/// Spec: `verify_block_signature`, `phase0/beacon-chain.md`, over the header, whose root is the block's.
pub fn verify_proposer_signature(
    chain: &ChainConfig,
    pubkey: &[u8; 48],
    signed_header: &SignedBeaconBlockHeader,
) -> bool {
    let header = &signed_header.message;
    let fork_version = chain.fork_version_at_slot(header.slot);
    let domain = compute_domain(DOMAIN_BEACON_PROPOSER, fork_version, &chain.genesis_validators_root);
    let signing_root = compute_signing_root(&header.hash_tree_root(), &domain);
    api::verify(pubkey, &signing_root, &signed_header.signature)
}
