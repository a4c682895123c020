/** A chain of one block, which is real: sidecars as a beacon node gave them, and the columns that follow from their blobs. */
import { decodeHex } from '../../util/hex.ts'
import { notify } from '../../util/notify.ts'
import type { Chain, LabelledNetwork } from '../chain.ts'
import type { ProvenBlob } from '../data/proven-blob.ts'
import { openProver } from '../data/provers.ts'
import { parseSidecars, type SidecarJson } from './parse.ts'
import { holeskyAsIfFulu } from './networks.ts'
import { RealBlock } from './real-block.ts'

export interface RealChainOptions {
  /** JSON text of an answer to `/eth/v1/beacon/blob_sidecars/{block_id}` with all of a block's sidecars. */
  readonly sidecars: string
  /** Whose block it is taken for; default `holeskyAsIfFulu`. Before Fulu there are no columns, and nothing is computed. */
  readonly network?: LabelledNetwork
  /** How many blobs' cells are proved. */
  readonly onProgress?: (progress: { readonly done: number; readonly total: number }) => void
  readonly signal?: AbortSignal
}

/** Proves cells in worker threads where there are any. Throws `TypeError` for what are no sidecars, and the signal's reason. */
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
  signal: AbortSignal | undefined,
): Promise<ProvenBlob[]> {
  const prover = await openProver(signal)
  const blobs: ProvenBlob[] = []
  try {
    for (const sidecar of sidecars) {
      notify(onProgress, { done: blobs.length, total: sidecars.length }, signal)
      blobs.push(provenBlob(sidecar, await prover.proveCells(sidecar.blob)))
    }
    notify(onProgress, { done: blobs.length, total: sidecars.length }, signal)
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
