/** The tables of a prover that computes off the calling thread: which worker gets which part, and what it came from. */
import { transfer, type Remote } from '../../vendor/comlink.ts'
import { messageOf } from '../../runtime/errors.ts'
import { type WarningListener, warn } from '../../runtime/warning.ts'
import type { ProverApi } from '../worker/protocol.ts'
import {
  openTableCache,
  provide,
  TABLE_PARTS,
  type TableCache,
  type TableHolder,
  type TableOrigin,
} from './cache.ts'
import type { Keep, TableShape } from '../options.ts'

/** Where a prover's tables come from, as far as it has them by now: `tables` of an `AsyncProver`. */
export interface TablesReport {
  /** For each of the 16 parts, where the one in the worker that has it comes from. */
  readonly parts: readonly TableOrigin[]
  /** How often the store in which they are kept failed; `onWarning` has the cause of the first time. Proofs do not depend on it. */
  readonly failures: number
}

/**
 * The tables of a prover in its workers.
 *
 * @internal
 */
export class WorkerTables {
  readonly shape: TableShape
  readonly #keep: Keep
  /** For a store that was given: it cannot be sent to a worker. */
  readonly #cache: TableCache | null
  readonly #onWarning: WarningListener | undefined
  readonly #parts: TableOrigin[] = Array.from({ length: TABLE_PARTS }, () => 'absent')
  #failures = 0
  #hashes: Promise<string | null> | undefined

  constructor(shape: TableShape, keep: Keep, onWarning: WarningListener | undefined) {
    this.shape = shape
    this.#keep = keep
    this.#onWarning = onWarning
    this.#cache = typeof keep === 'object' ? openTableCache(keep) : null
  }

  get report(): TablesReport {
    return { parts: [...this.#parts], failures: this.#failures }
  }

  /** Sees to it that a worker has the parts from `first` to before `end`. */
  async supply(api: Remote<ProverApi>, first: number, end: number): Promise<void> {
    const hashes = await this.#pinned()
    const cache = this.#cache
    if (cache === null || hashes === null) {
      // IndexedDB is read and written in the worker itself.
      const { origins, failures } = await api.prepare(this.shape, first, end, hashes)
      origins.forEach((origin, at) => (this.#parts[first + at] = origin))
      this.#count(failures)
      return
    }
    for (let part = first; part < end; part++) {
      this.#parts[part] = await provide(holderOf(api), { cache, hashes }, this.shape, part)
      this.#count(cache.takeFailures())
    }
  }

  /** Counts failures of the store by what they said, and tells of the first one. */
  #count(failures: readonly string[]): void {
    if (this.#failures === 0 && failures.length > 0)
      this.#warn(
        `the store of the prover’s tables failed: ${failures[0]}; what it does not keep is worked out in each session. Give keep another store, or false`,
      )
    this.#failures += failures.length
  }

  #warn(message: string): void {
    warn(this.#onWarning, { code: 'tables-not-kept', message })
  }

  /** What kept parts must hash to; null where none are kept, or where this is not to be had. */
  #pinned(): Promise<string | null> {
    const load = async (): Promise<string | null> => {
      if (this.#keep === false || (this.#keep !== true && this.#cache === null)) return null
      // Loaded by those alone who keep tables.
      const { PINNED } = await import('./pinned.ts')
      return PINNED[`${this.shape.rows}x${this.shape.width}`] ?? null
    }
    this.#hashes ??= load().catch((error: unknown) => {
      this.#warn(
        `what kept tables are checked against could not be loaded: ${messageOf(error)}; they are worked out in each session`,
      )
      return null
    })
    return this.#hashes
  }
}

function holderOf(api: Remote<ProverApi>): TableHolder {
  return {
    tableOrigin: (tables, part) => api.tableOrigin(tables, part),
    takeTable: (tables, part, bytes, hash) =>
      api.takeTable(tables, part, transfer(bytes, [bytes.buffer]), hash),
    makeTable: (tables, part, asBytes) => api.makeTable(tables, part, asBytes),
  }
}
