/**
 * `process_light_client_store_force_update` (specs/altair/light-client/sync-protocol.md), for a chain that finalizes nothing for a
 * whole period: the best header that more than half of the sync committee signed is taken for final. Candidates are processed on a
 * copy of the store, apart from the one that headers come from, and only once no endpoint has anything that two thirds signed.
 */
import type { BeaconUnavailableError } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import type { Engine } from './engine.ts'
import { outOfPlay } from './errors.ts'
import type { ChainState } from './state.ts'
import type { Stepped } from './worker/protocol.ts'

interface Offer {
  readonly answer: BeaconAnswer
  readonly maxCount: number
}

/** A copy of the store on which candidates were processed, and what is in it. */
type Candidate = Pick<ChainState, 'store' | 'view'>

export class ForceUpdate {
  readonly #engine: Engine
  readonly #state: ChainState
  /** Answers of all endpoints that led nowhere from the store `#from`. */
  #offers: Offer[] = []
  #from: Uint8Array | null = null

  constructor(engine: Engine, state: ChainState) {
    this.#engine = engine
    this.#state = state
  }

  /** Notes an answer of updates that did not lead on from where the light client is: there may be candidates in it. */
  offer(answer: BeaconAnswer, maxCount: number): void {
    if (this.#from !== this.#state.store) this.#offers = []
    this.#from = this.#state.store
    this.#offers.push({ answer, maxCount })
  }

  /** Forgets what was noted: answers are long, and nobody takes those that an aborted synchronisation got. */
  forget(): void {
    this.#offers = []
    this.#from = null
  }

  /** The step to the best of all candidates, or null where there is none. `error` says why no endpoint led on. */
  async take(error: BeaconUnavailableError): Promise<Stepped | null> {
    const offers = this.#from === this.#state.store ? this.#offers : []
    this.forget()
    if (!isAgreed(error)) return null
    const candidate = await this.#withBest(offers)
    if (candidate === null) return null
    const stepped = await this.#engine.step({ kind: 'force', store: candidate.store })
    return stepped.failure === null ? stepped : null
  }

  /**
   * The store with the best of the candidates as its `best_valid_update`; null where none is valid. An update that finalizes a block
   * of the period before is none when it is processed first: the store takes over what it finalizes and forgets its best update
   * (`process_light_client_update`). So all are processed a second time where anything was finalized: nothing of them is newer
   * then than what the store has as final, each is held against the best one, and their order does not matter.
   */
  async #withBest(offers: readonly Offer[]): Promise<Candidate | null> {
    const { store, view } = this.#state
    const first = await this.#process(offers, { store, view })
    const isFinalized = first.view.finalized.slot > view.finalized.slot
    const { store: last, view: seen } = isFinalized ? await this.#process(offers, first) : first
    const isMajority = seen.best !== null && 2 * seen.best.participants > seen.committeeSize
    return isMajority ? { store: last, view: seen } : null
  }

  async #process(offers: readonly Offer[], before: Candidate): Promise<Candidate> {
    let { store, view } = before
    for (const { answer, maxCount } of offers) {
      const stepped = await this.#engine.step({
        ...{ kind: 'updates', quorum: 'majority', store, maxCount },
        source: { answer },
      })
      if (stepped.store !== null && stepped.view !== null) ({ store, view } = stepped as Candidate)
    }
    return { store, view }
  }
}

/**
 * Whether every endpoint was heard, and knows of nothing better: one that did not answer in time might. Endpoints that said what is
 * false, or that serve no light clients, need not agree, or they could stop us.
 */
function isAgreed({ failures }: BeaconUnavailableError): boolean {
  const kinds = failures.map(({ kind }) => kind)
  const agree = kinds.filter((kind) => kind === 'behind' || kind === 'few-signatures').length
  const out = kinds.filter((kind) => outOfPlay.has(kind)).length
  return agree > 0 && agree + out === kinds.length
}
