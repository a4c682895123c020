/** What the prover's worker does, as plain functions; also what runs in the calling thread with `workers: 0`. */
import { transfer } from 'comlink'
import { KzgInputError } from '../../kzg/errors.ts'
import { bytesOf, indicesOf, listOf } from '../../kzg/inputs.ts'
import { holdLock } from '../../runtime/pool/lifeline.ts'
import { type Engine, engineOf } from '../engine/engine.ts'
import type { Exports } from '../engine/instance.ts'
import type { TableShape } from '../precompute.ts'
import { isGenuineTable } from '../tables/genuine.ts'
import { provide, type TableHolder, type TableOrigin } from '../tables/provide.ts'
import { openShelf, type Shelf } from '../tables/shelf.ts'
import type { Outcome, ProverApi, Question } from './protocol.ts'

export function createProverTasks(): ProverApi {
  let engine: Engine | undefined
  const own = (): Engine => engine ?? notSetUp()

  const outcome = (tables: TableShape | null, task: (exports: Exports) => Uint8Array): Outcome => {
    try {
      const value = own().run(tables, task) as Uint8Array<ArrayBuffer>
      return transfer({ value }, [value.buffer])
    } catch (error) {
      if (error instanceof KzgInputError) return { code: error.code, index: error.index }
      throw error
    }
  }

  const holder: TableHolder = {
    tableOrigin: async (tables, part) => own().tableOrigin(tables, part),
    takeTable: async (tables, part, bytes, hash) =>
      (await isGenuineTable(bytes, hash)) && own().takeTable(tables, part, bytes),
    async makeTable(tables, part, asBytes) {
      const bytes = own().makeTable(tables, part, asBytes)
      return bytes === null ? null : transfer(bytes, [bytes.buffer])
    },
  }
  /** Opened once: one that failed is not waited for again. */
  let shelf: Shelf | null | undefined

  return {
    async setUp({ kernel, module, lifeline }) {
      if (lifeline !== null) await holdLock(lifeline)
      engine = engineOf(kernel, module)
      return engine.isSound()
    },

    ping: () => {},

    halves: () => own().halves,
    give: (half, bytes) => own().give(half, bytes),

    compute: (question) => outcome(null, (exports) => answer(exports, question)),

    ...holder,
    async prepare(tables, first, end, hashes) {
      if (hashes !== null) shelf ??= openShelf()
      const kept = hashes === null || !shelf ? null : { shelf, hashes }
      const origins: TableOrigin[] = []
      for (let part = first; part < end; part++) origins.push(await provide(holder, kept, tables, part))
      return { origins, failures: shelf?.takeFailures() ?? 0 }
    },
    sums: (blob, tables, first, end) =>
      outcome(tables, (exports) => exports.computeCellSums(blob, first, end)),
    finish: (sums, half) => outcome(null, (exports) => exports.finishCellProofs(sums, half === 1)),
  }
}

function answer(exports: Exports, question: Question): Uint8Array {
  switch (question.kind) {
    case 'commitment':
      return exports.blobToKzgCommitment(bytesOf(question.blob))
    case 'proof':
      return exports.computeKzgProof(bytesOf(question.blob), bytesOf(question.z))
    case 'blob-proof':
      return exports.computeBlobKzgProof(bytesOf(question.blob), bytesOf(question.commitment))
    case 'cells':
      return exports.computeCells(bytesOf(question.blob))
    case 'recovery': {
      const indices = indicesOf(question.cellIndices, 'cell-index')
      const { bytes, lengths } = listOf(question.cells)
      return exports.recoverCells(indices, bytes, lengths)
    }
  }
}

function notSetUp(): never {
  throw new Error('the worker has not been set up')
}
