/**
 * The trie of a block's transactions (Yellow Paper, appendix D and section 4.4.3): values by `rlp(index)`. Two things are wanted of it: the
 * root of a whole list, and what a proof proves. `@ethereumjs/mpt` does both, and much else: the tests hold this against it.
 */
import { encodeHex } from '../util/hex.ts'
import { keccak_256 } from '../vendor/keccak.ts'
import { invalid, malformed } from './data-error.ts'
import { refuseLong } from './json-fields.ts'
import { keccakHex, keccakHexInTurns, keccakInTurns, WITHOUT_PAUSE } from './keccak.ts'
import { encodeRlp, itemsOf, readList, type RlpInput, type RlpItem, stringOf } from './rlp.ts'
import { inTurns, type Pause } from './turns.ts'

/** What is shorter stands in its parent itself, and not its hash. */
const HASH_BYTES = 32
const CHILDREN = 16
/** A key is at most five bytes long, so that a path has at most ten branches, and a leaf. */
export const MAX_PROOF_NODES = 32

/** A value, and the nibbles of its key. */
interface Entry {
  readonly path: readonly number[]
  readonly value: Uint8Array
}

/** The root of the trie that has these values by `rlp(0)`, `rlp(1)` and so on: 32 bytes as 0x hex. */
export function orderedTrieRoot(values: readonly Uint8Array[]): string {
  if (values.length === 0) return keccakHex(encodeRlp(new Uint8Array(0)))
  const entries = values.map((value, index) => ({ path: pathOf(index), value }))
  return keccakHex(encodeRlp(nodeOf(entries, 0)))
}

/** What Keccak takes in at once: each entry costs some such blocks for the nodes above it, however short its value is. */
const HASH_BLOCK_BYTES = 136

function isShort(values: readonly { readonly length: number }[]): boolean {
  let bytes = 0
  return values.every(({ length }) => (bytes += length + HASH_BLOCK_BYTES) <= WITHOUT_PAUSE)
}

/** The same root. `pause` is awaited between parts of the work, so that many values do not keep the thread; where it rejects, so does this. */
export async function orderedTrieRootInTurns(values: readonly Uint8Array[], pause: Pause): Promise<string> {
  if (isShort(values)) return orderedTrieRoot(values)
  const entries = await inTurns(values, (value, index): Entry => ({ path: pathOf(index), value }), pause)
  return await keccakHexInTurns(encodeRlp(await nodeInTurns(entries, 0, pause)), pause)
}

/** What `nodeOf` gives. */
async function nodeInTurns(entries: readonly Entry[], depth: number, pause: Pause): Promise<RlpInput[]> {
  await pause()
  if (entries.length === 1 || isShort(entries.map(({ value }) => value))) return nodeOf(entries, depth)
  const end = partingOf(entries, depth)
  // The node below is a branch, which is short.
  if (end > depth) return extensionTo(await nodeInTurns(entries, end, pause), entries, depth, end)
  const children: RlpInput[] = []
  for (const below of childrenOf(entries, depth))
    children.push(
      below.length === 0
        ? new Uint8Array(0)
        : await referenceInTurns(await nodeInTurns(below, depth + 1, pause), pause),
    )
  return [...children, new Uint8Array(0)]
}

/**
 * The nodes between that root and the value at `rlp(index)`, as RLP, the root first. A node that is short stands in the one before it alone.
 * Where there is no such value, they lead to where its path leaves the trie.
 */
export function orderedTrieProof(values: readonly Uint8Array[], index: number): Uint8Array[] {
  const path = pathOf(index)
  const proof: Uint8Array[] = []
  let entries = values.map((value, at) => ({ path: pathOf(at), value }))
  for (let depth = 0; entries.length > 0;) {
    const node = encodeRlp(nodeOf(entries, depth))
    if (proof.length === 0 || node.length >= HASH_BYTES) proof.push(node)
    if (entries.length === 1) break
    const end = partingOf(entries, depth)
    if (end === depth) entries = entries.filter((entry) => entry.path[depth] === path[depth])
    depth = Math.max(end, depth + 1)
  }
  return proof
}

/**
 * The value that `nodes` prove to be at `rlp(index)` in the trie of this root (0x hex). The nodes may come in any order, and more than are
 * needed. Rejects with `ExecutionDataError`, `invalid` where they do not prove that there is one, and with what `pause` rejects with.
 */
export async function provenTrieValue(
  root: string,
  index: number,
  nodes: readonly Uint8Array[],
  pause: Pause,
): Promise<Uint8Array> {
  if (nodes.length > MAX_PROOF_NODES) throw malformed(`a proof of more than ${MAX_PROOF_NODES} nodes`)
  refuseLong(nodes, 'a proof')
  const byHash = new Map<string, Uint8Array>()
  for (const node of nodes) byHash.set(await keccakHexInTurns(node, pause), node)
  const ofHash = (hash: string): RlpItem[] => {
    const node = byHash.get(hash)
    if (node === undefined) throw invalid('a proof that lacks a node')
    return readList(node, CHILDREN + 1)
  }
  let path: readonly number[] = pathOf(index)
  let node = ofHash(root.toLowerCase())
  for (;;) {
    const step = stepDown(node, path)
    if (step.isValue) return stringOf(step.item)
    path = step.path
    node = step.item.isList
      ? inlineNode(step.item)
      : ofHash(`0x${encodeHex(stringOf(step.item, HASH_BYTES))}`)
  }
}

/** The node above these entries, which agree in their first `depth` nibbles. */
function nodeOf(entries: readonly Entry[], depth: number): RlpInput[] {
  const first = entries[0]!
  if (entries.length === 1) return [compactPath(first.path.slice(depth), true), first.value]
  const end = partingOf(entries, depth)
  if (end > depth) return extensionTo(nodeOf(entries, end), entries, depth, end)
  const empty = new Uint8Array(0)
  return [
    ...childrenOf(entries, depth).map((below) =>
      below.length === 0 ? empty : referenceTo(nodeOf(below, depth + 1)),
    ),
    empty,
  ]
}

/** The node above a node, for the nibbles from `depth` to `end` that all entries below have in common. */
function extensionTo(node: RlpInput[], [first]: readonly Entry[], depth: number, end: number): RlpInput[] {
  return [compactPath(first!.path.slice(depth, end), false), referenceTo(node)]
}

/** The entries below each child of a branch. */
function childrenOf(entries: readonly Entry[], depth: number): Entry[][] {
  const children = Array.from({ length: CHILDREN }, (): Entry[] => [])
  for (const entry of entries) children[entry.path[depth]!]!.push(entry)
  return children
}

/**
 * Where the paths of two entries or more part, which agree in their first `depth` nibbles. No key is the beginning of another, since RLP says
 * its own length: all paths go on to there.
 */
function partingOf([first, ...others]: readonly Entry[], depth: number): number {
  let end = depth
  while (others.every(({ path }) => path[end] === first!.path[end])) end++
  return end
}

/** What stands for a node in its parent: the node itself where it is short, else its hash. */
function referenceTo(node: RlpInput[]): RlpInput {
  const encoded = encodeRlp(node)
  return encoded.length < HASH_BYTES ? node : keccak_256(encoded)
}

/** What `referenceTo` gives. */
async function referenceInTurns(node: RlpInput[], pause: Pause): Promise<RlpInput> {
  const encoded = encodeRlp(node)
  return encoded.length < HASH_BYTES ? node : await keccakInTurns(encoded, pause)
}

/** Where a node leads on the way along a path: to a value, or to another node, with what is left of the path. */
function stepDown(
  node: readonly RlpItem[],
  path: readonly number[],
): { readonly isValue: boolean; readonly item: RlpItem; readonly path: readonly number[] } {
  if (node.length === CHILDREN + 1) {
    const [nibble, ...rest] = path
    // A value at the end of the path would be in the branch itself; no key of such a trie ends there.
    const child = nibble === undefined ? undefined : node[nibble]
    if (child === undefined || child.encoded[0] === 0x80) throw invalid('a proof that there is no such entry')
    return { isValue: false, item: child, path: rest }
  }
  const [compact, item] = node
  if (compact === undefined || item === undefined || node.length !== 2) throw malformed('no node of a trie')
  const { isLeaf, nibbles } = readCompactPath(stringOf(compact))
  const isOnPath = nibbles.every((nibble, at) => nibble === path[at])
  if (!isOnPath || (isLeaf && nibbles.length !== path.length)) throw invalid('a proof of another entry')
  if (!isLeaf && nibbles.length === 0) throw malformed('an extension of nothing')
  return { isValue: isLeaf, item, path: path.slice(nibbles.length) }
}

function inlineNode(item: RlpItem): RlpItem[] {
  if (item.encoded.length >= HASH_BYTES) throw malformed('a long node in its parent')
  return itemsOf(item, CHILDREN + 1)
}

function pathOf(index: number): number[] {
  return nibblesOf(encodeRlp(index))
}

function nibblesOf(bytes: Uint8Array): number[] {
  return Array.from(bytes).flatMap((byte) => [byte >> 4, byte & 15])
}

/** Hex-prefix encoding (Yellow Paper, appendix C): two flags in the first nibble, and padding where the count of nibbles is even. */
function compactPath(nibbles: readonly number[], isLeaf: boolean): Uint8Array {
  const isOdd = nibbles.length % 2 === 1
  const flags = (isLeaf ? 2 : 0) + (isOdd ? 1 : 0)
  const all = isOdd ? [flags, ...nibbles] : [flags, 0, ...nibbles]
  return Uint8Array.from({ length: all.length / 2 }, (_, at) => (all[2 * at]! << 4) | all[2 * at + 1]!)
}

function readCompactPath(bytes: Uint8Array): { isLeaf: boolean; nibbles: number[] } {
  // More nibbles than any key has are no path of it, however many there are.
  const [flags, ...rest] = nibblesOf(bytes.subarray(0, MAX_PROOF_NODES))
  if (flags === undefined || flags > 3) throw malformed('no path of a trie')
  const isOdd = flags % 2 === 1
  if (!isOdd && rest[0] !== 0) throw malformed('no path of a trie')
  return { isLeaf: flags >= 2, nibbles: isOdd ? rest : rest.slice(1) }
}
