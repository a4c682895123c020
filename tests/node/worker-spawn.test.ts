/** How a page starts the verifier's workers: from the package's own script or the caller's, as modules. */
import { resolveObjectURL } from 'node:buffer'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { startWorker, threadOf } from '../../dist/runtime/platform/web.js'
import { spawnWorker } from '../../dist/verifier/worker/spawn/web.js'

let started: { readonly url: URL; readonly options: WorkerOptions }[]
beforeEach(() => {
  started = []
  vi.stubGlobal(
    'Worker',
    class extends EventTarget {
      constructor(url: URL, options: WorkerOptions) {
        super()
        started.push({ url, options })
      }
    },
  )
})
afterEach(() => void vi.unstubAllGlobals())

it.each([
  ['the package’s own script', undefined, new URL('../../dist/verifier/worker/entry.js', import.meta.url)],
  ['the caller’s', new URL('https://a.example/worker.js'), new URL('https://a.example/worker.js')],
])('from %s, which is a module', (_, given, url) => {
  spawnWorker(given)
  expect(started).toEqual([{ url, options: { type: 'module' } }])
})

// What bundlers put in the place of `import.meta.url`, and what it is in modules without a place of their own.
it.each([undefined, 'data:text/javascript,1', 'blob:https://a.example/1'])(
  'not at all, beside %s, for the reason that the browser gives',
  (beside) => {
    const refused = new DOMException('a policy forbids it', 'SecurityError')
    const start = (): never => {
      throw refused
    }
    expect(() => startWorker(start, undefined, '../entry.js', beside as string)).toThrow(refused)
  },
)

describe('a script at https://a.example that is refused', () => {
  const refused = new DOMException('The operation is insecure.', 'SecurityError')
  const start = (): never => {
    throw refused
  }
  const beside = 'https://a.example/dist/runtime/pool.js'

  it.each([
    ['another origin', { origin: 'https://b.example', location: { origin: 'https://b.example' } }],
    ['no origin, in a sandboxed frame', { origin: 'null', location: { origin: 'https://a.example' } }],
  ])('is imported by one from a Blob URL, in a page of %s', async (_, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    startWorker(start, undefined, '../entry.js', beside)
    expect(started).toEqual([{ url: expect.stringMatching(/^blob:/) as string, options: { type: 'module' } }])
    const script = await resolveObjectURL(String(started[0]!.url))!.text()
    expect(script).toBe('import "https://a.example/dist/entry.js"')
  })

  it('has one Blob URL, however many workers are started from it', () => {
    vi.stubGlobal('origin', 'https://b.example')
    for (const path of ['../one.js', '../two.js', '../one.js']) startWorker(start, undefined, path, beside)
    const [one, two, again] = started.map(({ url }) => url)
    expect(again).toBe(one)
    expect(two).not.toBe(one)
  })

  it.each([
    ['its own origin', { origin: 'https://a.example', location: { origin: 'https://a.example' } }],
    [
      'its own origin, in a frame without an address',
      { origin: 'https://a.example', location: { origin: 'null' } },
    ],
  ])('is not tried again, in a page of %s', (_, globals) => {
    for (const [name, value] of Object.entries(globals)) vi.stubGlobal(name, value)
    expect(() => startWorker(start, undefined, '../entry.js', beside)).toThrow(refused)
    expect(started).toEqual([])
  })
})

it.each([
  ['', 'the script could not be loaded: it is missing, or a policy (CSP, COEP) forbids it'],
  ['out of memory', 'out of memory'],
])('a script that has failed with the message ‘%s’ is told as ‘%s’', (message, told) => {
  const worker = new EventTarget() as Worker
  const died = vi.fn()
  threadOf(worker).onDeath(died)
  worker.dispatchEvent(Object.assign(new Event('error'), { message }))
  expect(died).toHaveBeenCalledExactlyOnceWith(new Error(told))
})
