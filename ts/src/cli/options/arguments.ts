/** Arguments that options of several commands take: numbers, times, parts, blocks and roots. */
import { InvalidArgumentError } from '../../vendor/commander.ts'
import type { BlockId } from '../../block-data/report.ts'
import { isHash } from '../../util/hash.ts'
import { MAX_TIMER_MS } from '../../util/timers.ts'

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

/** Reads a number of seconds. */
export function readSeconds(value: string): number {
  const seconds = Number(value)
  if (!(seconds > 0)) throw new InvalidArgumentError('It must be a number of seconds, more than 0.')
  return seconds
}

/** Seconds as whole milliseconds, and no more than a timer can run. */
export function timerMs(seconds: number): number {
  return Math.min(Math.ceil(seconds * 1000), MAX_TIMER_MS)
}

/** The argument of `--block`: which block is meant. */
export function readBlockId(value: string): BlockId {
  if (/^(head|finalized)$/i.test(value) || isHash(value)) return value.toLowerCase()
  const slot = /^\d+$/.test(value) ? Number(value) : NaN
  if (!Number.isSafeInteger(slot))
    throw new InvalidArgumentError('It must be head, finalized, a slot, or a root of 0x and 64 hex digits.')
  return slot
}

/** The argument of `--checkpoint`. */
export function readRoot(value: string): string {
  if (!isHash(value)) throw new InvalidArgumentError('It must be 0x and 64 hex digits.')
  return value
}
