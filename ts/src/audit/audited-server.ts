/** One server that is audited: what it gives of a block's blobs, by itself. */
import { isTransient } from '../beacon/failure.ts'
import type { SourceParts } from '../blobs/context.ts'
import { getBlobs } from '../blobs/get.ts'
import type { BlobsReason, BlobsResult } from '../blobs/result.ts'
import { Places } from '../util/places.ts'
import { backOff, sleep } from '../util/timers.ts'
import { type AuditedBlock, PAUSE_MS } from './blocks.ts'
import type { ServerResult } from './result.ts'

/** What a server has of a block. */
export interface Finding {
  readonly server: ServerResult
  readonly result: BlobsResult
  /** The size in bytes of its answers. */
  readonly bytes: number
}

/** How servers are asked. */
export interface AskingTerms {
  readonly attempts: number
  /** Milliseconds for all of a block, and for one answer. */
  readonly deadlineMs: number
  readonly timeoutMs: number
}

/**
 * A server of which so many blocks in a row could not be found out is tried once for each, for as long as one answer may take, until one can: it is gone,
 * and there are many.
 */
const GONE_AFTER = 16

/**
 * Blobs that a server is asked for at the same time: 12 MB, which a busy connection still has time for. So many are verified together at
 * little more cost than one.
 */
const BLOBS_AT_ONCE = 96

export class AuditedServer {
  readonly name: string
  readonly #parts: SourceParts
  readonly #terms: AskingTerms
  readonly #places = new Places(BLOBS_AT_ONCE)
  #unknownInARow = 0

  /** `parts`: with this server as the only endpoint. */
  constructor(name: string, parts: SourceParts, terms: AskingTerms) {
    this.name = name
    this.#parts = parts
    this.#terms = terms
  }

  /**
   * What it has of a block. It is asked for blobs alone: the block, and what became of its payload, are known. What may be otherwise a moment
   * later is asked again. Rejects with the signal's reason, and with what the verifier throws.
   */
  async ask({ header, block, payload }: AuditedBlock, signal: AbortSignal): Promise<Finding> {
    const { attempts, timeoutMs } = this.#terms
    const wanted = block.commitments.length
    const { root, slot } = header
    const target = { selection: 'all', header, name: root, slot, block, payload } as const
    const query = { kind: 'target', target } as const
    const get = (): Promise<BlobsResult> => {
      const deadlineMs = this.#isGone ? Math.min(timeoutMs, this.#terms.deadlineMs) : this.#terms.deadlineMs
      return getBlobs(this.#parts, { query, anchor: null, signal, deadlineMs }, () => {})
    }
    for (let attempt = 1; ; attempt++) {
      const result = await this.#places.run(get, signal, wanted)
      const server = serverResult(this.name, result, wanted)
      // It answered, and whether there is anything to have is not its to say.
      const isOpen =
        result.reason === 'may-have-no-payload' && !server.failures.some(({ kind }) => isTransient(kind))
      const isUnknown = server.outcome === 'unknown' && !isOpen
      const mayChange = isUnknown || server.outcome === 'unreadable'
      if (!mayChange || attempt >= attempts || this.#isGone) {
        this.#unknownInARow = isUnknown ? this.#unknownInARow + 1 : 0
        return { server, result, bytes: result.report.bytes }
      }
      await sleep(backOff(attempt, PAUSE_MS), signal)
    }
  }

  get #isGone(): boolean {
    return this.#unknownInARow >= GONE_AFTER
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
  // Where an answer was cut short, or may have been, the same was asked again, and answered.
  if (NOT_THERE.has(reason)) return 'missing'
  if (report.sources.some(({ failures }) => failures.some(({ kind }) => UNREADABLE.has(kind))))
    return 'unreadable'
  return reason === 'false' ? 'wrong' : 'unknown'
}

const UNREADABLE: ReadonlySet<string> = new Set(['malformed', 'truncated', 'too-large'])
const NOT_THERE: ReadonlySet<BlobsReason> = new Set<BlobsReason>(['not-served', 'expired', 'not-found'])
