/** What the prover's worker does, as plain functions; also what runs in the calling thread with `workers: 0`. */
import { transfer } from '../../vendor/comlink.ts'
import { type Field, KzgInputError } from '../../kzg/input-error.ts'
import { decodeField } from '../../kzg/inputs.ts'
import { holdLock } from '../../runtime/pool/hold-lock.ts'
import { pack } from '../../util/packed.ts'
import type { Bytes } from '../../util/hex.ts'
import {
  isGenuineTable,
  openTableCache,
  type TableCache,
  provide,
  type TableHolder,
  type TableOrigin,
} from '../tables/cache.ts'
import type { TableShape } from '../options.ts'
import { type Exports, instantiateProver, type ProverInstance } from './module.ts'
import type { ProofOutcome, ProverApi, Question } from './protocol.ts'

/** The tasks of one thread. */
export function createProverTasks(): ProverApi {
  let made: ProverInstance | undefined
  const instance = (): ProverInstance => made ?? notSetUp()

  const outcome = (tables: TableShape | null, task: (exports: Exports) => Uint8Array): ProofOutcome => {
    try {
      const value = instance().run(tables, task) as Uint8Array<ArrayBuffer>
      return transfer({ value }, [value.buffer])
    } catch (error) {
      if (error instanceof KzgInputError) return { code: error.code, index: error.index, field: error.field }
      throw error
    }
  }

  const holder: TableHolder = {
    tableOrigin: async (tables, part) => instance().tableOrigin(tables, part),
    takeTable: async (tables, part, bytes, hash) =>
      (await isGenuineTable(bytes, hash)) && instance().takeTable(tables, part, bytes),
    async makeTable(tables, part, asBytes) {
      const bytes = instance().makeTable(tables, part, asBytes)
      return bytes === null ? null : transfer(bytes, [bytes.buffer])
    },
  }
  /** Opened once: one that failed is not waited for again. */
  let cache: TableCache | null | undefined

  return {
    async setUp({ kernel, module }) {
      made = instantiateProver(kernel, module)
      return made.isSound()
    },

    hold: holdLock,

    ping: () => 'blobcheck/prover',

    halves: () => instance().halves,
    give: (half, bytes) => instance().give(half, bytes),
    dropTables: () => instance().dropTables(),

    compute: (question, tables) =>
      outcome(instance().tables ?? tables, (exports) => answer(exports, question)),

    ...holder,
    async prepare(tables, first, end, hashes) {
      if (hashes !== null) cache ??= openTableCache()
      const kept = hashes === null || !cache ? null : { cache, hashes }
      const origins: TableOrigin[] = []
      for (let part = first; part < end; part++) origins.push(await provide(holder, kept, tables, part))
      return { origins, failures: cache?.takeFailures() ?? [] }
    },
    sums: (blob, tables, first, end) =>
      outcome(tables, (exports) => exports.computeCellSums(blob, first, end)),
    finish: (sums, half) => outcome(null, (exports) => exports.finishCellProofs(sums, half === 1)),
  }
}

/** A field as the calling thread has bounded it; that thread puts into words what is wrong with it. */
function readBounded(field: Field, value: Bytes): Uint8Array {
  const bytes = decodeField(field, value)
  if (bytes === null) throw new KzgInputError('bad-hex', 0, field)
  return bytes
}

function answer(exports: Exports, question: Question): Uint8Array {
  switch (question.kind) {
    case 'commitment':
      return exports.blobToKzgCommitment(readBounded('blob', question.blob))
    case 'proof':
      return exports.computeKzgProof(readBounded('blob', question.blob), readBounded('z', question.z))
    case 'blob-proof':
      return exports.computeBlobKzgProof(
        readBounded('blob', question.blob),
        readBounded('commitment', question.commitment),
      )
    case 'cells':
      return exports.computeCells(readBounded('blob', question.blob))
    case 'recovery': {
      const { bytes, lengths } = pack(question.cells)
      return exports.recoverCells(question.cellIndices, bytes, lengths)
    }
  }
}

function notSetUp(): never {
  throw new Error('the worker has not been set up')
}
