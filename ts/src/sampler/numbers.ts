/** Options that are numbers, read; `TypeError` for what makes no sense. */
import { MAX_TIMER_MS } from '../util/timers.ts'

/** A time in milliseconds that a timer can run for. */
export function readMs(value: number, name: string): number {
  if (typeof value !== 'number' || !(value > 0)) throw new TypeError(`${name} must be a positive number`)
  return Math.min(value, MAX_TIMER_MS)
}

/** How many at the same time. */
export function readCount(value: number, name: string): number {
  if (!Number.isInteger(value) || value < 1 || value > 16)
    throw new TypeError(`${name} must be an integer from 1 to 16`)
  return value
}
