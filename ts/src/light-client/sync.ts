/**
 * From where the light client is to the head of the chain: period by period until the committee of today is known, then
 * the newest finalized header, then the newest header of all. What is adopted was verified; who said what was not is on
 * record, and the next endpoint is asked.
 */
import { type Endpoint, type Reply, TRIES } from '../beacon/endpoint.ts'
import { type BeaconEndpoints, named } from '../beacon/endpoints.ts'
import { BeaconFailure, BeaconUnavailableError, isTransient } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import { routes } from '../beacon/routes.ts'
import { type AgeLimit, type Clock, refuseStale } from './clock.ts'
import type { Engine } from './engine.ts'
import { ForceUpdate } from './force-update.ts'
import type { SyncOptions, SyncProgress } from './options.ts'
import { StaleCheckpointError, suspect, suspectClock } from './errors.ts'
import type { ChainState } from './state.ts'
import type { RecordStore } from './store/record-store.ts'
import type { VouchedHeaders } from './trusted-header.ts'
import { namingTheFork } from './unsupported-fork.ts'
import { CrossCheck, type EndpointHeader } from './cross-check.ts'
import type { Step, Stepped } from './worker/protocol.ts'
import { type UpdateView, wantedPeriod } from './worker/views.ts'
import { notify } from '../util/notify.ts'

/** Periods in one request: some 430 KB of SSZ, and one pairing product. */
const BATCH = 16

/**
 * Where a light client stands that believes nothing of what it believed unseen, by what it has by now; `draft` is what to keep of that. Rejects
 * as a start does.
 */
export type VerifiedRestart = (draft: RecordStore, signal: AbortSignal | undefined) => Promise<ChainState>

/** The parts that `fromCheckpoint` puts together. */
export interface LightClientContext {
  readonly state: ChainState
  /** Null where nothing was believed unseen (`trustCache`). */
  readonly restart: VerifiedRestart | null
  readonly vouched: VouchedHeaders
  readonly engine: Engine
  readonly endpoints: BeaconEndpoints
  readonly records: RecordStore
  readonly clock: Clock
  /** Null where forced updates were not asked for. */
  readonly forceUpdate: ForceUpdate | null
  /** How old what we stand on may be. */
  readonly ageLimit: AgeLimit
  /** Milliseconds of Unix time. */
  readonly now: () => number
}

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

type Report = (stage: SyncProgress['stage'], done: number, total: number) => void

export class Synchronizer {
  readonly crossCheck: CrossCheck
  readonly #context: LightClientContext
  /** The epoch in which the present period's update was asked for last: it is not needed yet, and comes late. */
  #askedInEpoch = -1
  #restart: VerifiedRestart | null
  /** Of the cross-check, how many have been a reason to begin anew. */
  #contradictions = 0
  #participation: { readonly signed: number; readonly of: number } | null = null

  constructor(context: LightClientContext) {
    this.#context = context
    this.#restart = context.restart
    this.crossCheck = new CrossCheck(context.now)
  }

  /** How many signed the newest update, or null where there was none yet. */
  get participation(): { readonly signed: number; readonly of: number } | null {
    return this.#participation
  }

  /**
   * One synchronisation. Throws `BeaconUnavailableError` where no endpoint could bring it about, or none had the newest header of a kind
   * and what is known in its place is old (`UnsupportedForkError` where they
   * answered with objects of a fork that is not known), and `StaleCheckpointError`
   * where what was final last is too old by now.
   */
  async run({ signal, onProgress }: SyncOptions): Promise<void> {
    const report: Report = (stage, done, total) => notify(onProgress, { stage, done, total }, signal)
    const { clock, ageLimit, state } = this.#context
    // A page may sleep for weeks between two of these.
    refuseStale(state.view.finalized.slot, clock, ageLimit)
    const accusedBefore = this.#accusations
    let failure: unknown = null
    try {
      await this.#advance(report, signal)
    } catch (error) {
      if (!(error instanceof BeaconUnavailableError)) throw error
      failure = error
    }
    try {
      const { contradictions } = this.crossCheck
      const isInDoubt = this.#accusations > accusedBefore || contradictions > this.#contradictions
      if (isInDoubt && (await this.#beginAnew(report, signal))) return
      // Each is a reason to begin anew once: where that cannot be done, it is in the report.
      this.#contradictions = contradictions
      if (failure !== null) throw failure
    } catch (error) {
      suspectClock(error)
      suspect(
        error,
        ({ kind }) => kind === 'invalid',
        'is `network` (default mainnet) that of these endpoints?',
      )
      throw namingTheFork(error, clock)
    }
  }

  /** How often endpoints have been found to say what is false. */
  get #accusations(): number {
    return this.#context.endpoints.report().reduce((sum, { failures }) => sum + (failures.invalid ?? 0), 0)
  }

  /**
   * By a store that was believed unseen, whoever says what is true looks false, or contradicts it. So what can be verified from the checkpoint is
   * stood on instead, once it has led on, and nobody is distrusted any more. False where nothing was believed, the checkpoint is too old for
   * it, or endpoints did not lead as far as this client is: a liar, or a moment without answers, does not throw it back.
   */
  async #beginAnew(report: Report, signal: AbortSignal | undefined): Promise<boolean> {
    const { endpoints, engine, forceUpdate, records, state } = this.#context
    if (this.#restart === null) return false
    const draft = records.draft()
    const verified = await this.#restart(draft, signal).catch((error: unknown) => {
      if (error instanceof StaleCheckpointError) this.#restart = null
      else if (!(error instanceof BeaconUnavailableError)) throw error
      return null
    })
    if (verified === null) return false
    const { store } = verified
    endpoints.pardon()
    const trial = new Synchronizer({
      ...this.#context,
      ...{ state: verified, restart: null, records: draft },
      forceUpdate: forceUpdate && new ForceUpdate(engine, verified),
    })
    let failure: unknown = null
    try {
      await trial.#advance(report, signal)
    } catch (error) {
      if (!(error instanceof BeaconUnavailableError)) throw error
      failure = error
      const { finalized, optimistic } = verified
      if (finalized.slot < state.finalized.slot || optimistic.slot < state.optimistic.slot) return false
    }
    this.#restart = null
    state.beginAnew(verified)
    records.take(draft)
    // The one before a forced update, beyond which nothing is kept.
    records.save(state.forcedUpdates > 0 ? store : state.store)
    this.crossCheck.beginAnew()
    this.#askedInEpoch = trial.#askedInEpoch
    this.#participation = trial.#participation
    if (failure !== null) throw failure
    return true
  }

  /** From where it stands to the newest header of all. */
  async #advance(report: Report, signal: AbortSignal | undefined): Promise<void> {
    const { forceUpdate, state } = this.#context
    const { finalized, view } = state
    try {
      await this.#catchUp(report, signal).finally(() => forceUpdate?.forget())
      const silent: { readonly stage: Stage; readonly failures: Failures }[] = []
      for (const stage of ['finality', 'optimistic'] as const) {
        report(stage, 0, 1)
        const failures = await this.#newest(stage, signal)
        if (failures !== null) silent.push({ stage, failures })
        report(stage, 1, 1)
      }
      await this.#lookAhead(signal)
      // What is old is not to be taken for the newest; what is fresh may go without an answer for a while.
      const missed = silent.length > 1 ? silent : silent.filter(({ stage }) => !this.#isFresh(stage))
      const [one] = missed
      if (one === undefined) return
      const error = new BeaconUnavailableError(missed.flatMap(({ failures }) => failures))
      if (missed.length === 1)
        error.message += `; the newest ${KIND[one.stage]} header that is known is ${this.#lagOf(one.stage)} slots behind the clock`
      throw error
    } finally {
      // Not for each header: what is kept is the way there, which grows once in a day; and what is final, once in an epoch.
      const isFurther = wantedPeriod(state.view) > wantedPeriod(view)
      if (isFurther || state.finalized !== finalized) this.#save()
    }
  }

  /** Learns the committees up to today's: without one of them, the signatures of its period cannot be verified. */
  async #catchUp(report: Report, signal: AbortSignal | undefined): Promise<void> {
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
  async #lookAhead(signal: AbortSignal | undefined): Promise<void> {
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
    const { forceUpdate, records, state } = this.#context
    const { maxCount, isNeeded, signal } = terms
    const stepped = await this.#step(
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

  /** A step that counts only while somebody waits for it: the next synchronisation begins where it found the store, without this step. */
  async #step(step: Step, signal: AbortSignal | undefined): Promise<Stepped> {
    const stepped = await this.#context.engine.step(step)
    signal?.throwIfAborted()
    return stepped
  }

  /** Where no endpoint led on: whether a forced update did, if these were asked for. */
  async #force(error: BeaconUnavailableError): Promise<boolean> {
    const { forceUpdate, state } = this.#context
    const stepped = (await forceUpdate?.take(error)) ?? null
    if (stepped === null || !leadsOn(stepped, state)) return false
    this.#save()
    state.adoptForced(stepped)
    return true
  }

  /** Writes down where it stands; after a forced update no more, since a store does not say what in it is final. */
  #save(): void {
    const { records, state } = this.#context
    if (state.forcedUpdates === 0) records.save(state.store)
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
    const { endpoints, state } = this.#context
    // After a forced update, what is called final may not be.
    if (state.forcedUpdates === 0) this.crossCheck.stand(state.view)
    const route = stage === 'finality' ? routes.finalityUpdate : routes.optimisticUpdate
    const test = async (answer: BeaconAnswer): Promise<UpdateView> => {
      const step = { kind: `${stage}-update`, store: state.store, source: { answer } } as const
      const stepped = await this.#step(step, signal)
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

const leadsNowhere = 'no update that leads on from where we are'
/** Nodes need keep no more of them than blocks (MIN_EPOCHS_FOR_BLOCK_REQUESTS, specs/altair/light-client/full-node.md). */
const noUpdates =
  'no updates of that period: it may not keep those of so long ago; take a newer checkpoint, or another node'

/** Whether a step led to a committee that was not known. */
function leadsOn({ view }: Stepped, state: ChainState): boolean {
  return view !== null && wantedPeriod(view) > wantedPeriod(state.view)
}
