/** Sidecars and transactions of blocks that nobody proposed, with blobs whose proofs cost nothing (see `make.ts`). */
import type { NetworkConfig } from 'blobcheck'
import { concat, fromHex, toHex } from './bytes.ts'
import { infinity, makeBlob, makeCell, range } from './make.ts'
import { type BlobSidecarJson, type DataColumnSidecarJson, makeBlock, type MadeBlock, sha256 } from './ssz.ts'

type Bytes = Uint8Array<ArrayBuffer>

/** No real network: Deneb from the first slot, Electra from epoch 100, Fulu from epoch 200, with a schedule. */
export const invented: NetworkConfig = {
  genesisTime: 1_000_000,
  forkEpochs: { deneb: 0, electra: 100, fulu: 200, gloas: 300 },
  blobSchedule: [{ epoch: 250, maxBlobsPerBlock: 12 }],
}

/** Slots of the invented network at which each fork holds. */
export const slots = {
  deneb: 5n,
  electra: 100n * 32n,
  fulu: 200n * 32n,
  scheduled: 250n * 32n,
  gloas: 300n * 32n,
}

export const commitmentOf = (c: number): Bytes => makeBlob(c).commitment as Bytes

export async function versionedHashOf(commitment: Bytes): Promise<Bytes> {
  return concat(Uint8Array.of(1), (await sha256(commitment)).subarray(1))
}

export interface MadeSidecars {
  readonly block: MadeBlock
  readonly commitments: readonly Bytes[]
  readonly versionedHashes: readonly Bytes[]
  readonly sidecars: readonly BlobSidecarJson[]
  column(index: number): DataColumnSidecarJson
}

/** A block at a slot, whose blobs are the constants given. */
export async function makeSidecars(
  slot: bigint,
  constants: readonly number[],
  seed = 1,
): Promise<MadeSidecars> {
  const commitments = constants.map(commitmentOf)
  const block = await makeBlock(slot, commitments, seed)
  return {
    block,
    commitments,
    versionedHashes: await Promise.all(commitments.map(versionedHashOf)),
    sidecars: constants.map((c, index) => ({
      index: index.toString(),
      blob: toHex(makeBlob(c).blob),
      kzg_commitment: toHex(commitments[index]!),
      kzg_proof: toHex(infinity),
      signed_block_header: block.signed,
      kzg_commitment_inclusion_proof: block.blobBranch(index),
    })),
    column: (index) => ({
      index: index.toString(),
      column: constants.map((c) => toHex(makeCell(c, index).cell as Bytes)),
      kzg_commitments: commitments.map(toHex),
      kzg_proofs: constants.map(() => toHex(infinity)),
      signed_block_header: block.signed,
      kzg_commitments_inclusion_proof: block.listBranch,
    }),
  }
}

type Rlp = Bytes | readonly Rlp[]

/** Recursive length prefix, for what a transaction has. */
export function rlp(value: Rlp): Bytes {
  if (!(value instanceof Uint8Array)) {
    const payload = concat(...value.map(rlp))
    return concat(prefix(0xc0, payload.length), payload)
  }
  const [byte] = value
  return value.length === 1 && byte! < 0x80 ? value : concat(prefix(0x80, value.length), value)
}

function prefix(base: number, length: number): Bytes {
  if (length < 56) return Uint8Array.of(base + length)
  const digits = length.toString(16)
  const bytes = fromHex(digits.length % 2 === 0 ? digits : `0${digits}`)
  return concat(Uint8Array.of(base + 55 + bytes.length), bytes)
}

export interface Parts {
  readonly versionedHashes: readonly Bytes[]
  readonly blobs: readonly Bytes[]
  readonly commitments: readonly Bytes[]
  readonly proofs: readonly Bytes[]
  /** The bytes of `wrapper_version`; null in EIP-4844, which has no such field. */
  readonly wrapper: Bytes | null
}

/** The parts of a transaction with the constants given, by the rules of EIP-4844 or of EIP-7594. */
export async function makeParts(constants: readonly number[], rules: 4844 | 7594): Promise<Parts> {
  const commitments = constants.map(commitmentOf)
  return {
    versionedHashes: await Promise.all(commitments.map(versionedHashOf)),
    blobs: constants.map((c) => makeBlob(c).blob),
    commitments,
    proofs: constants.flatMap(() => range(rules === 4844 ? 1 : 128).map(() => infinity)),
    wrapper: rules === 4844 ? null : Uint8Array.of(1),
  }
}

/** A blob transaction in network form. What KZG does not care about is as small as it may be. */
export function transactionOf(parts: Parts, data: Bytes = new Uint8Array(0)): Bytes {
  const { versionedHashes, blobs, commitments, proofs, wrapper } = parts
  const none = new Uint8Array(0)
  const one = Uint8Array.of(1)
  const to = new Uint8Array(20).fill(7)
  const body: Rlp = [one, none, one, one, one, to, none, data, [], one, versionedHashes, none, one, one]
  return concat(
    Uint8Array.of(3),
    rlp([body, ...(wrapper === null ? [] : [wrapper]), blobs, commitments, proofs]),
  )
}

/** What an RLP string or list holds; only for transactions that are known to be well formed. */
function unrlp(bytes: Bytes): Rlp {
  return read(bytes, 0)[0]
}

/** The value at a place, and where it ends. */
function read(bytes: Bytes, at: number): [value: Rlp, end: number] {
  const first = bytes[at]!
  if (first < 0x80) return [bytes.slice(at, at + 1), at + 1]
  const isList = first >= 0xc0
  const short = first - (isList ? 0xc0 : 0x80)
  const digits = Math.max(short - 55, 0)
  const length = digits === 0 ? short : Number.parseInt(toHex(bytes.subarray(at + 1, at + 1 + digits)))
  const start = at + 1 + digits
  if (!isList) return [bytes.slice(start, start + length), start + length]
  const list: Rlp[] = []
  for (let next = start; next < start + length;) {
    const [value, end] = read(bytes, next)
    list.push(value)
    next = end
  }
  return [list, start + length]
}

/** The parts of a transaction in network form, and how many bytes the body takes at its front. */
export function partsOf(transaction: Bytes): Parts & { readonly sidecarAt: number } {
  const fields = unrlp(transaction.slice(1)) as Rlp[]
  const body = fields[0] as Rlp[]
  const wrapper = fields.length === 5 ? (fields[1] as Bytes) : null
  const [blobs, commitments, proofs] = fields.slice(-3) as Bytes[][]
  const header = transaction.length - rlpLength(fields)
  return {
    versionedHashes: body[10] as Bytes[],
    blobs: blobs!,
    commitments: commitments!,
    proofs: proofs!,
    wrapper,
    sidecarAt: header + rlp(body).length,
  }
}

const rlpLength = (values: readonly Rlp[]): number =>
  values.reduce((sum, value) => sum + rlp(value).length, 0)
