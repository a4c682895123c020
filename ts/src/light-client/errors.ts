/** What a light client throws. None of these accuses anyone: who did what is in its report. */
import type { LightClientReason } from './reasons.ts'

/**
 * The checkpoint, or what was final when the client was synchronised last, is older than the weak-subjectivity period:
 * validators who have left since could have signed another chain, at no cost to them, and nothing in the protocol would
 * show it. Begin with a newer checkpoint, or say `allowStale: true`.
 */
export class StaleCheckpointError extends Error {
  override readonly name = 'StaleCheckpointError'
  /** The checkpoint's age, and the age from which on it is refused, in epochs. */
  readonly ageEpochs: number
  readonly limitEpochs: number
  constructor(ageEpochs: number, limitEpochs: number) {
    super(
      `what is trusted is ${ageEpochs} epochs old, more than the weak-subjectivity period of ${limitEpochs}`,
    )
    this.ageEpochs = ageEpochs
    this.limitEpochs = limitEpochs
  }
}

/** A function of the specification refused something; `reason` says why. */
export class LightClientError extends Error {
  override readonly name = 'LightClientError'
  readonly reason: LightClientReason
  constructor(reason: LightClientReason) {
    super(reason)
    this.reason = reason
  }
}
