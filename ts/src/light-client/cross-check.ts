/** Compares the answers of several endpoints to the same request, each of which was verified before. */
import { encodeHex } from '../util/hex.ts'
import type { Endpoint } from '../beacon/endpoint.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import type { Disagreement } from './options.ts'
import type { HeaderView } from './worker/views.ts'

/** The newest header that one endpoint has. */
export interface EndpointHeader {
  readonly endpoint: Endpoint
  readonly header: HeaderView
}

const MAX_DISAGREEMENTS = 16

/** Notes which endpoints are behind others, and which contradict each other although each answer is signed. */
export class CrossCheck {
  readonly #now: () => number
  readonly #disagreements: Disagreement[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** The latest disagreements, oldest first. */
  get disagreements(): readonly Disagreement[] {
    return [...this.#disagreements]
  }

  /**
   * Compares one answer of each endpoint. One that is more than `maxBehind` slots older than the newest counts as `behind` in its
   * endpoint's report; two roots for one slot are a disagreement.
   */
  compare(headers: readonly EndpointHeader[], maxBehind: number): void {
    const newest = Math.max(...headers.map(({ header }) => header.slot))
    const bySlot = new Map<number, { endpoint: string; root: string }[]>()
    for (const { endpoint, header } of headers) {
      const lag = newest - header.slot
      if (lag > maxBehind) endpoint.failed(new BeaconFailure('behind', `${lag} slots behind other endpoints`))
      const answers = bySlot.get(header.slot) ?? []
      answers.push({ endpoint: endpoint.name, root: `0x${encodeHex(header.root)}` })
      bySlot.set(header.slot, answers)
    }
    for (const [slot, answers] of bySlot) {
      if (new Set(answers.map(({ root }) => root)).size === 1) continue
      this.#disagreements.push({ slot, at: this.#now(), answers })
      this.#disagreements.splice(0, this.#disagreements.length - MAX_DISAGREEMENTS)
    }
  }
}
