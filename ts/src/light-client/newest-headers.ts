/** The newest headers of all, of what is final and of what was signed, asked of several endpoints whose answers are held against each other. */
import { type Reply, TRIES } from '../beacon/endpoint.ts'
import { named } from '../beacon/endpoints.ts'
import { BeaconFailure, BeaconUnavailableError, isTransient } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import { routes } from '../beacon/routes.ts'
import type { LightClientContext, Report } from './context.ts'
import { CrossCheck, type EndpointHeader } from './cross-check.ts'
import type { UpdateView } from './worker/views.ts'

/**
 * How far the newest header may be behind the clock, in epochs and slots, for the quickest endpoints' word to be enough: two
 * epochs are finalized in the third. Whoever repeats what is old and true is found out by the others.
 */
const LAG = { finality: { epochs: 4, slots: 0 }, optimistic: { epochs: 0, slots: 4 } } as const

/** Slots: an endpoint that is further behind others than this shows it in its report. */
const MAX_BEHIND = { finality: 64, optimistic: 4 } as const

type Stage = 'finality' | 'optimistic'
/** The header that a stage is about. */
const KIND = { finality: 'finalized', optimistic: 'optimistic' } as const

type Failures = BeaconUnavailableError['failures']

/** A stage of which nobody had an answer, and what each did. */
interface Silent {
  readonly stage: Stage
  readonly failures: Failures
}

export class NewestHeaders {
  readonly crossCheck: CrossCheck
  readonly #context: Pick<LightClientContext, 'clock' | 'endpoints' | 'engine' | 'state'>
  #participation: { readonly signed: number; readonly of: number } | null = null

  constructor(context: LightClientContext) {
    this.#context = context
    this.crossCheck = new CrossCheck(context.now)
  }

  /** How many signed the newest update, or null where there was none yet. */
  get participation(): { readonly signed: number; readonly of: number } | null {
    return this.#participation
  }

  /** The client stands where another one stands: what was held against what it stood on is none of it. */
  beginAnew({ participation }: NewestHeaders): void {
    this.crossCheck.beginAnew()
    this.#participation = participation
  }

  /** Adopts the newest of both kinds. Resolves to those of which nobody had an answer. */
  async adopt(report: Report, signal: AbortSignal | undefined): Promise<readonly Silent[]> {
    const silent: Silent[] = []
    for (const stage of ['finality', 'optimistic'] as const) {
      report(stage, 0, 1)
      const failures = await this.#newest(stage, signal)
      if (failures !== null) silent.push({ stage, failures })
      report(stage, 1, 1)
    }
    return silent
  }

  /**
   * What is old is not to be taken for the newest: throws `BeaconUnavailableError` where nobody had an answer and what is known by now is old; what is
   * fresh may go without one for a while.
   */
  refuseOld(silent: readonly Silent[]): void {
    const missed = silent.length > 1 ? silent : silent.filter(({ stage }) => !this.#isFresh(stage))
    const [one] = missed
    if (one === undefined) return
    const error = new BeaconUnavailableError(missed.flatMap(({ failures }) => failures))
    if (missed.length === 1)
      error.message += `; the newest ${KIND[one.stage]} header that is known is ${this.#lagOf(one.stage)} slots behind the clock`
    throw error
  }

  /** How many slots the newest header of a stage is behind the clock. */
  #lagOf(stage: Stage): number {
    const { clock, state } = this.#context
    return clock.slot - state[KIND[stage]].slot
  }

  /** Whether it is as new as makes no difference. */
  #isFresh(stage: Stage): boolean {
    const { epochs, slots } = LAG[stage]
    return this.#lagOf(stage) <= epochs * this.#context.clock.slotsPerEpoch + slots
  }

  /**
   * The newest header of a stage, asked of several endpoints, whose answers are held against each other. Resolves to null, or to what each did
   * where none had an answer. Where what is known is fresh, each is asked once.
   */
  async #newest(stage: Stage, signal: AbortSignal | undefined): Promise<Failures | null> {
    const { endpoints, engine, state } = this.#context
    // After a forced update, what is called final may not be.
    if (state.forcedUpdates === 0) this.crossCheck.stand(state.view)
    const route = stage === 'finality' ? routes.finalityUpdate : routes.optimisticUpdate
    const test = async (answer: BeaconAnswer): Promise<UpdateView> => {
      const step = { kind: `${stage}-update`, store: state.store, source: { answer } } as const
      const stepped = await engine.step(step, signal)
      const { failure, update } = stepped
      if (failure !== null) throw new BeaconFailure(failure.kind, failure.detail)
      if (update === null) throw new BeaconFailure('malformed', 'an update that says nothing')
      // Of the update itself: an older one, though true, leaves the store's newest header what it was.
      const isNewest = update.attested.slot >= state.optimistic.slot
      state.adopt(stepped)
      if (isNewest) this.#participation = { signed: update.participants, of: state.view.committeeSize }
      return update
    }
    const isEnough = (replies: readonly Reply<UpdateView>[]): boolean =>
      replies.some(isAnswer) && this.#isFresh(stage)
    const tries = this.#isFresh(stage) ? 1 : TRIES
    // What is final is asked for first: while it is fresh, whoever wants to be left alone does not hold up the newest header.
    const maxWaitMs = stage === 'finality' && tries === 1 ? 0 : undefined
    const replies = await endpoints.several(route, test, isEnough, signal, tries, maxWaitMs)
    const updates = replies.flatMap((reply) => ('value' in reply ? [reply] : []))
    const headersOf = (name: 'attested' | 'finalized'): EndpointHeader[] =>
      updates.flatMap(({ endpoint, value: { [name]: header } }) =>
        header === null ? [] : [{ endpoint, header }],
      )
    this.crossCheck.compare(
      'signed',
      headersOf('attested'),
      stage === 'finality' ? Infinity : MAX_BEHIND[stage],
    )
    this.crossCheck.compare('final', headersOf('finalized'), MAX_BEHIND[stage])
    const failures = replies.flatMap((reply) =>
      'failure' in reply ? [named(reply.endpoint, reply.failure)] : [],
    )
    // Who has nothing newer may lie: that there is nothing is believed where it is of no account, or where everybody was heard.
    const isHeard = this.#isFresh(stage) || !failures.some(({ kind }) => isTransient(kind))
    return updates.length > 0 || (isHeard && replies.some(isAnswer)) ? null : failures
  }
}

/** What is true and old is an answer, too: there may be nothing newer. Without a value, nobody has verified that it is true. */
function isAnswer(reply: Reply<unknown>): boolean {
  return 'value' in reply || reply.failure.kind === 'behind' || reply.failure.kind === 'few-signatures'
}
