/**
 * Blob sidecars, made here out of verified parts: the proof is computed again (nodes have stubs in its place since Fulu), the branch is taken
 * out of the block, which was held against its header. Source: specs/deneb/p2p-interface.md.
 */
import { COMMITMENTS_BRANCH_DEPTH, POINT_BYTES } from '../beacon/ssz/layout.ts'
import { createProver } from '../prover/async-prover.ts'
import { chunksOf, depthOf, lengthChunk, levelsOf, merkleize, siblings } from '../serve/ssz/merkle.ts'
import { decodeHex, encodeHex } from '../util/hex.ts'
import { Once } from '../util/once.ts'
import type { BlockBlob } from './blobs/block-blobs.ts'
import type { Blocks } from './block/blocks.ts'
import { fieldOf, fieldRoots } from './block/ssz-value.ts'
import type { WholeBlock } from '../beacon/block/whole-block.ts'
import { BoundedMap } from '../util/bounded-map.ts'
import type { KnownHeader } from './headers/known-header.ts'
import { SharedTasks } from '../util/shared-tasks.ts'

/** floorlog2 of MAX_BLOB_COMMITMENTS_PER_BLOCK. */
const LIST_DEPTH = 12
/** Proofs that are remembered, by versioned hash. */
const MAX_PROOFS = 65_536
const MAX_BRANCHES = 4_096
/** Threads that compute proofs, 80 ms each. */
const WORKERS = 2

/** What a blob has in its sidecar beside itself and its header. */
export interface SidecarParts {
  /** 48 bytes: `compute_blob_kzg_proof`. */
  readonly proof: Uint8Array
  /** 17 nodes of 32 bytes. */
  readonly branch: readonly Uint8Array[]
}

/** Makes the parts of sidecars. */
export class Sidecars {
  readonly #blocks: Blocks
  readonly #proofs = new BoundedMap<string, Uint8Array>(MAX_PROOFS)
  readonly #branches = new BoundedMap<string, ListBranch>(MAX_BRANCHES)
  readonly #tasks = new SharedTasks<Uint8Array>()
  readonly #prover = new Once(() => createProver({ workers: WORKERS }))

  constructor(blocks: Blocks) {
    this.#blocks = blocks
  }

  /**
   * The parts of the sidecars of blobs of a block of before Gloas, in the order of the blobs. Rejects with `BeaconUnavailableError` where no
   * endpoint gives the block, and with the signal's reason.
   */
  async of(
    header: KnownHeader,
    blobs: readonly BlockBlob[],
    signal: AbortSignal | undefined,
  ): Promise<SidecarParts[]> {
    if (blobs.length === 0) return []
    const [list, proofs] = await Promise.all([
      this.#branchOf(header, signal),
      Promise.all(blobs.map(async (blob) => await this.#proofOf(blob, signal))),
    ])
    return blobs.map(({ index }, at) => ({ proof: proofs[at]!, branch: branchOf(list, index) }))
  }

  async dispose(): Promise<void> {
    const prover = await this.#prover.begun?.catch(() => undefined)
    await prover?.dispose()
  }

  async #branchOf(header: KnownHeader, signal: AbortSignal | undefined): Promise<ListBranch> {
    const known = this.#branches.get(header.root)
    if (known !== undefined) return known
    const branch = listBranch(await this.#blocks.get(header.root, signal))
    this.#branches.set(header.root, branch)
    return branch
  }

  async #proofOf(
    { blob, commitment, versionedHash }: BlockBlob,
    signal: AbortSignal | undefined,
  ): Promise<Uint8Array> {
    const known = this.#proofs.get(versionedHash)
    if (known !== undefined) return known
    const proof = await this.#tasks.run(
      versionedHash,
      async (either) => {
        const prover = await this.#prover.get()
        return await prover.computeBlobKzgProof(blob, commitment, { signal: either })
      },
      signal,
    )
    this.#proofs.set(versionedHash, proof)
    return proof
  }
}

/** What the branches of all commitments of a block share. */
interface ListBranch {
  /** The levels of the tree over the commitments. */
  readonly levels: readonly (readonly Uint8Array[])[]
  readonly length: number
  /** The 4 nodes between the list's root and the body's. */
  readonly above: readonly Uint8Array[]
}

function branchOf({ levels, length, above }: ListBranch, index: number): Uint8Array[] {
  return [...siblings(levels, index), lengthChunk(length), ...above]
}

function listBranch({ type, message, header }: WholeBlock): ListBranch {
  const body = fieldOf(type, message, 'body')
  const fields = fieldRoots(body.type, body.bytes)
  const depth = depthOf(fields.length)
  const levels = levelsOf(
    fields.map(([, root]) => root),
    depth,
  )
  // The header's own root has the body's in it. What does not lead there is no branch.
  if (
    depth !== COMMITMENTS_BRANCH_DEPTH ||
    encodeHex(levels[depth]![0]!) !== encodeHex(header.subarray(80, 112))
  )
    throw new Error('the roots of a body’s fields do not make its root')
  const { bytes } = fieldOf(body.type, body.bytes, 'blob_kzg_commitments')
  const leaves = Array.from({ length: bytes.length / POINT_BYTES }, (_, at) =>
    merkleize(chunksOf(bytes.subarray(at * POINT_BYTES, (at + 1) * POINT_BYTES)), 1),
  )
  const at = fields.findIndex(([name]) => name === 'blob_kzg_commitments')
  return { levels: levelsOf(leaves, LIST_DEPTH), length: leaves.length, above: siblings(levels, at) }
}

/**
 * In the place of a proposer's signature, which is the one part of an answer that cannot be verified: the key would be one of the state's
 * list of validators. Zeros are no point of the curve, so that nobody takes them for one.
 */
export const NO_SIGNATURE: Uint8Array = new Uint8Array(96)
export const NO_SIGNATURE_HEX: string = `0x${encodeHex(NO_SIGNATURE)}`

/** 48 bytes. */
export const pointOf = (hex: string): Uint8Array => decodeHex(hex)!
