/** What a call asks for, read: each field once, and what makes no sense refused. */
import { isHash } from '../util/hash.ts'
import { decodeHex } from '../util/hex.ts'
import { refuseNonListener } from '../util/notify.ts'
import { isBytes } from '../util/bytes.ts'
import { optionsOf, refuseUnknown } from '../util/options.ts'
import { refuseNonSignal } from '../util/signals.ts'
import { messageOf } from '../runtime/errors.ts'
import { headerFromRlp } from '../execution/header.ts'
import { readMs } from '../block-data/options.ts'
import type { TrustedExecution } from './placement.ts'
import type { BlobsProgress, ExecutionHeaderAnchor, GetBlobsOptions } from './options.ts'
import type { SearchTarget } from './search.ts'

/** Which blobs are wanted. Roots and hashes are lower-case 0x hex. */
export type ReadQuery =
  | { readonly kind: 'block'; readonly id: number | string; readonly hashes: readonly string[] | null }
  | { readonly kind: 'hashes'; readonly hashes: readonly string[] }
  | { readonly kind: 'execution'; readonly blockHash: string }
  | { readonly kind: 'transaction'; readonly hash: string }
  /** Of callers in this package, who know more than a name. */
  | { readonly kind: 'target'; readonly target: SearchTarget }

/** A call, read. */
export interface ReadCall {
  readonly query: ReadQuery
  readonly anchor: TrustedExecution | null
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: BlobsProgress) => void) | undefined
  readonly deadlineMs: number
}

/** Any field that a query may have. */
interface Fields {
  readonly slot?: unknown
  readonly root?: unknown
  readonly blockHash?: unknown
  readonly transaction?: unknown
  readonly versionedHashes?: unknown
}

/** Blobs of one call, at most: many times what a block or a transaction can have. */
const MAX_HASHES = 4_096

/** Reads a call. Throws `TypeError`. */
export function readCall(call: GetBlobsOptions, deadlineMs: number): ReadCall {
  const { anchor, signal, onProgress, deadlineMs: own, ...query } = optionsOf(call, 'the query')
  refuseNonSignal(signal)
  refuseNonListener(onProgress, 'onProgress')
  const read = readQuery(query)
  if (anchor !== undefined && read.kind !== 'execution' && read.kind !== 'transaction')
    throw new TypeError('anchor is for blockHash and transaction alone')
  return {
    query: read,
    anchor: anchor === undefined ? null : readAnchor(anchor),
    ...{ signal, onProgress },
    deadlineMs: own === undefined ? deadlineMs : readMs(own, 'deadlineMs'),
  }
}

function readQuery(query: Fields): ReadQuery {
  const { slot, root, blockHash, transaction, versionedHashes, ...unknown } = query
  refuseUnknown(unknown, 'the query')
  const named = [slot, root, blockHash, transaction].filter((value) => value !== undefined).length
  const isOfHashes = versionedHashes !== undefined
  if (named > 1) throw new TypeError(ONE_NAME)
  if (isOfHashes && (blockHash !== undefined || transaction !== undefined))
    throw new TypeError('versionedHashes go with a slot or a root, or stand alone')
  const hashes = isOfHashes ? readHashes(versionedHashes) : null
  if (root !== undefined) return { kind: 'block', id: readHash(root, 'root'), hashes }
  if (slot !== undefined) return { kind: 'block', id: readSlot(slot, isOfHashes), hashes }
  if (blockHash !== undefined) return { kind: 'execution', blockHash: readHash(blockHash, 'blockHash') }
  if (transaction !== undefined) return { kind: 'transaction', hash: readHash(transaction, 'transaction') }
  if (hashes !== null) return { kind: 'hashes', hashes }
  throw new TypeError(ONE_NAME)
}

const ONE_NAME = 'a query names one of slot, root, blockHash, transaction and versionedHashes'

function readSlot(slot: unknown, isNumber: boolean): number | string {
  if (!isNumber && (slot === 'head' || slot === 'finalized')) return slot
  if (typeof slot === 'number' && Number.isSafeInteger(slot) && slot >= 0) return slot
  throw new TypeError(isNumber ? 'slot must be a number' : "slot must be a number, 'head' or 'finalized'")
}

function readHashes(hashes: unknown): string[] {
  const length = Array.isArray(hashes) ? hashes.length : 0
  if (!(length >= 1 && length <= MAX_HASHES))
    throw new TypeError(`versionedHashes must be an array of 1 to ${MAX_HASHES} hashes`)
  // By their places: an array may have an iterator of its own.
  return Array.from({ length }, (_, at) => readHash((hashes as unknown[])[at], `versionedHashes[${at}]`))
}

/** 32 bytes as lower-case 0x hex. */
function readHash(value: unknown, name: string): string {
  if (!isHash(value)) throw new TypeError(`${name} must be 32 bytes as 0x hex`)
  return value.toLowerCase()
}

function readAnchor(anchor: { readonly executionHeader: ExecutionHeaderAnchor }): ReadCall['anchor'] {
  const { executionHeader, ...unknown } = optionsOf(anchor, 'anchor')
  refuseUnknown(unknown, 'anchor')
  const { hash, rlp, ...others } = optionsOf(executionHeader, 'anchor.executionHeader') as {
    readonly hash?: unknown
    readonly rlp?: unknown
  }
  refuseUnknown(others, 'anchor.executionHeader')
  if ((hash === undefined) === (rlp === undefined))
    throw new TypeError('anchor.executionHeader must have a hash or rlp')
  if (hash !== undefined) return { hash: readHash(hash, 'anchor.executionHeader.hash'), header: null }
  const bytes = isBytes(rlp) ? new Uint8Array(rlp) : typeof rlp === 'string' ? decodeHex(rlp) : null
  if (bytes === null) throw new TypeError('anchor.executionHeader.rlp must be bytes or 0x hex')
  try {
    const header = headerFromRlp(bytes)
    return { hash: header.hash, header }
  } catch (cause) {
    throw new TypeError(`anchor.executionHeader.rlp is no header: ${messageOf(cause)}`, { cause })
  }
}
