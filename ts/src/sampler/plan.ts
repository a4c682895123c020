/** How many columns are drawn (the options `target` and `allowMissing`, read), and which ones. */
import { COLUMNS } from '../beacon/constants.ts'
import { boundedSizes, failureTable, fractionOf, passErrors } from './odds.ts'
import type { SampleTarget } from './options.ts'
import type { ByteArray } from '../util/platform-types.ts'

/** Sizes of samples, by how many columns are missing. */
export interface Plan {
  /** `sizes[m]`: how many columns are to be in the sample where m of them are missing. */
  readonly sizes: readonly number[]
  /** `errors[m]`: how likely an unavailable block passes with a sample of at most `sizes[m]`. */
  readonly errors: readonly number[]
  /** What an error is to be at most: the target's, or that of a sample of as many columns as it names. */
  readonly maxError: number
}

export const DEFAULT_TARGET: SampleTarget = { maxError: 2 ** -30 }
export const DEFAULT_ALLOW_MISSING = 8

/**
 * Reads a target. A number of columns is the size of the first sample, and the others follow the specification's table. A
 * `maxError` is kept by all sizes together: no `errors[m]` is more. Throws `TypeError` for what makes no sense.
 */
export function planOf(target: SampleTarget, allowMissing: number): Plan {
  if (!Number.isInteger(allowMissing) || allowMissing < 0 || allowMissing > COLUMNS / 2)
    throw new TypeError(`allowMissing must be an integer from 0 to ${COLUMNS / 2}`)
  if (typeof target !== 'object' || target === null || ('columns' in target && 'maxError' in target))
    throw new TypeError('target must be { columns } or { maxError }')
  if ('columns' in target) {
    const { columns } = target
    if (!Number.isInteger(columns) || columns < 1 || columns > COLUMNS)
      throw new TypeError(`target.columns must be an integer from 1 to ${COLUMNS}`)
    const sizes = failureTable(columns, allowMissing)
    const errors = passErrors(sizes)
    return { sizes, errors, maxError: errors[0] ?? 0 }
  }
  const { maxError } = target
  if (typeof maxError !== 'number' || !(maxError > 0 && maxError < 1))
    throw new TypeError('target.maxError must be a probability between 0 and 1')
  const sizes = boundedSizes(fractionOf(maxError), allowMissing)
  return { sizes, errors: passErrors(sizes), maxError }
}

/** Fills an array with random bytes. */
export type RandomBytes = (bytes: ByteArray) => void

/** Random bytes of the platform's CSPRNG. Throws where there is none: what is not drawn at random proves nothing. */
export const secureBytes: RandomBytes = (bytes) => {
  globalThis.crypto.getRandomValues(bytes)
}

/** Draws `count` distinct columns out of those given, in the order drawn, by the first steps of the Fisher–Yates shuffle. */
export function drawColumns(count: number, from: readonly number[], random: RandomBytes): number[] {
  const left = [...from]
  const uniform = uniformBelow(random)
  const drawn: number[] = []
  while (drawn.length < count && left.length > 0) drawn.push(...left.splice(uniform(left.length), 1))
  return drawn
}

/** Integers in [0, bound), bound up to 256, all equally likely: bytes that would favour the first of them are not used. */
function uniformBelow(random: RandomBytes): (bound: number) => number {
  const bytes = new Uint8Array(256)
  let at = bytes.length
  return (bound) => {
    const fair = 256 - (256 % bound)
    for (;;) {
      if (at === bytes.length) {
        random(bytes)
        at = 0
      }
      const byte = bytes[at++] ?? 0
      if (byte < fair) return byte % bound
    }
  }
}
