/** How a page starts the verifier's workers: from the package's own script or the caller's, as modules. */
import { afterEach, beforeEach, expect, it, vi } from 'vitest'
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
