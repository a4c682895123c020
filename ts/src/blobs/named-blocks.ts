/** The execution blocks that endpoints name for a transaction: each is placed as it is named, until one is known to be of the chain. */
import type { ExecutionHeader, ProvenTransaction } from '../execution/execution.ts'
import { joinSignals } from '../util/signals.ts'
import { isOpen, type Placement } from './placement.ts'

/** An execution block, where it is, and the transaction in it that was asked for. */
export interface Found {
  readonly header: ExecutionHeader
  readonly placement: Placement
  readonly transaction: ProvenTransaction | null
  /** To be called where the block turns out to be none of the chain: one for each endpoint that named it, where that is not known yet. */
  readonly refutals: readonly (() => void)[]
}

/** How long other endpoints may take, of the time that is left, where it is not known whether the block that one named is of the chain. */
const SHARE_OF_TIME = 1 / 3

/** The blocks of one question. `release` must be called at its end. */
export class NamedBlocks {
  /** Aborted with the signal that was given, and once the other endpoints have had time enough. */
  readonly until: AbortSignal
  readonly #endsAt: number
  readonly #patience = new AbortController()
  readonly #release: () => void
  /** Each block once: another endpoint may name the right one. */
  readonly #open: (Found & { readonly refutals: (() => void)[] })[] = []
  #refused: string | null = null
  /** How many blocks are being placed: endpoints that are slow are asked beside others. */
  #placing = 0
  /** How long the others are waited for, as `performance.now()` tells the time; null while no block is open. */
  #openUntil: number | null = null
  #timer: ReturnType<typeof setTimeout> | undefined

  /** `endsAt`: when the call ends, as `performance.now()` tells the time. */
  constructor(signal: AbortSignal, endsAt: number) {
    const { either, release } = joinSignals([signal, this.#patience.signal])
    this.until = either
    this.#endsAt = endsAt
    this.#release = release
  }

  /** Of the last block that is none of the chain, for people; null where every block may be of it. */
  get refused(): string | null {
    return this.#refused
  }

  /** Blocks of which it is not known whether they are of the chain. Those come first whose beacon block is known, if it is theirs. */
  get open(): Found[] {
    return [...this.#open].sort((a, b) => Number(isPlaced(b)) - Number(isPlaced(a)))
  }

  /** What `ExecutionTerms.isOfChain` answers, once the transaction's block is placed by `place`. */
  async isOfChain(
    transaction: ProvenTransaction,
    refute: () => void,
    place: (header: ExecutionHeader) => Promise<Placement>,
  ): Promise<'yes' | 'no' | 'unknown'> {
    const { header } = transaction
    // While a block is placed, that is waited for, unless the beacon block of another one is known: then blobs can be looked for there.
    if (!this.#open.some(isPlaced)) clearTimeout(this.#timer)
    this.#placing++
    const placement = await place(header).finally(() => this.#placing--)
    if (placement.status === 'placed' && !isOpen(placement.claim)) return 'yes'
    const isRefused = placement.status === 'not-of-the-chain'
    const same = this.#open.find((one) => one.header.hash === header.hash)
    if (isRefused) this.#refused = `execution block ${header.hash}: ${placement.detail}`
    else if (same === undefined) this.#open.push({ header, placement, transaction, refutals: [refute] })
    else same.refutals.push(refute)
    this.#waitForOthers()
    return isRefused ? 'no' : 'unknown'
  }

  /** Blocks may still be being placed, which nobody waits for any more: the endpoint that named one may have made it up. */
  release(): void {
    clearTimeout(this.#timer)
    this.#patience.abort()
    this.#release()
  }

  #waitForOthers(): void {
    const canBegin = this.#open.length > 0 && (this.#placing === 0 || this.#open.some(isPlaced))
    if (!canBegin || this.until.aborted) return
    clearTimeout(this.#timer)
    const now = performance.now()
    this.#openUntil ??= now + (this.#endsAt - now) * SHARE_OF_TIME
    this.#timer = setTimeout(
      () => this.#patience.abort(new DOMException('enough time for the others', 'TimeoutError')),
      Math.max(0, this.#openUntil - now),
    )
  }
}

const isPlaced = ({ placement }: Found): boolean => placement.status === 'placed'
