/** Compares verified answers: those of several endpoints to the same request, and each with what the client itself stands on. */
import { encodeHex } from '../util/hex.ts'
import type { Endpoint } from '../beacon/endpoint.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import type { Disagreement } from './options.ts'
import type { TrustedHeader } from './trusted-header.ts'
import type { HeaderView, StoreView } from './worker/views.ts'

/** The newest header that one endpoint has. */
export interface EndpointHeader {
  readonly endpoint: Endpoint
  readonly header: HeaderView
}

/**
 * What makes two blocks of one slot a contradiction: that both are final, or that two thirds signed both. Where one that two thirds signed is
 * reorganised away, another one of its slot may become final.
 */
export type Claim = 'final' | 'signed'

const MAX_DISAGREEMENTS = 16
/** Slots of each claim that are remembered, the newest: 16 epochs of what is final. */
const MAX_KNOWN = 16
/** The name of the client among those of endpoints. */
const OWN = 'this client'

type Answer = Disagreement['answers'][number]

/** Notes which endpoints are behind others, and which contradict each other or the client, although each answer is signed. */
export class CrossCheck {
  readonly #now: () => number
  #disagreements: Disagreement[] = []
  #contradictions = 0
  /** By slots, who said first what block it is. */
  readonly #known = { final: new Map<number, Answer>(), signed: new Map<number, Answer>() }

  constructor(now: () => number) {
    this.#now = now
  }

  /** The latest disagreements, oldest first. */
  get disagreements(): readonly Disagreement[] {
    return [...this.#disagreements]
  }

  /** How often an endpoint contradicted what the client itself stood on. */
  get contradictions(): number {
    return this.#contradictions
  }

  /** What the client stands on is held against all answers from now on. */
  stand({ finalized, optimistic }: StoreView): void {
    this.#remember('final', finalized.slot, answerOf(OWN, finalized))
    // Else it is the final one, which perhaps nobody signed.
    if (optimistic.slot > finalized.slot) this.#remember('signed', optimistic.slot, answerOf(OWN, optimistic))
  }

  /** The client stands on something else: nobody contradicted that. */
  beginAnew(): void {
    this.#disagreements = this.#disagreements.filter((one) => !isWithOwn(one))
    this.#known.final.clear()
    this.#known.signed.clear()
  }

  /**
   * Compares one answer of each endpoint, with what was said before, too. One that is more than `maxBehind` slots older than the newest counts
   * as `behind` in its endpoint's report; two roots for one slot are a disagreement.
   */
  compare(claim: Claim, headers: readonly EndpointHeader[], maxBehind: number): void {
    const newest = Math.max(...headers.map(({ header }) => header.slot))
    const bySlot = new Map<number, Answer[]>()
    for (const { endpoint, header } of headers) {
      const lag = newest - header.slot
      if (lag > maxBehind) endpoint.failed(new BeaconFailure('behind', `${lag} slots behind other endpoints`))
      const answers = bySlot.get(header.slot) ?? []
      answers.push(answerOf(endpoint.name, header))
      bySlot.set(header.slot, answers)
    }
    for (const [slot, answers] of bySlot) this.#hold(claim, slot, answers)
  }

  /** Holds an ancestor of what is final against what was final in its slot before. */
  ancestor({ slot, root }: TrustedHeader): void {
    this.#hold('final', slot, [{ endpoint: OWN, root }])
  }

  #hold(claim: Claim, slot: number, answers: Answer[]): void {
    const known = this.#remember(claim, slot, answers[0]!)
    if (answers.every(({ root }) => root !== known.root)) answers.unshift(known)
    // Each synchronisation finds again what another one has noted.
    const isNoted = this.#disagreements.some(
      (noted) =>
        noted.slot === slot &&
        answers.every(({ root }) => noted.answers.some((answer) => answer.root === root)),
    )
    if (isNoted || answers.every(({ root }) => root === known.root)) return
    const disagreement = { slot, at: this.#now(), answers }
    if (isWithOwn(disagreement)) this.#contradictions++
    this.#disagreements.push(disagreement)
    this.#disagreements.splice(0, this.#disagreements.length - MAX_DISAGREEMENTS)
  }

  /** Notes what block a slot has, unless something was said of it before: what was said first. */
  #remember(claim: Claim, slot: number, answer: Answer): Answer {
    const known = this.#known[claim]
    const first = known.get(slot) ?? answer
    known.set(slot, first)
    if (known.size > MAX_KNOWN) known.delete(Math.min(...known.keys()))
    return first
  }
}

function answerOf(endpoint: string, { root }: HeaderView): Answer {
  return { endpoint, root: `0x${encodeHex(root)}` }
}

function isWithOwn({ answers }: Disagreement): boolean {
  return answers.some(({ endpoint }) => endpoint === OWN)
}
