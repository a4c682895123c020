/** Ending a connection in the middle of an answer. */
import type { Context } from 'hono'

/** What `@hono/node-server` puts beside a request: Node's `ServerResponse`, as far as it is needed here. */
interface Outgoing {
  readonly destroyed: boolean
  readonly headersSent: boolean
  readonly writableLength: number
  destroy(): void
}

/** How often it is looked whether all has been sent. */
const LOOK_MS = 5

/** Ends the connection of a request once what was written to it is sent; null where there is none, as in a page. */
export function cutterOf(context: Context): (() => void) | null {
  const { outgoing } = (context.env ?? {}) as { readonly outgoing?: Outgoing }
  if (outgoing === undefined) return null
  return () => {
    const timer = setInterval(() => {
      const isSent = outgoing.headersSent && outgoing.writableLength === 0
      if (!isSent && !outgoing.destroyed) return
      clearInterval(timer)
      outgoing.destroy()
    }, LOOK_MS)
  }
}
