//! Many Merkle trees at once, layer by layer, so that even trees of one node are hashed four at a time.
//!
//! The leaves of all trees lie in one list, one tree after the other, and `counts` says how many each has.

use crate::Bytes32;
use blobcheck_sha256::{sha256_pairs, zero_roots};
use std::sync::LazyLock;

/// The greatest depth of a tree: that of a `ByteList[2**30]` is 25.
pub const MAX_DEPTH: usize = 32;

/// The roots of trees whose leaves are all zero, by depth.
static ZERO_HASHES: LazyLock<[Bytes32; MAX_DEPTH + 1]> = LazyLock::new(zero_roots);

/// `hash(left ++ right)`.
pub fn hash_pair(left: &Bytes32, right: &Bytes32) -> Bytes32 {
    blobcheck_sha256::sha256(&[left, right])
}

/// The depth of a tree with room for so many leaves: `ceil(log2(leaves))`.
pub fn depth_for(leaves: usize) -> usize {
    leaves.max(1).next_power_of_two().ilog2() as usize
}

/// The root of each tree, of depth `depth`, at most [`MAX_DEPTH`]; leaves that are not given are zero.
///
/// Spec: `merkleize(chunks, limit = 2**depth)`, `ssz/simple-serialize.md`.
pub fn merkleize(leaves: Vec<Bytes32>, counts: &[usize], depth: usize) -> Vec<Bytes32> {
    let (mut layer, mut counts) = (leaves, counts.to_vec());
    for zero in &ZERO_HASHES[..depth] {
        if counts.iter().any(|count| count % 2 == 1) {
            layer = padded(&layer, &counts, zero);
        }
        layer = sha256_pairs(layer.as_chunks().0);
        counts.iter_mut().for_each(|count| *count = count.div_ceil(2));
    }
    let mut roots = layer.into_iter();
    // A tree without leaves has no node in any layer.
    let root = |count: &usize| if *count == 0 { None } else { roots.next() };
    counts.iter().map(root).map(|root| root.unwrap_or(ZERO_HASHES[depth])).collect()
}

/// The layer with a zero node behind each tree that has an odd number of nodes.
fn padded(layer: &[Bytes32], counts: &[usize], zero: &Bytes32) -> Vec<Bytes32> {
    let mut all = Vec::with_capacity(layer.len() + counts.len());
    let mut rest = layer;
    for &count in counts {
        let (tree, others) = rest.split_at(count);
        all.extend_from_slice(tree);
        if count % 2 == 1 {
            all.push(*zero);
        }
        rest = others;
    }
    all
}

/// The root of each progressive tree: subtrees of 1, 4, 16, 64, … leaves, each to the left of all that follow it.
///
/// Spec: `merkleize_progressive`, `ssz/simple-serialize.md` (EIP-7916).
pub fn merkleize_progressive(leaves: &[Bytes32], counts: &[usize]) -> Vec<Bytes32> {
    // Of each tree: what has not been taken into a subtree yet.
    let mut rests: Vec<&[Bytes32]> = Vec::with_capacity(counts.len());
    let mut rest = leaves;
    for &count in counts {
        let (tree, others) = rest.split_at(count);
        rests.push(tree);
        rest = others;
    }
    // By level: the trees that reach it, and the roots of their subtrees there.
    let mut levels: Vec<(Vec<usize>, Vec<Bytes32>)> = Vec::new();
    let mut reaching: Vec<usize> = (0..rests.len()).filter(|&tree| !rests[tree].is_empty()).collect();
    for depth in (0..).step_by(2) {
        if reaching.is_empty() {
            break;
        }
        let mut taken = Vec::new();
        let mut sizes = Vec::with_capacity(reaching.len());
        for &tree in &reaching {
            let (subtree, others) = rests[tree].split_at(rests[tree].len().min(1 << depth));
            taken.extend_from_slice(subtree);
            sizes.push(subtree.len());
            rests[tree] = others;
        }
        let roots = merkleize(taken, &sizes, depth);
        let next = reaching.iter().copied().filter(|&tree| !rests[tree].is_empty()).collect();
        levels.push((core::mem::replace(&mut reaching, next), roots));
    }
    let mut roots = vec![[0; 32]; counts.len()];
    for (trees, subtrees) in levels.iter().rev() {
        let pairs: Vec<[Bytes32; 2]> =
            trees.iter().zip(subtrees).map(|(&tree, subtree)| [*subtree, roots[tree]]).collect();
        for (&tree, root) in trees.iter().zip(sha256_pairs(&pairs)) {
            roots[tree] = root;
        }
    }
    roots
}

/// Mixes a number into each root: the length of a list.
///
/// Spec: `mix_in_length`, `ssz/simple-serialize.md`.
pub fn mix_in_lengths(roots: &[Bytes32], lengths: impl Iterator<Item = usize>) -> Vec<Bytes32> {
    let chunk = |length: usize| {
        let mut chunk = [0; 32];
        chunk[..8].copy_from_slice(&(length as u64).to_le_bytes());
        chunk
    };
    let pairs: Vec<_> = roots.iter().zip(lengths).map(|(root, length)| [*root, chunk(length)]).collect();
    sha256_pairs(&pairs)
}

/// Mixes into each root which of the fields of a progressive container are active: all of them.
///
/// Spec: `mix_in_active_fields`, `ssz/simple-serialize.md` (EIP-7495).
pub fn mix_in_active_fields(roots: &[Bytes32], fields: usize) -> Vec<Bytes32> {
    let mut active = [0; 32];
    for field in 0..fields {
        active[field / 8] |= 1 << (field % 8);
    }
    let pairs: Vec<_> = roots.iter().map(|root| [*root, active]).collect();
    sha256_pairs(&pairs)
}
