/** What those who look for a block's data have in common of their options: headers, and files of sidecars. */
import type { TrustedHeader } from '../light-client/trusted-header.ts'
import { MAX_TIMER_MS } from '../util/timers.ts'
import type { PlatformSignal } from '../util/platform-types.ts'
import type { BlockId } from './report.ts'

/** A block that you trust to be of the chain, without a proof: the report's links say `trusted` for it. */
export interface HeaderOnTrust {
  /** `hash_tree_root` of its header: 32 bytes as 0x hex. */
  readonly root: string
  /** The block's slot; it decides the form of the block's data. One that the block, or data of it, shows to be another is a `TypeError`. */
  readonly slot: number
}

/**
 * What columns are held against. The very object that a light client handed out keeps what is known of it; anything else
 * is your word, and the report's links say `trusted`.
 */
export type SampledHeader = TrustedHeader | HeaderOnTrust

/** What a source of headers says to a block's name. */
export type Resolution =
  | { readonly status: 'found'; readonly header: SampledHeader }
  /** There is no block in that slot. */
  | { readonly status: 'no-block' }
  /** It cannot be told; `detail` is for people. */
  | { readonly status: 'unknown'; readonly detail: string }

/**
 * A source of headers other than a light client: your own node, a file, a block explorer that you trust.
 *
 * @example
 * ```ts
 * import type { HeaderSource } from 'blobcheck/sampler'
 *
 * export const ownNode: HeaderSource = {
 *   async resolve(id, { signal }) {
 *     const response = await fetch(`http://localhost:5052/eth/v1/beacon/headers/${id}`, signal ? { signal } : {})
 *     if (!response.ok) return { status: 'unknown', detail: `status ${response.status}` }
 *     const { data } = (await response.json()) as { data: { root: string; header: { message: { slot: string } } } }
 *     return { status: 'found', header: { root: data.root, slot: Number(data.header.message.slot) } }
 *   },
 * }
 * ```
 */
export interface HeaderSource {
  /**
   * Which block is meant. What it throws ends `sampleBlock` and `get`. `follow` counts that slot as `missed`, and tells `onError`. Where the next
   * block is looked for, since that shows what became of a payload of Gloas, it only leaves the payload `unknown`. What it resolves to and is no
   * `Resolution` is misuse, as is a header without its root and slot, or with the slot of another block: a `TypeError`, which ends `follow`, too.
   */
  resolve(id: BlockId, options: { readonly signal?: PlatformSignal | undefined }): Promise<Resolution>
  /**
   * The present head, then each newer one; needed by `follow` alone. What it throws ends `follow`, which rejects with that once the slots under way are
   * reported. So what may pass, as a node that is down, is better tried again here.
   */
  headers?(options: { readonly signal?: PlatformSignal | undefined }): AsyncIterable<SampledHeader>
}

/** A file of sidecars of one block or several: a list as nodes answer it, JSON or SSZ; or one sidecar, SSZ. */
export interface SidecarFile {
  /** What the report calls it. */
  readonly name: string
  /** What is in it: blob sidecars (`BlobSidecar`) or data column sidecars (`DataColumnSidecar`). */
  readonly kind: 'blob-sidecars' | 'data-column-sidecars'
  /** The file's content, which is not copied before it is needed. */
  readonly bytes: Uint8Array
}

/** An option that is a time in milliseconds, at most what a timer can run for. Throws `TypeError` for anything but a positive number. */
export function readMs(value: number, name: string): number {
  if (typeof value !== 'number' || !(value > 0)) throw new TypeError(`${name} must be a positive number`)
  return Math.min(value, MAX_TIMER_MS)
}

/** An option that says how many at the same time, 1 to 16. Throws `TypeError` for anything else. */
export function readCount(value: number, name: string): number {
  if (!Number.isInteger(value) || value < 1 || value > 16)
    throw new TypeError(`${name} must be an integer from 1 to 16`)
  return value
}
