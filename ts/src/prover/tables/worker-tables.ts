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
  /** For each of the 16 parts, where the one in the worker that has it comes from. All are absent once the tables were given up, for want of memory. */
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
  readonly #shape: TableShape
  #areGivenUp = false
  readonly #keep: Keep
  /** For a store that was given: it cannot be sent to a worker. */
  readonly #cache: TableCache | null
  readonly #onWarning: WarningListener | undefined
  readonly #parts: TableOrigin[] = Array.from({ length: TABLE_PARTS }, () => 'absent')
  /** The worker that has a part, or was to have it. */
  readonly #holders: (Remote<ProverApi> | undefined)[] = this.#parts.map(() => undefined)
  /** How many workers that had parts, or were to have them, have crashed since all parts were there. */
  #crashes = 0
  #failures = 0
  #hashes: Promise<string | null> | undefined

  constructor(shape: TableShape, keep: Keep, onWarning: WarningListener | undefined) {
    this.#shape = shape
    this.#keep = keep
    this.#onWarning = onWarning
    this.#cache = typeof keep === 'object' ? openTableCache(keep) : null
  }

  get report(): TablesReport {
    return { parts: [...this.#parts], failures: this.#failures }
  }

  /** What is to be computed with; null once they were given up. */
  get shape(): TableShape | null {
    return this.#areGivenUp ? null : this.#shape
  }

  /** Sees to it that a worker has the parts from `first` to before `end`, or none where they were given up. */
  async supply(api: Remote<ProverApi>, first: number, end: number): Promise<void> {
    const hashes = await this.#pinned()
    const { shape } = this
    const cache = this.#cache
    if (shape === null) return await api.dropTables()
    if (!this.#parts.includes('absent')) this.#crashes = 0
    this.#holders.fill(api, first, end)
    if (cache === null || hashes === null) {
      // IndexedDB is read and written in the worker itself.
      const { origins, failures } = await api.prepare(shape, first, end, hashes)
      origins.forEach((origin, at) => this.#note(api, first + at, origin))
      this.#count(failures)
      return
    }
    for (let part = first; part < end; part++) {
      this.#note(api, part, await provide(holderOf(api), { cache, hashes }, shape, part))
      this.#count(cache.takeFailures())
    }
  }

  /**
   * Notes that a worker crashed: its parts are gone. With the second one before all parts were there, tables are given up: there is no room for
   * them, most likely, and each further call would work parts out, crash, and work them out again.
   */
  lose(api: Remote<ProverApi>): void {
    if (!this.#holders.includes(api)) return
    this.#holders.forEach((holder, part) => {
      if (holder !== api) return
      this.#holders[part] = undefined
      this.#parts[part] = 'absent'
    })
    this.#crashes++
    if (this.#crashes < 2) return
    this.#areGivenUp = true
    this.#parts.fill('absent')
    this.#holders.fill(undefined)
    warn(this.#onWarning, { code: 'no-tables', message: GIVEN_UP })
  }

  /** Notes where a part comes from, unless the worker has lost it by now. */
  #note(api: Remote<ProverApi>, part: number, origin: TableOrigin): void {
    if (this.#holders[part] === api) this.#parts[part] = origin
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
      return PINNED[`${this.#shape.rows}x${this.#shape.width}`] ?? null
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

const GIVEN_UP =
  'a prover crashed twice over its tables, most likely for want of memory: it proves without them from now on. Give precompute a smaller shape'

function holderOf(api: Remote<ProverApi>): TableHolder {
  return {
    tableOrigin: (tables, part) => api.tableOrigin(tables, part),
    takeTable: (tables, part, bytes, hash) =>
      api.takeTable(tables, part, transfer(bytes, [bytes.buffer]), hash),
    makeTable: (tables, part, asBytes) => api.makeTable(tables, part, asBytes),
  }
}
