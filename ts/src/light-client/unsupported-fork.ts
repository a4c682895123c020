/** What a light client throws where the chain has gone on into a fork that this version does not know. */
import { UNKNOWN_VERSION } from '../beacon/consensus-version.ts'
import { BeaconUnavailableError } from '../beacon/failure.ts'
import type { Clock } from './clock.ts'
import { outOfPlay } from './errors.ts'

/**
 * No endpoint gave an answer that could be used, and those that serve light clients answered with objects of a fork that this version of the
 * package, or the config of `network`, does not know: `network` is not that of the endpoints, as the message asks first where that may be; or the
 * chain has gone on, and nothing can be verified until the config or the package is updated. No endpoint is blamed for it.
 *
 * @example
 * ```ts
 * import { UnsupportedForkError } from 'blobcheck/light-client'
 *
 * await client.sync({ signal }).catch((error: unknown) => {
 *   if (error instanceof UnsupportedForkError) console.warn('blobcheck has to be updated:', error.message)
 *   throw error
 * })
 * ```
 */
export class UnsupportedForkError extends BeaconUnavailableError {
  override readonly name = 'UnsupportedForkError'
  /** The first epoch of that fork, where the network's config names it; else the epoch in which such objects came. */
  readonly epoch: number
  constructor(epoch: number, failures: BeaconUnavailableError['failures'], what: string = unknownTo(epoch)) {
    super(failures)
    this.message = `${what}; ${this.message}`
    this.epoch = epoch
  }
}

const unknownTo = (epoch: number): string =>
  `a fork that this version does not know, at epoch ${epoch} or before`

/**
 * The error to throw for one that was caught: an `UnsupportedForkError` where a fork is what stopped all who serve light clients. Where others
 * failed otherwise, one endpoint's word is not enough for that, and the message says what may be.
 */
export function namingTheFork(error: unknown, clock: Clock): unknown {
  if (!(error instanceof BeaconUnavailableError) || error instanceof UnsupportedForkError) return error
  const { failures } = error
  const unsupported = failures.filter(({ kind }) => kind === 'unsupported-fork')
  if (unsupported.length === 0) return error
  const present = clock.epochOf(clock.slot)
  const epoch = Math.min(clock.unsupportedForkEpoch, present)
  const isUnknown =
    clock.unsupportedForkEpoch <= present ||
    unsupported.every(({ detail }) => detail.startsWith(UNKNOWN_VERSION))
  const what = isUnknown
    ? unknownTo(epoch)
    : `is \`network\` (default mainnet) that of these endpoints? Else its config, or this version, is too old for a fork at epoch ${epoch} or before`
  if (failures.every(({ kind }) => kind === 'unsupported-fork' || outOfPlay.has(kind)))
    return new UnsupportedForkError(epoch, failures, what)
  error.message += `; or ${what}`
  return error
}
