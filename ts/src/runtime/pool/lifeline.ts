/**
 * How the death of a browser's worker is noticed. A worker that is terminated, or whose process is killed, sends no event at
 * all. But it holds a Web Lock while it lives (`hold-lock.ts`), and the thread that started it waits for the same lock
 * (`createLifeline`): it gets it when the worker is dead.
 */

import { platform } from '#platform'

/** The end of the thread that started the worker. */
export interface Lifeline {
  /** The name of the lock. */
  readonly name: string
  /**
   * Calls back when the holder is gone. Call it only once the worker holds the lock: one that is refused it is not watched, and its death in a
   * task is noticed by its silence.
   */
  watch(died: () => void): void
  /** Waits no more. */
  cut(): void
}

/** A lifeline, or null where none is needed: in Node, where a worker's exit is an event; and where there are no Web Locks: in insecure contexts. */
export function createLifeline(): Lifeline | null {
  // Not told from what the globals have: tests put a page's there, whose workers are Node's.
  const locks = platform.tellsOfEnds ? undefined : globalThis.navigator?.locks
  if (locks === undefined) return null
  const name = `blobcheck-worker-${crypto.randomUUID()}`
  const controller = new AbortController()
  return {
    name,
    watch(died) {
      const { signal } = controller
      locks
        .request(name, { signal }, () => died())
        .catch((error: Error) => {
          // WebKit ends what a page waits for that is left, though it may be kept in memory and come back to.
          if (error.name === 'AbortError' && !signal.aborted) this.watch(died)
        })
    },
    cut: () => controller.abort(),
  }
}
