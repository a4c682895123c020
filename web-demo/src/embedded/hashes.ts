/** What a person compares with other sources: versioned hashes and the block root, by WebCrypto. */
import { fromHex, type Hex, toHex } from '../shared/bytes.ts'
import type { Sidecar } from './sidecar.ts'

/** kzg_to_versioned_hash of EIP-4844: `0x01 ‖ SHA-256(commitment)[1:]`. */
export async function versionedHash(commitment: Hex): Promise<Hex> {
  const hash = await sha256(fromHex(commitment))
  hash[0] = 1
  return toHex(hash)
}

/** hash_tree_root of a BeaconBlockHeader: five leaves in a tree of eight (specs/phase0/beacon-chain.md). */
export async function headerRoot(header: Sidecar['signed_block_header']['message']): Promise<Hex> {
  const leaves = [
    uint64Leaf(BigInt(header.slot)),
    uint64Leaf(BigInt(header.proposer_index)),
    ...[header.parent_root, header.state_root, header.body_root].map((root) => fromHex(String(root))),
  ]
  let layer = Array.from({ length: 8 }, (_, at) => leaves[at] ?? new Uint8Array(32))
  while (layer.length > 1) {
    const pairs = Array.from(
      { length: layer.length / 2 },
      (_, at) => [layer[2 * at]!, layer[2 * at + 1]!] as const,
    )
    layer = await Promise.all(pairs.map(([left, right]) => sha256(Uint8Array.of(...left, ...right))))
  }
  return toHex(layer[0]!)
}

function uint64Leaf(value: bigint): Uint8Array<ArrayBuffer> {
  const leaf = new Uint8Array(32)
  new DataView(leaf.buffer).setBigUint64(0, value, true)
  return leaf
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
