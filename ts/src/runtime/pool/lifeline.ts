/**
 * How the death of a browser's worker is noticed. A worker that is terminated, or whose process is killed, sends no
 * event at all. But it holds a Web Lock while it lives, and we wait for the same lock: we get it when it is dead.
 */
export interface Lifeline {
  readonly name: string
  /** Calls back when the holder is gone. Call it only once the worker holds the lock. */
  watch(died: () => void): void
  cut(): void
}

/** A lifeline, or null where there are no Web Locks (Node, whose workers tell; insecure contexts). */
export function createLifeline(): Lifeline | null {
  const locks =
    typeof window === 'object' || typeof WorkerGlobalScope === 'function'
      ? globalThis.navigator?.locks
      : undefined
  if (locks === undefined) return null
  const name = `blobcheck-worker-${crypto.randomUUID()}`
  const controller = new AbortController()
  return {
    name,
    watch(died) {
      locks.request(name, { signal: controller.signal }, () => died()).catch(() => {})
    },
    cut: () => controller.abort(),
  }
}

declare const WorkerGlobalScope: unknown
