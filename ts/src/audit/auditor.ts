/** Audits slots: finds out for each server, by itself, which blobs of a block it has, and whether they are right. */
import { readUrls, withNames } from '../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { type Fetch, platformFetch } from '../beacon/request.ts'
import type { Urls } from '../blobs/options.ts'
import { readMs } from '../block-data/options.ts'
import { readParts } from '../block-data/read-parts.ts'
import { optionsOf, refuseUnknown } from '../util/options.ts'
import type { Verifier } from '../verifier/verifier.ts'
import { AuditedServer, type Finding } from './audited-server.ts'
import { type AuditedBlock, AuditBlocks } from './blocks.ts'
import type { SlotHeader } from './headers.ts'
import type { AuditJob } from './job.ts'
import { KnownHeaders } from './known-headers.ts'
import { Places } from '../util/places.ts'
import { type RangeResult, type ServerResult, serverOutcomes, type SlotResult } from './result.ts'

/** Options of `createAuditor`. */
export interface AuditorOptions {
  /** Verifies what is fetched; its network is the audit's. The auditor does not dispose of it. */
  readonly verifier: Verifier
  /** URLs of Beacon API endpoints that are asked for blocks, up to 16. None is trusted. */
  readonly beacon: Urls
  /** URLs of the servers that are audited, up to 16. They are asked for blobs, in whatever form they have them. */
  readonly servers: Urls
  /**
   * Slots that are audited at the same time, 1 to 64, which is the default: blobs that come together are verified together, at less cost.
   * A server gets at most 16 requests at the same time, and is asked for 96 blobs.
   */
  readonly concurrency?: number
  /** How often what could not be found out is tried, before it is `unknown`; default 3. */
  readonly attempts?: number
  /** How long a server may take for one answer, in milliseconds; default 10,000. */
  readonly timeoutMs?: number
  /** How long a server may take for all of a block, in milliseconds; default 30,000. */
  readonly deadlineMs?: number
  /** The `fetch` that requests are made with; default: the platform's. */
  readonly fetch?: Fetch
  /** Milliseconds of Unix time; default `Date.now`. */
  readonly now?: () => number
}

/** Audits ranges of slots. `createAuditor` makes one. It holds nothing that would have to be released. */
export interface Auditor {
  /** The names of the servers that are audited, in their order. */
  readonly servers: readonly string[]
  /**
   * Audits the slots of a job. What servers do, and fail to do, is in the result. Calls share the auditor's concurrency. Rejects with the
   * signal's reason, and with `DisposedError` of the verifier. `onSlot` is called after each slot.
   */
  audit(job: AuditJob, terms: AuditTerms): Promise<RangeResult>
}

export interface AuditTerms {
  readonly signal: AbortSignal
  readonly onSlot?: (slot: SlotResult) => void
}

const MAX_CONCURRENCY = 64
const MAX_ATTEMPTS = 100

function readInteger(value: number, name: string, most: number): void {
  if (!Number.isInteger(value) || value < 1 || value > most)
    throw new TypeError(`${name} must be an integer from 1 to ${most}`)
}

/** Throws `TypeError` for options that make no sense. */
export function createAuditor(options: AuditorOptions): Auditor {
  const {
    verifier,
    beacon,
    servers: urls,
    concurrency = MAX_CONCURRENCY,
    attempts = 3,
    timeoutMs = 10_000,
    deadlineMs = 30_000,
    fetch = platformFetch,
    now = Date.now,
    ...unknown
  } = optionsOf(options)
  refuseUnknown(unknown)
  readInteger(concurrency, 'concurrency', MAX_CONCURRENCY)
  readInteger(attempts, 'attempts', MAX_ATTEMPTS)
  const headers = new KnownHeaders()
  const terms = { verifier, headers, now, fetch, timeoutMs, requestsPerEndpoint: Math.min(concurrency, 16) }
  const { parts } = readParts({ ...terms, beacon })
  const { schedule } = parts
  const blocks = new AuditBlocks(parts, attempts)
  const asking = { attempts, timeoutMs, deadlineMs: readMs(deadlineMs, 'deadlineMs') }
  const servers = withNames(readUrls(urls, 'servers')).map(({ name, url }) => {
    const others = { archives: null, files: [], cache: null, execution: null }
    return new AuditedServer(name, { ...readParts({ ...terms, beacon: url }).parts, ...others }, asking)
  })
  const places = new Places(concurrency)
  const auditSlot = async (slot: SlotHeader, job: AuditJob, signal: AbortSignal): Promise<SlotResult> => {
    if ('unknown' in slot) return nothingKnown(slot.slot, 'no-header', slot.unknown)
    const { header } = slot
    const known = { slot: slot.slot, root: header?.root ?? null, header: job.trust }
    if (header === null) return { ...nothingAsked, ...known, outcome: 'no-block' }
    if (schedule.form(slot.slot) === 'none')
      return { ...nothingAsked, ...known, outcome: 'no-blobs', reason: 'before-deneb' }
    let audited: AuditedBlock
    try {
      audited = await blocks.of(header, signal)
    } catch (error) {
      if (!(error instanceof BeaconUnavailableError)) throw error
      const isUnsupported = schedule.form(slot.slot) === 'unsupported'
      return {
        ...nothingKnown(slot.slot, isUnsupported ? 'unsupported-fork' : 'no-block', error.message),
        ...known,
      }
    }
    const { block, payload } = audited
    const wanted = block.commitments.length
    if (wanted === 0) return { ...nothingAsked, ...known, outcome: 'no-blobs', reason: 'no-blobs' }
    if (payload?.status === 'empty')
      return { ...nothingAsked, ...known, outcome: 'no-blobs', reason: 'payload-not-revealed' }
    const findings = await Promise.all(servers.map((server) => server.ask(audited, signal)))
    const everywhere = new Set(findings.flatMap(({ result }) => result.blobs.map(({ index }) => index)))
    return {
      ...nothingAsked,
      ...known,
      outcome: worst(findings.map(({ server }) => server)),
      blobs: { wanted, valid: everywhere.size },
      servers: findings.map(({ server }) => server),
      bytes: sum(findings),
    }
  }
  return {
    servers: servers.map(({ name }) => name),
    async audit(job, { signal, onSlot }) {
      headers.remember(job)
      const slots = await Promise.all(
        job.slots.map((slot) =>
          places.run(async () => {
            const result = await auditSlot(slot, job, signal)
            onSlot?.(result)
            return result
          }, signal),
        ),
      )
      return { from: job.from, to: job.to, slots }
    },
  }
}

const nothingAsked = {
  reason: null,
  detail: null,
  blobs: { wanted: 0, valid: 0 },
  servers: [],
  bytes: 0,
} as const satisfies Partial<SlotResult>

/** The result of a slot of which nothing could be found out. */
export function nothingKnown(slot: number, reason: string, detail: string): SlotResult {
  return {
    ...{ slot, root: null, header: null, outcome: 'unknown', reason, detail },
    ...{ blobs: { wanted: null, valid: 0 }, servers: [], bytes: 0 },
  }
}

function worst(servers: readonly ServerResult[]): SlotResult['outcome'] {
  return serverOutcomes.find((outcome) => servers.some((server) => server.outcome === outcome)) ?? 'unknown'
}

function sum(findings: readonly Finding[]): number {
  return findings.reduce((sum, { bytes }) => sum + bytes, 0)
}
