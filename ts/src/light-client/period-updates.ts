/** The updates of periods, each of which leads from a sync committee to the next: without one of them, the signatures of its period cannot be verified. */
import type { Endpoint } from '../beacon/endpoint.ts'
import { BeaconFailure, BeaconUnavailableError } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import { routes } from '../beacon/routes.ts'
import { type LightClientContext, type Report, saveVerified } from './context.ts'
import type { ChainState } from './state.ts'
import type { Stepped } from './worker/protocol.ts'
import { wantedPeriod } from './worker/views.ts'

/** Periods in one request: some 430 KB of SSZ, and one pairing product. */
const BATCH = 16

export class PeriodUpdates {
  readonly #context: LightClientContext
  /** The epoch in which the present period's update was asked for last: it is not needed yet, and comes late. */
  #askedInEpoch = -1

  constructor(context: LightClientContext) {
    this.#context = context
  }

  /** The client stands where another one stands, and asks when that one would. */
  beginAnew(other: PeriodUpdates): void {
    this.#askedInEpoch = other.#askedInEpoch
  }

  /** Learns the committees up to today's. Throws `BeaconUnavailableError` where nobody led on. */
  async catchUp(report: Report, signal: AbortSignal | undefined): Promise<void> {
    const { clock, endpoints, state } = this.#context
    const first = wantedPeriod(state.view)
    for (;;) {
      const start = wantedPeriod(state.view)
      const current = clock.periodOf(clock.slot)
      const total = Math.max(0, current - first)
      report('periods', Math.min(start - first, total), total)
      if (start >= current) return
      const count = Math.min(BATCH, current - start + 1)
      if (start + count > current) this.#askedInEpoch = clock.epochOf(clock.slot)
      try {
        const ask = (answer: BeaconAnswer, endpoint: Endpoint): Promise<boolean> =>
          this.#takeUpdates(answer, endpoint, { maxCount: count, isNeeded: true, signal })
        await endpoints.first(routes.updates(start, count), ask, signal)
      } catch (error) {
        if (!(error instanceof BeaconUnavailableError) || !(await this.#force(error))) throw error
      }
    }
  }

  /** Learns the next period's committee ahead of time, if anybody tells at once: it is asked for again in the next epoch. */
  async lookAhead(signal: AbortSignal | undefined): Promise<void> {
    const { clock, endpoints, state } = this.#context
    const [period, epoch] = [wantedPeriod(state.view), clock.epochOf(clock.slot)]
    if (period !== clock.periodOf(clock.slot) || this.#askedInEpoch === epoch || endpoints.waitMs > 0) return
    this.#askedInEpoch = epoch
    const ask = (answer: BeaconAnswer, endpoint: Endpoint): Promise<boolean> =>
      this.#takeUpdates(answer, endpoint, { maxCount: 1, isNeeded: false, signal })
    await endpoints.first(routes.updates(period, 1), ask, signal, undefined, 1).catch((error: unknown) => {
      if (!(error instanceof BeaconUnavailableError)) throw error
    })
  }

  /** Adopts what is true of an answer; whether it led on. */
  async #takeUpdates(
    answer: BeaconAnswer,
    endpoint: Endpoint,
    terms: {
      readonly maxCount: number
      readonly isNeeded: boolean
      readonly signal: AbortSignal | undefined
    },
  ): Promise<boolean> {
    const { engine, forceUpdate, records, state } = this.#context
    const { maxCount, isNeeded, signal } = terms
    const stepped = await engine.step(
      { ...{ kind: 'updates', quorum: 'two-thirds', store: state.store, maxCount }, source: { answer } },
      signal,
    )
    const failure = stepped.failure && new BeaconFailure(stepped.failure.kind, stepped.failure.detail)
    if (leadsOn(stepped, state)) {
      state.adopt(stepped)
      // After a forced update there is a gap in the way from the checkpoint: nothing beyond it is kept.
      if (state.forcedUpdates === 0) records.append(stepped.leading)
      // What came before the false one is true, and the next question is about what comes after.
      if (failure !== null) endpoint.failed(failure)
      return true
    }
    if (isNeeded) forceUpdate?.offer(answer, maxCount)
    if (failure !== null) throw failure
    if (isNeeded) throw new BeaconFailure('behind', stepped.accepted.length > 0 ? leadsNowhere : noUpdates)
    return false
  }

  /** Where no endpoint led on: whether a forced update did, if these were asked for. */
  async #force(error: BeaconUnavailableError): Promise<boolean> {
    const { forceUpdate, state } = this.#context
    const stepped = (await forceUpdate?.take(error)) ?? null
    if (stepped === null || !leadsOn(stepped, state)) return false
    saveVerified(this.#context)
    state.adoptForced(stepped)
    return true
  }
}

const leadsNowhere = 'no update that leads on from where we are'
/** Nodes need keep no more of them than blocks (MIN_EPOCHS_FOR_BLOCK_REQUESTS, specs/altair/light-client/full-node.md). */
const noUpdates =
  'no updates of that period: it may not keep those of so long ago; take a newer checkpoint, or another node'

/** Whether a step led to a committee that was not known. */
function leadsOn({ view }: Stepped, state: ChainState): boolean {
  return view !== null && wantedPeriod(view) > wantedPeriod(state.view)
}
