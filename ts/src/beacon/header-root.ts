/**
 * hash_tree_root(BeaconBlockHeader), synchronously and anywhere. Source: ssz/simple-serialize.md, specs/phase0/beacon-chain.md.
 */
import { sha256 } from '@noble/hashes/sha2'

/** `ssz`: 112 bytes, which are slot, proposer index and three roots; 32 bytes. */
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
    level = level.flatMap((left, at) => (at % 2 === 0 ? [hashed(left, level[at + 1] ?? left)] : []))
  }
  return level[0] ?? new Uint8Array(32)
}

function hashed(left: Uint8Array, right: Uint8Array): Uint8Array {
  return sha256.create().update(left).update(right).digest()
}
