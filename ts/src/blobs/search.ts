/** The search for the data of one block: what is known of it so far, and what is still missing. */
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import type { BlockContext } from '../block-data/context.ts'
import type { SampledHeader } from '../block-data/options.ts'
import { blockLinks, type ProvenBlock } from '../block-data/proven-block.ts'
import type { PayloadReport } from '../block-data/report.ts'
import { joinSignals } from '../util/signals.ts'
import { type Links, noLinks } from '../verdict/verdict.ts'
import type { Call } from './context.ts'
import { type Claim, isOpen } from './placement.ts'
import type { Share } from './shares.ts'
import {
  allOf,
  canHave,
  type FoundBlob,
  hashOfCommitment,
  ofHashes,
  type WantedBlob,
  WantedBlobs,
} from './wanted.ts'

/** Which blobs of a block are wanted: all, or those of these versioned hashes (lower-case 0x hex), in this order. */
export type Selection = 'all' | readonly string[]

/** A column that was verified, what that rests on, and who gave it. */
export interface HeldColumn {
  readonly index: number
  readonly ssz: Uint8Array
  readonly links: Links
  readonly share: Share
}

/** What a search is for. */
export interface SearchTarget {
  readonly selection: Selection
  /** The place in the block of the first of them, where they are a transaction's and that is known. */
  readonly firstBlob?: number | null
  /** Null where it is not known: then what is found is held against the selection's hashes alone. */
  readonly header: SampledHeader | null
  /** What endpoints call the block: its root, or its slot in digits; null where no endpoint is to be asked. */
  readonly name: string | null
  readonly slot: number | null
  /** The block, and what became of its payload, where they are known already. */
  readonly block?: ProvenBlock | null
  readonly payload?: PayloadReport | null
  /** Whether the caller vouches for its execution block, which then was revealed. */
  readonly isTrusted?: boolean
  /** What the block must show before it counts as the one that is meant; null or absent where it is the one. */
  readonly claim?: Claim | null
  /** Whether the hashes of the selection are known to be of blobs of the block; else it is the caller who says so. */
  readonly areOwnHashes?: boolean
}

/** What is known before the block's commitments are. */
function linksOf(header: SampledHeader | null): Links {
  return header === null ? noLinks : { ...blockLinks(header), inclusion: 'absent' }
}

/** Why nothing is to be learnt of a block. */
export interface Unread {
  /** `another`: it has another execution block than the one that is meant, as the block itself shows, or which blobs it has. */
  readonly kind: 'of-later-fork' | 'another' | 'not-had'
  /** For people. */
  readonly detail: string
}

/** One search. Its signals are aborted when all that is wanted is here, or nothing more can come; `release` lets go of them. */
export class Search {
  readonly call: Call
  /** Aborted with the caller's signal, and when the search ends. */
  readonly signal: AbortSignal
  /** The same, and at the deadline. */
  readonly until: AbortSignal
  /** Verified columns, by index. */
  readonly columns: Map<number, HeldColumn> = new Map()
  /** Null while the block is on its way, and where it is here and is the one that is meant. */
  unread: Unread | null = null
  readonly #end = new AbortController()
  readonly #releases: (() => void)[] = []
  #target: SearchTarget
  #block: ProvenBlock | null = null
  #commitments: readonly string[] | null = null
  #all: readonly WantedBlob[] | null = null
  #links: Links
  #wanted: WantedBlobs | null = null
  /** Versioned hashes of the block by their places, as far as they are known; for a claim that nothing has shown yet. */
  readonly #places = new Map<number, string>()
  /** How many blobs the block has; null where that is not known. */
  #count: number | null = null

  constructor(call: Call, target: SearchTarget) {
    this.call = call
    this.#target = target
    this.signal = this.#joined([call.signal, this.#end.signal])
    this.until = this.#joined([call.until, this.#end.signal])
    this.#links = linksOf(target.header)
    const { areOwnHashes = false, block = null, header, selection } = target
    // Hashes that are the block's own say which blobs are meant, whether anyone gives the block or not.
    if (selection !== 'all' && (header === null || (areOwnHashes && block === null)))
      this.#want(ofHashes(selection, null))
  }

  get target(): SearchTarget {
    return this.#target
  }

  /** The block, where it was fetched. */
  get block(): ProvenBlock | null {
    return this.#block
  }

  /** The block's commitments, each tied to the header; null where they are not known. */
  get commitments(): readonly string[] | null {
    return this.#commitments
  }

  /** All blobs of the block; null where its commitments are not known. */
  get all(): readonly WantedBlob[] | null {
    return this.#all
  }

  /** Null until it is known which blobs are wanted. */
  get wanted(): WantedBlobs | null {
    return this.#wanted
  }

  get missing(): readonly WantedBlob[] {
    return this.#wanted?.missing ?? []
  }

  /** Those of them that may be had of the block: where its commitments are known, none that they do not name. */
  get missingOfBlock(): readonly WantedBlob[] {
    return this.#all === null ? this.missing : this.missing.filter(({ index }) => index !== null)
  }

  /** Whether something of the block was found out: its commitments, or a blob of it. */
  get isUnderWay(): boolean {
    return this.#commitments !== null || (this.#wanted !== null && this.#wanted.foundCount > 0)
  }

  get isOver(): boolean {
    return this.#end.signal.aborted
  }

  /** How many blobs the block can have at most. */
  get maxBlobs(): number {
    const { parts } = this.call
    return this.#commitments?.length ?? parts.schedule.maxBlobs(this.target.slot ?? 0)
  }

  /** What is known of a blob of which nothing but its commitment or its hash was looked at. */
  get links(): Links {
    return this.#links
  }

  /** The block is here. */
  learnBlock(block: ProvenBlock): void {
    const { header } = this.target
    if (header === null) return
    this.#block = block
    this.learnCommitments(block.commitments, blockLinks(header))
  }

  /** The header is that of another block: what is wanted by its hashes can be looked for by the slot alone. */
  forgetHeader({ slot }: SampledHeader): void {
    const { selection } = this.#target
    this.#target = { selection, header: null, name: `${slot}`, slot }
    this.#links = noLinks
    if (selection !== 'all') this.#want(ofHashes(selection, null))
  }

  /** The block's commitments are known, by the block itself or by what was verified with its branch. */
  learnCommitments(commitments: readonly string[], links: Links): void {
    if (this.#commitments !== null) return
    this.call.notify({ stage: 'block', done: 1, total: 1 })
    this.#commitments = commitments
    this.#all = allOf(commitments)
    this.#links = { ...links, kzg: 'absent', signature: 'absent' }
    const { firstBlob, selection } = this.target
    const wanted = selection === 'all' ? this.#all : ofHashes(selection, this.#all, firstBlob ?? 0)
    const before = this.#wanted
    this.#want(wanted)
    for (const found of before?.found ?? []) this.#wanted?.take(found)
    this.#count = commitments.length
    for (const [place, commitment] of commitments.entries()) this.learnPlace(place, commitment)
  }

  /** The block has so many blobs, whose commitments come with them. */
  learnCount(count: number): void {
    if (this.#wanted !== null) return
    this.#count = count
    const { selection } = this.target
    this.#want(
      selection === 'all'
        ? Array.from({ length: count }, (_, index) => ({ index, commitment: null, versionedHash: null }))
        : ofHashes(selection, null),
    )
  }

  /**
   * The block has this commitment in this place, by its branch. Where it cannot have the blobs of the transaction whose block is claimed to be its own,
   * it is another one, and nothing more is wanted of it.
   */
  learnPlace(place: number, commitment: string): void {
    const { claim, firstBlob = null, selection, slot } = this.target
    if (!isOpen(claim) || this.#block !== null || selection === 'all') return
    if (this.#count === null || this.unread?.kind === 'another') return
    this.#places.set(place, hashOfCommitment(commitment))
    if (canHave(this.#count, this.#places, selection, firstBlob)) return
    this.unread = {
      kind: 'another',
      detail: `the beacon block of slot ${slot} does not have the transaction’s blobs`,
    }
    this.end()
  }

  /** Takes a blob that was verified, of which these have given parts. */
  take(found: FoundBlob, shares: readonly Share[]): void {
    const isNamed = this.target.selection !== 'all'
    // The hash of a commitment that is known was compared. Otherwise the blob itself was held against the hash, which is as good as its `kzg`.
    const known = found.commitment === null ? found.links.kzg : 'verified'
    const links: Links = { ...found.links, 'versioned-hash': isNamed ? known : 'absent' }
    const places = this.#wanted?.take({ ...found, links }) ?? []
    for (const share of shares) for (const place of places) share.give(place)
  }

  /** What the block's data is asked for with; `endpoints` in the place of the source's own. */
  context(endpoints: BeaconEndpoints = this.call.parts.endpoints): BlockContext | null {
    const { header } = this.target
    if (header === null) return null
    const { signal, until } = this
    return {
      parts: { ...this.call.parts, endpoints },
      ...{ header, block: this.#block, signal, until },
      endsAt: this.call.endsAt,
      notify: () => {},
      send: this.call.shares.waiting.send,
      timings: { fetchMs: 0, verifyMs: 0 },
    }
  }

  /** Nothing more is wanted. */
  end(): void {
    this.#end.abort(new DOMException('nothing more is wanted', 'AbortError'))
  }

  release(): void {
    for (const release of this.#releases) release()
  }

  #want(wanted: readonly WantedBlob[]): void {
    const tell = (blobs: WantedBlobs): void => {
      this.call.notify({ stage: 'blobs', done: blobs.foundCount, total: blobs.count })
      if (blobs.isComplete) this.end()
    }
    this.#wanted = new WantedBlobs(wanted, tell)
    this.call.notify({ stage: 'blobs', done: 0, total: wanted.length })
  }

  #joined(signals: readonly (AbortSignal | undefined)[]): AbortSignal {
    const { either, release } = joinSignals(signals)
    this.#releases.push(release)
    return either
  }
}
