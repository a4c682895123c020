/** Merkle trees of 32-byte chunks, synchronously and in plain JavaScript: what a server hashes is short. */
import { sha256 } from '../../vendor/sha256.ts'

type Bytes = Uint8Array<ArrayBuffer>

const pair = new Uint8Array(64)

/** The parent of two nodes. */
export function parentOf(left: Uint8Array, right: Uint8Array): Bytes {
  pair.set(left)
  pair.set(right, 32)
  // What comes back is nobody else's: a copy for its type's sake would be one for each node.
  return sha256(pair) as Bytes
}

/** SHA-256. */
export const hash = (bytes: Uint8Array): Bytes => new Uint8Array(sha256(bytes))

/** The roots of trees of zero chunks, by depth, as far as they have been asked for. */
const zeroRoots: Bytes[] = [new Uint8Array(32)]

/** The root of a tree of zero chunks, of a depth. */
export function zeroRoot(depth: number): Bytes {
  for (let at = zeroRoots.length; at <= depth; at++)
    zeroRoots.push(parentOf(zeroRoots[at - 1]!, zeroRoots[at - 1]!))
  return zeroRoots[depth]!
}

/** The depth of the smallest tree that has room for so many chunks. */
export const depthOf = (chunks: number): number => Math.ceil(Math.log2(Math.max(chunks, 1)))

/**
 * The levels of a tree above its leaves, without the zeros that pad it on the right: the last one is its root. Much of what a made chain
 * hashes is zero, so that the roots of zero subtrees are looked up and not computed.
 */
export function levelsOf(leaves: readonly Uint8Array[], depth: number): Uint8Array[][] {
  const levels: Uint8Array[][] = [leaves.map((leaf) => (isZero(leaf) ? zeroRoot(0) : leaf))]
  for (let height = 0; height < depth; height++) {
    const below = levels[height]!
    const zero = zeroRoot(height)
    const level: Uint8Array[] = []
    for (let at = 0; at < below.length; at += 2) {
      const [left, right] = [below[at]!, below[at + 1] ?? zero]
      level.push(left === zero && right === zero ? zeroRoot(height + 1) : parentOf(left, right))
    }
    levels.push(level)
  }
  return levels
}

/** Whether all bytes are zero: most that are not show it in the first one. */
function isZero(bytes: Uint8Array): boolean {
  for (let at = 0; at < bytes.length; at++) if (bytes[at] !== 0) return false
  return true
}

/** The root of a tree. */
export function merkleize(leaves: readonly Uint8Array[], depth: number): Bytes {
  return (levelsOf(leaves, depth)[depth]?.[0] ?? zeroRoot(depth)) as Bytes
}

/** The siblings on the way from a leaf to the root, the lowest first, in the levels of a tree. */
export function siblings(levels: readonly (readonly Uint8Array[])[], leaf: number): Uint8Array[] {
  return levels
    .slice(0, -1)
    .map((level, height) => level[Math.floor(leaf / 2 ** height) ^ 1] ?? zeroRoot(height))
}

/** Bytes in chunks, the last one padded with zeros. */
export function chunksOf(bytes: Uint8Array): Bytes[] {
  return Array.from({ length: Math.ceil(bytes.length / 32) }, (_, at) => {
    const chunk = new Uint8Array(32)
    chunk.set(bytes.subarray(32 * at, 32 * at + 32))
    return chunk
  })
}

/** A list's length, as its root is mixed with it. */
export function lengthChunk(length: number): Bytes {
  const chunk = new Uint8Array(32)
  new DataView(chunk.buffer).setUint32(0, length, true)
  return chunk
}

/** A progressive tree (EIP-7916): subtrees of 1, 4, 16, 64 … leaves, each to the left of all that come after it. */
export interface ProgressiveTree {
  readonly root: Bytes
  /** The siblings between a leaf and the root, the lowest first. */
  branch(leaf: number): Uint8Array[]
}

/** `merkleize_progressive` (ssz/simple-serialize.md), with the branches of its leaves. */
export function progressiveTree(leaves: readonly Uint8Array[]): ProgressiveTree {
  const subtrees: Uint8Array[][][] = []
  for (let from = 0, depth = 0; from < leaves.length; from += 2 ** depth, depth += 2)
    subtrees.push(levelsOf(leaves.slice(from, from + 2 ** depth), depth))
  const rootOf = (levels: Uint8Array[][]): Uint8Array => levels[levels.length - 1]![0]!
  // What stands to the right of each subtree, from the last one on: nothing is a zero chunk.
  const rests: Bytes[] = [new Uint8Array(32)]
  for (const levels of [...subtrees].reverse()) rests.unshift(parentOf(rootOf(levels), rests[0]!))
  return {
    root: rests[0]!,
    branch(leaf) {
      let [at, index] = [0, leaf]
      while (index >= 4 ** at) index -= 4 ** at++
      const before = subtrees.slice(0, at).reverse()
      return [...siblings(subtrees[at]!, index), rests[at + 1]!, ...before.map(rootOf)]
    },
  }
}

/** The active fields of a progressive container (EIP-7495) that has so many, all of them active, as its root is mixed with them. */
export function activeFields(count: number): Bytes {
  const chunk = new Uint8Array(32)
  for (let at = 0; at < count; at++) chunk[at >> 3] = chunk[at >> 3]! | (1 << (at & 7))
  return chunk
}
