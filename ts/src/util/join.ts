/** Several signals as one. */

/** Throws `TypeError` for what is neither a signal nor undefined. */
export function refuseNonSignal(signal: unknown): void {
  if (signal !== undefined && !(signal instanceof AbortSignal))
    throw new TypeError('signal must be an AbortSignal')
}

/** Aborted with the first of the sources that is; `release` lets go of them. Undefined ones are left out. */
export function joinSignals(sources: readonly (AbortSignal | undefined)[]): {
  readonly either: AbortSignal
  readonly release: () => void
} {
  const controller = new AbortController()
  const present = sources.flatMap((source) => source ?? [])
  const abort = (): void => controller.abort(present.find(({ aborted }) => aborted)?.reason)
  for (const source of present) {
    if (source.aborted) abort()
    source.addEventListener('abort', abort, { once: true })
  }
  const release = (): void => present.forEach((source) => source.removeEventListener('abort', abort))
  return { either: controller.signal, release }
}
