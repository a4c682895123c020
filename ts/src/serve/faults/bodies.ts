/** Bodies that do not arrive as they should, as streams that end when nobody reads them any more, or with their connection. */
import type { Context } from 'hono'

type Body = Uint8Array<ArrayBuffer>

/**
 * Breaks off after a part of the whole, in [0, 1). `cut` ends the connection, where there is one that can be ended: a server
 * might say something of its own about a stream that fails.
 */
export function truncated(body: Body, at: number, cut: (() => void) | null): ReadableStream<Body> {
  const kept = body.subarray(0, Math.min(Math.floor(body.length * at), Math.max(body.length - 1, 0)))
  let isSent = kept.length === 0
  return new ReadableStream<Body>({
    pull(controller) {
      if (!isSent) controller.enqueue(kept)
      else if (cut !== null) cut()
      else controller.error(new Error('broken off, as was asked for'))
      isSent = true
    },
  })
}

const PIECE = 65_536

/** Goes on after its end, with zeros. */
export function oversized(body: Body, bytes: number): ReadableStream<Body> {
  let left = bytes
  return new ReadableStream<Body>({
    start: (controller) => controller.enqueue(body),
    pull(controller) {
      if (left <= 0) return controller.close()
      const length = Math.min(PIECE, left)
      left -= length
      controller.enqueue(new Uint8Array(length))
    },
  })
}

/** So many bytes every so many milliseconds. */
export function drip(body: Body, bytes: number, everyMs: number): ReadableStream<Body> {
  const step = Math.max(bytes, 1)
  let at = 0
  let timer: ReturnType<typeof setTimeout> | undefined
  return new ReadableStream<Body>({
    pull: (controller) =>
      new Promise<void>((resolve) => {
        timer = setTimeout(() => {
          if (at >= body.length) controller.close()
          else controller.enqueue(body.slice(at, at + step))
          at += step
          resolve()
        }, everyMs)
      }),
    cancel: () => clearTimeout(timer),
  })
}

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
