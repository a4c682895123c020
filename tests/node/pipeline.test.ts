/** The way of a call through the steps: what each is asked, what the verdicts are made of, and what is counted. */
import { fromSource } from 'blobcheck'
import { describe, expect, it, vi } from 'vitest'
import { CRASHED } from '../../dist/runtime/errors.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import * as steps from '../../dist/verifier/pipeline.js'
import { newCounters } from '../../dist/verifier/stats.js'
import type { Checked, CheckRequest } from '../../dist/verifier/checks/protocol.js'
import type { SharedOutcome, VerificationRequest } from '../../dist/verifier/dedup/pending-verifications.js'
import { bufferPoolFor, CallItems } from '../support/internals.ts'
import { range } from '../support/make.ts'
import { turns } from '../support/virtual-time.ts'

// The declarations of the package leave out what is internal.
const { internalsOf, registerInternals, verifyItems } = steps as unknown as {
  internalsOf(verifier: unknown): object
  registerInternals(verifier: object, internals: object): void
  verifyItems(internals: object, items: object, call: object): Promise<{ readonly status: string }[]>
}

const refusal = { status: 'malformed', stage: 'checks', reason: 'blob-length' } as const
const links = { ...noLinks, inclusion: 'verified' } as const
const unit = (digest: string, kind = 1): Checked =>
  ({ links, unit: { digest, kind, bytes: new Uint8Array(4) } }) as unknown as Checked

interface Told {
  readonly requests: VerificationRequest[]
  readonly checks: CheckRequest[]
  readonly progress: object[]
  readonly cancelled: string[]
  readonly signed: object[]
}

/** Runs a call about items of which the checks say this; null where a worker dies of one. */
function run(
  entries: readonly (Checked | null)[],
  outcomeOf: (digest: string) => Promise<SharedOutcome> | SharedOutcome,
  more: {
    call?: object
    anchor?: unknown
    isFirst?: (digest: string) => boolean
    trace?: object
    steps?: string[]
  } = {},
) {
  const told: Told = { requests: [], checks: [], progress: [], cancelled: [], signed: [] }
  const check = async (request: CheckRequest) => {
    told.checks.push(request)
    const checked = request.items.map(({ at }) => entries[at]!)
    if (checked.includes(null as never)) throw new Error('it died')
    return { checked, buffer: request.buffer, taken: [], unitBuffer: null }
  }
  const attempt = async (task: (api: object) => unknown): Promise<unknown> => {
    try {
      return await task({ check })
    } catch {
      return CRASHED
    }
  }
  const pool = { workers: 1, attempt }
  const buffers = bufferPoolFor(pool)
  const counters = newCounters()
  const signal = new AbortController()
  const internals = {
    ...{ pool, counters, buffers, networkWords: new BigUint64Array(3), trace: more.trace },
    blocks: {
      resolve: async (anchor: unknown) => {
        more.steps?.push('the anchor is read')
        return 'anchor' in more ? more.anchor : anchor
      },
    },
    signatures: {
      of: async (found: readonly unknown[], key: Uint8Array) => {
        told.signed.push(key)
        more.steps?.push('signatures are verified')
        return found
      },
    },
    pending: {
      subscribe: (requests: readonly VerificationRequest[]) => {
        told.requests.push(...requests)
        return requests.map((request) => ({
          pending: { settled: Promise.resolve(outcomeOf(request.unit.digest)) },
          isFirst: more.isFirst?.(request.unit.digest) ?? true,
          cancel: () => told.cancelled.push(request.unit.digest),
        }))
      },
    },
  }
  // The second item says nothing of who delivered it.
  const sidecars = entries.map((_, at) => (at === 1 ? {} : fromSource({ at }, `peer ${at}`)))
  const items = new CallItems('transaction', sidecars, false)
  const call = {
    ...{
      anchor: { kind: 'none' },
      fork: 2,
      signal: signal.signal,
      cheap: false,
      transfer: false,
      proposerKey: null,
    },
    onProgress: (progress: object) => told.progress.push(progress),
    ...more.call,
  }
  return { verdicts: verifyItems(internals, items, call), told, counters, controller: signal, call, buffers }
}

const kzg = (outcome: SharedOutcome['outcome'], sources: string[] = []): SharedOutcome => ({
  ...{ outcome, origin: 'kzg', sources },
})

describe('a call', () => {
  it('has a verdict for each item, in order, of what the checks and KZG have found', async () => {
    const bad = { status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' } as const
    const outcomes: Record<string, SharedOutcome> = {
      a: kzg('valid'),
      b: kzg(bad, ['Ann', 'Bob']),
      c: { outcome: 'valid', origin: 'session', sources: [] },
      d: { outcome: 'valid', origin: 'storage', sources: [] },
      e: { outcome: bad, origin: 'refusals', sources: ['Cem'] },
      f: kzg('valid'),
      g: kzg({ status: 'error', reason: 'worker-crashed' }),
    }
    const refused = { links, refusal } as unknown as Checked
    const others = [...'cdefg'].map((digest) => unit(digest))
    const entries = [unit('a'), refused, unit('b'), refused, ...others]
    const { verdicts, told, counters } = run(entries, (digest) => outcomes[digest]!, {
      isFirst: (digest) => digest !== 'f',
    })
    const all = links
    expect(await verdicts).toEqual([
      { status: 'valid', via: 'kzg', digest: 'a', links: { ...all, kzg: 'verified' } },
      { ...refusal, sources: [], links },
      { ...bad, sources: ['Ann', 'Bob'], links },
      { ...refusal, sources: ['peer 3'], links },
      { status: 'valid', via: 'cache', digest: 'c', links: { ...all, kzg: 'verified' } },
      { status: 'valid', via: 'cache', digest: 'd', links: { ...all, kzg: 'trusted' } },
      { ...bad, sources: ['Cem'], links },
      { status: 'valid', via: 'duplicate', digest: 'f', links: { ...all, kzg: 'verified' } },
      { status: 'error', reason: 'worker-crashed', links },
    ])
    expect(counters).toEqual({
      ...newCounters(),
      ...{ items: 9, refusedByChecks: 2, cacheHits: 2, duplicates: 2 },
      ...{ valid: 4, invalid: 2, malformed: 2, errors: 1 },
    })
    expect(told.requests.map(({ unit: { digest }, source, at }) => [digest, source, at])).toEqual([
      ['a', 'peer 0', 0],
      ['b', 'peer 2', 2],
      ['c', 'peer 4', 4],
      ['d', 'peer 5', 5],
      ['e', 'peer 6', 6],
      ['f', 'peer 7', 7],
      ['g', 'peer 8', 8],
    ])
    expect(told.progress).toEqual([
      { stage: 'check', done: 9, total: 9 },
      ...range(9).map((at) => ({ stage: 'kzg', done: at + 1, total: 9 })),
    ])
    expect(told.checks[0]).toMatchObject({
      fork: 2,
      count: 9,
      wantsHeaders: false,
      network: new BigUint64Array(3),
    })
    expect(told.signed).toEqual([])
    expect(told.cancelled).toEqual([])
  })

  it('a transaction is what its blobs are together', async () => {
    const whole = { links: noLinks, digest: 'both', blobs: [unit('a'), unit('b')] } as unknown as Checked
    const { verdicts, told, counters } = run([unit('c'), unit('d'), whole], () => kzg('valid'))
    expect((await verdicts)[2]).toMatchObject({
      status: 'valid',
      digest: 'both',
      blobs: [{ digest: 'a' }, { digest: 'b' }],
    })
    expect(told.requests.map(({ unit: { digest } }) => digest)).toEqual(['c', 'd', 'a', 'b'])
    expect(counters).toMatchObject({ items: 3, valid: 3 })
  })

  it('in the mode cheap asks nothing of KZG', async () => {
    const refused = { links, refusal } as unknown as Checked
    const { verdicts, told, counters } = run([unit('a'), refused], () => expect.unreachable(), {
      call: { cheap: true },
    })
    expect(await verdicts).toEqual([
      { status: 'unchecked', reason: 'cheap-mode', stage: 'kzg', links },
      { ...refusal, sources: [], links },
    ])
    expect(told.requests).toEqual([])
    expect(counters).toMatchObject({ items: 2, malformed: 1, valid: 0, invalid: 0, errors: 0 })
    expect(counters).not.toHaveProperty('unchecked')
  })

  it('an item that two workers died of is an error, and so is each where the anchor cannot be read', async () => {
    const crashed = { status: 'error', reason: 'worker-crashed', links: noLinks }
    const died = run([unit('a'), null, unit('b')], () => kzg('valid'))
    expect((await died.verdicts).map(({ status }) => status)).toEqual(['valid', 'error', 'valid'])
    expect((await died.verdicts)[1]).toEqual(crashed)
    expect(died.counters).toMatchObject({ errors: 1, valid: 2 })
    const unread = run([unit('a'), unit('b')], () => kzg('valid'), { anchor: CRASHED })
    expect(await unread.verdicts).toEqual([crashed, crashed])
    expect(unread.counters).toMatchObject({ items: 2, errors: 2 })
    expect(unread.told.checks).toEqual([])
  })

  it('is checked against its anchor as it was read, and asks for signatures where there is a key', async () => {
    const anchor = { kind: 'commitments', commitments: ['ab'] }
    const key = new Uint8Array(48)
    const { verdicts, told } = run([unit('a')], () => kzg('valid'), { anchor, call: { proposerKey: key } })
    await verdicts
    expect(told.checks[0]).toMatchObject({ anchor, wantsHeaders: true })
    expect(told.signed).toEqual([key])
  })

  it('that is aborted rejects with the reason, and gives up what it was waiting for', async () => {
    const { verdicts, told, controller } = run(
      [unit('a'), unit('b')],
      async () => await new Promise<never>(() => {}),
    )
    await turns(9)
    expect(told.requests).toHaveLength(2)
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(verdicts).rejects.toBe(reason)
    expect(told.cancelled).toEqual(['a', 'b'])
  })

  it('that is aborted while it is checked asks nobody for a verdict', async () => {
    const { verdicts, told, controller, call } = run([unit('a')], () => kzg('valid'), {
      call: { onProgress: () => controller.abort() },
    })
    expect(call.cheap).toBe(false)
    await expect(verdicts).rejects.toThrow('aborted')
    await turns(9)
    expect(told.requests).toEqual([])
  })

  it('gives the memory of its units back once each of them has its verdict', async () => {
    const settle: (() => void)[] = []
    const [first, second] = [unit('a'), unit('b')] as { unit: { bytes: { buffer: ArrayBuffer } } }[]
    const { verdicts, buffers } = run([first, null, second] as never, async () => {
      await new Promise<void>((resolve) => settle.push(resolve))
      return kzg('valid')
    })
    const returned = vi.spyOn(buffers, 'giveBackAll')
    await turns(9)
    settle[0]!()
    await turns(9)
    expect(returned).not.toHaveBeenCalled()
    settle[1]!()
    await verdicts
    const memory = new Set([first, second].map((one) => one!.unit.bytes.buffer))
    expect(returned.mock.calls.flat(2).filter((buffer) => memory.has(buffer))).toHaveLength(2)
  })

  it('tells who listens when its anchor is decoded, and when its signatures are verified', async () => {
    const steps: string[] = []
    const step = (name: string) => (whose: { fork: number }) => {
      steps.push(`${name} of a call of fork ${whose.fork} begins`)
      return () => void steps.push(`${name} ends`)
    }
    const trace = { anchor: step('anchor'), signature: step('signature'), check: () => {} }
    const call = { proposerKey: new Uint8Array(48), fork: 1 }
    await run([unit('a')], () => kzg('valid'), { call, trace, steps }).verdicts
    expect(steps).toEqual([
      ...['anchor of a call of fork 1 begins', 'the anchor is read', 'anchor ends'],
      ...['signature of a call of fork 1 begins', 'signatures are verified', 'signature ends'],
    ])
  })

  it('makes bytes once more from the item, if they are the same', async () => {
    const { verdicts, told } = run([unit('a'), unit('b')], () => kzg('valid'))
    await verdicts
    const [first, second] = told.requests
    expect(await first!.remake()).toEqual(new Uint8Array(4))
    expect(told.checks.at(-1)!.items.map(({ at }) => at)).toEqual([0])
    Object.assign(second!.unit, { digest: 'another' })
    expect(first!.call).toBe(second!.call)
  })
})

describe('the parts of a verifier', () => {
  it('are on record, for a verifier of this package alone', () => {
    const [verifier, internals] = [{}, {}]
    registerInternals(verifier, internals)
    expect(internalsOf(verifier)).toBe(internals)
    for (const other of [{}, new Proxy(verifier, {}), null, undefined, 'verifier', 7, () => {}])
      expect(() => internalsOf(other)).toThrow(
        new TypeError(
          'verifier must be one that createVerifier of this copy of blobcheck made: no fake, no proxy, and not that of blobcheck/inline',
        ),
      )
  })
})
