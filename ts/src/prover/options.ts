/**
 * The options of provers, and how they are read. The largest of them is how much memory is given for speed: proofs of cells are sums of
 * multiples of 8,192 fixed points; a table holds such multiples, so that they need not be worked out for each blob. A prover with tables
 * makes one more, of 4 or 5 MB, when it has made 16 commitments and proofs of blobs. (`loadProver` does so once it has proved cells.)
 */
import type { KernelName } from '../runtime/kernel/kernel.ts'
import type { WasmSources } from '../runtime/kernel/module.ts'
import type { Warning } from '../runtime/warning.ts'
import { refuseNonListener } from '../util/notify.ts'
import { optionsOf, reading, refuseUnknown } from '../util/options.ts'
import { refuseNonSignal } from '../util/signals.ts'
import type { SetupSources } from './setup.ts'
import type { StageProgress } from '../util/progress.ts'
import type { PlatformSignal, PlatformUrl } from '../util/platform-types.ts'

/**
 * A store of byte strings by key; `FileStorage` of `blobcheck/light-client` is one. It may forget at any time, and what it
 * returns is not believed: its hash is pinned in the package.
 */
export interface TableStore {
  /** The value that was set under a key, or null where there is none. */
  get(key: string): Promise<Uint8Array | null>
  /** Replaces the value under a key in one step: a reader sees all of the old one or all of the new one. */
  set(key: string, value: Uint8Array): Promise<void>
}

/** Where tables are kept from one session to the next: in IndexedDB where there is one (`true`), in a store of the caller's, or nowhere. */
export type Keep = boolean | TableStore

/**
 * The shape of the tables that make proofs of cells faster: `rows` · 2^(`width` − 2) multiples of each of 8,192 points, 96 bytes each, a
 * gigabyte at most. `tableBytes` says how much memory a shape takes; docs/prover.md has its effect. With any shape, commitments and proofs
 * of blobs have a table of their own from the 17th on.
 */
export interface TableShape {
  /** From 1 to 129. With more rows there are fewer doublings for each blob. */
  readonly rows: number
  /** From 2 to 12. A wider table has fewer terms to add up for each blob. */
  readonly width: number
}

/** Tables that are kept from one session to the next. Those of other shapes cannot be, since their hashes are not pinned in the package. */
export interface KeptTables extends TableShape {
  readonly rows: 1 | 2 | 4 | 8
  readonly width: 4 | 5 | 6 | 7 | 8
  /**
   * Where the tables are kept: with `true` in IndexedDB, and nowhere where there is none, as in Node.js; else in the store that is given. The tables of one shape take
   * the place of another's.
   */
  readonly keep: true | TableStore
}

/** The option `precompute` of `loadProver`: the shape of the tables, or `none`, where the multiples are worked out for each blob. */
export type Precompute = 'none' | TableShape

/**
 * The option `precompute` of `createProver`: `none`, the shape of tables that last as long as the prover, or of tables that are kept from
 * one session to the next.
 */
export type LastingPrecompute = 'none' | (TableShape & { readonly keep?: false }) | KeptTables

/** The options that `loadProver` and `createProver` have in common. */
export interface ProverOptions {
  /**
   * Which variant of the WebAssembly module computes. Default `auto`: the fastest that is sound in this engine. One that is asked for by
   * name and is not sound here is a `WasmUnavailableError`.
   */
  readonly kernel?: 'auto' | KernelName
  /** The prover's WebAssembly modules, where they cannot be fetched from beside the package's own files. */
  readonly wasm?: WasmSources
  /** The halves of the setup, where they cannot be fetched from beside the package's own files. */
  readonly setup?: SetupSources
  /** Called where a prover works, though not as it could; default: the console is told, once. What it throws is ignored. */
  readonly onWarning?: (warning: Warning) => void
}

/** The options of `loadProver`. */
export interface LoadProverOptions extends ProverOptions {
  /** Tables that make proofs of cells faster; default none. They are worked out when they are wanted first. */
  readonly precompute?: Precompute
  /**
   * What is to be proved. `blobs` loads half of the setup: commitments and proofs of blobs, cells without proofs; proofs of
   * cells throw. Default `cells`: everything.
   */
  readonly proofs?: 'blobs' | 'cells'
}

/** The options of `createProver`. */
export interface CreateProverOptions extends ProverOptions {
  /**
   * Tables that make proofs of cells faster; default none. They are worked out when they are wanted first, or read back, where
   * `keep` says that they outlive the session.
   */
  readonly precompute?: LastingPrecompute
  /**
   * How many worker threads to start, from 0 to 256. Default `auto`: one for each core, up to eight, and none where none can be started.
   * With 0 everything runs in the calling thread, which is let go between steps.
   */
  readonly workers?: 'auto' | number
  /**
   * The address of the worker script (`blobcheck/prover/worker`), where a bundler does not follow `new URL(…, import.meta.url)`. Text is
   * relative to the page.
   */
  readonly workerUrl?: PlatformUrl | string
}

/**
 * How far a call has come, in steps of about the same length: what `onProgress` is called with. The stage is `prove` where proofs are
 * computed, and `prepare` in the call of that name.
 */
export type ProverProgress = StageProgress<'prove' | 'prepare'>

/** The options of one call of an `AsyncProver`. */
export interface ProverCallOptions {
  /** Ends the call, which rejects with the signal's reason at once; no more work is begun for it. */
  readonly signal?: PlatformSignal | undefined
  /** Called for each step of calls that have several: proofs of cells (18 steps), and `prepare`. What it throws or rejects with is ignored. */
  readonly onProgress?: ((progress: ProverProgress) => void) | undefined
}

/** The options of one call, read. */
export interface ReadCallOptions {
  readonly signal: PlatformSignal | undefined
  readonly onProgress: ((progress: ProverProgress) => void) | undefined
}

/** Reads a call's options, each property once. Throws `TypeError` where they make no sense. */
export function readCallOptions(options: ProverCallOptions = {}): ReadCallOptions {
  return reading(() => {
    const { signal, onProgress, ...unknown } = optionsOf(options)
    refuseUnknown(unknown)
    refuseNonSignal(signal)
    refuseNonListener(onProgress, 'onProgress')
    return { signal, onProgress }
  })
}

const POINTS = 8192
const BYTES_PER_POINT = 96
/** What the module takes, too (`crates/wasm-prover/src/setup.rs`). */
const MAX_BYTES = 1e9

/**
 * How many bytes of memory the tables of a shape take. With several workers, each holds its share.
 *
 * @example
 * ```ts
 * import { tableBytes } from 'blobcheck/prover'
 *
 * console.log(tableBytes({ rows: 1, width: 6 })) // 12582912
 * ```
 */
export function tableBytes({ rows, width }: TableShape): number {
  return POINTS * BYTES_PER_POINT * rows * 2 ** (width - 2)
}

/** The option `precompute`, read. */
export interface Tables {
  readonly shape: TableShape
  readonly keep: Keep
}

/** Reads the option `precompute`, each property once; null for no tables. Throws `TypeError` where it makes no sense. */
export function readPrecompute(precompute: unknown): Tables | null {
  if (precompute === undefined || precompute === 'none') return null
  if (typeof precompute !== 'object' || precompute === null)
    throw new TypeError("precompute must be 'none' or { rows, width }")
  const {
    rows,
    width,
    keep = false,
    ...unknown
  } = precompute as { rows: unknown; width: unknown; keep?: unknown }
  refuseUnknown(unknown, 'precompute')
  if (!isBetween(rows, 1, 129) || !isBetween(width, 2, 12))
    throw new TypeError('precompute: rows must be an integer from 1 to 129, width one from 2 to 12')
  const shape = { rows, width }
  if (tableBytes(shape) > MAX_BYTES)
    throw new TypeError(`precompute: tables of ${tableBytes(shape)} bytes, at most ${MAX_BYTES}`)
  if (keep === false) return { shape, keep }
  if (![1, 2, 4, 8].includes(rows) || !isBetween(width, 4, 8))
    throw new TypeError('precompute: tables can be kept of 1, 2, 4 or 8 rows and a width from 4 to 8')
  if (keep === true || isStore(keep)) return { shape, keep }
  throw new TypeError('precompute: keep must be a boolean, or an object with get() and set()')
}

function isStore(value: unknown): value is TableStore {
  if (typeof value !== 'object' || value === null) return false
  const { get, set } = value as Record<string, unknown>
  return typeof get === 'function' && typeof set === 'function'
}

function isBetween(value: unknown, least: number, most: number): value is number {
  return typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
}
