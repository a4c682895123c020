/** What several endpoints said to the same question, held against each other. All of it was verified before. */
import { encodeHex } from '../util/hex.ts'
import type { Endpoint } from '../beacon/endpoint.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import type { Disagreement } from './options.ts'
import type { HeaderView } from './worker/views.ts'

/** One endpoint's newest header. */
export interface Testimony {
  readonly endpoint: Endpoint
  readonly header: HeaderView
}

const MAX_DISAGREEMENTS = 16

export class Witnesses {
  readonly #now: () => number
  readonly #disagreements: Disagreement[] = []

  constructor(now: () => number) {
    this.#now = now
  }

  /** The latest disagreements, oldest first. */
  get disagreements(): readonly Disagreement[] {
    return [...this.#disagreements]
  }

  /** `maxBehind`: the slots that an endpoint may be behind others without its being noted. */
  compare(testimonies: readonly Testimony[], maxBehind: number): void {
    const newest = Math.max(...testimonies.map(({ header }) => header.slot))
    const bySlot = new Map<number, { endpoint: string; root: string }[]>()
    for (const { endpoint, header } of testimonies) {
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
