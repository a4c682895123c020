/**
 * Work that a caller's `AbortSignal` can call off. A call rejects with the signal's reason, as the platform's own functions do:
 * an `AbortError` where none was given to `abort()`, a `TimeoutError` of `AbortSignal.timeout`, else what the caller gave.
 */

/** Throws `TypeError` for what is neither an `AbortSignal` nor undefined; what a Proxy's traps throw gets out as it is. */
export function refuseNonSignal(signal: unknown): asserts signal is AbortSignal | undefined {
  // Read here, since an object with the prototype alone throws when it is asked.
  if (signal !== undefined && !(signal instanceof AbortSignal && typeof signal.aborted === 'boolean'))
    throw new TypeError('signal must be an AbortSignal')
}

/** What is to be called when a signal is aborted; each signal has one listener for all of them. */
const callbacks = new WeakMap<AbortSignal, Set<() => void>>()

/**
 * Calls back, once, when the signal is aborted; not for one that is aborted already. Returns what undoes it. However many calls
 * share a signal, they put one listener on it: platforms warn of a leak where there are more than ten. A callback must not throw.
 */
export function onAbort(signal: AbortSignal, callback: () => void): () => void {
  // A function of its own, so that the same callback can be registered twice.
  const entry = (): void => callback()
  let waiting = callbacks.get(signal)
  if (waiting === undefined) {
    const all = (waiting = new Set())
    callbacks.set(signal, all)
    signal.addEventListener('abort', runAll)
  }
  waiting.add(entry)
  return () => {
    if (waiting.delete(entry) && waiting.size === 0 && callbacks.get(signal) === waiting) {
      callbacks.delete(signal)
      signal.removeEventListener('abort', runAll)
    }
  }
}

function runAll(event: Event): void {
  const signal = event.target as AbortSignal | null
  // Anyone can dispatch such an event; the signal's own comes after it is aborted. Events of polyfills may have no target.
  if (!signal?.aborted) return
  signal.removeEventListener('abort', runAll)
  const waiting = callbacks.get(signal)
  callbacks.delete(signal)
  for (const callback of waiting ?? []) callback()
}

/**
 * Follows the work until the signal is aborted; then calls `leave`, if it is given, and rejects with the signal's reason, while
 * the work goes on alone. Where the signal is aborted already, the work is not begun.
 */
export async function abortable<T>(
  signal: AbortSignal | undefined,
  begin: () => Promise<T>,
  leave?: () => void,
): Promise<T> {
  if (signal === undefined) return await begin()
  signal.throwIfAborted()
  const work = begin()
  return await new Promise((resolve, reject) => {
    const abort = (): void => {
      leave?.()
      reject(signal.reason as Error)
    }
    const release = onAbort(signal, abort)
    work.then(resolve, reject).finally(release)
    // The beginning of the work may have aborted it.
    if (signal.aborted) abort()
  })
}

/** One signal that is aborted with the first of its sources; undefined sources are left out. `release` lets go of them. */
export function joinSignals(sources: readonly (AbortSignal | undefined)[]): {
  readonly either: AbortSignal
  readonly release: () => void
} {
  const controller = new AbortController()
  const releases: (() => void)[] = []
  for (const source of sources) {
    if (source === undefined) continue
    const abort = (): void => controller.abort(source.reason)
    if (source.aborted) abort()
    else releases.push(onAbort(source, abort))
  }
  return { either: controller.signal, release: () => releases.forEach((release) => release()) }
}

/**
 * Signals of their own for tasks that share a source: whoever puts listeners on them (`fetch` does) never has more than a task's
 * own there, and `release` aborts what still goes on.
 */
export class SignalFan {
  readonly #source: AbortSignal
  readonly #branches = new Set<AbortController>()
  readonly #letGo: () => void

  constructor(source: AbortSignal) {
    this.#source = source
    this.#letGo = onAbort(source, () => {
      for (const branch of this.#branches) branch.abort(source.reason)
    })
  }

  /** Runs a task with a signal that is aborted with the source. */
  async run<T>(work: (signal: AbortSignal) => Promise<T>): Promise<T> {
    const branch = new AbortController()
    if (this.#source.aborted) branch.abort(this.#source.reason)
    this.#branches.add(branch)
    try {
      return await work(branch.signal)
    } finally {
      this.#branches.delete(branch)
    }
  }

  /** Lets go of the source; tasks that still go on are aborted. */
  release(): void {
    this.#letGo()
    for (const branch of this.#branches) branch.abort(new DOMException('nobody waits for it', 'AbortError'))
  }
}
