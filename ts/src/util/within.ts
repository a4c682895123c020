/** Waiting for what may never answer. */

/**
 * What a promise resolves to, unless `ms` pass first (then it rejects with `late()`) or a signal is aborted (then with its
 * reason). The promise goes on alone; what comes of it then is dropped.
 */
export async function within<T>(
  promise: PromiseLike<T>,
  ms: number,
  late: () => Error,
  signal?: AbortSignal,
): Promise<T> {
  return await new Promise<T>((resolve, reject) => {
    const abort = (): void => end(() => reject(signal?.reason as Error))
    const timer = setTimeout(() => end(() => reject(late())), ms)
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', abort)
      settle()
    }
    signal?.addEventListener('abort', abort, { once: true })
    promise.then(
      (value) => end(() => resolve(value)),
      (reason: unknown) => end(() => reject(reason as Error)),
    )
    if (signal?.aborted) abort()
  })
}

/** The longest time that a timer can run, in milliseconds: a longer one would go off at once. */
export const MAX_TIMER_MS: number = 2 ** 31 - 1
