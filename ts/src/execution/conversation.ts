/** A question that takes several calls: with one endpoint, each call counted. */
import type { Endpoint, Reply } from '../beacon/endpoint.ts'
import { BeaconFailure, type FailureKind } from '../beacon/failure.ts'
import type { Portable } from '../util/portable.ts'
import { ExecutionDataError, type ExecutionDataFault } from './data-error.ts'
import type { ExecutionTally } from './execution.ts'
import { pausesOf, type Pause } from './turns.ts'
import { type RpcCall, rpcResult, rpcRoute } from './json-rpc.ts'

/** What of an endpoint's answers does not hold is a failure of this kind. */
const KINDS: Readonly<Record<ExecutionDataFault, FailureKind>> = {
  malformed: 'malformed',
  invalid: 'invalid',
  unsupported: 'unsupported-fork',
}

/** No two calls of a process have the same, so that answers that a proxy mixed up are seen. */
let lastId = 0

/** Calls to one endpoint, as long as a question takes. */
export class Conversation {
  readonly endpoint: Endpoint
  readonly #signal: AbortSignal | undefined
  readonly #tally: ExecutionTally
  /** For work on what the endpoint said: it ends with the question. */
  readonly pause: Pause

  constructor(endpoint: Endpoint, signal: AbortSignal | undefined, tally: ExecutionTally) {
    this.endpoint = endpoint
    this.#signal = signal
    this.#tally = tally
    this.pause = pausesOf(signal)
  }

  /**
   * What `read` makes of a call's result, or what was wrong. A `BeaconFailure` or `ExecutionDataError` that `read` throws is a failure of the
   * endpoint. Rejects with the signal's reason.
   */
  async call<T>(call: RpcCall, read: (result: Portable) => T | Promise<T>): Promise<Reply<T>> {
    const { name } = this.endpoint
    const id = ++lastId
    const reply = await this.endpoint.ask<T>(
      rpcRoute(call, id),
      async (answer) => {
        this.#tally.received(name, answer.body.length)
        try {
          return await read(rpcResult(answer, id))
        } catch (error) {
          if (!(error instanceof ExecutionDataError)) throw error
          throw new BeaconFailure(KINDS[error.fault], error.message)
        }
      },
      this.#signal,
      () => this.#tally.requested(name),
    )
    if ('failure' in reply && !reply.isUnsent) this.#tally.failed(name, reply.failure)
    return reply
  }
}
