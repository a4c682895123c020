/** The blobs of blocks: from memory, or from a blob source, which is asked once for all who want the same block at the same time. */
import { type FailureKind, isRefusal, isTransient, isUnreadable } from '../../beacon/failure.ts'
import { versionedHash } from '../../beacon/hashes.ts'
import { BLOB_BYTES } from '../../beacon/ssz/layout.ts'
import type { PayloadReport } from '../../block-data/report.ts'
import type { BlobSource } from '../../blobs/options.ts'
import type { BlobsReason, BlobsResult } from '../../blobs/result.ts'
import { hexOf } from '../../serve/ssz/types.ts'
import { decodeHex } from '../../util/hex.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import type { KnownHeader, KnownHeaders } from '../headers/known-header.ts'
import { BusyError, Places } from '../../util/places.ts'
import { SharedTasks } from '../../util/shared-tasks.ts'

/** Lists of commitments that are remembered, a few KB each. */
const MAX_LISTS = 4_096

/** A blob that was verified, with its place in its block. */
export interface BlockBlob {
  readonly index: number
  /** 131,072 bytes. */
  readonly blob: Uint8Array
  /** 48 bytes as 0x hex. */
  readonly commitment: string
  /** 32 bytes as 0x hex. */
  readonly versionedHash: string
}

/** What a block commits to in one place: all that is known of a blob before it is there. */
export type BlobEntry = Omit<BlockBlob, 'blob'>

/** Takes from all that a block commits to what is wanted, in the same order. */
export type Selection = (entries: readonly BlobEntry[]) => readonly BlobEntry[]

/** The blobs that were wanted, all of them and in the block's order; or why they cannot be had. */
export type BlockBlobsAnswer =
  | { readonly status: 'found'; readonly blobs: readonly BlockBlob[]; readonly via: 'memory' | 'source' }
  | { readonly status: 'refused'; readonly reason: BlobsReason | 'busy'; readonly detail: string | null }

/** What a block commits to, and what that rests on beside the block. */
interface List {
  readonly entries: readonly BlobEntry[]
  /** Of Gloas: the next block, which shows that the payload was revealed. Null before, and once that block is final. */
  readonly child: PayloadReport['child']
}

/** Options of `BlockBlobs`. */
export interface BlockBlobsOptions {
  readonly source: BlobSource
  /** Says which blocks are of the chain. */
  readonly headers: Pick<KnownHeaders, 'resolve'>
  /** How long the source may search for the blobs of a block, in milliseconds. */
  readonly searchMs: number
  /** How many bytes of blobs are kept in memory. */
  readonly memoryBytes: number
  /** Blocks that are fetched at the same time. */
  readonly atOnce: number
  /** Blocks that may wait for that. */
  readonly room: number
  /** Told of each result of the source, once however many waited for it. */
  readonly onResult: (result: BlobsResult) => void
}

/** Blobs by their blocks. */
export class BlockBlobs {
  readonly #options: BlockBlobsOptions
  readonly #places: Places
  /** By versioned hash. What is in here was verified in this process. */
  readonly #blobs: BoundedMap<string, Uint8Array>
  /** What blocks commit to, by their roots. */
  readonly #lists = new BoundedMap<string, List>(MAX_LISTS)
  readonly #tasks = new SharedTasks<BlobsResult>()

  constructor(options: BlockBlobsOptions) {
    this.#options = options
    this.#places = new Places(options.atOnce, options.room)
    this.#blobs = new BoundedMap(options.memoryBytes, ({ length }) => length)
  }

  /** Bytes of blobs in memory. */
  get memoryBytes(): number {
    return this.#blobs.weight
  }

  /** Blocks that are being fetched, or wait for it. */
  get underWay(): number {
    return this.#tasks.size
  }

  /**
   * The blobs of a block that a selection takes. Rejects with the signal's reason, and with what the source rejects with; others who wait
   * for the same block are not affected by this call's signal.
   */
  async get(
    header: KnownHeader,
    select: Selection,
    signal: AbortSignal | undefined,
  ): Promise<BlockBlobsAnswer> {
    const { root } = header
    const known = this.#lists.get(root)
    const kept = known && this.#fromMemory(select(known.entries))
    if (kept && (await this.#stands(root, known, signal)))
      return { status: 'found', blobs: kept, via: 'memory' }
    let result: BlobsResult
    try {
      result = await this.#tasks.run(root, async (either) => await this.#fetch(root, either), signal)
    } catch (error) {
      if (error instanceof BusyError) return { status: 'refused', reason: 'busy', detail: error.message }
      throw error
    }
    return answerOf(result, select, this.#options.searchMs)
  }

  async #fetch(root: string, signal: AbortSignal): Promise<BlobsResult> {
    const { source, searchMs: deadlineMs } = this.#options
    const result = await this.#places.run(async () => await source.get({ root, signal, deadlineMs }), signal)
    this.#options.onResult(result)
    // A blob may lie in the memory of a whole answer, all of which would be kept with it.
    for (const { blob, versionedHash } of result.blobs)
      this.#blobs.set(versionedHash, blob.buffer.byteLength === blob.length ? blob : blob.slice())
    const { payload } = result
    // Of a payload of which nothing is known yet the next block may show that it is no part of the chain, and its blobs with it.
    const entries = payload?.status === 'unknown' ? null : entriesOf(result)
    if (entries !== null) this.#lists.set(root, { entries, child: payload?.child ?? null })
    return result
  }

  /**
   * Whether the block that showed the payload to be revealed is still of the chain: another one in its place may show the opposite. Where that cannot be told
   * now, it does not count: the chain may have left the payload.
   */
  async #stands(root: string, { child, entries }: List, signal: AbortSignal | undefined): Promise<boolean> {
    if (child === null) return true
    const resolution = await this.#options.headers.resolve(child.slot, { ...(signal && { signal }) })
    if (resolution.status !== 'found' || resolution.header.root !== child.root) return false
    if (resolution.header.finalized) this.#lists.set(root, { entries, child: null })
    return true
  }

  /** Null where one of them is not there. */
  #fromMemory(entries: readonly BlobEntry[]): readonly BlockBlob[] | null {
    const blobs: BlockBlob[] = []
    for (const entry of entries) {
      const blob = this.#blobs.get(entry.versionedHash)
      if (blob?.length !== BLOB_BYTES) return null
      blobs.push({ ...entry, blob })
    }
    return blobs
  }
}

/** What a block commits to; null where it is not known, or where it may be told otherwise another time. */
function entriesOf({ verdict, reason, block, blobs }: BlobsResult): readonly BlobEntry[] | null {
  if (verdict === 'none') return reason === 'no-blobs' ? [] : null
  const commitments =
    block?.commitments ??
    // All of them are here, in the block's order, though nobody gave the block.
    (verdict === 'complete' ? blobs.map(({ commitment }) => commitment) : null)
  if (commitments === null) return null
  const entries: BlobEntry[] = []
  for (const [index, commitment] of commitments.entries()) {
    if (commitment === null) return null
    entries.push({ index, commitment, versionedHash: hexOf(versionedHash(decodeHex(commitment)!)) })
  }
  return entries
}

/** What a result is to one who wanted some of its blobs. */
function answerOf(result: BlobsResult, select: Selection, searchMs: number): BlockBlobsAnswer {
  const { verdict, reason, detail } = result
  if (verdict === 'none' && (reason === 'no-blobs' || reason === 'payload-not-revealed'))
    return { status: 'found', blobs: [], via: 'source' }
  const entries = entriesOf(result)
  if (entries === null)
    return {
      ...{ status: 'refused', detail },
      reason: reason === 'no-block' ? whyNoBlock(result, searchMs) : reason,
    }
  const blobs: BlockBlob[] = []
  for (const entry of select(entries)) {
    const found = result.blobs.find(({ index }) => index === entry.index)
    if (found === undefined) return { status: 'refused', reason, detail }
    blobs.push({ ...entry, blob: found.blob })
  }
  return { status: 'found', blobs, via: 'source' }
}

/**
 * Why nobody gave a block: `no-block` where everyone who was asked answered, and nobody has it. Where one gave no answer that could be read, or none
 * in time, the next request may find the block: that is `unreachable`, as it is of blobs.
 */
function whyNoBlock({ report }: BlobsResult, searchMs: number): BlobsReason {
  // Timers may be early by a part of a millisecond.
  if (Math.ceil(report.timings.totalMs) >= searchMs) return 'unreachable'
  const isAny = (isIt: (kind: FailureKind) => boolean): boolean =>
    report.sources.some(({ failures, role }) => role !== 'cache' && failures.some(({ kind }) => isIt(kind)))
  if (isAny((kind) => kind === 'crashed')) return 'crashed'
  if (isAny((kind) => isTransient(kind) || isUnreadable(kind))) return 'unreachable'
  const haveAllAnswered = report.sources.every(
    ({ failures, refused, role }) =>
      // Who refuses all requests says nothing of what it has.
      role !== 'beacon' || refused.length > 0 || failures.some(({ kind }) => !isRefusal(kind)),
  )
  return haveAllAnswered ? 'no-block' : 'unreachable'
}
