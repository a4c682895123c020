/** One server that is audited: what it gives of a block's blobs, by itself. */
import type { BlobSource } from '../blobs/options.ts'
import type { BlobsReason, BlobsResult } from '../blobs/result.ts'
import type { SampledHeader } from '../block-data/options.ts'
import type { ProvenBlock } from '../block-data/proven-block.ts'
import { sleep } from '../util/timers.ts'
import { Places } from '../util/places.ts'
import type { ServerResult } from './result.ts'

/** What a server has of a block. */
export interface Finding {
  readonly server: ServerResult
  readonly result: BlobsResult
  /** The size in bytes of its answers. */
  readonly bytes: number
}

/** Before it is tried again, the first time. */
const PAUSE_MS = 500
/** A server of which so many blocks in a row could not be found out is tried once for each, until one can: it is gone, and there are many. */
const GONE_AFTER = 16

/**
 * Blobs that a server is asked for at the same time: 12 MB. What waited for long at a busy connection would be taken for silence by the
 * blob source, which then asks for columns as well; and so many are verified together at little more cost than one.
 */
const BLOBS_AT_ONCE = 96

export class AuditedServer {
  readonly name: string
  readonly #source: BlobSource
  readonly #attempts: number
  readonly #places = new Places(BLOBS_AT_ONCE)
  #unknownInARow = 0

  /** `source`: of this server alone. */
  constructor(name: string, source: BlobSource, attempts: number) {
    this.name = name
    this.#source = source
    this.#attempts = attempts
  }

  /** What it has. What may be otherwise a moment later is asked again. Rejects with the signal's reason, and with what the source throws. */
  async ask(header: SampledHeader, block: ProvenBlock, signal: AbortSignal): Promise<Finding> {
    for (let attempt = 1; ; attempt++) {
      const wanted = block.commitments.length
      const get = (): Promise<BlobsResult> => this.#source.get({ root: header.root, signal })
      const result = await this.#places.run(get, signal, wanted)
      const server = serverResult(this.name, result, wanted)
      const mayChange = server.outcome === 'unknown' || server.outcome === 'unreadable'
      if (!mayChange || attempt >= this.#attempts || this.#unknownInARow >= GONE_AFTER) {
        this.#unknownInARow = server.outcome === 'unknown' ? this.#unknownInARow + 1 : 0
        // The source was given the block by us, and counts it.
        return { server, result, bytes: Math.max(0, result.report.bytes - block.source.length) }
      }
      await sleep(PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random() / 2), signal)
    }
  }
}

function serverResult(name: string, result: BlobsResult, wanted: number): ServerResult {
  const shares = result.report.sources
  const refused = shares.flatMap((share) => share.refused)
  const failures = distinct(shares.flatMap((share) => share.failures))
  const there = new Set(result.blobs.map(({ index }) => index))
  const lacks = Array.from({ length: wanted }, (_blob, index) => index).filter((index) => !there.has(index))
  return { server: name, outcome: outcomeOf(result), lacks, refused, failures }
}

/** The same failure of several requests is one to tell. */
function distinct(failures: ServerResult['failures']): ServerResult['failures'] {
  return [...new Map(failures.map((failure) => [`${failure.kind} ${failure.detail}`, failure])).values()]
}

function outcomeOf({ verdict, reason, report }: BlobsResult): ServerResult['outcome'] {
  if (report.sources.some(({ refused }) => refused.length > 0)) return 'wrong'
  if (verdict === 'complete') return 'complete'
  if (report.sources.some(({ failures }) => failures.some(({ kind }) => UNREADABLE.has(kind))))
    return 'unreadable'
  if (reason === 'false') return 'wrong'
  return NOT_THERE.has(reason) ? 'missing' : 'unknown'
}

const UNREADABLE: ReadonlySet<string> = new Set(['malformed', 'truncated', 'too-large'])
const NOT_THERE: ReadonlySet<BlobsReason> = new Set<BlobsReason>(['not-served', 'expired', 'not-found'])
