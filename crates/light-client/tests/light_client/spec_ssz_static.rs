//! The specs' light-client containers of Gloas, and of the forks that are upgraded to it: bytes and roots of random, empty and
//! full ones, in both presets.

use crate::support::{chains, naive, ssz, yaml};
use blobcheck_beacon::light_client::{
    Execution, LightClientBootstrap, LightClientHeader, LightClientUpdate, SyncAggregate, SyncCommittee,
};
use blobcheck_beacon::{ChainConfig, LightClientFork};
use blobcheck_testing::vectors;
use std::collections::BTreeMap;
use std::path::Path;

type Root = [u8; 32];

/// The root of a container of these roots.
fn container(fields: &[Root]) -> Root {
    let depth = fields.len().next_power_of_two().ilog2() as usize;
    naive::root(&naive::tree(fields, depth))
}

/// The root of as many siblings as the fork's container has.
fn branch(branch: &[Root], length: usize) -> Root {
    container(&branch[branch.len() - length..])
}

/// Lengths of an execution branch, a committee's, and one of finality. Of Deneb there are headers alone.
fn lengths(fork: LightClientFork) -> [usize; 3] {
    if fork == LightClientFork::Gloas {
        [11, 11, 9]
    } else {
        [4, 6, 7]
    }
}

fn header(header: &LightClientHeader, fork: LightClientFork) -> Root {
    let execution = match &header.execution {
        Execution::BlockHash(hash) => *hash,
        Execution::Payload(header) => header.hash_tree_root(true).unwrap(),
    };
    let [length, ..] = lengths(fork);
    container(&[header.beacon.hash_tree_root(), execution, branch(&header.execution_branch, length)])
}

/// That of `SyncCommittee()` where there is none.
fn committee(committee: Option<&SyncCommittee>, size: usize) -> Root {
    let empty = SyncCommittee::new(vec![[0; 48]; size], [0; 48]).unwrap();
    *committee.unwrap_or(&empty).hash_tree_root()
}

fn aggregate(aggregate: &SyncAggregate) -> Root {
    let chunks = |bytes: &[u8]| -> Vec<Root> {
        bytes.chunks(32).map(|chunk| [chunk, &[0; 32]].concat()[..32].try_into().unwrap()).collect()
    };
    let bits = aggregate.sync_committee_bits();
    let bits: Vec<u8> = bits.chunks(8).map(|byte| (0..8).map(|at| u8::from(byte[at]) << at).sum()).collect();
    container(&[container(&chunks(&bits)), container(&chunks(&aggregate.signature))])
}

fn signed(update: &LightClientUpdate) -> [Root; 2] {
    let mut slot = [0; 32];
    slot[..8].copy_from_slice(&update.signature_slot.to_le_bytes());
    [aggregate(&update.sync_aggregate), slot]
}

/// The root of a container, and its bytes written anew; `None` where the bytes are none.
fn read(kind: &str, fork: LightClientFork, chain: &ChainConfig, bytes: &[u8]) -> Option<(Root, Vec<u8>)> {
    let size = chain.sync_committee_size;
    let [_, committee_length, finality_length] = lengths(fork);
    let finality = |update: &LightClientUpdate| {
        [header(&update.finalized_header, fork), branch(&update.finality_branch, finality_length)]
    };
    Some(match kind {
        "LightClientHeader" => {
            let read = LightClientHeader::from_ssz(bytes, fork).ok()?;
            let mut written = Vec::new();
            read.write_ssz(&mut written);
            assert_eq!(ssz::header(&read, fork), written);
            (header(&read, fork), written)
        }
        "LightClientBootstrap" => {
            let read = LightClientBootstrap::from_ssz(chain, fork, bytes).ok()?;
            let root = container(&[
                header(&read.header, fork),
                committee(read.current_sync_committee.as_ref(), size),
                branch(&read.current_sync_committee_branch, committee_length),
            ]);
            (root, ssz::bootstrap(&read, fork, size))
        }
        "LightClientUpdate" => {
            let read = LightClientUpdate::from_ssz(chain, fork, bytes).ok()?;
            let written = read.to_ssz(size);
            assert_eq!(ssz::update(&read, fork), written);
            let committee = [
                committee(read.next_sync_committee.as_ref(), size),
                branch(&read.next_sync_committee_branch, committee_length),
            ];
            let attested = header(&read.attested_header, fork);
            (container(&[&[attested][..], &committee, &finality(&read), &signed(&read)].concat()), written)
        }
        "LightClientFinalityUpdate" => {
            let read = LightClientUpdate::from_finality_ssz(chain, fork, bytes).ok()?;
            let attested = header(&read.attested_header, fork);
            let root = container(&[&[attested][..], &finality(&read), &signed(&read)].concat());
            (root, ssz::finality_update(&read, fork))
        }
        "LightClientOptimisticUpdate" => {
            let read = LightClientUpdate::from_optimistic_ssz(chain, fork, bytes).ok()?;
            let attested = header(&read.attested_header, fork);
            (container(&[&[attested][..], &signed(&read)].concat()), ssz::optimistic_update(&read, fork))
        }
        other => panic!("no container of this name: {other}"),
    })
}

#[test]
fn containers_have_the_bytes_and_the_roots_of_the_specs() {
    let minimal = chains::minimal(&yaml::Yaml::BadValue, &"0".repeat(64));
    let mainnet = chains::mainnet();
    let mut cases = BTreeMap::new();
    for path in vectors::find("gloas-light-client", "serialized.ssz") {
        let place = path.display().to_string();
        let names: Vec<&str> = path.iter().map(|part| part.to_str().unwrap()).collect();
        let [_, preset_and_fork, _, kind, ..] = names[..] else { panic!("{place}") };
        let (preset, fork_name) = preset_and_fork.split_once('-').unwrap();
        let chain = if preset == "mainnet" { &mainnet } else { &minimal };
        let fork = match fork_name {
            "deneb" => LightClientFork::Deneb,
            "electra" => LightClientFork::Electra,
            "gloas" => LightClientFork::Gloas,
            other => panic!("{other}"),
        };
        let bytes = vectors::bytes(&path);
        let root = root_of(&path);
        // Random bits in the place of `extra_data`'s length are no matter here: those of the specs are well formed.
        let (found, written) =
            read(kind, fork, chain, &bytes).unwrap_or_else(|| panic!("{place} is refused"));
        assert_eq!((found, &written), (root, &bytes), "{place}");
        assert!(read(kind, fork, chain, &[&bytes[..], &[0; 33]].concat()).is_none(), "{place}, longer");
        if fork == LightClientFork::Gloas {
            assert!(read(kind, fork, chain, &bytes[1..]).is_none(), "{place}, shorter");
        }
        *cases.entry((fork_name.to_owned(), kind.to_owned())).or_insert(0) += 1;
    }
    let of = |fork: &str, kind: &str| cases.get(&(fork.to_owned(), format!("LightClient{kind}"))).copied();
    assert_eq!(
        [of("deneb", "Header"), of("electra", "Bootstrap"), of("electra", "Update")],
        [10, 10, 10].map(Some)
    );
    let kinds = ["Header", "Bootstrap", "Update", "FinalityUpdate", "OptimisticUpdate"];
    assert_eq!(kinds.map(|kind| of("gloas", kind)), [21, 20, 20, 20, 20].map(Some));
}

fn root_of(path: &Path) -> Root {
    yaml::bytes(&yaml::read(&path.with_file_name("roots.yaml"))["root"])
}
