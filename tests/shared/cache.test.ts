/**
 * The cache may forget, fail, hang or lie low: verification goes on without it. What it must never do is vouch for bytes
 * that were not verified.
 */
import {
  createVerifier,
  IndexedDbCache,
  MemoryCache,
  type VerdictCache,
  type Verifier,
  type VerifierOptions,
} from 'blobcheck'
import fc from 'fast-check'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { inBrowser } from '../support/files.ts'
import {
  type MadeBlob,
  makeBadBlob,
  makeBlob,
  makeCell,
  never,
  range,
  realBlobs,
  turn,
  until,
} from '../support/make.ts'

// @ts-expect-error It comes without types; it has no exports either.
if (!inBrowser) await import('fake-indexeddb/auto')

let verifiers: Verifier[] = []
afterEach(async () => {
  await Promise.all(verifiers.splice(0).map((verifier) => verifier.dispose()))
})

async function open(options: VerifierOptions): Promise<Verifier> {
  const verifier = await createVerifier({ workers: 1, ...options })
  verifiers.push(verifier)
  return verifier
}

/** One verdict in short: `valid kzg`, `valid cache`, `invalid`, … */
async function verdictOf(verifier: Verifier, item: MadeBlob): Promise<string> {
  const [verdict] = await verifier.verifyBlobs([item])
  return verdict?.status === 'valid' ? `valid ${verdict.via}` : (verdict?.status ?? 'none')
}

const digestOf = (number: number): string => number.toString(16).padStart(64, '0')
let names = 0
const freshName = (): string => `blobcheck-test-${Date.now()}-${names++}`

const caches: readonly [string, (capacity: number) => VerdictCache][] = [
  ['memory', (capacity) => new MemoryCache(capacity)],
  ['IndexedDB', (capacity) => new IndexedDbCache({ name: freshName(), capacity })],
]

describe.each(caches)('%s', (_name, make) => {
  let time: number
  beforeEach(() => {
    time = 1_700_000_000_000
    vi.spyOn(Date, 'now').mockImplementation(() => ++time)
  })
  afterEach(() => void vi.restoreAllMocks())

  it('knows what it was given, in the order of the question, and nothing else', async () => {
    const cache = make(100)
    expect(await cache.has([digestOf(1)])).toEqual([false])
    await cache.add([digestOf(1), digestOf(2)])
    await cache.add([digestOf(2)])
    expect(await cache.has([digestOf(2), digestOf(3), digestOf(1)])).toEqual([true, false, true])
    expect(await cache.has([])).toEqual([])
    await cache.clear()
    expect(await cache.has([digestOf(1), digestOf(2)])).toEqual([false, false])
    await cache.close?.()
  })

  it('behaves as a set with an end: whatever is done to it, it holds only what it was given', async () => {
    const step = fc.oneof(
      fc.record({ add: fc.array(fc.nat(20), { maxLength: 5 }) }),
      fc.record({ clear: fc.constant(true) }),
    )
    await fc.assert(
      fc.asyncProperty(fc.array(step, { maxLength: 8 }), async (steps) => {
        const cache = make(1_000)
        const twin = new Set<number>()
        for (const now of steps) {
          if ('add' in now) {
            await cache.add(now.add.map(digestOf))
            now.add.forEach((number) => twin.add(number))
          } else {
            await cache.clear()
            twin.clear()
          }
        }
        expect(await cache.has(range(21).map(digestOf))).toEqual(range(21).map((number) => twin.has(number)))
        await cache.close?.()
      }),
      { numRuns: 20 },
    )
  })

  it('is bounded; the oldest go first', async () => {
    const cache = make(32)
    for (const number of range(100)) await cache.add([digestOf(number)])
    const known = await cache.has(range(100).map(digestOf))
    const count = known.filter(Boolean).length
    // Within a sixteenth of the capacity.
    expect(count).toBeGreaterThanOrEqual(32)
    expect(count).toBeLessThanOrEqual(34)
    expect(known.slice(100 - count).every(Boolean)).toBe(true)
    await cache.close?.()
  })

  it('what is added again is young again', async () => {
    const cache = make(32)
    for (const number of range(32)) await cache.add([digestOf(number)])
    await cache.add([digestOf(0)])
    for (const number of range(20)) await cache.add([digestOf(100 + number)])
    expect(await cache.has([digestOf(0), digestOf(1)])).toEqual([true, false])
    await cache.close?.()
  })

  it('keeps what is added once a clock is right again that was ahead', async () => {
    const cache = make(32)
    const now = time
    time += 3.15e11
    await cache.add(range(32).map(digestOf))
    time = now
    for (const from of [100, 200, 300, 400]) {
      const added = range(8).map((number) => digestOf(from + number))
      await cache.add(added)
      expect((await cache.has(added)).every(Boolean)).toBe(true)
    }
    expect((await cache.has(range(32).map(digestOf))).some(Boolean)).toBe(false)
    await cache.close?.()
  })
})

it('IndexedDB stays bounded over many short sessions', async () => {
  const name = freshName()
  for (const session of range(30)) {
    const cache = new IndexedDbCache({ name, capacity: 64 })
    // Fewer than a session would trim for.
    await cache.add([digestOf(3 * session), digestOf(3 * session + 1), digestOf(3 * session + 2)])
    await cache.close()
  }
  const cache = new IndexedDbCache({ name, capacity: 64 })
  const known = await cache.has(range(90).map(digestOf))
  expect(known.filter(Boolean).length).toBeLessThanOrEqual(64 + 4)
  await cache.close()
})

it('IndexedDB finishes what it was given before it closes', async () => {
  const name = freshName()
  const cache = new IndexedDbCache({ name })
  const adding = range(5).map((number) => cache.add([digestOf(number)]))
  await cache.close()
  const later = new IndexedDbCache({ name })
  expect(await later.has(range(6).map(digestOf))).toEqual([true, true, true, true, true, false])
  await Promise.all(adding)
  await later.close()
})

it('a capacity that is none is misuse', () => {
  for (const capacity of [0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY]) {
    expect(() => new MemoryCache(capacity)).toThrow(TypeError)
    expect(() => new IndexedDbCache({ capacity })).toThrow(TypeError)
  }
})

describe('a cache behind a verifier', () => {
  it('answers the second time, for the same bytes', async () => {
    const cache = new MemoryCache()
    const first = await open({ cache })
    expect(await verdictOf(first, makeBlob(1))).toBe('valid kzg')
    expect(await verdictOf(first, makeBlob(1))).toBe('valid cache')
    // And for another verifier that is given the same one.
    expect(await verdictOf(await open({ cache }), makeBlob(1))).toBe('valid cache')
    expect(first.stats()).toMatchObject({ kzgItems: 1, cacheHits: 1 })
  })

  it('vouches for no other bytes, wherever they differ', async () => {
    const verifier = await open({ cache: new MemoryCache() })
    const [real] = await realBlobs()
    expect(await verdictOf(verifier, real!)).toBe('valid kzg')
    const parts = { blob: [1, 31, 65_535, 131_070, 131_071], commitment: [1, 47], proof: [1, 47] } as const
    for (const part of ['blob', 'commitment', 'proof'] as const) {
      for (const at of parts[part]) {
        const bytes = new Uint8Array(real![part] as Uint8Array)
        bytes[at]! ^= 1
        expect(await verdictOf(verifier, { ...real!, [part]: bytes })).toMatch(/^(invalid|malformed)$/)
      }
    }
    expect(verifier.stats().cacheHits).toBe(0)
    expect(await verdictOf(verifier, real!)).toBe('valid cache')
  })

  it('keeps blobs and cells, and cells of different columns, apart', async () => {
    const verifier = await open({ cache: new MemoryCache() })
    const cells = [makeCell(5, 0), makeCell(5, 1), makeCell(6, 0)]
    const digests = new Set<string>()
    for (const cell of cells) {
      const [verdict] = await verifier.verifyCells([cell])
      expect(verdict).toMatchObject({ status: 'valid', via: 'kzg' })
      if (verdict?.status === 'valid') digests.add(verdict.digest)
    }
    const [blob] = await verifier.verifyBlobs([makeBlob(5)])
    expect(blob).toMatchObject({ status: 'valid', via: 'kzg' })
    expect(digests.size).toBe(3)
  })

  it('is given only what is valid, as 32-byte digests', async () => {
    const added: string[] = []
    const store = new MemoryCache()
    const cache: VerdictCache = {
      has: async (digests) => await store.has(digests),
      add: async (digests) => void added.push(...digests),
      clear: async () => {},
    }
    const verifier = await open({ cache })
    const verdicts = await verifier.verifyBlobs([
      makeBlob(1),
      makeBadBlob(2),
      { ...makeBlob(3), proof: '0x00' },
      makeBlob(4),
    ])
    const digests = verdicts.flatMap((verdict) => (verdict.status === 'valid' ? [verdict.digest] : []))
    expect(added.sort()).toEqual(digests.sort())
    expect(digests).toHaveLength(2)
    for (const digest of digests) expect(digest).toMatch(/^[0-9a-f]{64}$/)
    // What is bad is known to be bad, but not from the cache.
    expect(await verdictOf(verifier, makeBadBlob(2))).toBe('invalid')
    expect(verifier.stats().cacheHits).toBe(0)
  })

  it('is checked against the anchor all the same', async () => {
    const verifier = await open({ cache: new MemoryCache() })
    expect(await verdictOf(verifier, makeBlob(1))).toBe('valid kzg')
    const elsewhere = { anchor: { commitments: [makeBlob(2).commitment] } }
    expect(await verifier.verifyBlobs([makeBlob(1)], elsewhere)).toMatchObject([
      { status: 'invalid', stage: 'anchor' },
    ])
    const wrongHash = { ...makeBlob(1), versionedHash: new Uint8Array(32) }
    expect(await verifier.verifyBlobs([wrongHash])).toMatchObject([
      { status: 'invalid', stage: 'versioned-hash' },
    ])
  })

  it('is not believed from earlier sessions where that was refused, but still written to', async () => {
    const cache = new MemoryCache()
    await verdictOf(await open({ cache }), makeBlob(1))
    const sceptic = await open({ cache, trustCache: false })
    expect(await verdictOf(sceptic, makeBlob(1))).toBe('valid kzg')
    // What it has verified itself it believes.
    expect(await verdictOf(sceptic, makeBlob(1))).toBe('valid cache')
    expect(await verdictOf(sceptic, makeBlob(2))).toBe('valid kzg')
    expect(await verdictOf(await open({ cache }), makeBlob(2))).toBe('valid cache')
  })

  it('is not believed about what this verifier has refused', async () => {
    let isPoisoned = false
    const verifier = await open({
      cache: {
        has: async (digests) => digests.map(() => isPoisoned),
        add: async () => {},
        clear: async () => {},
      },
    })
    expect(await verdictOf(verifier, makeBadBlob(2))).toBe('invalid')
    isPoisoned = true
    expect(await verdictOf(verifier, makeBadBlob(2))).toBe('invalid')
    expect(await verdictOf(verifier, makeBadBlob(3))).toBe('valid cache')
    expect(verifier.stats()).toMatchObject({ kzgItems: 1, duplicates: 1, cacheHits: 1 })
  })

  it('false: everything is verified each time', async () => {
    const verifier = await open({ cache: false })
    expect(await verdictOf(verifier, makeBlob(1))).toBe('valid kzg')
    expect(await verdictOf(verifier, makeBlob(1))).toBe('valid kzg')
    expect(verifier.stats()).toMatchObject({ kzgItems: 2, cacheHits: 0, cacheFailures: 0 })
  })

  it.each([
    ['false', false],
    ['one that fails', { has: async () => Promise.reject(new Error('quota')), add: async () => {} } as never],
    ['memory', new MemoryCache()],
  ] as const)('%s: what is on a prototype vouches for nothing', async (_name, cache) => {
    for (const prototype of [Object.prototype, Array.prototype]) {
      const verifier = await open({ cache })
      try {
        Reflect.set(prototype, 0, true)
        expect(await verdictOf(verifier, makeBadBlob(2))).toBe('invalid')
      } finally {
        Reflect.deleteProperty(prototype, 0)
      }
    }
  })

  it.each([null, 1, 'memory', {}, { has: () => [] }])('%j is none: TypeError', async (cache) => {
    await expect(open({ cache: cache as never })).rejects.toThrow(TypeError)
  })
})

describe('a cache that fails', () => {
  const refuse = (): never => {
    throw new Error('quota')
  }
  const rejecting = async (): Promise<never> => refuse()
  const failing: readonly [string, VerdictCache][] = [
    ['throws', { has: refuse, add: refuse, clear: refuse, close: refuse }],
    ['rejects', { has: rejecting, add: rejecting, clear: rejecting, close: rejecting }],
    ['never answers', { has: never, add: never, clear: never, close: never }],
    ['answers nonsense', { has: async () => 'yes' as never, add: async () => {}, clear: async () => {} }],
    ['answers too little', { has: async () => [], add: async () => {}, clear: async () => {} }],
    ['answers null', { has: async () => null as never, add: rejecting, clear: rejecting }],
  ]

  it.each(failing)('that %s fails no verification, and vouches for nothing', async (_name, cache) => {
    const verifier = await open({ cache })
    expect(await verdictOf(verifier, makeBadBlob(2))).toBe('invalid')
    expect(await verdictOf(verifier, makeBlob(1))).toBe('valid kzg')
    // This session remembers by itself.
    expect(await verdictOf(verifier, makeBlob(1))).toBe('valid cache')
    await until(() => verifier.stats().cacheFailures >= 2)
    await verifier.dispose()
  })
})

it('a store that takes its time to write has not failed', async () => {
  let written = 0
  const cache = new MemoryCache()
  const verifier = await open({
    cache: {
      has: async (digests) => await cache.has(digests),
      add: async (digests) => (await turn(1_500), await cache.add(digests), void written++),
      clear: async () => {},
    },
  })
  expect(await verdictOf(verifier, makeBlob(1))).toBe('valid kzg')
  await until(() => written === 1)
  await turn()
  expect(verifier.stats().cacheFailures).toBe(0)
})

it('a store that never answers is given up, and costs no more', async () => {
  let asked = 0
  const never = (): Promise<never> => (asked++, new Promise(() => {}))
  let closed = 0
  const close = async (): Promise<void> => void closed++
  const verifier = await open({ cache: { has: never, add: never, clear: never, close } })
  for (const c of range(8)) expect(await verdictOf(verifier, makeBlob(c + 1))).toBe('valid kzg')
  await until(() => verifier.stats().cacheFailures >= 4)
  const before = asked
  expect(await verdictOf(verifier, makeBlob(20))).toBe('valid kzg')
  expect(asked).toBe(before)
  // It is let go all the same.
  await verifier.dispose()
  expect(closed).toBe(1)
})

describe('IndexedDB that fails', () => {
  const original = Object.getOwnPropertyDescriptor(globalThis, 'indexedDB')
  afterEach(() => {
    vi.restoreAllMocks()
    if (original === undefined) Reflect.deleteProperty(globalThis, 'indexedDB')
    else Object.defineProperty(globalThis, 'indexedDB', original)
  })
  const replace = (descriptor: PropertyDescriptor): void =>
    void Object.defineProperty(globalThis, 'indexedDB', { configurable: true, ...descriptor })

  /** `indexedDB` whose `open` does what it is told. */
  const opening = (open: () => unknown): PropertyDescriptor => ({ value: { open } })

  /** What verifies has to verify, whatever is wrong with the store. */
  async function expectAllWell(verifier: Verifier, c: number): Promise<void> {
    expect(await verdictOf(verifier, makeBlob(c))).toBe('valid kzg')
    expect(await verdictOf(verifier, makeBadBlob(c))).toBe('invalid')
    expect(await verdictOf(verifier, makeBlob(c))).toBe('valid cache')
  }

  it('not there at all', async () => {
    replace({ value: undefined })
    const verifier = await open({})
    await expectAllWell(verifier, 31)
    expect(verifier.stats().cacheFailures).toBe(0)
  })

  it('whose very property may not be read (sandboxed frames)', async () => {
    replace({
      get() {
        throw new DOMException('denied', 'SecurityError')
      },
    })
    const verifier = await open({})
    await expectAllWell(verifier, 32)
    expect(verifier.stats().cacheFailures).toBe(0)
  })

  it('whose open throws (private mode)', async () => {
    replace(
      opening(() => {
        throw new DOMException('denied', 'SecurityError')
      }),
    )
    const verifier = await open({})
    await expectAllWell(verifier, 33)
    await until(() => verifier.stats().cacheFailures >= 2)
  })

  it('whose open fails', async () => {
    replace(
      opening(() => {
        const request = Object.assign(new EventTarget(), {
          error: new DOMException('full', 'QuotaExceededError'),
        })
        setTimeout(() => request.dispatchEvent(new Event('error')))
        return request
      }),
    )
    const verifier = await open({})
    // idb asks `instanceof IDBRequest`; either way the promise must not be what the caller sees.
    await expectAllWell(verifier, 34)
    await until(() => verifier.stats().cacheFailures >= 1)
  })

  it('whose open never answers', async () => {
    replace(opening(() => new EventTarget()))
    const verifier = await open({})
    await expectAllWell(verifier, 35)
    await until(() => verifier.stats().cacheFailures >= 1)
  })

  it('that is full', async () => {
    vi.spyOn(IDBObjectStore.prototype, 'put').mockImplementation(() => {
      throw new DOMException('full', 'QuotaExceededError')
    })
    const verifier = await open({ cache: new IndexedDbCache({ name: freshName() }) })
    await expectAllWell(verifier, 36)
    await until(() => verifier.stats().cacheFailures >= 1)
  })

  it('is let go by a start that fails', async () => {
    let connections = 0
    const { close } = IDBDatabase.prototype
    vi.spyOn(IDBDatabase.prototype, 'close').mockImplementation(function (this: IDBDatabase) {
      connections--
      close.call(this)
    })
    const { open: ask } = IDBFactory.prototype
    vi.spyOn(IDBFactory.prototype, 'open').mockImplementation(function (this: IDBFactory, ...given) {
      const request = ask.apply(this, given)
      request.addEventListener('success', () => connections++)
      return request
    })
    const simd128 = Uint8Array.of(1, 2, 3)
    for (const options of [
      { workers: -1 },
      { workerUrl: 'no address' },
      { kernel: 'fastest' as never },
      { wasm: null as never },
      { kernel: 'simd128', wasm: { simd128 } },
    ] as const)
      await expect(open(options)).rejects.toThrow()
    await turn(200)
    await until(() => connections === 0)
    await expectAllWell(await open({}), 45)
    expect(connections).toBe(1)
    // What the caller has opened is closed by a verifier alone.
    let closed = 0
    const cache = Object.assign(new MemoryCache(), { close: async () => void closed++ })
    await expect(open({ cache, kernel: 'simd128', wasm: { simd128 } })).rejects.toThrow()
    expect(closed).toBe(0)
    await (await open({ cache })).dispose()
    expect(closed).toBe(1)
  })

  it('whose transactions are aborted by a damaged store', async () => {
    for (const name of ['getKey', 'put'] as const) {
      const ask = IDBObjectStore.prototype[name]
      vi.spyOn(IDBObjectStore.prototype, name).mockImplementation(function (
        this: IDBObjectStore,
        ...given: unknown[]
      ) {
        const request = Reflect.apply(ask, this, given)
        this.transaction.abort()
        return request
      } as never)
    }
    const verifier = await open({ cache: new IndexedDbCache({ name: freshName() }) })
    await expectAllWell(verifier, 42)
    // Several at once: what asks after the first finds the transaction gone.
    await verifier.verifyBlobs([makeBlob(43), makeBlob(44)])
    await until(() => verifier.stats().cacheFailures >= 4)
    // A rejection that nobody handled would end a script; here it fails the run.
    await turn(20)
  })

  it('whose connection is closed under us is opened anew', async () => {
    const connections: IDBDatabase[] = []
    const transaction = IDBDatabase.prototype.transaction
    vi.spyOn(IDBDatabase.prototype, 'transaction').mockImplementation(function (this: IDBDatabase, ...given) {
      if (!connections.includes(this)) connections.push(this)
      return transaction.apply(this, given)
    })
    const verifier = await open({ cache: new IndexedDbCache({ name: freshName() }) })
    await expectAllWell(verifier, 37)
    await turn(20)
    for (const connection of connections) connection.close()
    await expectAllWell(verifier, 38)
    await turn(20)
    // It costs a failure at most, and then the store works again.
    const { cacheFailures } = verifier.stats()
    await expectAllWell(verifier, 39)
    await turn(20)
    expect(verifier.stats().cacheFailures).toBe(cacheFailures)
    expect(connections.length).toBeGreaterThan(1)
  })

  it('that is deleted by another page is let go, and made anew', async () => {
    const name = freshName()
    const verifier = await open({ cache: new IndexedDbCache({ name }) })
    await expectAllWell(verifier, 40)
    await turn(20)
    await new Promise((resolve, reject) => {
      const request = indexedDB.deleteDatabase(name)
      request.addEventListener('success', resolve)
      request.addEventListener('error', reject)
    })
    await expectAllWell(verifier, 41)
    // Another session finds what came after the deletion, and only that.
    await until(
      async () =>
        (await verdictOf(await open({ cache: new IndexedDbCache({ name }) }), makeBlob(41))) ===
        'valid cache',
    )
    expect(await verdictOf(await open({ cache: new IndexedDbCache({ name }) }), makeBlob(40))).toBe(
      'valid kzg',
    )
  })
})
