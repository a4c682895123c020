/** The requests of a call that wait for their turn at an endpoint, which has as many as it gets at the same time. */
import type { Endpoint, Send } from '../beacon/endpoint.ts'

/** Which of them wait, and whether that has an end. */
export class Waiting {
  readonly #until: AbortSignal
  readonly #waiting = new Set<{ readonly endpoint: Endpoint }>()
  #turnAt = Number.NEGATIVE_INFINITY
  /** Whether one of them waited when the call ended. */
  isCutOff = false

  /** `until` is aborted when the call ends. */
  constructor(until: AbortSignal) {
    this.#until = until
  }

  readonly send: Send = async (endpoint, route, test, signal, onSent) => {
    if (!endpoint.isBusy) return await endpoint.ask(route, test, signal, onSent)
    const one = { endpoint }
    this.#waiting.add(one)
    try {
      return await endpoint.ask(route, test, signal, () => {
        this.#waiting.delete(one)
        this.#turnAt = performance.now()
        onSent()
      })
    } finally {
      if (this.#waiting.delete(one) && this.#until.aborted) this.isCutOff = true
    }
  }

  /** When one of them had its turn last, or another request at an endpoint where one waits: an endpoint at work is not silent. */
  get movedAt(): number {
    return Math.max(this.#turnAt, ...Array.from(this.#waiting, ({ endpoint }) => endpoint.sentAt))
  }
}
