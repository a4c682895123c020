/** Whoever proves: worker threads where they can be started, and this thread in a service worker, which can start none. */
import { createProver } from '../../prover/create.ts'
import { loadProver } from '../../prover/load.ts'
import type { Prover } from '../../prover/prover.ts'
import type { CellsAndKzgProofs } from '../../prover/results.ts'

/** The part of a prover that chains need. */
export interface BlobProver {
  commit(blob: Uint8Array | string): Promise<Uint8Array>
  proveCells(blob: Uint8Array | string): Promise<CellsAndKzgProofs>
  dispose(): Promise<void>
}

/** Starts one; its calls reject with the signal's reason. */
export async function openProver(signal: AbortSignal | undefined): Promise<BlobProver> {
  if ('ServiceWorkerGlobalScope' in globalThis) {
    const prover = await loadProver()
    return {
      commit: async (blob) => prover.blobToKzgCommitment(blob),
      proveCells: async (blob) => prover.computeCellsAndKzgProofs(blob),
      dispose: async () => {},
    }
  }
  const prover = await createProver()
  const options = signal === undefined ? {} : { signal }
  return {
    commit: async (blob) => await prover.blobToKzgCommitment(blob, options),
    proveCells: async (blob) => await prover.computeCellsAndKzgProofs(blob, options),
    dispose: async () => await prover.dispose(),
  }
}

let shared: Promise<Prover> | undefined

/** A prover of blobs in this thread, loaded when it is wanted first: it proves one at a time, 80 ms each. */
export async function sharedProver(): Promise<Prover> {
  shared ??= loadProver({ proofs: 'blobs' })
  return await shared
}
