/** A sampler from its options: what is misuse, what holds for all of its blocks and what for one, and what it does by default. */
import type { HeaderSource, Resolution, SampledHeader, Sampler, SampleOptions } from 'blobcheck/sampler'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { passErrors } from '../../dist/sampler/odds.js'
import { samplerOf } from '../../dist/sampler/create.js'
import * as steps from '../../dist/verifier/pipeline.js'
import { never } from '../support/make.ts'
import { giving } from '../support/sample-context.ts'
import { chainParts, firstOf, headerOf, word } from '../support/sampled-chain.ts'
import { turns, VirtualTime } from '../support/virtual-time.ts'

// The declarations of the package leave out what is internal.
const { registerInternals } = steps as unknown as {
  registerInternals(verifier: object, internals: object): void
}
type Options = Parameters<typeof samplerOf>[0]

const time = new VirtualTime()
afterEach(() => time.end())

const header = headerOf({ slot: firstOf.columns, root: word(1) })
const found = (): Promise<Resolution> => Promise.resolve({ status: 'found', header })

/** A sampler whose verifier is a double, and whose nodes answer with 404 unless something else is said. */
function samplerWith(
  options: Partial<Options> = {},
  resolve: HeaderSource['resolve'] = found,
): { readonly sampler: Sampler; readonly resolve: ReturnType<typeof vi.fn> } {
  const { parts } = chainParts({})
  const verifier = parts.verifier
  registerInternals(verifier, parts)
  const asked = vi.fn(resolve)
  const sampler = samplerOf(
    {
      ...{ verifier, headers: { resolve: asked }, beacon: 'http://a', now: parts.now },
      fetch: () => Promise.resolve(new Response(null, { status: 404 })),
      ...options,
    },
    parts.random,
  )
  return { sampler, resolve: asked }
}

describe('a sampler', () => {
  it.each([
    [{ taget: { columns: 3 } }, /^options: "taget" is no option$/],
    [{ fallbacks: { blob: true } }, /^fallbacks: "blob" is no option$/],
    [{ fallbacks: null }, /^fallbacks must be an object$/],
    [{ deadlineMs: 0 }, /^deadlineMs must be a positive number$/],
    [{ requestsPerEndpoint: 17 }, /^requestsPerEndpoint must be/],
    [{ allowMissing: 65 }, /^allowMissing must be/],
  ])('is not made with %o', (options, words) => {
    expect(() => samplerWith(options as never)).toThrow(TypeError)
    expect(() => samplerWith(options as never)).toThrow(words)
  })

  it('says what it plans to do where nothing is missing', () => {
    const { plan } = samplerWith({ target: { columns: 9 }, allowMissing: 3 }).sampler
    expect(plan).toEqual({ columns: 9, maxError: passErrors([9])[0] })
  })

  it('asks an endpoint two things at a time, unless it is told to ask more', async () => {
    for (const [options, expected] of [
      [{}, 2],
      [{ requestsPerEndpoint: 3 }, 3],
    ] as const) {
      const fetch = vi.fn(never)
      const { sampler } = samplerWith({ ...options, fetch })
      for (let block = 0; block < 4; block++) void sampler.sampleBlock(block)
      await turns(9)
      expect(fetch).toHaveBeenCalledTimes(expected)
    }
  })

  it('gives an endpoint ten seconds, and a block thirty, unless it is told otherwise', async () => {
    time.begin()
    for (const [options, silence, deadline] of [
      [{}, 10_000, 30_000],
      [{ timeoutMs: 700, deadlineMs: 900 }, 700, 900],
    ] as const) {
      const { sampler } = samplerWith(options, never)
      const from = performance.now()
      expect(await time.until(sampler.sampleBlock('head'))).toMatchObject({ reason: 'no-header' })
      expect(performance.now() - from).toBe(deadline)
      const aborted: number[] = []
      const began = performance.now()
      const fetch: NonNullable<Options['fetch']> = (_, { signal }) =>
        new Promise((_, reject) => {
          signal.addEventListener('abort', () => {
            aborted.push(performance.now() - began)
            reject(new Error('aborted'))
          })
        })
      await time.until(samplerWith({ ...options, fetch }).sampler.sampleBlock('head'))
      expect(aborted[0]).toBe(silence)
    }
  })
})

describe('a call', () => {
  it.each<[string, unknown, unknown, RegExp]>([
    ['an option that there is not', 'head', { taget: { columns: 3 } }, /^options: "taget" is no option$/],
    ['a block that there cannot be', 'tail', {}, /^a block is 'head', 'finalized', a slot/],
    ['a listener that is none', 'head', { onProgress: {} }, /^onProgress must be a function$/],
    ['a signal that is none', 'head', { signal: {} }, /^signal must be an AbortSignal$/],
    ['a deadline that is none', 'head', { deadlineMs: -1 }, /^deadlineMs must be a positive number$/],
    ['a target that is none', 'head', { target: { columns: 0 } }, /^target\.columns must be/],
    ['no options', 'head', null, /^options must be an object$/],
  ])('with %s is misuse, and nobody is asked', async (_, id, options, words) => {
    const { sampler, resolve } = samplerWith()
    const call = sampler.sampleBlock(id as never, options as SampleOptions)
    await expect(call).rejects.toThrow(TypeError)
    await expect(call).rejects.toThrow(words)
    expect(resolve).not.toHaveBeenCalled()
  })

  it('that is aborted before it begins asks nobody', async () => {
    const { sampler, resolve } = samplerWith()
    const reason = new Error('enough')
    await expect(sampler.sampleBlock('head', { signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
    expect(resolve).not.toHaveBeenCalled()
  })

  it('rejects with the signal’s reason, whatever else goes wrong once it is aborted', async () => {
    const controller = new AbortController()
    const reason = new Error('enough')
    const trap = {
      get root(): string {
        controller.abort(reason)
        throw new Error('whatever')
      },
    }
    const resolve = (): Promise<Resolution> =>
      Promise.resolve({ status: 'found', header: trap as SampledHeader })
    const { sampler } = samplerWith({}, resolve)
    await expect(sampler.sampleBlock('head', { signal: controller.signal })).rejects.toBe(reason)
    // Without a signal it is what it is.
    await expect(sampler.sampleBlock('head')).rejects.toThrow('whatever')
  })

  it.each([undefined, null, 'found', {}, { status: 'gone' }, { header }])(
    'is misuse where the source of headers gives no answer: %j',
    async (none) => {
      const { sampler } = samplerWith({}, () => Promise.resolve(none as never))
      const call = sampler.sampleBlock('head')
      await expect(call).rejects.toBeInstanceOf(TypeError)
      await expect(call).rejects.toThrow(/^a source of headers must resolve to an object whose status is/)
    },
  )

  it('has a deadline and a target of its own', async () => {
    time.begin()
    const { sampler } = samplerWith({ target: { columns: 2 }, allowMissing: 0 }, never)
    const from = performance.now()
    await time.until(sampler.sampleBlock('head', { deadlineMs: 70 }))
    expect(performance.now() - from).toBe(70)
    const { columns } = await time.until(
      samplerWith({ target: { columns: 2 }, allowMissing: 0 }).sampler.sampleBlock('head', {
        target: { columns: 5 },
      }),
    )
    expect(columns).toHaveLength(5)
  })

  it.each([
    [{}, false],
    [{ reconstruct: true }, true],
    [{ reconstruct: 'yes' as never }, false],
  ])('has blobs rebuilt, or not: %o', async (options, isRebuilt) => {
    const node = giving('columns', 1, () => 'true', firstOf.columns)
    const fetch: NonNullable<Options['fetch']> = async (url) => {
      const indices = new URL(url).searchParams.getAll('indices').map(Number)
      const answer = await node({ what: 'columns', indices })
      return new Response(answer as Uint8Array<ArrayBuffer>, {
        headers: { 'content-type': 'application/octet-stream' },
      })
    }
    const { sampler } = samplerWith({ fetch, target: { columns: 64 } })
    const report = await sampler.sampleBlock('head', options)
    expect(report.reason).toBe('reconstructible')
    expect(report.blobs !== null).toBe(isRebuilt)
  })
})

describe('whole blobs', () => {
  it.each([
    [{}, false],
    [{ blobs: true }, true],
    [{ blobs: 'yes' as never }, false],
  ])('are asked for where columns are missing, or not: %o', async (fallbacks, areAskedFor) => {
    const paths: string[] = []
    const fetch: NonNullable<Options['fetch']> = (url) => {
      paths.push(new URL(url).pathname)
      return Promise.resolve(new Response(null, { status: 404 }))
    }
    await samplerWith({ fetch, fallbacks, target: { columns: 1 } }).sampler.sampleBlock('head')
    expect(paths.length).toBeGreaterThan(0)
    expect(paths.some((path) => path.startsWith('/eth/v1/beacon/blob'))).toBe(areAskedFor)
  })
})
