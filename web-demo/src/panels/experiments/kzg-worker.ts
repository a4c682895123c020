/** What the experiments compute with the functions of the specification, which are synchronous: in a worker, which Cancel ends. */
import { errorMessage } from '../../shared/error-message.ts'
import { type Kzg, KzgInputError, loadKzg } from 'blobcheck/kzg'

export type Task =
  | {
      readonly kind: 'recover'
      /** 131,072 bytes. */
      readonly blob: Uint8Array
      /** 48 bytes. */
      readonly commitment: Uint8Array
      /** The columns that are left, ascending, and their proofs. */
      readonly kept: readonly number[]
      readonly proofs: readonly Uint8Array[]
    }
  | { readonly kind: 'time'; readonly blob: Uint8Array; readonly runs: number }

export type Told =
  /** Whether the cells that are left have true proofs. */
  | { readonly kind: 'kept'; readonly areValid: boolean }
  /** By column: whether the cell that was recovered is the original, byte for byte. */
  | { readonly kind: 'recovered'; readonly areEqual: readonly boolean[]; readonly ms: number }
  /** The cells that are left, or their proofs, are malformed, or too few to recover from. */
  | { readonly kind: 'refused'; readonly code: string }
  /** One run of `computeCells`. */
  | { readonly kind: 'timed'; readonly ms: number }
  | { readonly kind: 'failed'; readonly why: string }
  | { readonly kind: 'end' }

const tell = (told: Told): void => self.postMessage(told)

self.addEventListener('message', ({ data: task }: MessageEvent<Task>) => {
  void (async () => {
    try {
      const kzg = await loadKzg()
      if (task.kind === 'recover') recover(kzg, task)
      else time(kzg, task)
      tell({ kind: 'end' })
    } catch (error) {
      tell({ kind: 'failed', why: errorMessage(error) })
    }
  })()
})

function recover(kzg: Kzg, { blob, commitment, kept, proofs }: Task & { kind: 'recover' }): void {
  const originals = kzg.computeCells(blob)
  const cells = kept.map((column) => originals[column]!)
  const commitments = kept.map(() => commitment)
  try {
    const areValid = kzg.verifyCellKzgProofBatch(commitments, kept, cells, proofs)
    tell({ kind: 'kept', areValid })
    if (!areValid) return // nothing follows from cells that are false
    const started = performance.now()
    const recovered = kzg.recoverCells(kept, cells)
    const ms = performance.now() - started
    const areEqual = recovered.map((cell, column) => isEqual(cell, originals[column]!))
    tell({ kind: 'recovered', areEqual, ms })
  } catch (error) {
    if (!(error instanceof KzgInputError)) throw error
    tell({ kind: 'refused', code: error.code })
  }
}

function isEqual(one: Uint8Array, other: Uint8Array): boolean {
  return one.length === other.length && one.every((byte, at) => byte === other[at])
}

/** The first run is not counted: it compiles. */
function time(kzg: Kzg, { blob, runs }: Task & { kind: 'time' }): void {
  kzg.computeCells(blob)
  for (let run = 0; run < runs; run++) {
    const started = performance.now()
    kzg.computeCells(blob)
    tell({ kind: 'timed', ms: performance.now() - started })
  }
}
