/**
 * What a call waits for that is no endpoint's silence: that its requests have their turn, at endpoints which get so many at the same time, and that
 * what they answered is put to the test, which is computed here.
 */
import type { Endpoint, Send, Test } from '../beacon/endpoint.ts'
import { BeaconFailure } from '../beacon/failure.ts'

/** Which requests wait, and which answers are under test, and whether that has an end. */
export class Waiting {
  readonly #until: AbortSignal
  readonly #waiting = new Set<{ readonly endpoint: Endpoint }>()
  #movedAt = Number.NEGATIVE_INFINITY
  #underTest = 0
  /** Whether a request waited when the call ended. */
  isCutOff = false
  /** Whether the test of an answer was cut off when the call ended. */
  isUnfinished = false

  /** `until` is aborted when the call ends. */
  constructor(until: AbortSignal) {
    this.#until = until
  }

  readonly send: Send = async (endpoint, route, test, signal, onSent) => {
    const followed = this.#followed(test)
    if (!endpoint.isBusy) return await endpoint.ask(route, followed, signal, onSent)
    const one = { endpoint }
    this.#waiting.add(one)
    try {
      return await endpoint.ask(route, followed, signal, () => {
        this.#waiting.delete(one)
        this.#movedAt = performance.now()
        onSent()
      })
    } finally {
      if (this.#waiting.delete(one) && this.#until.aborted) this.isCutOff = true
    }
  }

  /**
   * When something last went on, as `performance.now()` tells the time: a request was sent after it had waited for its turn, an endpoint at which one
   * waits was sent another one, or an answer was verified. While an answer is being verified: now.
   */
  get movedAt(): number {
    if (this.#underTest > 0) return performance.now()
    return Math.max(this.#movedAt, ...Array.from(this.#waiting, ({ endpoint }) => endpoint.sentAt))
  }

  #followed<T>(test: Test<T>): Test<T> {
    return async (...answered) => {
      this.#underTest++
      try {
        return await test(...answered)
      } catch (error) {
        if (!(error instanceof BeaconFailure)) this.isUnfinished ||= this.#until.aborted
        throw error
      } finally {
        this.#underTest--
        this.#movedAt = performance.now()
      }
    }
  }
}
