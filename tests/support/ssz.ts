/** SSZ, the slow and obvious way: Merkle trees level by level, and the containers of the tests' own blocks. */
import { concat, fromHex, toHex } from './bytes.ts'

type Bytes = Uint8Array<ArrayBuffer>
type Hex = `0x${string}`

export async function sha256(bytes: Uint8Array<ArrayBuffer>): Promise<Bytes> {
  return new Uint8Array(await crypto.subtle.digest('SHA-256', bytes))
}

/** A number as a uint64, little-endian, in `length` bytes: 8 in containers, 32 as a leaf. */
export function uint64(value: bigint, length: 8 | 32): Bytes {
  const bytes = new Uint8Array(length)
  new DataView(bytes.buffer).setBigUint64(0, value, true)
  return bytes
}

/** All levels of a tree of 2^depth leaves, the leaves first; those that are not given are zero. */
export async function levels(leaves: readonly Bytes[], depth: number): Promise<Bytes[][]> {
  let given: readonly Bytes[] = leaves
  let zero: Bytes = new Uint8Array(32)
  const tree: Bytes[][] = []
  for (let height = 0; ; height++) {
    const level = Array.from({ length: 2 ** (depth - height) }, (_, at) => given[at] ?? zero)
    tree.push(level)
    if (height === depth) return tree
    // Beyond the leaves that are given, all nodes of a level are the same.
    const pairs = Array.from({ length: Math.ceil(given.length / 2) }, (_, at) =>
      concat(level[2 * at]!, level[2 * at + 1]!),
    )
    given = await Promise.all(pairs.map(sha256))
    zero = await sha256(concat(zero, zero))
  }
}

export const rootOf = (tree: readonly Bytes[][]): Bytes => tree.at(-1)![0]!

/** The siblings on the way from a leaf to the root. */
function branchOf(tree: readonly Bytes[][], leaf: number): Bytes[] {
  return tree.slice(0, -1).map((level, height) => level[(leaf >> height) ^ 1]!)
}

export interface HeaderJson {
  readonly slot: string
  readonly proposer_index: string
  readonly parent_root: Hex
  readonly state_root: Hex
  readonly body_root: Hex
}

export interface SignedHeaderJson {
  readonly message: HeaderJson
  readonly signature: string
}

export interface BlobSidecarJson {
  readonly index: string
  readonly blob: string
  readonly kzg_commitment: string
  readonly kzg_proof: string
  readonly signed_block_header: SignedHeaderJson
  readonly kzg_commitment_inclusion_proof: readonly string[]
}

export interface DataColumnSidecarJson {
  readonly index: string
  readonly column: readonly string[]
  readonly kzg_commitments: readonly string[]
  readonly kzg_proofs: readonly string[]
  readonly signed_block_header: SignedHeaderJson
  readonly kzg_commitments_inclusion_proof: readonly string[]
}

export function headerSsz(header: HeaderJson): Bytes {
  return concat(
    uint64(BigInt(header.slot), 8),
    uint64(BigInt(header.proposer_index), 8),
    fromHex(header.parent_root),
    fromHex(header.state_root),
    fromHex(header.body_root),
  )
}

export async function headerRoot(header: HeaderJson): Promise<Bytes> {
  const roots = [header.parent_root, header.state_root, header.body_root].map(fromHex)
  const numbers = [header.slot, header.proposer_index].map((value) => uint64(BigInt(value), 32))
  return rootOf(await levels([...numbers, ...roots], 3))
}

export const signedHeaderSsz = ({ message, signature }: SignedHeaderJson): Bytes =>
  concat(headerSsz(message), fromHex(signature))

export function blobSidecarSsz(sidecar: BlobSidecarJson): Bytes {
  return concat(
    uint64(BigInt(sidecar.index), 8),
    fromHex(sidecar.blob),
    fromHex(sidecar.kzg_commitment),
    fromHex(sidecar.kzg_proof),
    signedHeaderSsz(sidecar.signed_block_header),
    ...sidecar.kzg_commitment_inclusion_proof.map(fromHex),
  )
}

function offset(value: number): Bytes {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

export function dataColumnSidecarSsz(sidecar: DataColumnSidecarJson): Bytes {
  const lists = [sidecar.column, sidecar.kzg_commitments, sidecar.kzg_proofs].map((list) =>
    concat(...list.map(fromHex)),
  )
  const branch = sidecar.kzg_commitments_inclusion_proof.map(fromHex)
  const fixed = 8 + 3 * 4 + 208 + 32 * branch.length
  return concat(
    uint64(BigInt(sidecar.index), 8),
    offset(fixed),
    offset(fixed + lists[0]!.length),
    offset(fixed + lists[0]!.length + lists[1]!.length),
    signedHeaderSsz(sidecar.signed_block_header),
    ...branch,
    ...lists,
  )
}

/** `List[DataColumnSidecar]`: a table of offsets, then the elements. */
export function listSsz(elements: readonly Bytes[]): Bytes {
  let at = 4 * elements.length
  const offsets = elements.map((element) => {
    const here = offset(at)
    at += element.length
    return here
  })
  return concat(...offsets, ...elements)
}

/** A block that nobody proposed: its body is a real tree, with arbitrary other fields around the commitments. */
export interface MadeBlock {
  readonly header: HeaderJson
  readonly signed: SignedHeaderJson
  /** Depth 17, from one commitment to the body's root. */
  blobBranch(index: number): string[]
  /** Depth 4, from the list of commitments to the body's root. */
  readonly listBranch: readonly string[]
}

/** Field 11 of the 13 of an Electra body; Deneb's 12 make the same tree but for one leaf. */
const COMMITMENTS_FIELD = 11

export async function makeBlock(slot: bigint, commitments: readonly Bytes[], seed = 1): Promise<MadeBlock> {
  const arbitrary = (at: number): Promise<Bytes> => sha256(uint64(BigInt(1000 * seed + at), 8))
  const leaves = await Promise.all(commitments.map((bytes) => sha256(concat(bytes, new Uint8Array(16)))))
  const list = await levels(leaves, 12)
  const length = uint64(BigInt(commitments.length), 32)
  const fields = await Promise.all(Array.from({ length: 13 }, (_, at) => arbitrary(at)))
  fields[COMMITMENTS_FIELD] = await sha256(concat(rootOf(list), length))
  const body = await levels(fields, 4)
  const header: HeaderJson = {
    slot: slot.toString(),
    proposer_index: '7',
    parent_root: toHex(await arbitrary(100)),
    state_root: toHex(await arbitrary(101)),
    body_root: toHex(rootOf(body)),
  }
  const listBranch = branchOf(body, COMMITMENTS_FIELD)
  return {
    header,
    signed: { message: header, signature: `0x${'ab'.repeat(96)}` },
    blobBranch: (index) => [...branchOf(list, index), length, ...listBranch].map(toHex),
    listBranch: listBranch.map(toHex),
  }
}
