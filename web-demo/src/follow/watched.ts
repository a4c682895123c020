/** Answers that are looked at on their way to who asked for them. */

/**
 * The same response, whose body is told once it was read to its end; of one that is cut short or called off nothing is told. A clone would
 * not do: who reads the response ends the request then, and a browser ends the clone with it.
 */
export function watched(response: Response, tell: (body: Uint8Array) => void): Response {
  if (response.body === null) return response
  const parts: Uint8Array[] = []
  const watching = new TransformStream<Uint8Array, Uint8Array>({
    transform(part, controller) {
      parts.push(part)
      controller.enqueue(part)
    },
    flush: () => tell(joined(parts)),
  })
  const { headers, status, statusText, type } = response
  const same = new Response(response.body.pipeThrough(watching), { headers, status, statusText })
  // By its type a reader knows what the browser hides of an answer from elsewhere.
  return Object.defineProperty(same, 'type', { value: type })
}

function joined(parts: readonly Uint8Array[]): Uint8Array {
  const whole = new Uint8Array(parts.reduce((length, part) => length + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}
