use crate::support::naive;
use blobcheck_beacon::commitments::{commitment_root, commitments_root};
use blobcheck_beacon::gindex;
use blobcheck_beacon::merkle::{
    is_valid_merkle_branch, merkle_branch_root, merkleize, mix_in_length, MAX_DEPTH, ZERO_HASHES,
};
use blobcheck_testing::Rng;

type Chunk = [u8; 32];

#[test]
fn the_table_of_zero_hashes_is_right() {
    let mut zero = [0; 32];
    for entry in *ZERO_HASHES {
        assert_eq!(entry, zero);
        zero = naive::hash(&zero, &zero);
    }
}

#[test]
fn branches_of_whole_trees_verify_and_tampered_ones_do_not() {
    let mut random = Rng(1);
    for depth in 0..=10 {
        let leaves = random.chunks(1 << depth);
        let layers = naive::tree(&leaves, depth);
        let root = naive::root(&layers);
        for _ in 0..8 {
            let index = random.below(1 << depth) as usize;
            let branch = naive::branch(&layers, index);
            let leaf = leaves[index];
            let valid = |leaf: &Chunk, branch: &[Chunk], index: u64, root: &Chunk| {
                is_valid_merkle_branch(leaf, branch, depth, index, root)
            };
            assert!(valid(&leaf, &branch, index as u64, &root));

            // The same branch, rightly leading to the root, is not one of another depth.
            for other in [depth + 1, depth.wrapping_sub(1)] {
                assert!(!is_valid_merkle_branch(&leaf, &branch, other, index as u64, &root));
            }

            let at = random.below(32) as usize;
            let bit = 1 << random.below(8);
            let flip = |mut chunk: [u8; 32]| {
                chunk[at] ^= bit;
                chunk
            };
            assert!(!valid(&flip(leaf), &branch, index as u64, &root));
            assert!(!valid(&leaf, &branch, index as u64, &flip(root)));
            for height in 0..depth {
                let mut tampered = branch.clone();
                tampered[height] = flip(tampered[height]);
                assert!(!valid(&leaf, &tampered, index as u64, &root));
                assert!(!valid(&leaf, &branch, index as u64 ^ (1 << height), &root));
                assert!(!valid(&leaf, &branch[..height], index as u64, &root));
            }
            let longer = [&branch[..], &[[0; 32]]].concat();
            assert!(!valid(&leaf, &longer, index as u64, &root));
        }
    }
}

#[test]
fn a_branch_of_any_length_and_index_is_no_panic() {
    let branch = Rng(2).chunks(100);
    for index in [0, 1, u64::MAX] {
        merkle_branch_root(&[7; 32], &branch, index);
    }
    assert!(!is_valid_merkle_branch(&[7; 32], &branch, usize::MAX, u64::MAX, &[0; 32]));
    assert!(is_valid_merkle_branch(&[7; 32], &[], 0, u64::MAX, &[7; 32]));
}

#[test]
fn merkleize_agrees_with_the_whole_tree() {
    let mut random = Rng(3);
    for depth in 0..=MAX_DEPTH {
        let limit = 1usize << depth;
        for count in [0, 1, 2, 3, 5, 21, limit / 2, limit / 2 + 1, limit - 1, limit] {
            if count <= limit {
                let chunks = random.chunks(count);
                assert_eq!(merkleize(chunks.clone(), depth), Some(naive::root(&naive::tree(&chunks, depth))));
            }
        }
        assert_eq!(merkleize(random.chunks(limit + 1), depth), None);
    }
    assert_eq!(merkleize(Vec::new(), MAX_DEPTH + 1), None);
    assert_eq!(merkleize(Vec::new(), usize::MAX), None);
}

#[test]
fn the_roots_of_commitments_agree_with_the_whole_tree() {
    let mut random = Rng(4);
    for count in [0, 1, 2, 6, 9, 15, 21, 4095, 4096] {
        let commitments: Vec<[u8; 48]> = (0..count).map(|_| random.bytes()).collect();
        let leaves: Vec<_> = commitments.iter().map(naive::commitment_root).collect();
        assert!(commitments
            .iter()
            .zip(&leaves)
            .all(|(commitment, leaf)| commitment_root(commitment) == *leaf));
        let contents = naive::root(&naive::tree(&leaves, 12));
        let expected = naive::hash(&contents, &naive::length_chunk(count));
        assert_eq!(commitments_root(&commitments), Some(expected));
        assert_eq!(mix_in_length(&contents, count as u64), expected);
    }
    assert_eq!(commitments_root(&[[0; 48]; 4097]), None);
}

#[test]
fn generalized_indices_are_the_presets() {
    assert_eq!(gindex::KZG_COMMITMENTS_INCLUSION_PROOF_DEPTH, 4);
    assert_eq!(gindex::KZG_COMMITMENT_INCLUSION_PROOF_DEPTH, 17);
    assert_eq!(gindex::subtree_index(gindex::BLOB_KZG_COMMITMENTS_GINDEX), 11);
    for index in [0, 1, 4095] {
        assert_eq!(gindex::blob_kzg_commitment_gindex(index), 221_184 + u64::from(index));
        assert_eq!(
            gindex::subtree_index(gindex::blob_kzg_commitment_gindex(index)),
            90_112 + u64::from(index)
        );
        assert_eq!(gindex::depth(gindex::blob_kzg_commitment_gindex(index)), 17);
    }
    for (node, depth, position) in [(0, 0, 0), (1, 0, 0), (2, 1, 0), (3, 1, 1), (105, 6, 41), (169, 7, 41)] {
        assert_eq!((gindex::depth(node), gindex::subtree_index(node)), (depth, position), "node {node}");
    }
    assert_eq!((gindex::depth(u64::MAX), gindex::subtree_index(u64::MAX)), (63, u64::MAX >> 1));
}
