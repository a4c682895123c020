/** Adds up what was found out, range by range, whichever comes first. */
import { compress, joinRanges } from './ranges.ts'
import {
  type AuditSummary,
  type ServerCounts,
  type ServerResult,
  serverOutcomes,
  type SlotCounts,
  slotOutcomes,
  type SlotRange,
  type SlotResult,
} from './result.ts'

/** What a range adds to a summary: small, whatever its slots have, so that it can be kept for each range of a long audit. */
export interface RangeCounts extends SlotRange {
  readonly counts: SlotCounts
  readonly servers: { readonly [server: string]: ServerCounts }
  readonly blobs: { readonly wanted: number; readonly valid: number }
  readonly bytes: number
}

/** By names that come from elsewhere: `__proto__` is one like any other. */
type SumsByServer = Map<string, Record<ServerResult['outcome'], number>>

function sumsOf(sums: SumsByServer, server: string): Record<ServerResult['outcome'], number> {
  const ofServer = sums.get(server) ?? zeros(serverOutcomes)
  sums.set(server, ofServer)
  return ofServer
}

/** What the results of a range add to a summary. */
export function countsOf({
  from,
  to,
  slots,
}: SlotRange & { readonly slots: readonly SlotResult[] }): RangeCounts {
  const counts = zeros(slotOutcomes)
  const servers: SumsByServer = new Map()
  let [wanted, valid, bytes] = [0, 0, 0]
  for (const slot of slots) {
    counts[slot.outcome]++
    wanted += slot.blobs.wanted ?? 0
    valid += slot.blobs.valid
    bytes += slot.bytes
    for (const { server, outcome } of slot.servers) sumsOf(servers, server)[outcome]++
  }
  return { from, to, counts, servers: Object.fromEntries(servers), blobs: { wanted, valid }, bytes }
}

/** Whether there is something to say of a slot: not that all is there, nor that there is nothing to be had. */
export function isNotable({ outcome }: Pick<SlotResult, 'outcome'>): boolean {
  return outcome !== 'complete' && outcome !== 'no-blobs' && outcome !== 'no-block'
}

/** The sum of ranges, each of which is added once. */
export class Tally {
  readonly #range: SlotRange
  readonly #counts = zeros(slotOutcomes)
  readonly #servers: SumsByServer = new Map()
  readonly #notable = { missing: [], wrong: [], unreadable: [], unknown: [], nowhere: [] } as Record<
    'missing' | 'wrong' | 'unreadable' | 'unknown' | 'nowhere',
    SlotRange[]
  >
  #slots = 0
  #wanted = 0
  #valid = 0
  #bytes = 0

  /** `range`: what the audit is about. */
  constructor(range: SlotRange) {
    this.#range = range
  }

  /** Adds a range: its counts, and its slots, of which those that are not notable may be left out. */
  add(range: RangeCounts, slots: readonly SlotResult[]): void {
    this.#slots += range.to - range.from + 1
    for (const outcome of slotOutcomes) this.#counts[outcome] += range.counts[outcome]
    for (const [server, counts] of Object.entries(range.servers)) {
      const sum = sumsOf(this.#servers, server)
      for (const outcome of serverOutcomes) sum[outcome] += counts[outcome]
    }
    this.#wanted += range.blobs.wanted
    this.#valid += range.blobs.valid
    this.#bytes += range.bytes
    const lists = {
      missing: slotsWith(slots, 'missing'),
      wrong: slotsWith(slots, 'wrong'),
      unreadable: slotsWith(slots, 'unreadable'),
      unknown: slotsWith(slots, 'unknown'),
      // Who could not be asked may have it.
      nowhere: slots.filter(
        ({ blobs, servers }) =>
          blobs.valid < (blobs.wanted ?? 0) && servers.every(({ outcome }) => outcome !== 'unknown'),
      ),
    }
    for (const name of ['missing', 'wrong', 'unreadable', 'unknown', 'nowhere'] as const)
      this.#notable[name].push(...compress(lists[name].map(({ slot }) => slot)))
  }

  /** How many slots were added. */
  get slots(): number {
    return this.#slots
  }

  /** How many slots had which outcome so far. */
  get counts(): SlotCounts {
    return this.#counts
  }

  summary(): AuditSummary {
    const { missing, wrong, unreadable, unknown, nowhere } = this.#notable
    return {
      ...this.#range,
      slots: this.#slots,
      counts: { ...this.#counts },
      servers: structuredClone(Object.fromEntries(this.#servers)),
      blobs: { wanted: this.#wanted, valid: this.#valid },
      missing: joinRanges(missing),
      wrong: joinRanges(wrong),
      unreadable: joinRanges(unreadable),
      unknown: joinRanges(unknown),
      nowhere: joinRanges(nowhere),
      bytes: this.#bytes,
    }
  }
}

/** Slots that have this outcome with one of the servers, or as a whole. */
function slotsWith(slots: readonly SlotResult[], outcome: ServerResult['outcome']): readonly SlotResult[] {
  return slots.filter(
    (slot) => slot.outcome === outcome || slot.servers.some((server) => server.outcome === outcome),
  )
}

function zeros<Name extends string>(names: readonly Name[]): Record<Name, number> {
  return Object.fromEntries(names.map((name) => [name, 0])) as Record<Name, number>
}
