/**
 * Headers back from the newest one, also far back: a rollup node that catches up asks for slots of days ago, while a light client by itself follows no more than 256
 * parents. Headers are fetched by their slots, many at a time, from endpoints that may lie: each is then looked up by the root that its
 * child names, so that what was made up leads nowhere, and the one that is missing is fetched by its root. The light client ties them to
 * its own.
 */
import { askParent, askSlot, type ChainHeader, type ChainLink } from '../../beacon/chain-headers.ts'
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconUnavailableError, isTransient } from '../../beacon/failure.ts'
import { headerBytes } from '../../beacon/header.ts'
import { MAX_ANCESTORS } from '../../light-client/ancestors.ts'
import type { LightClient } from '../../light-client/light-client.ts'
import type { TrustedHeader } from '../../light-client/trusted-header.ts'
import { DisposedError } from '../../runtime/errors.ts'
import { abortable } from '../../util/signals.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { HeaderStore } from './header-store.ts'
import { Walk } from './walk.ts'

/** Slots between two headers that are kept as the light client's objects, which is also how many are fetched in one go. */
const WINDOW = 128
/** Requests for headers of one window at the same time, over all endpoints: for two windows fewer than one endpoint gets, or they would keep all else waiting. */
const AT_ONCE = 7
/** Headers that are kept as the light client's objects, 1 KB each. */
const MAX_HANDED = 4096

/** What was found in a slot: a header, or nothing; or why it cannot be told. */
export type AncestorAnswer =
  | { readonly status: 'found'; readonly header: TrustedHeader }
  | { readonly status: 'no-block' }
  | { readonly status: 'too-old' }
  | { readonly status: 'unreachable'; readonly detail: string }

const linkOf = ({ slot, parent_root: parentRoot }: TrustedHeader): ChainLink => ({ slot, parentRoot })

const ancestorOf = (header: TrustedHeader): ChainHeader => ({
  ...{ root: header.root, ssz: headerBytes(header) },
  ...linkOf(header),
})

/** Options of `Ancestry`. */
export interface AncestryOptions {
  /** Where headers are fetched from: endpoints, none of them trusted. */
  readonly endpoints: BeaconEndpoints
  /** How many slots before the newest final header are followed back, and before the one that the light client began with. */
  readonly history: number
}

/** The headers of one light client, from its newest back. */
export class Ancestry {
  readonly #client: LightClient
  readonly #options: AncestryOptions
  /** Final headers of the light client, the newest first, less than a window apart where the way between them was walked. */
  #anchors: TrustedHeader[]
  /** What the light client began with, which may be nearer than all others, however long ago that was. */
  readonly #first: TrustedHeader
  readonly #headers = new HeaderStore()
  /** Final ones that were handed out, so that they need not be tied again. */
  readonly #handed = new BoundedMap<number, TrustedHeader>(MAX_HANDED)
  /** The slot of the newest header, and of the one that was the newest before. */
  #newest: readonly [number, number] = [-1, -1]
  /** From which newest header the way back was looked through, and how far all of it was at hand. */
  #looked: { readonly root: string; readonly link: ChainLink } | null = null
  /** The others, back from the newest header of all: until there is a newer one. */
  #recent: { readonly head: string; readonly bySlot: Map<number, TrustedHeader> } = {
    head: '',
    bySlot: new Map(),
  }
  /** The way back from the newest final header, and the one to there: who wants a recent slot does not wait for old ones. */
  readonly #walks: { readonly final: Walk; readonly recent: Walk }
  /** Windows whose slots were not asked for, the last time that requests for slots came to nothing, and how many of them are left. */
  #pause = { windows: 0, left: 0 }
  readonly #end = new AbortController()

  constructor(client: LightClient, options: AncestryOptions) {
    this.#client = client
    this.#options = options
    this.#first = client.first
    this.#anchors = [this.#first]
    const walk = (): Walk =>
      new Walk({
        step: async (slot) => await this.#stepTo(slot),
        isBehind: (other, slot) => other <= slot && this.#above(other) === this.#above(slot),
      })
    this.#walks = { final: walk(), recent: walk() }
  }

  /** Takes note of a header that is final, so that the way from it need not be walked from a newer one. */
  note(header: TrustedHeader): void {
    if (!header.finalized) return
    const at = this.#anchors.findIndex(({ slot }) => slot <= header.slot)
    if (at !== -1 && this.#anchors[at]?.slot === header.slot) return
    this.#anchors.splice(at === -1 ? this.#anchors.length : at, 0, header)
    // Nobody is led to the others any more.
    this.#anchors = this.#anchors.filter(({ slot }) => !this.#isTooOld(slot))
  }

  /** Whether nobody is led to a slot. */
  #isTooOld(slot: number): boolean {
    const from = slot <= this.#first.slot ? this.#first : this.#client.finalized
    return slot < from.slot - this.#options.history
  }

  /** The slot in the header of a root, where that is at hand; of which chain it is, `at` says. */
  slotOf(root: string): number | undefined {
    return this.#headers.get(root)?.slot
  }

  /**
   * The header of a slot up to the newest one. The way to it goes on where the signal ends the call, so that the next one finds more of it
   * done. Rejects with the signal's reason.
   */
  async at(slot: number, signal: AbortSignal | undefined): Promise<AncestorAnswer> {
    this.note(this.#client.finalized)
    this.#noteNewest(this.#client.optimistic)
    if (this.#isTooOld(slot)) return { status: 'too-old' }
    try {
      for (;;) {
        const known = await this.#known(slot)
        if (known !== null) return known
        const walk = this.#above(slot).finalized ? this.#walks.final : this.#walks.recent
        await abortable(signal, () => walk.to(slot))
      }
    } catch (error) {
      if (!(error instanceof BeaconUnavailableError) || signal?.aborted) throw error
      return { status: 'unreachable', detail: error.message }
    }
  }

  #noteNewest(header: TrustedHeader): void {
    if (header.slot === this.#newest[0]) return
    // The one after it names it.
    this.#headers.add(ancestorOf(header))
    this.#newest = [header.slot, this.#newest[0]]
  }

  /** How many headers have come so far. */
  get fetched(): number {
    return this.#headers.added
  }

  /** How far the way to a slot has come: the slot of the nearest header at or above it. */
  reached(slot: number): number {
    return this.#above(slot).slot
  }

  /** Ends what is under way: who waits for it is told `DisposedError`, as by the light client itself. */
  dispose(): void {
    this.#end.abort(new DisposedError())
  }

  /** The lowest of the light client's headers that are kept and not below a slot: a final one, or the newest of all. */
  #above(slot: number): TrustedHeader {
    const below = this.#anchors.findIndex((anchor) => anchor.slot < slot)
    return this.#anchors[below === -1 ? this.#anchors.length - 1 : below - 1] ?? this.#client.optimistic
  }

  /** The answer, where all headers between the slot and an anchor are at hand; else null. */
  async #known(slot: number): Promise<AncestorAnswer | null> {
    const anchor = this.#above(slot)
    const header = anchor.slot === slot ? anchor : this.#handedOut(anchor, slot)
    if (header !== undefined) return { status: 'found', header }
    const way = this.#wayAtHand(anchor, slot)
    if (way === null) return null
    if (way.at(-1)?.slot !== slot) return { status: 'no-block' }
    const tied = await this.#tie(anchor, way)
    if (anchor.finalized) for (const one of tied.slice(-1)) this.#handed.set(slot, one)
    // However many of them are asked for, they are tied once for each new head.
    else this.#recent = { head: anchor.root, bySlot: new Map(tied.map((one) => [one.slot, one])) }
    const last = tied.at(-1)
    return last === undefined ? null : { status: 'found', header: last }
  }

  #handedOut(anchor: TrustedHeader, slot: number): TrustedHeader | undefined {
    if (anchor.finalized) return this.#handed.get(slot)
    return this.#recent.head === anchor.root ? this.#recent.bySlot.get(slot) : undefined
  }

  /** The headers from an anchor's parent back to the first that is not above a slot; null where one of them is missing. */
  #wayAtHand(anchor: TrustedHeader, slot: number): ChainHeader[] | null {
    const way: ChainHeader[] = []
    for (let next = anchor.parent_root; (way.at(-1)?.slot ?? Infinity) > slot;) {
      const header = this.#atHand(next)
      if (header === undefined) return null
      way.push(header)
      next = header.parentRoot
    }
    return way
  }

  #atHand(root: string): ChainHeader | undefined {
    const header = this.#headers.get(root)
    if (header !== undefined) return header
    const anchor = this.#anchors.find((one) => one.root === root)
    return anchor && ancestorOf(anchor)
  }

  /** Headers, the newest first, as the light client's own. */
  async #tie(from: TrustedHeader, way: readonly ChainHeader[]): Promise<readonly TrustedHeader[]> {
    const tied: TrustedHeader[] = []
    // Without finality there may be more of them than the light client takes at once.
    while (tied.length < way.length) {
      const part = way.slice(tied.length, tied.length + MAX_ANCESTORS)
      const more = await this.#client.trustAncestors(
        part.map(({ ssz }) => ssz),
        tied.at(-1) ?? from,
      )
      // Each was found by the root that its child names.
      if (more === null) throw new Error('headers that name each other are no chain')
      tied.push(...more)
    }
    return tied
  }

  /** Goes one window of the way to a slot, unless all of that is done; whether it is. */
  async #stepTo(slot: number): Promise<boolean> {
    const anchor = this.#above(slot)
    const { finalized } = anchor
    const from = finalized ? linkOf(anchor) : this.#lookFrom(anchor, slot)
    const isWhole = from.slot <= slot
    if ((finalized || isWhole) && (await this.#known(slot)) !== null) return true
    if (isWhole) {
      // Some of its headers are kept no more.
      this.#looked = null
      return false
    }
    // Most often the way from the newest leads to the one before, which is at hand.
    const before = finalized ? -1 : this.#newest[1]
    const way = await this.#stepBack(from, Math.max(slot, before < from.slot ? before + 1 : 0))
    // The last header is an anchor from then on.
    if (finalized) for (const header of (await this.#tie(anchor, way)).slice(-1)) this.note(header)
    return false
  }

  /**
   * Where what is at hand of the way back from the newest header to a slot ends. Without finality that may be days away: who looks goes on from where
   * the last one came to, from a newer header, too.
   */
  #lookFrom(newest: TrustedHeader, slot: number): ChainLink {
    const { root, link: known } = this.#looked ?? { root: '', link: linkOf(newest) }
    let link = newest.root === root ? known : linkOf(newest)
    while (link.slot > slot) {
      const next = this.#atHand(link.parentRoot)
      if (next === undefined) break
      link = next.root === root ? known : next
    }
    this.#looked = { root: newest.root, link: { slot: link.slot, parentRoot: link.parentRoot } }
    return link
  }

  /** The headers of one window further back from one, towards a slot. */
  async #stepBack(from: ChainLink, slot: number): Promise<ChainHeader[]> {
    const way: ChainHeader[] = []
    let last = from
    const lowest = Math.max(slot, from.slot - WINDOW)
    let isFetched = false
    while (last.slot > lowest) {
      let header = this.#atHand(last.parentRoot)
      if (header === undefined) {
        // First: where nobody has this one, nobody is asked for those below it.
        header = await askParent(this.#options.endpoints, last, this.#end.signal)
        this.#headers.add(header)
        if (!isFetched) await this.#prefetch(lowest, header.slot - 1)
        isFetched = true
      }
      way.push(header)
      last = header
    }
    return way
  }

  /**
   * Fetches the headers of slots, as far as endpoints give any. What they are is found out by who looks for their roots. Where one request after the
   * other comes to nothing, as where answers by slot hang and those by root do not, the others are left out, and next time twice as many windows.
   */
  async #prefetch(from: number, to: number): Promise<void> {
    // One alone is what its child names by its root.
    if (to <= from) return
    if (this.#pause.left > 0) return void this.#pause.left--
    const slots = Array.from({ length: to - from + 1 }, (_, at) => to - at)
    let lost = 0
    const onUnavailable = ({ failures }: BeaconUnavailableError): void => {
      // Nobody has a header of an empty slot.
      if (failures.some(({ kind }) => isTransient(kind))) lost++
    }
    const worker = async (): Promise<void> => {
      for (let slot = slots.shift(); slot !== undefined; slot = slots.shift()) {
        this.#end.signal.throwIfAborted()
        const header = await askSlot(this.#options.endpoints, slot, this.#end.signal, onUnavailable)
        if (header !== null) {
          this.#headers.add(header)
          lost = 0
        }
        if (lost >= AT_ONCE) slots.length = 0
      }
    }
    await Promise.all(Array.from({ length: AT_ONCE }, worker))
    const windows = lost < AT_ONCE ? 0 : 2 * this.#pause.windows + 1
    this.#pause = { windows, left: windows }
  }
}
