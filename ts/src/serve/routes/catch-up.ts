/** What goes before the answers about a chain: that the chain has its blocks. */
import type { MiddlewareHandler } from '../../vendor/hono.ts'
import type { Chain } from '../chain.ts'
import { errorResponse } from './http.ts'

/** Lets a chain catch up before a request is answered from it: one that nobody asked for long would hold up everything else. */
export function caughtUp(chain: Chain): MiddlewareHandler {
  return async ({ req }, next) => {
    const { signal } = req.raw
    try {
      await chain.catchUp?.(signal)
    } catch (error) {
      // Nobody reads this one. What was thrown is a server's reason, a string, which Hono takes for no error.
      if (signal.aborted) return errorResponse(503, 'the client has gone')
      throw error
    }
    return await next()
  }
}
