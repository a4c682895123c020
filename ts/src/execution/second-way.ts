/** A second way to the same thing, by another call, where what an endpoint said first does not hold. */
import type { Reply } from '../beacon/endpoint.ts'
import { isTransient } from '../beacon/failure.ts'
import { ExecutionDataError } from './data-error.ts'

/**
 * What the first way finds, or else the second. The first may throw `ExecutionDataError`, which says that the endpoint's answer does not hold,
 * or not in this version; that is thrown again where the second way leads nowhere either, unless a moment later it may.
 */
export async function orElse<T>(first: () => T | Promise<T>, second: () => Promise<Reply<T>>): Promise<T> {
  try {
    return await first()
  } catch (error) {
    if (!(error instanceof ExecutionDataError)) throw error
    const reply = await second()
    if ('value' in reply) return reply.value
    // Such as a second call that was called off: the endpoint had no chance to show that it is right.
    throw isTransient(reply.failure.kind) ? reply.failure : error
  }
}
