// A peer in a worker of its own: it is loaded when the worker begins, keeps the inputs, and answers each call with what the library said.

/** `load` resolves with the functions that verify. */
export function serve(load) {
  const loading = load()
  // Each call that is waiting for it is told of its failure.
  loading.catch(() => {})
  const kept = new Map()
  self.addEventListener('message', ({ data: { keep, call } }) => {
    // Handing bytes over in another form is no part of a measurement.
    for (const [name, { method, lists }] of Object.entries(keep ?? {}))
      kept.set(name, { method, lists: hexOf(lists) })
    if (call !== undefined) void answer(call)
  })

  async function answer(name) {
    const { method, lists } = kept.get(name)
    try {
      const peer = await loading
      self.postMessage({ name, answer: await peer[method](lists) })
    } catch (error) {
      self.postMessage({ name, failure: error instanceof Error ? error.message : String(error) })
    }
  }
}

const DIGITS = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

function hexOf(value) {
  if (Array.isArray(value)) return value.map(hexOf)
  return value instanceof Uint8Array ? `0x${Array.from(value, (byte) => DIGITS[byte]).join('')}` : value
}
