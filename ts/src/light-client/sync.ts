/**
 * From where the light client is to the head of the chain: period by period until the committee of today is known, then
 * the newest finalized header, then the newest header of all. What is adopted was verified; who said what was not is on
 * record, and the next endpoint is asked.
 */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { notify } from '../util/notify.ts'
import { refuseStale } from './clock.ts'
import { type LightClientContext, type Report, saveVerified, type VerifiedRestart } from './context.ts'
import { StaleCheckpointError, suspect, suspectClock } from './errors.ts'
import { ForceUpdate } from './force-update.ts'
import { NewestHeaders } from './newest-headers.ts'
import type { SyncOptions } from './options.ts'
import { PeriodUpdates } from './period-updates.ts'
import { namingTheFork } from './unsupported-fork.ts'
import { wantedPeriod } from './worker/views.ts'

export class Synchronizer {
  readonly newest: NewestHeaders
  readonly #updates: PeriodUpdates
  readonly #context: LightClientContext
  #restart: VerifiedRestart | null
  /** Of the cross-check, how many have been a reason to begin anew. */
  #contradictions = 0

  constructor(context: LightClientContext) {
    this.#context = context
    this.#restart = context.restart
    this.newest = new NewestHeaders(context)
    this.#updates = new PeriodUpdates(context)
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
      const { contradictions } = this.newest.crossCheck
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
    this.newest.beginAnew(trial.newest)
    this.#updates.beginAnew(trial.#updates)
    if (failure !== null) throw failure
    return true
  }

  /** From where it stands to the newest header of all. */
  async #advance(report: Report, signal: AbortSignal | undefined): Promise<void> {
    const { forceUpdate, state } = this.#context
    const { finalized, view } = state
    try {
      await this.#updates.catchUp(report, signal).finally(() => forceUpdate?.forget())
      const silent = await this.newest.adopt(report, signal)
      // An update of the period may finalize what was asked for in vain.
      await this.#updates.lookAhead(signal)
      this.newest.refuseOld(silent)
    } finally {
      // Not for each header: what is kept is the way there, which grows once in a day; and what is final, once in an epoch.
      const isFurther = wantedPeriod(state.view) > wantedPeriod(view)
      if (isFurther || state.finalized !== finalized) saveVerified(this.#context)
    }
  }
}
