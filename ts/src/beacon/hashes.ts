/**
 * SHA-256 as the specifications use it, synchronously and anywhere. Not for the main entry, which hashes in its module: this would
 * put a hash function into the bundle of everyone who only verifies.
 */
import { sha256 } from '../vendor/sha256.ts'

/** VERSIONED_HASH_VERSION_KZG (EIP-4844). */
export const VERSIONED_HASH_VERSION_KZG = 1

/**
 * `kzg_commitment_to_versioned_hash` (specs/deneb/beacon-chain.md; `kzg_to_versioned_hash` in EIP-4844): the 32 bytes by which a blob
 * transaction names a commitment of 48 bytes.
 */
export function versionedHash(commitment: Uint8Array): Uint8Array<ArrayBuffer> {
  const hash = new Uint8Array(sha256(commitment))
  hash[0] = VERSIONED_HASH_VERSION_KZG
  return hash
}

/**
 * `hash_tree_root(BeaconBlockHeader)` (ssz/simple-serialize.md, specs/phase0/beacon-chain.md): 32 bytes, of the header's 112 bytes of
 * SSZ, which are slot, proposer index and three roots.
 */
export function headerRoot(ssz: Uint8Array): Uint8Array {
  const leaf = (from: number, to: number): Uint8Array => {
    const chunk = new Uint8Array(32)
    chunk.set(ssz.subarray(from, to))
    return chunk
  }
  let level = [leaf(0, 8), leaf(8, 16), leaf(16, 48), leaf(48, 80), leaf(80, 112)]
  // Five fields, and as many empty ones as make eight.
  while (level.length < 8) level.push(new Uint8Array(32))
  while (level.length > 1) {
    level = level.flatMap((left, at) => (at % 2 === 0 ? [hashPair(left, level[at + 1] ?? left)] : []))
  }
  return level[0] ?? new Uint8Array(32)
}

function hashPair(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(left).update(right).digest()
}
