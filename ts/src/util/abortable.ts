/** Work that a signal can end. */
import { abortError } from './abort-error.ts'

/** Rejects when the signal is aborted, after `leave`; otherwise follows the work, which is not begun if it is already. */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  begin: () => Promise<T>,
  leave: () => void,
): Promise<T> {
  if (signal === undefined) return await begin()
  if (signal.aborted) throw abortError(signal)
  const work = begin()
  return new Promise((resolve, reject) => {
    const abort = (): void => {
      leave()
      reject(abortError(signal))
    }
    signal.addEventListener('abort', abort, { once: true })
    work.then(resolve, reject).finally(() => signal.removeEventListener('abort', abort))
  })
}
