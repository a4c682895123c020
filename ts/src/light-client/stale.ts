/** Weak subjectivity: how old what we stand on may be. */
import type { Clock } from './clock.ts'
import { StaleCheckpointError } from './errors.ts'

/**
 * The weak-subjectivity period with 8.4 million ETH staked and more, as on mainnet, in epochs: some 15.7 days
 * (specs/electra/weak-subjectivity.md). With less at stake it is shorter.
 */
export const WEAK_SUBJECTIVITY_EPOCHS = 3532

/** Whether a block is older than that by the clock. */
export function isStale(slot: number, clock: Clock, maxAgeEpochs: number): boolean {
  return ageOf(slot, clock) > maxAgeEpochs
}

/** Throws `StaleCheckpointError` where a block is older than that by the clock. */
export function refuseStale(slot: number, clock: Clock, maxAgeEpochs: number): void {
  if (isStale(slot, clock, maxAgeEpochs)) throw new StaleCheckpointError(ageOf(slot, clock), maxAgeEpochs)
}

/** In epochs. */
function ageOf(slot: number, clock: Clock): number {
  return clock.epochOf(clock.slot) - clock.epochOf(slot)
}
