/** What a worker does, in this thread: when it works, whose hashes it believes, what a trap costs, and blobs without proofs. */
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest'
import { kzgFiles } from '../../dist/kzg/files.js'
import { compileKernel } from '../../dist/runtime/kernel/module.js'
import { instantiate } from '../../dist/verifier/worker/module.js'
import type { Glue } from '../../ts/src/runtime/kernel/module.ts'
import { makeBlob, makeCell, range, realBlobs, tampered } from '../support/make.ts'
import { readAssetBytes } from '../support/modules.ts'
import { createTasks, requestOf, startTasks, unitsOf, verifierModule } from '../support/worker-tasks.ts'

afterEach(() => {
  vi.restoreAllMocks()
  vi.unstubAllGlobals()
})

const mismatch = { status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' }
const otherCommitment = { ...mismatch, reason: 'commitment-mismatch' }

describe('a worker that has not been set up', () => {
  it('says so, whatever it is asked', async () => {
    const tasks = createTasks('die')
    const unset = 'the worker has not been set up'
    expect(() => tasks.warmUp()).toThrow(unset)
    expect(() => tasks.probe()).toThrow(unset)
    expect(() => tasks.close([], 0, 1)).toThrow(unset)
    for (const kind of [1, 5]) expect(() => tasks.verify([Uint8Array.of(kind)])).toThrow(unset)
    expect(() => tasks.check(requestOf('blob', []))).toThrow(unset)
  })

  it('says whether it holds the lock by which others learn of its death', async () => {
    let grant!: () => void
    const request = vi.fn((_: string, held: () => unknown) => {
      grant = held
      return new Promise(() => {})
    })
    vi.stubGlobal('navigator', { locks: { request } })
    const tasks = await startTasks()
    expect(request).not.toHaveBeenCalled()
    const held = tasks.hold('the worker’s life')
    expect(request.mock.calls).toEqual([['the worker’s life', grant]])
    grant()
    expect(await held).toBe(true)
    // To workers of no origin it is refused, and WebKit ends the request when the page is left.
    for (const name of ['SecurityError', 'AbortError']) {
      request.mockRejectedValueOnce(new DOMException('no', name))
      expect(await tasks.hold('the worker’s life')).toBe(false)
    }
  })
})

it('the calling thread has a fresh instance where its own traps before it is set up', async () => {
  const module = await verifierModule()
  const { exports } = instantiate('simd128', module)
  const revived = vi.spyOn(exports as unknown as Glue, '__wbg_reset_state')
  const fused = vi.spyOn(exports, 'fused').mockImplementation(() => {
    throw new WebAssembly.RuntimeError('unreachable')
  })
  const tasks = createTasks('revive')
  const setUp = async (): Promise<boolean> => await tasks.setUp({ kernel: 'simd128', module })
  await expect(setUp()).rejects.toThrow('unreachable')
  fused.mockRestore()
  expect(await setUp()).toBe(true)
  expect(revived).toHaveBeenCalledTimes(1)
})

describe('the hash behind a unit', () => {
  it('is believed by what is to be quick, and computed anew by what confirms a refusal', async () => {
    const tasks = await startTasks()
    const [blob, other] = await realBlobs()
    const units = await unitsOf(tasks, 'blob', [blob!, other!])
    const isValid = (): boolean => tasks.close([tasks.collect(units, 1).sums], 0, 1)
    expect([tasks.verify(units).outcomes, isValid()]).toEqual([['valid', 'valid'], true])
    const [lied] = units
    lied![lied!.length - 1]! ^= 1
    expect([tasks.verify(units).outcomes, isValid()]).toEqual([[mismatch, 'valid'], false])
    expect(await tasks.confirm(units, await verifierModule())).toEqual(['valid', 'valid'])
    const untrue = await unitsOf(tasks, 'blob', [tampered(blob!)])
    expect(await tasks.confirm([...untrue, ...units], await verifierModule())).toEqual([
      mismatch,
      'valid',
      'valid',
    ])
  })
})

describe('memory', () => {
  it('of units is the instance’s for as long as it computes', async () => {
    const tasks = await startTasks()
    const { exports } = instantiate('simd128', await verifierModule())
    const { initSync } = exports as unknown as { initSync(_: object): { memory: WebAssembly.Memory } }
    // It gives the instance that there is.
    const memory = (): number => initSync({}).memory.buffer.byteLength
    // Of no kind that there is: nothing is computed.
    const units = range(8).map(() => new Uint8Array(131_072))
    tasks.verify(units)
    const before = memory()
    for (let at = 0; at < 40; at++) tasks.verify(units)
    expect(memory()).toBe(before)
  })
})

describe('a trap', () => {
  const trap = new WebAssembly.RuntimeError('unreachable')
  const overflow = new RangeError('Maximum call stack size exceeded')
  const fault = new Error('a fault that is no trap')
  it.each([
    ['revived', 'in the calling thread', 'revive', trap, 1],
    ['revived', 'in the calling thread, of a stack that was too short', 'revive', overflow, 1],
    ['left as it is', 'in the calling thread, of an error that is none', 'revive', fault, 0],
    ['left as it is', 'in a worker, whose place another one takes', 'die', trap, 0],
  ] as const)('has its instance %s %s', async (_, __, survive, error, times) => {
    const tasks = await startTasks(survive)
    const core = instantiate('simd128', await verifierModule())
    const revive = vi.spyOn(core, 'revive').mockReturnValue()
    const fails = (): never => {
      throw error
    }
    vi.spyOn(core.exports, 'warm').mockImplementationOnce(fails)
    expect(() => tasks.warmUp()).toThrow(error)
    expect(revive).toHaveBeenCalledTimes(times)
    // And so where it comes later.
    vi.spyOn(core.exports, 'bodyHashes').mockImplementationOnce(fails)
    await expect(tasks.check(requestOf('cell', [makeCell(1, 5)]))).rejects.toBe(error)
    expect(revive).toHaveBeenCalledTimes(2 * times)
  })

  it('leaves an instance that computes as before', async () => {
    const tasks = await startTasks('revive')
    const { exports } = instantiate('simd128', await verifierModule())
    vi.spyOn(exports, 'warm').mockImplementationOnce(() => {
      throw trap
    })
    expect(() => tasks.warmUp()).toThrow(trap)
    const units = await unitsOf(tasks, 'blob', [makeBlob(1), tampered(makeBlob(2))])
    expect(tasks.verify(units).outcomes).toEqual(['valid', mismatch])
  })
})

describe('blobs without proofs', () => {
  let whole: WebAssembly.Module
  let points: Uint8Array
  beforeAll(async () => {
    whole = await compileKernel('simd128', {}, kzgFiles)
    points = await readAssetBytes('prover-setup.bin')
  })

  const bare = ({ blob, commitment }: ReturnType<typeof makeBlob>) => ({ blob, commitment })
  let tasks: Awaited<ReturnType<typeof startTasks>>
  let units: Uint8Array<ArrayBuffer>[]
  beforeEach(async () => {
    tasks = await startTasks()
    units = await unitsOf(tasks, 'blob', [bare(makeBlob(3)), bare(tampered(makeBlob(4)))])
    expect(tasks.takeCommitmentKernel({ kernel: 'simd128', module: whole, points })).toBe(true)
  })

  it('are verified with the module and the points that were brought for them', async () => {
    const expected = ['valid', otherCommitment]
    expect(tasks.verify(units).outcomes).toEqual(expected)
    for (const [at, unit] of units.entries())
      expect(tasks.verify([unit]).outcomes).toEqual(expected.slice(at, at + 1))
    expect(await tasks.confirm(units, whole)).toEqual(expected)
  })

  it('have sums of their own, which are closed with their commitment; nothing of these is left to test', async () => {
    const sumsOf = (some: readonly Uint8Array<ArrayBuffer>[]): Uint8Array => {
      const { refusals, sums, tested } = tasks.collect(some, 1)
      expect([refusals, tested]).toEqual([some.map(() => null), true])
      return sums
    }
    const close = (sums: readonly Uint8Array[]): boolean =>
      tasks.closeBare(
        sums,
        range(2).map((part) => tasks.commitPart(sums, part, 2)),
      )
    expect(close([sumsOf(units.slice(0, 1))])).toBe(true)
    expect(close([sumsOf(units)])).toBe(false)
  })

  it('are not judged by a worker without the points, though its instance may have them', async () => {
    const other = await startTasks()
    const none = 'these are not the points that commitments are computed with'
    await expect(other.confirm(units, whole)).rejects.toThrow(none)
  })
})
