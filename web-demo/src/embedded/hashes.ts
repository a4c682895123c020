/** What a person compares with other sources: versioned hashes and the block root, by WebCrypto. */
import { type Hex, toHex } from '../shared/bytes.ts'
import { field, type Sidecar } from './sidecar.ts'

/** kzg_to_versioned_hash of EIP-4844: `0x01 ‖ SHA-256(commitment)[1:]`. */
export async function versionedHash(sidecar: Sidecar): Promise<Hex> {
  const hash = await sha256(field(sidecar, 'kzg_commitment'))
  hash[0] = 1
  return toHex(hash)
}

/** hash_tree_root of a BeaconBlockHeader, 112 bytes: five leaves in a tree of eight (specs/phase0/beacon-chain.md). */
export async function headerRoot(header: Uint8Array): Promise<Hex> {
  const leaves = [0, 8, 16, 48, 80, 112]
    .map((at, place, ends) => header.subarray(at, ends[place + 1]))
    .slice(0, 5)
  let layer = Array.from({ length: 8 }, (_, at) => {
    const leaf = new Uint8Array(32)
    leaf.set(leaves[at] ?? [])
    return leaf
  })
  while (layer.length > 1) {
    const pairs = Array.from(
      { length: layer.length / 2 },
      (_, at) => [layer[2 * at]!, layer[2 * at + 1]!] as const,
    )
    layer = await Promise.all(pairs.map(([left, right]) => sha256(Uint8Array.of(...left, ...right))))
  }
  return toHex(layer[0]!)
}

async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Uint8Array<ArrayBuffer>> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}
