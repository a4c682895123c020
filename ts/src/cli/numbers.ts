/** Numbers from a command line. */
import { InvalidArgumentError } from 'commander'

/** Reads an integer from `least` to `most`. */
export function integerUpTo(most: number, least: number = 0): (value: string) => number {
  return (value) => {
    const number = /^\d{1,12}$/.test(value) ? Number(value) : Number.NaN
    if (!(number >= least && number <= most))
      throw new InvalidArgumentError(`It must be an integer from ${least} to ${most}.`)
    return number
  }
}

/** Reads a part of a whole. */
export function partOf(value: string): number {
  const part = value.trim() === '' ? Number.NaN : Number(value)
  if (!(part >= 0 && part <= 1)) throw new InvalidArgumentError('It must be from 0 to 1.')
  return part
}
