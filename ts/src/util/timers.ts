/** Waiting for a time, or for at most a time, which a signal can end. */
import { onAbort } from './signals.ts'

/** The longest time that a timer can run, in milliseconds: a longer one would go off at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1

/**
 * Milliseconds to wait after so many failures in a row: `firstMs` after the first, twice as long after each one more, `mostMs` at most; of that
 * the half at least, by chance, so that not all who failed at the same time come back at the same time. `random`: from 0 to below 1.
 */
export function backOff(
  failures: number,
  firstMs: number,
  random: () => number = Math.random,
  mostMs: number = Infinity,
): number {
  return Math.min(firstMs * 2 ** (failures - 1), mostMs) * (0.5 + random() / 2)
}

/** Resolves after so many milliseconds; rejects with the signal's reason if it is aborted before. */
export async function sleep(ms: number, signal?: AbortSignal): Promise<void> {
  signal?.throwIfAborted()
  await new Promise<void>((resolve, reject) => {
    const timer = setTimeout(() => {
      release?.()
      resolve()
    }, ms)
    const release =
      signal &&
      onAbort(signal, () => {
        clearTimeout(timer)
        reject(signal.reason as Error)
      })
  })
}

/**
 * What a promise resolves to, unless `ms` milliseconds pass first (then it rejects with `late()`) or a signal is aborted (then with
 * the signal's reason). The promise goes on alone; what comes of it then is dropped.
 */
export async function within<T>(
  promise: PromiseLike<T>,
  ms: number,
  late: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const timer = setTimeout(() => end(() => reject(late())), ms)
    const abort = (): void => end(() => reject(signal?.reason as Error))
    const release = signal && onAbort(signal, abort)
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      release?.()
      settle()
    }
    promise.then(
      (value) => end(() => resolve(value)),
      (reason: unknown) => end(() => reject(reason as Error)),
    )
    if (signal?.aborted) abort()
  })
}
