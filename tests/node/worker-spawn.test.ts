/** How a page starts the verifier's workers: from the package's own script or the caller's, as modules. */
import { resolveObjectURL } from 'node:buffer'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { threadOf } from '../../dist/runtime/platform/web.js'
import { spawnWorker } from '../../dist/verifier/worker/spawn/web.js'

let started: { readonly url: URL; readonly options: WorkerOptions }[]
let startWorker: (start: () => Worker, script: URL | undefined) => Worker
let copies = 0
beforeEach(async () => {
  started = []
  // Of its own for each test: it keeps what it has found out of the page.
  const copy = `../../dist/runtime/platform/web.js?${copies++}`
  ;({ startWorker } = (await import(copy)) as { startWorker: typeof startWorker })
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
afterEach(() => {
  vi.unstubAllGlobals()
  vi.restoreAllMocks()
})

/** From now on the page is of this origin, as its Blobs say; whatever it has as a global `origin`. */
function setOrigin(origin: string): void {
  const { createObjectURL } = URL
  vi.spyOn(URL, 'createObjectURL').mockImplementation((blob) =>
    (blob as Blob).size === 0 ? `blob:${origin}/1` : createObjectURL(blob),
  )
  vi.stubGlobal('origin', { x: 0, y: 0 })
}

/** From now on the browser refuses scripts for this reason. What throws it is returned. */
function refuse(reason: Error): () => never {
  const throwIt = (): never => {
    throw reason
  }
  vi.stubGlobal(
    'Worker',
    class {
      constructor() {
        throwIt()
      }
    },
  )
  return throwIt
}

it.each([
  ['the package’s own script', undefined, new URL('../../dist/verifier/worker/entry.js', import.meta.url)],
  ['the caller’s', new URL('https://a.example/worker.js'), new URL('https://a.example/worker.js')],
])('from %s, which is a module', (_, given, url) => {
  setOrigin('https://a.example')
  spawnWorker(given)
  expect(started).toEqual([{ url, options: { type: 'module' } }])
})

// What `start` hands over where its script has no place of its own, and where it hands nothing over.
it.each(['data:text/javascript,1', 'blob:https://a.example/1', 'relative.js', undefined])(
  'not at all, from %s, for the reason that the browser gives',
  (address) => {
    setOrigin('https://b.example')
    const refused = new DOMException('a policy forbids it', 'SecurityError')
    const own = refuse(refused)
    const start = (): Worker => (address === undefined ? own() : new Worker(address))
    expect(() => startWorker(start, undefined)).toThrow(refused)
  },
)

describe('a script at https://a.example', () => {
  const refused = new DOMException('The operation is insecure.', 'SecurityError')
  /** As a bundler may have written it: not what is in the source. */
  const startFrom = (file: string) => (): Worker =>
    new Worker(new URL(`https://a.example/assets/${file}`, 'https://a.example/main.js'), { type: 'module' })
  const start = startFrom('entry-1f3a.js')
  /** The one script that was tried, and what it says: Firefox has a worker that dies later of what others refuse. */
  const triedScript = async (): Promise<string> => {
    expect(started).toEqual([{ url: expect.stringMatching(/^blob:/) as string, options: { type: 'module' } }])
    return await resolveObjectURL(String(started[0]!.url))!.text()
  }

  it.each([
    ['another origin', 'https://b.example', 'https://b.example'],
    ['no origin, in a sandboxed frame', 'null', 'https://a.example'],
  ])(
    'is imported by one from a Blob URL, and not tried as it is, in a page of %s',
    async (_, origin, address) => {
      setOrigin(origin)
      vi.stubGlobal('location', { origin: address })
      const own = Worker
      startWorker(start, undefined)
      expect(Worker).toBe(own)
      expect(await triedScript()).toBe('import "https://a.example/assets/entry-1f3a.js"')
    },
  )

  it('is imported from where the page’s own address leads, where a bundler has relative text', async () => {
    setOrigin('https://b.example')
    vi.stubGlobal('location', { href: 'https://a.example/page/index.html' })
    startWorker(() => new Worker('./assets/entry.js'), undefined)
    expect(await triedScript()).toBe('import "https://a.example/page/assets/entry.js"')
  })

  it('is imported where a bundler has made a trusted type of its address', async () => {
    setOrigin('https://b.example')
    const trusted = { toString: () => 'https://a.example/assets/trusted.js' } as URL
    startWorker(() => new Worker(trusted), undefined)
    expect(await triedScript()).toBe('import "https://a.example/assets/trusted.js"')
  })

  it('has one Blob URL, however many workers are started from it', () => {
    setOrigin('https://b.example')
    for (const file of ['one.js', 'two.js', 'one.js']) startWorker(startFrom(file), undefined)
    const [one, two, again] = started.map(({ url }) => url)
    expect(again).toBe(one)
    expect(two).not.toBe(one)
  })

  it.each([
    ['its own origin', 'https://a.example'],
    ['its own origin, in a frame without an address', 'null'],
  ])('is started as it is, and not tried again where it is refused, in a page of %s', (_, address) => {
    setOrigin('https://a.example')
    vi.stubGlobal('location', { origin: address })
    startWorker(start, undefined)
    expect(started.map(({ url }) => String(url))).toEqual(['https://a.example/assets/entry-1f3a.js'])
    refuse(refused)
    expect(() => startWorker(start, undefined)).toThrow(refused)
    expect(started).toHaveLength(1)
  })

  it('leaves the browser’s Worker where it was, where the address cannot be read', () => {
    setOrigin('https://b.example')
    refuse(refused)
    const own = Worker
    const noAddress = (): Worker => new Worker('https://a.example:port/')
    expect(() => startWorker(noAddress, undefined)).toThrow(refused)
    expect(Worker).toBe(own)
  })

  describe('where nobody may write to the global Worker', () => {
    beforeEach(() => {
      setOrigin('https://b.example')
      Object.defineProperty(globalThis, 'Worker', { writable: false })
    })

    it('is imported if the caller has named it', async () => {
      const named = new URL('https://a.example/worker.js')
      startWorker(() => new Worker(named), named)
      expect(await triedScript()).toBe('import "https://a.example/worker.js"')
    })

    it('is started as it is if nobody has', () => {
      startWorker(start, undefined)
      expect(started.map(({ url }) => String(url))).toEqual(['https://a.example/assets/entry-1f3a.js'])
    })
  })

  it('runs once, where the page ignores it that the global Worker is written to', () => {
    setOrigin('https://b.example')
    const terminate = vi.fn()
    const Own = class extends Worker {
      override terminate = terminate
    }
    Object.defineProperty(globalThis, 'Worker', { get: () => Own, set: () => {} })
    const worker = startWorker(start, undefined)
    expect([started.length, terminate.mock.contexts]).toEqual([2, [expect.any(Own)]])
    expect(terminate.mock.contexts[0]).not.toBe(worker)
  })
})

it('where there is no Worker, there is none afterwards', () => {
  vi.unstubAllGlobals()
  expect('Worker' in globalThis).toBe(false)
  expect(() => startWorker(() => new Worker('https://a.example/worker.js'), undefined)).toThrow(
    'Worker is not defined',
  )
  expect('Worker' in globalThis).toBe(false)
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
