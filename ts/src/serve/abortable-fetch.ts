/** An app's `fetch` that heeds the request's signal, as the platform's own does. */
import { abortable } from '../util/signals.ts'
import type { Hono } from '../vendor/hono.ts'

/**
 * Answers with the app, unless the request's signal is aborted: then it rejects with the signal's reason, and a body that is not yet read to its
 * end fails with it. Below a server, which is in `env`, nobody reads on when the signal is aborted: the connection is closed.
 */
export function abortableFetch(app: Hono): (request: Request, env?: object) => Promise<Response> {
  return async (request, env) => {
    const { signal } = request
    if (env !== undefined && 'outgoing' in env) return await app.fetch(request, env)
    const response = await abortable(signal, async () => {
      const late = await app.fetch(request, env)
      // A stream of events would go on for ever.
      if (signal.aborted) late.body?.cancel().catch(() => {})
      return late
    })
    const { body } = response
    return body === null
      ? response
      : new Response(body.pipeThrough(new TransformStream(), { signal }), response)
  }
}
