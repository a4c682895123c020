/** Tells of what shows no sign of life: what hangs tells nobody, and a page that only waits says nothing for ever. */

/** Milliseconds without a sign of life. A slow line takes some seconds for the verifier, and a slow device less for a blob. */
const SILENCE_MS = 20_000

/** What was waited for did not come. */
export class StalledError extends Error {
  override readonly name = 'StalledError'
}

export class Watch {
  readonly #onStall: (error: StalledError) => void
  #timer = 0

  /** `onStall` is called where what is awaited does not come. */
  constructor(onStall: (error: StalledError) => void) {
    this.#onStall = onStall
  }

  /** A sign of life; `awaited` is what comes next, for the error that is told when it does not. */
  expect(awaited: string): void {
    this.stop()
    this.#timer = window.setTimeout(
      () => this.#onStall(new StalledError(`${awaited} in ${SILENCE_MS / 1000} seconds`)),
      SILENCE_MS,
    )
  }

  stop(): void {
    window.clearTimeout(this.#timer)
  }
}

/** What a promise gives, unless the signal is aborted before, or is already. */
export function orAborted<T>(promise: Promise<T>, signal: AbortSignal): Promise<T> {
  return new Promise((resolve, reject) => {
    promise.then(resolve, reject)
    const abort = (): void => reject(signal.reason as Error)
    if (signal.aborted) abort()
    else signal.addEventListener('abort', abort, { once: true })
  })
}
