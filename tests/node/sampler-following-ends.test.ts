/** Following a chain by itself: what it is asked with, how long a slot may take, and what is left behind at its end. */
import { getEventListeners } from 'node:events'
import { WasmUnavailableError } from 'blobcheck'
import type { Resolution, SampledHeader } from 'blobcheck/sampler'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { DataSchedule } from '../../dist/block-data/schedule.js'
import { followSlots } from '../../dist/sampler/follow.js'
import { child, follow, head, told } from '../support/followed.ts'
import { later, never, range } from '../support/make.ts'
import { giving } from '../support/sample-context.ts'
import { chainParts, firstOf, network } from '../support/sampled-chain.ts'
import { turns, VirtualTime } from '../support/virtual-time.ts'

const time = new VirtualTime()
afterEach(() => time.end())

const found = (header: SampledHeader): Resolution => ({ status: 'found', header })
const ended = { done: true, value: undefined }

describe('options', () => {
  it.each([
    [{ sginal: new AbortController().signal }, /^options: "sginal" is no option$/],
    [{ signal: {} }, /^signal must be an AbortSignal$/],
    [{ onProgress: {} }, /^onProgress must be a function$/],
    [{ onError: {} }, /^onError must be a function$/],
    [{ catchUpSlots: 1.5 }, /^catchUpSlots must be a non-negative integer$/],
    [{ catchUpSlots: Number.NaN }, /^catchUpSlots must be/],
    [{ catchUpSlots: '3' }, /^catchUpSlots must be/],
    [{ concurrency: 17 }, /^concurrency must be an integer from 1 to 16$/],
    [{ deadlineMs: 0 }, /^deadlineMs must be a positive number$/],
  ])('%o make no sense', (options, words) => {
    expect(() => follow([], {}, options as never)).toThrow(TypeError)
    expect(() => follow([], {}, options as never)).toThrow(words)
  })

  it.each([
    [{}, false],
    [{ reconstruct: true }, true],
    [{ reconstruct: 'yes' as never }, false],
  ])('have blobs rebuilt, or not: %o', async (options, isRebuilt) => {
    const node = giving('columns', 1, () => 'true', firstOf.columns)
    const { following } = follow([head(firstOf.columns, 1)], { node }, options, undefined, 64)
    const { value } = await following.next()
    expect(value).toMatchObject({ outcome: 'available', report: { reason: 'reconstructible' } })
    expect(value?.report?.blobs !== null).toBe(isRebuilt)
  })
})

describe('a slot', () => {
  it.each([
    [12, undefined, 12_000],
    [2, undefined, 5_000],
    [12, 300, 300],
  ])('of %i seconds may take (deadlineMs %j) %i ms', async (secondsPerSlot, deadlineMs, expected) => {
    time.begin()
    const { parts } = chainParts({
      resolve: never,
      async *heads() {
        yield* [head(0, 1), head(2, 2)]
      },
    })
    const schedule = new DataSchedule({ ...network, secondsPerSlot })
    const plan = { sizes: [1], errors: [0], maxError: 0.5 }
    const terms = deadlineMs === undefined ? {} : { deadlineMs }
    const reports = told(followSlots({ ...parts, schedule }, plan, terms))
    const from = performance.now()
    expect(await time.until(reports)).toEqual(['0 unknown', '1 missed', '2 unknown'])
    expect(performance.now() - from).toBe(expected)
  })
})

describe('a source of headers', () => {
  it('of one’s own is handed a signal, and nothing else', async () => {
    const heads = vi.fn(() => undefined as never)
    expect(await follow([], { heads }, { onError: vi.fn() }).following.next()).toEqual(ended)
    expect(heads.mock.calls).toEqual([[{ signal: expect.any(AbortSignal) }]])
  })

  it('that gives nothing to go through has no slots', async () => {
    const { following } = follow([], { heads: () => undefined as never })
    expect(await following.next()).toEqual(ended)
  })

  it.each([
    ['nothing', undefined, /^a source of headers gave none$/],
    ['no root', { slot: 1 }, /^a header needs its root/],
    ['no root, of a slot to come', { slot: 1e9 }, /^a header needs its root/],
  ])('that gives what is no header ends it: %s', async (_, header, words) => {
    const { following } = follow([head(0, 1), header as never])
    expect((await following.next()).value?.slot).toBe(0)
    await expect(following.next()).rejects.toThrow(words)
    expect(await following.next()).toEqual(ended)
  })

  it.each(['throws', 'waits'])(
    'that ends it, and %s, has ended it: that is no error, and what is under way counts as nothing',
    async (then) => {
      const controller = new AbortController()
      const heads = [head(0, 1), head(2, 2)]
      const next = async (): Promise<IteratorResult<SampledHeader>> => {
        const value = heads.shift()
        if (value !== undefined) return { done: false, value }
        controller.abort()
        return then === 'waits' ? await never() : await Promise.reject(new Error('gone'))
      }
      const { following } = follow(
        [],
        { resolve: never, heads: () => ({ [Symbol.asyncIterator]: () => ({ next }) }) },
        { signal: controller.signal, concurrency: 4 },
      )
      expect(await told(following)).toEqual(['0 unknown'])
      expect(following.counters.slots).toBe(1)
    },
  )
})

describe('a source of headers that ends in an error', () => {
  const gone = async function* (): AsyncGenerator<never> {
    await turns(1)
    throw new Error('gone')
  }

  it.each([1, 2, 4])(
    'ends it, once what is under way has been reported: %i at a time',
    async (concurrency) => {
      time.begin()
      const resolve = async (): Promise<Resolution> => {
        await new Promise((resolve) => setTimeout(resolve, 1_000))
        return { status: 'no-block' }
      }
      const { following, source } = follow([head(0, 1), head(2, 2)], { resolve }, { concurrency }, gone)
      const seen: string[] = []
      const reports = (async () => {
        for await (const { slot, outcome } of following) seen.push(`${slot} ${outcome}`)
      })()
      await expect(time.until(reports)).rejects.toThrow(/^gone$/)
      expect(seen).toEqual(['0 unknown', '1 no-block', '2 unknown'])
      expect(following.counters.slots).toBe(3)
      expect(source.signal!.aborted).toBe(true)
      expect(await following.next()).toEqual(ended)
    },
  )

  it('is not asked for heads where the signal was aborted before', async () => {
    const { following, source } = follow([head(0, 1)], {}, { signal: AbortSignal.abort() })
    expect(await following.next()).toEqual(ended)
    await turns(9)
    expect(source.signal).toBeUndefined()
  })

  it('is no error where nobody follows any more', async () => {
    const controller = new AbortController()
    const { following } = follow(
      [head(0, 1), head(2, 2)],
      { resolve: never },
      { signal: controller.signal, concurrency: 4 },
      gone,
    )
    expect((await following.next()).value?.slot).toBe(0)
    const next = following.next()
    await turns(9)
    controller.abort()
    expect(await next).toEqual(ended)
    expect(await following.next()).toEqual(ended)
  })
})

describe('an error of one’s own', () => {
  const heads = [head(0, 1), head(2, 2)]
  const error = new RangeError('why')

  it.each([
    ['an error, as it was thrown,', error, true],
    ['what is none, in words,', 'why', false],
  ])('%s costs its slot, and is told', async (_, cause, isItself) => {
    const errors: Error[] = []
    const resolve = (): Promise<never> => Promise.reject(cause)
    const { following } = follow(heads, { resolve }, { onError: (error) => errors.push(error) })
    expect(await told(following)).toEqual(['0 unknown', '1 missed', '2 unknown'])
    expect(errors).toEqual([expect.any(Error)])
    expect(errors[0]!.message).toBe('why')
    expect(errors[0] === error).toBe(isItself)
  })

  it('ends all where files of the package are missing', async () => {
    const cause = new WasmUnavailableError('no module')
    const { following } = follow(heads, { resolve: () => Promise.reject(cause) })
    expect((await following.next()).value?.slot).toBe(0)
    await expect(following.next()).rejects.toBe(cause)
    expect(await following.next()).toEqual(ended)
  })
})

describe('the end', () => {
  const [first, second] = [head(0, 1), head(2, 2)]

  it('comes with the last head, and nothing is left at the caller’s signal', async () => {
    const { signal } = new AbortController()
    const { following, source } = follow([first], {}, { signal })
    expect(getEventListeners(signal, 'abort')).toHaveLength(1)
    expect((await following.next()).value?.slot).toBe(0)
    expect(source.signal!.aborted).toBe(false)
    expect(await following.next()).toEqual(ended)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(source.signal!.aborted).toBe(true)
  })

  it('comes when it is called for: the source is closed, and what is under way is called off', async () => {
    const { signal } = new AbortController()
    const onError = vi.fn()
    const { following, source } = follow([first, second], { resolve: never }, { signal, onError })
    expect((await following.next()).value?.slot).toBe(0)
    const waiting = following.next()
    await turns(9)
    expect(await following.return!()).toEqual(ended)
    expect(source.signal!.aborted).toBe(true)
    expect(await waiting).toEqual(ended)
    await turns(9)
    expect(source.isClosed).toBe(true)
    expect(getEventListeners(signal, 'abort')).toEqual([])
    expect(following.counters.slots).toBe(1)
    // That it was called off is no trouble of the slot’s.
    expect(onError).not.toHaveBeenCalled()
  })

  it('comes where the source calls for it while it is asked for the next head, and nothing is under way', async () => {
    const controller = new AbortController()
    const heads = async function* (): AsyncGenerator<SampledHeader> {
      yield first
      controller.abort()
      await never()
    }
    const { following } = follow([], { heads }, { signal: controller.signal, concurrency: 1 })
    expect(await told(following)).toEqual(['0 unknown'])
  })

  it('comes where the source calls for it as soon as it is asked, and then fails: its failure is nobody’s', async () => {
    const unhandled = vi.fn()
    process.on('unhandledRejection', unhandled)
    onTestFinished(() => void process.off('unhandledRejection', unhandled))
    const controller = new AbortController()
    const heads = (): AsyncIterable<SampledHeader> => ({
      [Symbol.asyncIterator]: () => ({
        next() {
          controller.abort()
          return Promise.reject(new Error('gone'))
        },
      }),
    })
    const { following } = follow([], { heads }, { signal: controller.signal })
    expect(await following.next()).toEqual(ended)
    // A rejection is unhandled once the event loop has turned.
    await turns(9)
    expect(unhandled).not.toHaveBeenCalled()
  })

  it('is one after which nothing is asked any more, though slots were to come again', async () => {
    const controller = new AbortController()
    const [parent, next] = [later<Resolution>(), later()]
    const { following, lookedUp } = follow(
      [...range(2).map((slot) => head(slot, slot + 1)), child(4, 5, 99)],
      { resolve: (slot) => (slot === 2 ? never() : parent.promise) },
      { signal: controller.signal, concurrency: 5 },
      async function* () {
        await next.promise
      },
    )
    for (const slot of range(2)) expect((await following.next()).value?.slot).toBe(slot)
    const waiting = following.next()
    await turns(9)
    expect(lookedUp).toEqual([2, 3])
    // Another block than the parent that the next one names: all before is to be looked up again.
    parent.resolve(found(head(3, 4)))
    await turns(9)
    controller.abort()
    expect(await waiting).toEqual(ended)
    await turns(9)
    expect(lookedUp).toEqual([2, 3])
  })
})
