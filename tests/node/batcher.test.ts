/** What becomes a batch, and when: what comes together, no more than two at a time on few workers, blobs without proofs apart. */
import { afterEach, expect, it, vi } from 'vitest'
import { kzgFiles } from '../../dist/kzg/files.js'
import { CRASHED, DisposedError } from '../../dist/runtime/errors.js'
import { ConfirmedKernel } from '../../dist/runtime/kernel/confirmation.js'
import { compileKernel } from '../../dist/runtime/kernel/module.js'
import { Batcher } from '../../dist/verifier/batch/batcher.js'
import { CommitmentKernels } from '../../dist/verifier/batch/commitment-kernels.js'
import type { BatchUnit } from '../../dist/verifier/batch/lent-buffers.js'
import { tellOfMissing } from '../../dist/verifier/batch/missing.js'
import { newCounters } from '../../dist/verifier/stats.js'
import { later, never, range } from '../support/make.ts'
import { turns } from '../support/virtual-time.ts'

const [BLOB, BARE_NAMED, BARE] = [1, 5, 6]
const REFUSED = { status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' }
/** With this, a worker crashes. */
const died = new Error('it died')
type Answer = readonly (string | object)[] | Promise<never>

afterEach(() => void vi.restoreAllMocks())

/** The kernels of commitments, which are there. */
const made = (): object => ({
  has: () => true,
  load: async () => {},
  attempt: async (task: unknown, attempt: (task: unknown) => unknown) => await attempt(task),
})

/** A batcher over one worker, which answers when it is told to. */
function start(
  commitments: () => Promise<unknown> = async () => made(),
  // What the fast kernel refuses is asked of the baseline, if there is a way to it.
  baseline?: () => Promise<never>,
) {
  const batches: number[][] = []
  const waiting: ((answer: Answer) => void)[] = []
  const verify = async (units: readonly Uint8Array[]) => {
    batches.push(units.map((unit) => unit[1]!))
    const outcomes = await new Promise<Answer>((resolve) => waiting.push(resolve as (answer: Answer) => void))
    return { outcomes, returned: [] }
  }
  /** The kernel fails its probe. */
  const takeCommitmentKernel = async ({ kernel }: { readonly kernel: string }) => kernel === 'simd128'
  /** Tasks that the worker is at. */
  let busy = 0
  const attempt = async (task: (api: object) => unknown): Promise<unknown> => {
    busy++
    try {
      return await task({ verify, takeCommitmentKernel })
    } catch (error) {
      if (error === died) return CRASHED
      throw error
    } finally {
      busy--
    }
  }
  const pool = { workers: 1, attempt }
  const counters = newCounters()
  const kernel = new ConfirmedKernel(
    pool as never,
    { name: baseline === undefined ? 'simd128' : 'relaxed-simd', reason: '' },
    baseline ?? (async () => ({}) as never),
  )
  const starting = vi.fn(commitments)
  const warnings: string[] = []
  const onMissing = tellOfMissing(({ code, message }) => warnings.push(`${code}: ${message}`))
  const context = { pool: pool as never, kernel, counters, trace: undefined, onMissing }
  const batcher = new Batcher(context, starting as never)
  let next = 0
  const unit = (kind = BLOB, isAbandoned = false): BatchUnit & { isAbandoned: boolean } => {
    const bytes = Uint8Array.of(kind, next, 0, 0)
    return { unit: { digest: `${next++}`, kind, bytes }, isAbandoned, remake: async () => null }
  }
  /** The oldest batch that waits is answered. */
  const answer = async (one: Answer): Promise<void> => {
    waiting.shift()!(one)
    await turns(2)
  }
  return { batcher, batches, counters, starting, unit, answer, warnings, isBusy: () => busy > 0 }
}

it('what comes together is one batch, whoever brings it', async () => {
  const { batcher, batches, counters, unit, answer } = start()
  const first = batcher.enqueue([unit(), unit()])
  const second = batcher.enqueue([unit()])
  expect(batches).toEqual([])
  await turns(1)
  expect(batches).toEqual([[0, 1, 2]])
  expect(counters).toMatchObject({ kzgBatches: 1, kzgItems: 3 })
  await answer(['valid', 'valid', 'valid'])
  expect(await Promise.all([...first, ...second])).toEqual(['valid', 'valid', 'valid'])
  expect(batcher.enqueue([])).toEqual([])
  await turns(1)
  expect(batches).toHaveLength(1)
})

it('two batches are under way at a time; what comes meanwhile gathers', async () => {
  const { batcher, batches, unit, answer } = start()
  for (let at = 0; at < 5; at++) {
    batcher.enqueue([unit()])
    await turns(1)
  }
  expect(batches).toEqual([[0], [1]])
  await answer(['valid'])
  expect(batches).toEqual([[0], [1], [2, 3, 4]])
  batcher.enqueue([unit()])
  await turns(1)
  expect(batches).toHaveLength(3)
  await answer(['valid'])
  await answer(['valid', 'valid', 'valid'])
  expect(batches[3]).toEqual([5])
})

it('no more than two are under way, whenever it is that something comes', async () => {
  const { batcher, batches, unit, answer } = start()
  batcher.enqueue([unit()])
  await turns(1)
  // In one turn: some, some while their batch is being made, and some before that.
  batcher.enqueue([unit()])
  void Promise.resolve().then(() => batcher.enqueue([unit()]))
  batcher.enqueue([unit()])
  await turns(1)
  expect(batches).toEqual([[0], [1, 2]])
  await answer(['valid'])
  expect(batches).toEqual([[0], [1, 2], [3]])
})

it('what nobody waits for any more is not computed', async () => {
  const { batcher, batches, unit, answer } = start()
  const left = unit()
  const outcomes = batcher.enqueue([left, unit(), unit(BLOB, true)])
  left.isAbandoned = true
  await turns(1)
  expect(batches).toEqual([[1]])
  expect([await outcomes[0], await outcomes[2]]).toEqual([null, null])
  await answer(['valid'])
  expect(await outcomes[1]).toBe('valid')
  // Where nobody waits at all there is no batch.
  expect(await batcher.enqueue([unit(BLOB, true)])[0]).toBeNull()
  expect(batches).toHaveLength(1)
})

it('nor tried again after a crash', async () => {
  const { batcher, batches, unit, answer } = start()
  const left = unit()
  const outcomes = batcher.enqueue([left, unit()])
  await turns(1)
  left.isAbandoned = true
  await answer(Promise.reject(died))
  expect(batches).toEqual([[0, 1], [1]])
  await answer(['valid'])
  expect(await Promise.all(outcomes)).toEqual([null, 'valid'])
})

it('an answer that says nothing of a unit is an error of that unit', async () => {
  const { batcher, unit, answer } = start()
  const outcomes = batcher.enqueue([unit(), unit()])
  await turns(1)
  await answer(['valid'])
  expect(await Promise.all(outcomes)).toEqual(['valid', { status: 'error', reason: 'worker-crashed' }])
})

it('blobs without proofs are a batch of their own, whose setup nobody else waits for', async () => {
  let ready!: (kernels: object) => void
  const { batcher, batches, starting, unit, answer } = start(
    async () => await new Promise((resolve) => (ready = resolve)),
  )
  const [bare, proven] = batcher.enqueue([unit(BARE), unit()])
  await turns(2)
  expect(batches).toEqual([[1]])
  await answer(['valid'])
  expect(await proven).toBe('valid')
  ready(made())
  await turns(2)
  expect(batches).toEqual([[1], [0]])
  await answer(['valid'])
  expect(await bare).toBe('valid')
  const [again] = batcher.enqueue([unit(BARE)])
  await turns(2)
  await answer(['valid'])
  expect(await again).toBe('valid')
  expect(starting).toHaveBeenCalledOnce()
})

it.each([
  ['what blobs without proofs need', BARE, start(never), 'valid'],
  ['the baseline, which is to confirm what is refused', BLOB, start(undefined, never), REFUSED],
] as const)('%s may never come: others go on', async (_what, kind, { batcher, unit, answer }, outcome) => {
  for (let at = 0; at < 3; at++) {
    batcher.enqueue([unit(kind)])
    await turns(2)
    if (kind === BLOB) await answer([outcome])
  }
  const [proven] = batcher.enqueue([unit()])
  await turns(2)
  await answer(['valid'])
  expect(await proven).toBe('valid')
})

it('a batch that let others in while it waited gives its place up once', async () => {
  let fail!: (cause: Error) => void
  const { batcher, batches, unit, answer } = start(
    undefined,
    async () => await new Promise<never>((_resolve, reject) => (fail = reject)),
  )
  const [refused] = batcher.enqueue([unit()])
  await turns(1)
  await answer([REFUSED])
  fail(new Error('offline'))
  expect(await refused).toMatchObject({ status: 'error' })
  for (let at = 0; at < 3; at++) {
    batcher.enqueue([unit()])
    await turns(1)
  }
  expect(batches).toEqual([[0], [1], [2]])
})

it('a kernel fails its probe: no worker is held while the baseline is fetched, and what waits for it is one batch then', async () => {
  const module = await compileKernel('simd128', {}, kzgFiles)
  const { promise: fetched, resolve: arrive } = later<WebAssembly.Module>()
  vi.spyOn(WebAssembly, 'compile').mockReturnValue(fetched)
  const load = async (): Promise<Uint8Array> => new Uint8Array(1)
  const wasm = { 'relaxed-simd': module, simd128: new Uint8Array(8) }
  const kernels = new CommitmentKernels(wasm, { load } as never)
  await kernels.load('relaxed-simd')
  const { batcher, batches, counters, unit, answer, isBusy } = start(async () => kernels, never)
  const bare: Promise<unknown>[] = []
  for (let at = 0; at < 4; at++) {
    bare.push(...batcher.enqueue([unit(BARE)]))
    await turns(2)
  }
  expect(isBusy()).toBe(false)
  const [proven] = batcher.enqueue([unit()])
  await turns(2)
  expect(batches).toEqual([[4]])
  await answer(['valid'])
  expect(await proven).toBe('valid')
  arrive(module)
  await turns(2)
  expect(batches).toEqual([[4], [0], [1], [2], [3]])
  expect(counters.kzgBatches).toBe(3)
  for (let at = 0; at < 4; at++) await answer(['valid'])
  expect(await Promise.all(bare)).toEqual(['valid', 'valid', 'valid', 'valid'])
})

it.each([[[BARE]], [[BARE, BARE]], [[BARE_NAMED, BARE_NAMED]], [[BARE_NAMED, BARE]]])(
  'a kernel fails its probe, and the baseline is not to be had: that is said of each blob, and none is tried again (%j)',
  async (kinds) => {
    const module = await compileKernel('simd128', {}, kzgFiles)
    const load = async (): Promise<Uint8Array> => new Uint8Array(1)
    const wasm = { 'relaxed-simd': module, simd128: new Uint8Array(8) }
    const kernels = new CommitmentKernels(wasm, { load } as never)
    await kernels.load('relaxed-simd')
    const { batcher, counters, unit, warnings } = start(async () => kernels, never)
    const outcomes = await Promise.all(batcher.enqueue(kinds.map((kind) => unit(kind))))
    expect(outcomes).toEqual(kinds.map(() => ({ status: 'error', reason: 'setup-unavailable' })))
    expect(counters.retries).toBe(0)
    expect(warnings).toEqual([expect.stringMatching('^setup-unavailable: .*the simd128 module')])
  },
)

it('once what they need is there, those that are still waited for are one batch', async () => {
  const { promise, resolve: ready } = later<object>()
  const { batcher, batches, counters, unit, answer } = start(() => promise)
  const outcomes: Promise<unknown>[] = []
  for (let at = 0; at < 5; at++) {
    const left = unit(BARE)
    outcomes.push(...batcher.enqueue([left, unit(BARE)]))
    await turns(2)
    left.isAbandoned = true
  }
  expect(counters.kzgBatches).toBe(0)
  ready(made())
  await turns(2)
  expect(batches).toEqual([[1], [3], [5], [7], [9]])
  expect(counters).toMatchObject({ kzgBatches: 1, kzgItems: 5 })
  for (let at = 0; at < 5; at++) await answer(['valid'])
  expect(await Promise.all(outcomes)).toEqual(range(5).flatMap(() => [null, 'valid']))
})

it('those that have what they need are two at a time', async () => {
  const { batcher, batches, unit, answer } = start()
  batcher.enqueue([unit(BARE)])
  await turns(2)
  await answer(['valid'])
  for (let at = 0; at < 5; at++) {
    batcher.enqueue([unit(BARE)])
    await turns(2)
  }
  expect(batches).toEqual([[0], [1], [2]])
})

it('what they need is asked for again where it was not to be had', async () => {
  const missing = { status: 'error', reason: 'setup-unavailable' }
  let isOffline = true
  const { batcher, starting, unit, answer } = start(async () => {
    if (isOffline) throw new Error('offline')
    return made()
  })
  expect(await Promise.all(batcher.enqueue([unit(BARE), unit(BARE)]))).toEqual([missing, missing])
  isOffline = false
  const [outcome] = batcher.enqueue([unit(BARE)])
  await turns(2)
  await answer(['valid'])
  expect(await outcome).toBe('valid')
  expect(starting).toHaveBeenCalledTimes(2)
  const unloaded = start(async () => ({ load: async () => await Promise.reject(new Error('offline')) }))
  expect(await unloaded.batcher.enqueue([unloaded.unit(BARE)])[0]).toEqual(missing)
})

it('why they are not to be had is told once of each cause, where somebody waits', async () => {
  const fails = vi.fn<() => Promise<never>>()
  const { batcher, unit, warnings } = start(async () => ({ has: () => false, load: fails }))
  const causes = ['offline', 'offline', 'not the setup', 'offline']
  for (const cause of causes) {
    fails.mockRejectedValueOnce(new Error(cause))
    await batcher.enqueue([unit(BARE, true), unit(BARE)])[1]
  }
  const told = ['offline', 'not the setup'].map(
    (cause) => `setup-unavailable: blobs without proofs cannot be verified: ${cause}`,
  )
  expect(warnings).toEqual(told)

  let fail: (cause: Error) => void = never
  fails.mockReturnValueOnce(new Promise((_resolve, reject) => (fail = reject)))
  const left = unit(BARE)
  const [outcome] = batcher.enqueue([left])
  await turns(2)
  left.isAbandoned = true
  fail(new Error('too late'))
  await outcome
  expect(warnings).toEqual(told)
  // One who stays is told, whoever leaves.
  fails.mockReturnValueOnce(new Promise((_resolve, reject) => (fail = reject)))
  const gone = unit(BARE)
  const [, stays] = batcher.enqueue([gone, unit(BARE)])
  await turns(2)
  gone.isAbandoned = true
  fail(new Error('late'))
  await stays
  expect(warnings).toEqual([...told, expect.stringMatching(/: late$/)])
})

it('where the verifier is disposed of all fail with the cause, and what comes next has its turn', async () => {
  const { batcher, batches, unit, answer } = start()
  const failed = batcher.enqueue([unit(), unit()])
  await turns(1)
  const strange = batcher.enqueue([unit()])
  await turns(1)
  batcher.enqueue([unit()])
  const cause = new DisposedError()
  const ends = [...failed, ...strange].map((one) => one.catch((error: unknown) => error))
  await answer(Promise.reject(cause))
  await answer(Promise.reject('no error' as never))
  const [first, second, third] = await Promise.all(ends)
  expect(first).toBe(cause)
  expect(second).toBe(cause)
  expect(third).toBeInstanceOf(DisposedError)
  expect(batches).toEqual([[0, 1], [2], [3]])
})
