/** The options of `blobcheck sample`, read. */
import { InvalidArgumentError } from '../../vendor/commander.ts'
import { COLUMNS_TO_REBUILD } from '../../beacon/constants.ts'
import type { BlockId, SampleTarget } from '../../sampler/index.ts'
import { UsageError } from '../command.ts'
import { type LightClientOptions } from '../options/light-client.ts'
import { requireTrust, type TrustOptions } from '../options/trust.ts'
import type { HeaderTrust } from './printers.ts'

export interface SampleCommandOptions
  extends Omit<LightClientOptions, 'checkpoint' | 'beacon'>, TrustOptions {
  readonly beacon?: readonly string[]
  readonly block: BlockId
  readonly maxError?: number
  readonly columns?: number
  readonly allowMissing?: number
  readonly follow: boolean
  readonly history: number
  readonly reconstruct?: string
  readonly fallback?: 'blobs'
  readonly archive?: readonly string[]
  readonly file?: readonly string[]
  readonly json: boolean
}

/** What makes no sense for the recorded block. */
const aboutAChain = [
  ...['checkpoint', 'trustEndpoint', 'network', 'block', 'follow'],
  ...['history', 'fallback', 'archive', 'file'],
]

/** What is to be sampled, and on whose word. Throws `UsageError`, with a sentence that says what to do. */
export function readTrustAndTarget(
  options: SampleCommandOptions,
  isGiven: (name: string) => boolean,
): { readonly trust: HeaderTrust; readonly target: SampleTarget } {
  const { beacon, checkpoint, columns, maxError, reconstruct, follow } = options
  if (beacon === undefined) {
    for (const name of aboutAChain)
      if (isGiven(name))
        throw new UsageError(
          `--${name === 'trustEndpoint' ? 'trust-endpoint' : name} is about a chain: say with --beacon where it can be asked. Without --beacon, a recorded block is sampled.`,
        )
  } else requireTrust(options)
  if (follow && isGiven('block')) throw new UsageError('--follow begins at the head: leave --block away')
  if (
    reconstruct !== undefined &&
    (maxError !== undefined || (columns ?? COLUMNS_TO_REBUILD) < COLUMNS_TO_REBUILD)
  )
    throw new UsageError('--reconstruct needs 64 columns: say --columns 64 or more, or nothing')
  const target =
    columns !== undefined
      ? { columns }
      : maxError !== undefined
        ? { maxError }
        : reconstruct !== undefined
          ? { columns: COLUMNS_TO_REBUILD }
          : { maxError: 2 ** -30 }
  const trust = beacon === undefined ? 'recorded' : checkpoint !== undefined ? 'checkpoint' : 'endpoint'
  return { trust, target }
}

/** The argument of `--max-error`. */
export function readMaxError(value: string): number {
  const error = Number(value)
  if (!(error > 0 && error < 1))
    throw new InvalidArgumentError('It must be a probability, more than 0 and less than 1, as 1e-9 is.')
  return error
}
