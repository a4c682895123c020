/** Which fork an epoch is of, by a network's schedule. */
import { type Fork, FORKS, type ForkSchedule } from './forks.ts'

/** The fork of an epoch by a network's schedule; null for one that this version does not know. */
export function forkAtEpoch(
  { forkEpochs, unsupportedForkEpoch }: ForkSchedule,
  epoch: number | bigint,
): Fork | 'phase0' | null {
  if (epoch >= unsupportedForkEpoch) return null
  let found: Fork | 'phase0' = 'phase0'
  // Of those that begin at one epoch it is the last.
  for (const fork of FORKS) if (epoch >= forkEpochs[fork]) found = fork
  return found
}
