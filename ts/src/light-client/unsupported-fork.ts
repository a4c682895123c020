/** What a light client throws where the chain has gone on into a fork that this version does not know. */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import type { Clock } from './clock.ts'

/**
 * No endpoint gave an answer that could be used, and some answered with objects of a fork that this version of the package does not know:
 * the network has gone on, and nothing can be verified until the package is updated. No endpoint is blamed for it.
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
  constructor(epoch: number, failures: BeaconUnavailableError['failures']) {
    super(failures)
    this.message = `a fork that this version does not know, at epoch ${epoch} or before; ${this.message}`
    this.epoch = epoch
  }
}

/** The error to throw for one that was caught: an `UnsupportedForkError` where that is what stopped the endpoints' answers. */
export function namingTheFork(error: unknown, clock: Clock): unknown {
  if (!(error instanceof BeaconUnavailableError) || error instanceof UnsupportedForkError) return error
  if (!error.failures.some(({ kind }) => kind === 'unsupported-fork')) return error
  const epoch = Math.min(clock.unsupportedForkEpoch, clock.epochOf(clock.slot))
  return new UnsupportedForkError(epoch, error.failures)
}
