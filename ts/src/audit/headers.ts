/**
 * The headers of a range of slots, from one that is trusted back to the first of the range. A header names its parent by its root, so that
 * whoever trusts the child trusts the parent, and that the slots between the two are empty. Headers are asked for by their slots, many at
 * the same time, which proves nothing; then each is held against the root that its child names. One that does not fit, or that nobody gave
 * for its slot, is asked for by that root.
 */
import {
  askParent,
  askSlot,
  type ChainHeader,
  chainHeaderIn,
  type ChainLink,
} from '../beacon/chain-headers.ts'
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { routes } from '../beacon/routes.ts'
import type { LightClient } from '../light-client/light-client.ts'
import type { TrustedHeader } from '../light-client/trusted-header.ts'
import type { SampledHeader } from '../block-data/options.ts'
import { sleep } from '../util/timers.ts'
import type { SlotRange } from './result.ts'

/** A slot, and what is known of its block: its header, that there is none (null), or why nothing is. */
export type SlotHeader =
  | { readonly slot: number; readonly header: SampledHeader | null }
  | { readonly slot: number; readonly unknown: string }

/** Says of each slot of a range, from the last to the first, which block it has. */
export interface RangeHeaders {
  /** What the headers rest on: a light client's proof, or the word of endpoints. */
  readonly trust: 'verified' | 'trusted'
  /**
   * Goes through a range downwards; each slot comes once, those about which nothing can be known included. Before them come headers of
   * later slots, as far as they lie on the way: the last of them is the next block after the range. `onStep` is told how many slots of the
   * way are done, and how long it is: it begins at the newest header that is trusted. Rejects with the signal's reason.
   */
  walk(range: SlotRange, terms: WalkTerms): AsyncGenerator<SlotHeader, void, void>
}

export interface WalkTerms {
  readonly signal: AbortSignal
  readonly onStep?: (done: number, total: number) => void
}

/** Slots whose headers are asked for before it is their turn. */
const AHEAD = 128
/** Headers that a light client is given at a time. */
const BATCH = 32
/** Slots of which nothing is known, between two turns of the event loop. */
const WITHOUT_PAUSE = 64
/** On an endpoint's word: how far beyond the range the block is looked for from which the way begins. Nearly all gaps are shorter. */
const BEYOND = 64

/**
 * Final headers that a light client vouches for. It must have been synchronised; it is not disposed of. Of slots after its newest final one nothing
 * is known: which blocks they have may change yet, while what is said of a slot stays.
 */
export function provenHeaders(client: LightClient, endpoints: BeaconEndpoints): RangeHeaders {
  return {
    trust: 'verified',
    async *walk(range, terms) {
      const start = client.finalized
      const newest = Math.min(range.to, start.slot)
      const detail = `it is not final yet: it is newer than the newest final block, of slot ${start.slot}`
      yield* unknownFrom(range.to, Math.max(newest + 1, range.from), detail)
      yield* down(start, { ...range, to: newest }, endpoints, terms, async (child, headers) => {
        const trusted = await client.trustAncestors(
          headers.map(({ ssz }) => ssz),
          child as TrustedHeader,
        )
        // Each was held against its child's `parent_root` before.
        if (trusted === null) throw new Error('headers that are a chain are none to the light client')
        return trusted
      })
    },
  }
}

/** Headers on the endpoints' word: they are a chain, and that is all. */
export function headersOnTrust(endpoints: BeaconEndpoints): RangeHeaders {
  return {
    trust: 'trusted',
    async *walk(range, terms) {
      const { signal } = terms
      const ahead = new HeadersAhead(endpoints, signal)
      // The next block, if there is one by now, since it says what became of the payload of the last one.
      let start: ChainHeader | null = null
      for (let slot = range.to + 1; start === null && slot <= range.to + BEYOND; slot += 8) {
        const found = await Promise.all(Array.from({ length: 8 }, (_, at) => ahead.at(slot + at)))
        start = found.find((one) => one !== null) ?? null
      }
      start ??= await ahead.at(range.to)
      let detail = `no endpoint gave the header of slot ${range.to}, of one of the ${BEYOND} after it, or of the head`
      if (start === null) {
        try {
          start = await endpoints.first(
            routes.header('head'),
            async (answer) => chainHeaderIn(answer),
            signal,
          )
        } catch (error) {
          if (!(error instanceof BeaconUnavailableError)) throw error
          detail = error.message
        }
      }
      if (start === null) {
        yield* unknownFrom(range.to, range.from, detail)
        return
      }
      const newest = Math.min(range.to, start.slot)
      detail = `it is newer than the endpoints’ head, of slot ${start.slot}`
      yield* unknownFrom(range.to, Math.max(newest + 1, range.from), detail)
      const first = { root: start.root, slot: start.slot, parent_root: start.parentRoot }
      yield* down(first, { ...range, to: newest }, endpoints, terms, (_child, headers) =>
        Promise.resolve(
          headers.map(({ root, slot, parentRoot }) => ({ root, slot, parent_root: parentRoot })),
        ),
      )
    },
  }
}

/** A header from which the way goes on. */
type Step = SampledHeader & { readonly parent_root: string }

/**
 * From a header that is trusted, of a slot not before the range's end, down to the start of the range. `trust` makes of headers, each the
 * parent of the one before it and the first that of `child`, what is handed out.
 */
async function* down(
  start: Step,
  range: SlotRange,
  endpoints: BeaconEndpoints,
  { signal, onStep }: WalkTerms,
  trust: (child: Step, headers: readonly ChainHeader[]) => Promise<readonly Step[]>,
): AsyncGenerator<SlotHeader, void, void> {
  if (range.to < range.from) return
  const total = start.slot - range.from + 1
  if (start.slot >= range.from) yield { slot: start.slot, header: start }
  const ahead = new HeadersAhead(endpoints, signal)
  let child = start
  while (child.slot > range.from) {
    const batch: ChainHeader[] = []
    let failure: BeaconUnavailableError | null = null
    let last: ChainLink = { slot: child.slot, parentRoot: child.parent_root }
    while (batch.length < BATCH && last.slot > range.from) {
      try {
        const parent = await ahead.parentOf(last, range.from)
        batch.push(parent)
        last = parent
      } catch (error) {
        if (!(error instanceof BeaconUnavailableError)) throw error
        failure = error
        break
      }
    }
    for (const header of await trust(child, batch)) {
      for (let slot = child.slot - 1; slot > Math.max(header.slot, range.from - 1); slot--)
        if (slot <= range.to) yield { slot, header: null }
      if (header.slot >= range.from) yield { slot: header.slot, header }
      child = header
    }
    onStep?.(Math.min(total, start.slot - child.slot + 1), total)
    if (failure === null) continue
    const unknown = `the header before that of slot ${child.slot} could not be had: ${failure.message}`
    yield* unknownFrom(Math.min(child.slot - 1, range.to), range.from, unknown)
    return
  }
}

/** Slots of which nothing is known, from the last one to the first. Timers and signals have their say, however many they are. */
async function* unknownFrom(
  last: number,
  first: number,
  unknown: string,
): AsyncGenerator<SlotHeader, void, void> {
  for (let slot = last; slot >= first; slot--) {
    if ((last - slot) % WITHOUT_PAUSE === WITHOUT_PAUSE - 1) await sleep(0)
    yield { slot, unknown }
  }
}

/** Headers that were asked for by their slots, ahead of the way. */
class HeadersAhead {
  readonly #endpoints: BeaconEndpoints
  readonly #signal: AbortSignal
  readonly #bySlot = new Map<number, Promise<ChainHeader | null>>()

  constructor(endpoints: BeaconEndpoints, signal: AbortSignal) {
    this.#endpoints = endpoints
    this.#signal = signal
  }

  /**
   * The header whose root a child names. Rejects with `BeaconUnavailableError` where nobody gives it. `least`: the last slot of the way,
   * before which nothing is asked for ahead.
   */
  async parentOf(child: ChainLink, least: number): Promise<ChainHeader> {
    for (let slot = child.slot - 1; slot >= Math.max(least, child.slot - AHEAD); slot--) {
      for (let next = slot; next >= Math.max(least, slot - AHEAD); next--) void this.at(next)
      const found = await this.at(slot)
      this.#bySlot.delete(slot)
      if (found?.root === child.parentRoot) return found
      // Another block than the chain's: none of those before it will do.
      if (found !== null) break
    }
    return await askParent(this.#endpoints, child, this.#signal)
  }

  /** What an endpoint says is the header of a slot; null where none says anything of use. */
  at(slot: number): Promise<ChainHeader | null> {
    const asked = this.#bySlot.get(slot)
    if (asked !== undefined) return asked
    const answer = askSlot(this.#endpoints, slot, this.#signal)
    // Whoever waits for it is told of an abort; if nobody does, nobody has to be.
    answer.catch(() => {})
    this.#bySlot.set(slot, answer)
    return answer
  }
}
