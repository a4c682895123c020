/** What is known to be valid, by itself: memory before a store, whom to believe, and stores that fail, answer nonsense, or not in time. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import type { VerdictCache } from 'blobcheck'
import { type CacheOption, openCache, type VerdictStore } from '../../dist/verifier/cache/layered.js'
import { useGlobalTimers } from '../support/global-timers.ts'
import { never } from '../support/make.ts'

beforeEach(() => {
  vi.useFakeTimers()
  useGlobalTimers()
})
afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

/** A store that does what it is told, and what it was asked. */
function makeStore<More extends Partial<VerdictCache>>(more: More = {} as More) {
  const has = vi.fn(async (digests: readonly string[]) => digests.map((digest) => digest === 'stored'))
  const add = vi.fn(async (_: readonly string[]) => {})
  return { has, add, clear: async () => {}, ...more }
}

function open(option: CacheOption, isTrusted = true): { cache: VerdictStore; failures: () => number } {
  const onFailure = vi.fn()
  return { cache: openCache(option, isTrusted, onFailure)!, failures: () => onFailure.mock.calls.length }
}

/** What a promise comes to after some milliseconds, of which none pass here. */
async function after<T>(ms: number, promise: Promise<T>): Promise<T> {
  await vi.advanceTimersByTimeAsync(ms)
  return await promise
}

it('an answer whose entries cannot be read is a failure of the store, and nobody is believed', async () => {
  const entries = new Proxy([true], {
    get(target, key, self) {
      if (key === '0') throw new Error('revoked')
      return Reflect.get(target, key, self) as unknown
    },
  })
  const { cache, failures } = open(makeStore({ has: vi.fn(async () => entries) }))
  expect(await cache.lookUp(['one'])).toEqual([null])
  expect(failures()).toBe(1)
})

it.each([
  ['ends at once', function* () {}],
  ['says what the entries do not', () => [true, true][Symbol.iterator]()],
  [
    'has no end',
    function* () {
      for (let left = 1_000_000; left > 0; left--) yield false
      throw new Error('nobody is to ask for so many')
    },
  ],
])('an answer is what its entries are, whatever its own iterator: one that %s', async (_, iterator) => {
  const entries = Object.defineProperty([true, false], Symbol.iterator, { value: iterator })
  const { cache, failures } = open(makeStore({ has: vi.fn(async () => entries) }))
  expect(await cache.lookUp(['one', 'two'])).toEqual(['storage', null])
  expect(failures()).toBe(0)
})

describe('the option', () => {
  it('is a store, auto or false, and nothing else', async () => {
    expect(openCache(false, true, () => {})).toBeNull()
    const { has, add } = makeStore()
    for (const option of [undefined, null, 1, 'memory', {}, { has }, { add }, { has: true, add }, () => {}])
      expect(() => openCache(option as never, true, () => {})).toThrow(
        new TypeError("cache must be 'auto', false, or an object with has() and add()"),
      )
    // Where there is no IndexedDB: memory alone.
    vi.stubGlobal('indexedDB', undefined)
    const { cache, failures } = open('auto')
    await cache.add(['one'])
    expect(await cache.lookUp(['two', 'one'])).toEqual([null, 'session'])
    await cache.close()
    expect(failures()).toBe(0)
  })

  it('auto is IndexedDB where there is one, opened at once, whose failure shows when it is used', async () => {
    const opened = vi.fn((): never => {
      throw new Error('private mode')
    })
    vi.stubGlobal('indexedDB', { open: opened })
    const { cache, failures } = open('auto')
    expect(opened).toHaveBeenCalledOnce()
    await vi.advanceTimersByTimeAsync(0)
    expect(failures()).toBe(0)
    expect(await after(0, cache.lookUp(['one']))).toEqual([null])
    expect(failures()).toBe(1)
  })
})

describe('a store', () => {
  it('is asked for what memory does not know, where it is believed, and is given all', async () => {
    const store = makeStore()
    const { cache, failures } = open(store)
    await cache.add(['own', 'other'])
    expect(store.add.mock.calls).toEqual([[['own', 'other']]])
    expect(await cache.lookUp(['unknown', 'own', 'stored'])).toEqual([null, 'session', 'storage'])
    expect(store.has.mock.calls).toEqual([[['unknown', 'stored']]])
    expect(await cache.lookUp(['own'])).toEqual(['session'])
    expect(await cache.lookUp([])).toEqual([])
    expect(store.has).toHaveBeenCalledOnce()
    expect(failures()).toBe(0)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('that is not believed is not asked, and is given all the same', async () => {
    const store = makeStore()
    const { cache } = open(store, false)
    await cache.add(['own'])
    expect(await cache.lookUp(['stored', 'own'])).toEqual([null, 'session'])
    expect(store.has).not.toHaveBeenCalled()
    expect(store.add).toHaveBeenCalledOnce()
  })

  it.each([
    [
      'throws',
      () => {
        throw new Error('no')
      },
    ],
    ['rejects', () => Promise.reject(new Error('no'))],
    ['answers nothing', async () => undefined],
    ['answers with what is no list', async () => ({ length: 2, 0: true, 1: true })],
    ['answers too little', async () => [true]],
    ['answers too much', async () => [true, true, true]],
  ])('that %s has failed, and vouches for nothing', async (_, has) => {
    const { cache, failures } = open(makeStore({ has: has as never }))
    expect(await cache.lookUp(['stored', 'two'])).toEqual([null, null])
    expect(failures()).toBe(1)
    expect(vi.getTimerCount()).toBe(0)
  })

  it('vouches by true alone', async () => {
    const { cache, failures } = open(makeStore({ has: async () => ['true', 1, {}, true] as never }))
    expect(await cache.lookUp(['a', 'b', 'c', 'd'])).toEqual([null, null, null, 'storage'])
    expect(failures()).toBe(0)
  })

  it('whose failures come one after the other is asked each time', async () => {
    const has = vi.fn(() => Promise.reject(new Error('no')))
    const { cache, failures } = open(makeStore({ has }))
    for (let at = 0; at < 6; at++) await cache.lookUp(['stored'])
    expect([has.mock.calls.length, failures()]).toEqual([6, 6])
  })
})

describe('a store that does not answer', () => {
  it('is waited for a second each time, and after the fourth not any more', async () => {
    const has = vi.fn(never)
    const { cache, failures } = open(makeStore({ has }))
    for (let at = 1; at <= 4; at++) {
      const answer = vi.fn()
      const asked = cache.lookUp(['stored']).then(answer)
      await vi.advanceTimersByTimeAsync(999)
      expect(answer).not.toHaveBeenCalled()
      await after(1, asked)
      expect(answer).toHaveBeenCalledExactlyOnceWith([null])
      expect(failures()).toBe(at)
    }
    expect(await cache.lookUp(['stored'])).toEqual([null])
    expect([has.mock.calls.length, failures()]).toEqual([4, 4])
  })

  it('is late once where it is asked several times at once', async () => {
    const has = vi.fn(never)
    const { cache, failures } = open(makeStore({ has }))
    for (let at = 1; at <= 4; at++)
      await after(1_000, Promise.all([cache.lookUp(['one']), cache.lookUp(['two']), cache.lookUp(['three'])]))
    expect(await cache.lookUp(['one'])).toEqual([null])
    expect([has.mock.calls.length, failures()]).toEqual([12, 12])
  })

  it('is waited for again once it has answered', async () => {
    let isSilent = true
    const has = vi.fn(() => (isSilent ? never() : Promise.resolve([true])))
    const { cache } = open(makeStore({ has }))
    for (let round = 0; round < 3; round++) {
      isSilent = true
      for (let at = 0; at < 3; at++) expect(await after(1_000, cache.lookUp(['stored']))).toEqual([null])
      isSilent = false
      expect(await cache.lookUp(['stored'])).toEqual(['storage'])
    }
    expect(has).toHaveBeenCalledTimes(12)
  })

  it('may take ten seconds to write, for which nobody waits', async () => {
    const add = vi.fn(never)
    const { cache, failures } = open(makeStore({ add }))
    await cache.add(['one'])
    await vi.advanceTimersByTimeAsync(9_999)
    expect(failures()).toBe(0)
    await vi.advanceTimersByTimeAsync(1)
    expect(failures()).toBe(1)
    // What was computed here is known, whatever becomes of it there.
    expect(await cache.lookUp(['one'])).toEqual(['session'])
  })
})

describe('the end', () => {
  it('lets the store go, even one that was given up', async () => {
    const close = vi.fn(async () => {})
    const { cache } = open(makeStore({ has: never, close }))
    for (let at = 0; at < 4; at++) await after(1_000, cache.lookUp(['stored']))
    await cache.close()
    expect(close).toHaveBeenCalledOnce()
  })

  it('is waited for, and may fail', async () => {
    let isClosed = false
    const close = async (): Promise<void> => {
      await new Promise((resolve) => setTimeout(resolve, 500))
      isClosed = true
    }
    await after(500, open(makeStore({ close })).cache.close())
    expect(isClosed).toBe(true)
    const failing = open(makeStore({ close: () => Promise.reject(new Error('no')) }))
    await failing.cache.close()
    expect(failing.failures()).toBe(1)
    const hanging = open(makeStore({ close: never }))
    await after(1_000, hanging.cache.close())
    expect(hanging.failures()).toBe(1)
  })
})
