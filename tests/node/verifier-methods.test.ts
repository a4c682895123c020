/** A verifier's methods, over parts that are told what to do: what they ask of them, what they hand on, and that nothing is asked after the end. */
import type { Verifier } from 'blobcheck'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { CRASHED, DisposedError } from '../../dist/runtime/errors.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import type { CheckRequest } from '../../dist/verifier/checks/protocol.js'
import { newCounters } from '../../dist/verifier/stats.js'
import * as verifiers from '../../dist/verifier/verifier.js'
import { bufferPoolFor } from '../support/internals.ts'
import { later } from '../support/make.ts'

// The declarations of the package leave out what is internal.
const { PipelineVerifier } = verifiers as unknown as {
  PipelineVerifier: new (internals: object) => Verifier
}

afterEach(() => void vi.unstubAllGlobals())

const crashed = { status: 'error', reason: 'worker-crashed', links: noLinks }
const refusal = { status: 'malformed', stage: 'structure', reason: 'not-an-item' } as const

interface World {
  /** What a worker parses a text into, each time that it is asked; nothing where it dies of it. */
  readonly parsed?: readonly (readonly unknown[] | null)[]
  /** Whether the worker dies of the first check. */
  readonly isFatal?: boolean
}

/** A verifier whose checks refuse everything. */
function make({ parsed = [], isFatal = false }: World = {}) {
  const texts: string[] = []
  const tasks: unknown[] = []
  const requests: CheckRequest[] = []
  const check = async (request: CheckRequest) => {
    requests.push(request)
    if (!isFatal || requests.length > 1)
      return { ...request, checked: request.items.map(() => ({ links: noLinks, refusal })), unitBuffer: null }
    // What was sent to it is gone.
    for (const taken of request.taken) structuredClone(taken, { transfer: [taken] })
    throw new Error('it died')
  }
  const parse = (_: string, text: string) => {
    const list = parsed[texts.push(text) - 1]
    if (list === null || list === undefined) throw new Error('it died')
    return list
  }
  const attempt = async (task: (api: object) => unknown): Promise<unknown> => {
    try {
      tasks.push(task)
      return await task({ check, parse, warmUp: () => {} })
    } catch {
      return CRASHED
    }
  }
  const ended: string[] = []
  const ends = (name: string) => () => void ended.push(name)
  const pool = {
    ...{ workers: 1, attempt, attemptTwice: vi.fn(attempt), dispose: ends('pool') },
    runOnAll: vi.fn(async () => {}),
  }
  const pending = { subscribe: () => [], failAll: vi.fn(ends('pending')) }
  const resolve = vi.fn(async (anchor: unknown) => anchor)
  const close = later()
  const trace = { parse: vi.fn(), anchor: () => {}, check: () => {}, signature: () => {} }
  const verifier = new PipelineVerifier({
    network: resolveNetwork('mainnet'),
    networkWords: new BigUint64Array(1),
    ...{ pool, pending, trace, workersReason: 'asked for', counters: newCounters() },
    buffers: bufferPoolFor(pool),
    kernel: { current: { name: 'simd128', reason: 'the only one' } },
    cache: { close: async () => (ends('cache')(), await close.promise) },
    blocks: { resolve, dispose: ends('blocks') },
    signatures: { dispose: ends('signatures') },
  })
  return { verifier, pool, pending, resolve, trace, texts, tasks, requests, ended, close }
}

describe('the end of a verifier', () => {
  it('is that of all its parts, once, and waits for the cache', async () => {
    const { verifier, pending, ended, close } = make()
    const isOver = vi.fn()
    const end = verifier.dispose()
    void end.then(isOver)
    expect(verifier.dispose()).toBe(end)
    expect(ended).toEqual(['pool', 'signatures', 'blocks', 'pending', 'cache'])
    expect(pending.failAll.mock.calls).toEqual([[expect.any(DisposedError)]])
    await new Promise((resolve) => setImmediate(resolve))
    expect(isOver).not.toHaveBeenCalled()
    close.resolve()
    await end
    expect(ended).toHaveLength(5)
  })

  it('comes with `await using`', async () => {
    const { verifier, ended, close } = make()
    close.resolve()
    await verifier[Symbol.asyncDispose]()
    expect(ended).toContain('pool')
  })

  it('is by hand alone in an engine that does not know it', () => {
    vi.stubGlobal('Symbol', Object.create(Symbol, { asyncDispose: { value: undefined } }))
    const { verifier } = make()
    vi.unstubAllGlobals()
    expect(Reflect.ownKeys(verifier)).toEqual([])
  })

  it.each<[string, (verifier: Verifier, signal: AbortSignal) => Promise<unknown>]>([
    ['blobs', (verifier, signal) => verifier.verifyBlobs([], { signal })],
    ['cells', (verifier, signal) => verifier.verifyCells([], { signal })],
    ['blob sidecars', (verifier, signal) => verifier.verifyBlobSidecars([], { signal })],
    ['text', (verifier, signal) => verifier.verifyDataColumnSidecars('[]', { signal })],
    [
      'a transaction',
      (verifier, signal) => verifier.verifyBlobTransaction('0x03', { fork: 'osaka', signal }),
    ],
    ['a warm-up', (verifier, signal) => verifier.warmup({ signal })],
  ])('has %s rejected, and nothing asked of any part', async (_, act) => {
    const { verifier, pool, resolve, close } = make()
    close.resolve()
    await verifier.dispose()
    for (const signal of [new AbortController().signal, AbortSignal.abort()])
      await expect(act(verifier, signal)).rejects.toThrow(DisposedError)
    for (const asked of [pool.attemptTwice, pool.runOnAll, resolve]) expect(asked).not.toHaveBeenCalled()
  })
})

describe('memory of the caller’s', () => {
  const item = (): { blob: Uint8Array<ArrayBuffer> } => ({ blob: new Uint8Array(100) })

  it('is copied, or taken over where the caller says so', async () => {
    const { verifier, requests } = make()
    const [copied, given] = [item(), item()]
    await verifier.verifyBlobs([copied])
    expect(copied.blob).toHaveLength(100)
    await verifier.verifyBlobs([given], { transfer: true })
    expect(given.blob).toHaveLength(0)
    expect(requests.map(({ taken }) => taken.length)).toEqual([0, 1])
  })

  it('stays where it is where the call is not made', async () => {
    const { verifier, requests } = make()
    const kept = item()
    const signal = AbortSignal.abort(new Error('too late'))
    await expect(verifier.verifyBlobs([kept], { transfer: true, signal })).rejects.toThrow('too late')
    expect(kept.blob).toHaveLength(100)
    expect(requests).toEqual([])
  })
})

describe('the text of an answer', () => {
  const sidecars = (): Uint8Array[] => [new Uint8Array(10), new Uint8Array(20)]
  const [first, second] = ['[1]', '[2]']

  it('is parsed by a worker, whose sidecars are moved on to the checks', async () => {
    const { verifier, pool, requests, texts, tasks, trace } = make({ parsed: [sidecars(), []] })
    const verdicts = await verifier.verifyBlobSidecars(first)
    expect(verdicts.map(({ status }) => status)).toEqual(['malformed', 'malformed'])
    expect(requests.map(({ taken }) => taken.map(({ byteLength }) => byteLength))).toEqual([[10, 20]])
    expect(await verifier.verifyDataColumnSidecars(second)).toEqual([])
    expect(texts).toEqual([first, second])
    expect(pool.attemptTwice).toHaveBeenCalledTimes(2)
    // Each is one call of the trace.
    const traced = trace.parse.mock.calls
    expect(traced.map(([task]) => task as unknown)).toEqual(
      pool.attemptTwice.mock.calls.map(([task]) => task),
    )
    expect(tasks).toContain(traced[0]![0])
    expect(new Set(traced.map(([, call]) => call as unknown)).size).toBe(2)
  })

  it('that workers die of is one error', async () => {
    const { verifier, requests } = make({ parsed: [null] })
    expect(await verifier.verifyBlobSidecars(first)).toEqual([crashed])
    expect(requests).toEqual([])
  })

  it('is parsed once more where sidecars were lost with a worker', async () => {
    const { verifier, texts, requests } = make({ parsed: [sidecars(), sidecars()], isFatal: true })
    const verdicts = await verifier.verifyBlobSidecars(first)
    expect(verdicts.map(({ status }) => status)).toEqual(['malformed', 'malformed'])
    expect(texts).toEqual([first, first])
    expect(requests.map(({ items }) => items.map(({ at }) => at))).toEqual([[0, 1], [0], [1]])
  })

  it('leaves what was lost without a verdict where it cannot be parsed once more', async () => {
    const { verifier, texts } = make({ parsed: [sidecars(), null], isFatal: true })
    expect(await verifier.verifyBlobSidecars(first)).toEqual([crashed, crashed])
    expect(texts).toEqual([first, first])
  })
})

describe('who delivered a transaction', () => {
  it.each([
    ['is named', 'Ann', ['Ann']],
    ['is nobody where that is not said', undefined, []],
    ['is nobody where it is no text', 7, []],
  ])('%s', async (_, source, sources) => {
    const { verifier } = make()
    const options = { fork: 'osaka', ...(source !== undefined && { source: source as string }) } as const
    expect(await verifier.verifyBlobTransaction('0x03', options)).toEqual({
      ...{ ...refusal, sources, links: noLinks, blobs: [] },
    })
  })
})
