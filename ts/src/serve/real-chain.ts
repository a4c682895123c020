/** A chain of one block, which is real: sidecars as a beacon node gave them, and the columns that follow from their blobs. */
import { notify } from '../util/notify.ts'
import type { Chain, ChainBlock, ConsensusVersion, ChainProgress, LabelledNetwork } from './chain.ts'
import { holeskyAsIfFulu } from './networks.ts'
import { columnOf, openProver, type ProvenBlob } from './sidecars.ts'
import { readSidecars } from './sidecars-json.ts'
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
  readonly onProgress?: ((progress: ChainProgress) => void) | undefined
  /** Ends the computation; the promise then rejects with the signal’s reason. */
  readonly signal?: PlatformSignal | undefined
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
  signal?.throwIfAborted()
  const sidecars = readSidecars(options.sidecars)
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
  sidecars: readonly BlobSidecar[],
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

function provenBlob(sidecar: BlobSidecar, { cells, proofs }: Cells): ProvenBlob {
  const { blob, kzg_commitment: commitment, kzg_proof: proof } = sidecar
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
  readonly #sidecars: readonly BlobSidecar[]

  constructor(sidecars: readonly BlobSidecar[], blobs: readonly ProvenBlob[], version: ConsensusVersion) {
    this.header = sidecars[0]!.signed_block_header
    this.slot = Number(this.header.message.slot)
    this.version = version
    this.root = hexOf(BeaconBlockHeader.root(this.header.message))
    this.blobs = blobs
    this.#sidecars = sidecars
  }

  blobSidecar(index: number): Promise<BlobSidecar> {
    return Promise.resolve(this.#sidecars[index]!)
  }

  column(index: number): DataColumnSidecar {
    const commitmentsBranch = this.#sidecars[0]!.kzg_commitment_inclusion_proof.slice(LIST_LEVELS)
    return columnOf({ header: this.header, blobs: this.blobs, commitmentsBranch }, index)
  }
}
