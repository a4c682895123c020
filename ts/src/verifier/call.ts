/** What is true of a whole call: its options, once they are known to make sense, and its progress. */
import { MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../beacon/constants.ts'
import { type Header, headerBytes, readBytes } from '../beacon/header.ts'
import { type HeaderLinks, onTrust, type Provenance, provenanceOf } from '../verdict/provenance.ts'
import { encodeHex } from '../util/hex.ts'
import { notify, refuseNonListener } from '../util/notify.ts'
import { optionsOf, refuseUnknown } from '../util/options.ts'
import { refuseNonSignal } from '../util/signals.ts'
import type { Anchor } from './checks/protocol.ts'
import { type BlockAnchor, readBlockAnchor } from './block-anchor.ts'
import { type ExecutionFork, executionForks, forkAtTimestamp } from '../beacon/execution-forks.ts'
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import type { AnchorOption, Progress, SidecarOptions, TransactionOptions, VerifyOptions } from './options.ts'

/** A call's options, read. */
export interface Call {
  readonly anchor: Anchor | BlockAnchor
  /** The execution fork whose rules a transaction must follow; null for one that is not known, and where there is no transaction. */
  readonly fork: ExecutionFork | null
  readonly signal: AbortSignal | undefined
  readonly onProgress: ((progress: Progress) => void) | undefined
  readonly cheap: boolean
  readonly transfer: boolean
  /** Whose signature sidecars' headers must bear, or null. */
  readonly proposerKey: Uint8Array | null
}

/** Far above a block's 128 × 4,096 cells' worth of honest use in one call, and far below what would exhaust a page. */
const MAX_ITEMS = 2 ** 20

/** Reads the options of a call about blobs or cells. */
export function readCall(options: VerifyOptions, network: VettedNetwork): Call {
  const { anchor, signal, onProgress, mode, transfer, ...unknown } = optionsOf(options)
  refuseUnknown(unknown)
  return readCommon({ anchor, signal, onProgress, mode, transfer }, false, network)
}

/** Options of a call as they were found. */
type Found = { readonly [K in keyof VerifyOptions]-?: VerifyOptions[K] | undefined }

/** Reads what the options of all calls have in common. */
function readCommon(
  { anchor, signal, onProgress, mode = 'full', transfer }: Found,
  hasHeader: boolean,
  network: VettedNetwork,
): Call {
  refuseNonSignal(signal)
  refuseNonListener(onProgress, 'onProgress')
  if (mode !== 'full' && mode !== 'cheap') throw new TypeError("mode must be 'full' or 'cheap'")
  const read = readAnchor(anchor, network)
  if (read.kind === 'header' && !hasHeader) {
    throw new TypeError(
      'without an inclusion branch nothing leads to a header: use { block, header }, versionedHashes or commitments, or verify sidecars',
    )
  }
  return {
    anchor: read,
    fork: null,
    signal,
    onProgress,
    cheap: mode === 'cheap',
    transfer: transfer === true,
    proposerKey: null,
  }
}

/** Reads the options of a call about sidecars. */
export function readSidecarCall(options: SidecarOptions, network: VettedNetwork): Call {
  const { anchor, signal, onProgress, mode, transfer, proposerKey, ...unknown } = optionsOf(options)
  refuseUnknown(unknown)
  const call = readCommon({ anchor, signal, onProgress, mode, transfer }, true, network)
  return proposerKey === undefined
    ? call
    : { ...call, proposerKey: new Uint8Array(readBytes(proposerKey, 48, 'proposerKey')) }
}

/**
 * Reads the option `anchor`. It is the caller's own word, so what cannot be read is misuse: a `TypeError`. `network` is the verifier's, to
 * which a light client's header must belong. A block is decoded later, in a worker.
 */
export function readAnchor(anchor: AnchorOption | undefined, network: VettedNetwork): Anchor | BlockAnchor {
  if (anchor === undefined || anchor === 'none') return { kind: 'none' }
  if (typeof anchor === 'object' && anchor !== null) {
    const { header, versionedHashes, commitments, block, ...unknown } = anchor as Partial<AllAnchors>
    refuseUnknown(unknown, 'anchor')
    const kinds = ['header', 'versionedHashes', 'commitments', 'block'].filter((kind) => kind in anchor)
    switch (kinds.join()) {
      case 'header':
        return { kind: 'header', ...readHeader(header!, network) }
      case 'versionedHashes':
        return { kind: 'versioned-hashes', hashes: readList(versionedHashes, 32, 'versionedHashes') }
      case 'commitments':
        return { kind: 'commitments', commitments: readList(commitments, 48, 'commitments') }
      case 'header,commitments':
        return headerAndCommitments(readHeader(header!, network), readList(commitments, 48, 'commitments'))
      case 'block':
        return readBlockAnchor(block, null, network)
      case 'header,block':
        return readBlockAnchor(block, readHeader(header!, network), network)
    }
  }
  throw new TypeError(
    "anchor must be 'none', { header }, { versionedHashes }, { commitments }, { header, commitments }, { block } or { block, header }",
  )
}

interface AllAnchors {
  readonly header: Header
  readonly versionedHashes: unknown
  readonly commitments: unknown
  readonly block: unknown
}

/** That the list is the header's block's is the caller's word. */
function headerAndCommitments(
  { header, links }: { header: Uint8Array; links: HeaderLinks },
  commitments: string[],
): Anchor {
  return { kind: 'commitments', commitments, block: { header, links: { ...links, inclusion: 'trusted' } } }
}

/** The entries of an array, each of so many bytes, as hex. Read by their places, as all lists here: an array may have an iterator of its own. */
function readList(list: unknown, bytes: number, name: string): string[] {
  if (!Array.isArray(list)) throw new TypeError(`anchor.${name} must be an array`)
  const { length } = list
  if (!(length <= MAX_BLOB_COMMITMENTS_PER_BLOCK))
    throw new TypeError(
      `anchor.${name} must have ${MAX_BLOB_COMMITMENTS_PER_BLOCK} entries at most, a block's`,
    )
  return Array.from({ length }, (_, at) => encodeHex(readBytes(list[at], bytes, `anchor.${name}[${at}]`)))
}

/** A header that a light client vouches for is known by what is on record of it, whatever the object says by now. */
function readHeader(header: Header, network: VettedNetwork): { header: Uint8Array; links: HeaderLinks } {
  const known = provenanceOf(header)
  if (known !== undefined && !isOf(network, known))
    throw new TypeError('anchor.header is of a light client of another network than the verifier’s')
  if (known !== undefined) return { header: new Uint8Array(known.ssz), links: known.links }
  return { header: headerBytes(header, 'anchor.header'), links: onTrust }
}

/** A network without `signing` is nobody's: its forks and blob schedule may be any chain's. */
function isOf({ signing }: VettedNetwork, { genesisValidatorsRoot }: Provenance): boolean {
  return signing?.genesisValidatorsRoot.toLowerCase() === `0x${encodeHex(genesisValidatorsRoot)}`
}

/** Of Unix time: in milliseconds, this is a day of 1973. */
const MAX_SECONDS = 1e11

/** Reads the options of a call about a transaction, whose fork is given or follows from the time. */
export function readTransactionCall(
  options: TransactionOptions | undefined,
  network: VettedNetwork,
): Call & { readonly source: string | undefined } {
  const { anchor, signal, onProgress, mode, transfer, fork, timestamp, source, ...unknown } = optionsOf(
    options ?? {},
  )
  refuseUnknown(unknown)
  const call = readCommon({ anchor, signal, onProgress, mode, transfer }, false, network)
  if (call.anchor.kind === 'block' || (call.anchor.kind === 'commitments' && call.anchor.block !== undefined))
    throw new TypeError("a transaction's blobs are some of its block's: use versionedHashes or commitments")
  return {
    ...call,
    fork: readFork(fork, timestamp, network),
    source,
  }
}

function readFork(fork: unknown, timestamp: unknown, network: VettedNetwork): ExecutionFork | null {
  if (fork !== undefined) {
    if (typeof fork === 'string' && Object.hasOwn(executionForks, fork))
      return executionForks[fork as keyof typeof executionForks]
    throw new TypeError(`unknown fork ${String(fork)}, not one of ${Object.keys(executionForks).join(', ')}`)
  }
  if (timestamp === undefined)
    throw new TypeError(
      'a blob transaction is checked by the rules of a fork: give { fork } or { timestamp }',
    )
  const seconds = typeof timestamp === 'bigint' ? Number(timestamp) : timestamp
  // Milliseconds would be a time of forks that nobody knows yet, and with them any transaction of today.
  if (typeof seconds !== 'number' || !(seconds <= MAX_SECONDS))
    throw new TypeError('timestamp must be a number or a bigint: seconds, not milliseconds')
  const found = forkAtTimestamp(network, seconds)
  if (found === undefined)
    throw new TypeError(`there were no blob transactions on this network at ${seconds}`)
  return found
}

/**
 * The items of a call, as a list of our own: the caller's may be a Proxy. What cannot be read is an item that the checks refuse. Throws
 * `TypeError` for what is no array, and for one that is too long.
 */
export function readItems(items: unknown): readonly unknown[] {
  if (!Array.isArray(items)) throw new TypeError('items must be an array')
  const { length } = items
  if (!(length <= MAX_ITEMS)) throw new TypeError(`at most ${MAX_ITEMS} items in a call, not ${length}`)
  return Array.from({ length }, (_, at) => {
    try {
      return items[at] as unknown
    } catch {
      return null
    }
  })
}

/** Counts what passes a stage, and reports it to the caller until the call is aborted. */
export function progressOf(call: Call, total: number): (stage: Progress['stage'], more: number) => void {
  const done = { check: 0, kzg: 0 }
  return (stage, more) => {
    done[stage] += more
    notify(call.onProgress, { stage, done: done[stage], total }, call.signal)
  }
}
