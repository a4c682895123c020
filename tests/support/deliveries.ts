/** What nodes in the place of `fetch` do with a request besides answering it: nothing, for as long as its signal lets them, or the wrong thing. */
import { unanswered } from './make.ts'

/** The answer of a node that gives no data, whatever it is asked for; null where it gives some. */
export async function answerWithoutData(
  delivery: string,
  signal: AbortSignal,
  retryAfterSeconds: number,
): Promise<Response | null> {
  switch (delivery) {
    case 'stalls':
      return await unanswered(signal)
    case 'deaf':
      return await new Promise<never>(() => {})
    case 'endless':
      return new Response(new ReadableStream())
    case 'down':
      throw new TypeError('fetch failed')
    case 'busy':
      return new Response(null, { status: 429, headers: { 'retry-after': String(retryAfterSeconds) } })
    case 'failing':
      return new Response(null, { status: 500 })
    case 'gone':
      return new Response(null, { status: 404 })
    case 'without the route':
      return new Response(null, { status: 405 })
    default:
      return null
  }
}

/** Resolves after so many milliseconds; rejects with the signal's reason where it is aborted before. */
export async function lapse(ms: number, signal: AbortSignal): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const time = new Promise<void>((resolve) => (timer = setTimeout(resolve, ms)))
  await Promise.race([time, unanswered(signal).finally(() => clearTimeout(timer))])
}

/** Requests, by their signals. */
export class OpenRequests {
  readonly #signals: AbortSignal[] = []

  add(signal: AbortSignal): void {
    this.#signals.push(signal)
  }

  /** Requests whose signal was never aborted, as it is once nobody wants more of the answer. */
  get count(): number {
    return this.#signals.filter(({ aborted }) => !aborted).length
  }
}
