/** A chain of one block, which is real: sidecars as a beacon node gave them, and the columns that follow from their blobs. */
import { decodeHex } from '../util/hex.ts'
import { notify } from '../util/notify.ts'
import type { Chain, ChainBlock, ConsensusVersion, ChainProgress, LabelledNetwork } from './chain.ts'
import { holeskyAsIfFulu } from './networks.ts'
import { columnOf, openProver, type ProvenBlob } from './sidecars.ts'
import { BeaconBlockHeader, type SignedBeaconBlockHeader } from './ssz/block.ts'
import { hexOf } from './ssz/types.ts'
import type { BlobSidecar, DataColumnSidecar } from './ssz/sidecars.ts'
import type { PlatformSignal } from '../util/platform-types.ts'

/** Options of `realChain`. */
export interface RealChainOptions {
  /** JSON text of an answer to `/eth/v1/beacon/blob_sidecars/{block_id}` with all of a block's sidecars. */
  readonly sidecars: string
  /**
   * The network whose block it is taken for; default `holeskyAsIfFulu`. Where its schedule puts the slot before Fulu, the block has no
   * columns, and nothing is computed.
   */
  readonly network?: LabelledNetwork
  /** Called as the cells of blobs are proved, with how many blobs are done, and how many there are. */
  readonly onProgress?: (progress: ChainProgress) => void
  /** Ends the computation; the promise then rejects with the signal’s reason. */
  readonly signal?: PlatformSignal
}

/**
 * Makes a chain of one real block out of its blob sidecars. From Fulu on (by the network) the 128 columns are computed from the
 * blobs, in worker threads where there are any. Rejects with `TypeError` for text that is not all the sidecars of one block, and
 * with the signal's reason.
 *
 * @example
 * ```ts
 * import { realChain } from 'blobcheck/serve'
 * import { readEmbeddedSidecars, serveBeacon } from 'blobcheck/serve/node'
 *
 * const chain = await realChain({ sidecars: await readEmbeddedSidecars() })
 * const server = await serveBeacon({ chain })
 * ```
 */
export async function realChain(options: RealChainOptions): Promise<Chain> {
  const { network = holeskyAsIfFulu, onProgress, signal } = options
  const sidecars = parseSidecars(options.sidecars)
  const slot = Number(sidecars[0]!.signed_block_header.message.slot)
  const epoch = Math.floor(slot / (network.slotsPerEpoch ?? 32))
  const isFulu = epoch >= network.forkEpochs.fulu
  const blobs = isFulu
    ? await prove(sidecars, onProgress, signal)
    : sidecars.map((one) => provenBlob(one, none))
  const version = isFulu ? 'fulu' : epoch >= network.forkEpochs.electra ? 'electra' : 'deneb'
  const block = new RealBlock(sidecars, blobs, version)
  const startMs = (network.genesisTime + slot * (network.secondsPerSlot ?? 12)) * 1000
  return {
    network,
    checkpoint: block.root,
    now: () => startMs + 500,
    head: block,
    finalized: block,
    at: (asked) => (asked === slot ? block : null),
    byRoot: (root) => (root === block.root ? block : null),
    lightClient: null,
    subscribe: () => () => {},
  }
}

interface Cells {
  readonly cells: readonly Uint8Array[]
  readonly proofs: readonly Uint8Array[]
}

const none: Cells = { cells: [], proofs: [] }

async function prove(
  sidecars: readonly SidecarJson[],
  onProgress: RealChainOptions['onProgress'],
  signal: PlatformSignal | undefined,
): Promise<ProvenBlob[]> {
  const prover = await openProver(signal)
  const blobs: ProvenBlob[] = []
  try {
    for (const sidecar of sidecars) {
      notify(onProgress, { stage: 'prove', done: blobs.length, total: sidecars.length }, signal)
      blobs.push(provenBlob(sidecar, await prover.proveCells(sidecar.blob)))
    }
    notify(onProgress, { stage: 'prove', done: blobs.length, total: sidecars.length }, signal)
    return blobs
  } finally {
    await prover.dispose()
  }
}

function provenBlob(sidecar: SidecarJson, { cells, proofs }: Cells): ProvenBlob {
  const [blob, commitment, proof] = [sidecar.blob, sidecar.kzg_commitment, sidecar.kzg_proof].map((hex) =>
    decodeHex(hex)!,
  ) as [Uint8Array, Uint8Array, Uint8Array]
  return { blob, commitment, cells, cellProofs: proofs, proof: () => Promise.resolve(proof) }
}

/** What is left of a commitment's branch above the list: its own siblings (12) and the list's length (1) are below. */
const LIST_LEVELS = 13

class RealBlock implements ChainBlock {
  readonly slot: number
  readonly root: string
  readonly version: ConsensusVersion
  readonly block = null
  readonly header: SignedBeaconBlockHeader
  readonly blobs: readonly ProvenBlob[]
  readonly #branches: readonly (readonly Uint8Array[])[]

  constructor(sidecars: readonly SidecarJson[], blobs: readonly ProvenBlob[], version: ConsensusVersion) {
    const { message, signature } = sidecars[0]!.signed_block_header
    this.slot = Number(message.slot)
    this.version = version
    this.header = {
      message: {
        slot: this.slot,
        proposer_index: Number(message.proposer_index),
        parent_root: bytesOf(message.parent_root),
        state_root: bytesOf(message.state_root),
        body_root: bytesOf(message.body_root),
      },
      signature: bytesOf(signature),
    }
    this.root = hexOf(BeaconBlockHeader.root(this.header.message))
    this.blobs = blobs
    this.#branches = sidecars.map((one) => one.kzg_commitment_inclusion_proof.map(bytesOf))
  }

  async blobSidecar(index: number): Promise<BlobSidecar> {
    const { blob, commitment, proof } = this.blobs[index]!
    return {
      index,
      blob,
      kzg_commitment: commitment,
      kzg_proof: await proof(),
      signed_block_header: this.header,
      kzg_commitment_inclusion_proof: this.#branches[index]!,
    }
  }

  column(index: number): DataColumnSidecar {
    const commitmentsBranch = this.#branches[0]!.slice(LIST_LEVELS)
    return columnOf({ header: this.header, blobs: this.blobs, commitmentsBranch }, index)
  }
}

/** Of hex that was read before. */
const bytesOf = (hex: string): Uint8Array => decodeHex(hex) ?? new Uint8Array(0)

/** A blob sidecar in the JSON of the Beacon API. */
interface SidecarJson {
  readonly index: string
  readonly blob: string
  readonly kzg_commitment: string
  readonly kzg_proof: string
  readonly signed_block_header: {
    readonly message: {
      readonly slot: string
      readonly proposer_index: string
      readonly parent_root: string
      readonly state_root: string
      readonly body_root: string
    }
    readonly signature: string
  }
  readonly kzg_commitment_inclusion_proof: readonly string[]
}

/** Reads all sidecars of one block, in order, strictly enough that what follows need not look again. Throws `TypeError` for anything else. */
function parseSidecars(text: string): SidecarJson[] {
  const refuse = (): never => {
    throw new TypeError('not the sidecars of one block, as a beacon node answers them')
  }
  let data: unknown
  try {
    data = (JSON.parse(text) as { data?: unknown } | null)?.data
  } catch {
    refuse()
  }
  if (!Array.isArray(data) || data.length === 0 || !data.every(isSidecar)) return refuse()
  const header = JSON.stringify(data[0]!.signed_block_header)
  const isWhole = data.every(
    (one, at) => one.index === at.toString() && JSON.stringify(one.signed_block_header) === header,
  )
  return isWhole ? data : refuse()
}

function isSidecar(value: unknown): value is SidecarJson {
  const { blob, kzg_commitment, kzg_proof, signed_block_header, kzg_commitment_inclusion_proof } = (value ??
    {}) as Partial<SidecarJson>
  const { message, signature } = signed_block_header ?? {}
  const branch = kzg_commitment_inclusion_proof
  return (
    isHex(blob, 131_072) &&
    isHex(kzg_commitment, 48) &&
    isHex(kzg_proof, 48) &&
    isHex(signature, 96) &&
    [message?.parent_root, message?.state_root, message?.body_root].every((root) => isHex(root, 32)) &&
    [message?.slot, message?.proposer_index].every((number) => /^\d{1,15}$/.test(String(number))) &&
    Array.isArray(branch) &&
    branch.length === 17 &&
    branch.every((node) => isHex(node, 32))
  )
}

function isHex(value: unknown, length: number): boolean {
  return typeof value === 'string' && decodeHex(value)?.length === length
}
