/**
 * The specification's forced update, for a chain that finalizes nothing for a whole period: the best header that a simple
 * majority signed is taken for final. What endpoints offer is collected apart from the store that headers come from, and
 * used only once no endpoint has anything that two thirds signed.
 */
import type { BeaconAnswer } from '../beacon/request.ts'
import type { Engine } from './engine.ts'
import type { BeaconUnavailableError } from '../beacon/errors.ts'
import type { ChainState } from './state.ts'
import type { Stepped } from './worker/protocol.ts'

export class ForcedUpdate {
  readonly #engine: Engine
  readonly #state: ChainState
  /** A store with the best of what was offered; where it stood when it was begun. */
  #candidate: { readonly from: Uint8Array; readonly store: Uint8Array } | null = null

  constructor(engine: Engine, state: ChainState) {
    this.#engine = engine
    this.#state = state
  }

  /** Looks for candidates in an answer that did not lead on. */
  async offer(answer: BeaconAnswer, maxCount: number): Promise<void> {
    const from = this.#state.store
    const store = this.#candidate?.from === from ? this.#candidate.store : from
    const stepped = await this.#engine.step({
      ...{ kind: 'updates', quorum: 'majority', store, maxCount },
      source: { answer },
    })
    if (stepped.store !== null) this.#candidate = { from, store: stepped.store }
  }

  /** What the best of the candidates leads to, or null. `error`: why no endpoint led on. */
  async take(error: BeaconUnavailableError): Promise<Stepped | null> {
    const candidate = this.#candidate
    this.#candidate = null
    if (candidate?.from !== this.#state.store || !isAgreed(error)) return null
    const { view } = await this.#engine.step({ kind: 'view', store: candidate.store })
    if (view === null || view.best === null) return null
    if (2 * view.best.participants <= view.committeeSize) return null
    const stepped = await this.#engine.step({ kind: 'force', store: candidate.store })
    return stepped.failure === null ? stepped : null
  }
}

/**
 * Whether every endpoint had its say, and knows of nothing better: what did not answer in time might. What lied, or serves
 * no light clients, need not agree, or it could stop us.
 */
function isAgreed({ failures }: BeaconUnavailableError): boolean {
  const kinds = failures.map(({ kind }) => kind)
  const agree = kinds.filter((kind) => kind === 'behind' || kind === 'few-signatures').length
  const out = kinds.filter(
    (kind) => kind === 'invalid' || kind === 'malformed' || kind === 'not-found' || kind === 'refused',
  ).length
  return agree > 0 && agree + out === kinds.length
}
