/** What blobs without proofs are verified with: loaded once, given to each worker once, and the baseline where another kernel is not to be had. */
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { kzgFiles } from '../../dist/kzg/files.js'
import { CRASHED } from '../../dist/runtime/errors.js'
import { compileKernel } from '../../dist/runtime/kernel/module.js'
import { CommitmentKernels } from '../../dist/verifier/batch/commitment-kernels.js'

/** The declarations of the package leave out what is internal. */
interface Given {
  readonly kernel: string
  readonly module: WebAssembly.Module
  readonly points: Uint8Array
}

afterEach(() => void vi.restoreAllMocks())

let simd128: WebAssembly.Module
beforeAll(async () => void (simd128 = await compileKernel('simd128', {}, kzgFiles)))
const broken = Uint8Array.of(1, 2, 3)
const points = Uint8Array.of(7)

/** Kernels from these modules, with points that come as they are told to. */
function make(wasm: ConstructorParameters<typeof CommitmentKernels>[0]) {
  const load = vi.fn(async () => points)
  return { kernels: new CommitmentKernels(wasm, { load } as never), load }
}

/** A worker on which kernels are sound or not, and what it was given. */
function workerOf(isSound: boolean) {
  const given: unknown[] = []
  const takeCommitmentKernel = async ({ kernel, module, points: own }: Given) => {
    given.push([kernel, module, own])
    return isSound || kernel === 'simd128'
  }
  return { worker: { takeCommitmentKernel } as never, given }
}

describe('a kernel and its points', () => {
  it('are loaded once, whoever asks, and again where that failed', async () => {
    const { kernels, load } = make({ simd128 })
    load.mockRejectedValueOnce(new Error('offline'))
    await expect(kernels.load('simd128')).rejects.toThrow('offline')
    const both = [kernels.load('simd128'), kernels.load('simd128')]
    for (const one of both) expect(await one).toEqual({ kernel: 'simd128', module: simd128, points })
    expect(load).toHaveBeenCalledTimes(2)
    expect(await kernels.baseline()).toBe(simd128)
    load.mockRejectedValue(new Error('offline'))
    expect(await make({ simd128: broken }).kernels.baseline()).toBeNull()
  })

  it('are the baseline where another one cannot be compiled', async () => {
    const { kernels } = make({ simd128, 'relaxed-simd': broken })
    expect(await kernels.load('relaxed-simd')).toMatchObject({ kernel: 'simd128', module: simd128 })
  })

  it('are the baseline where that alone was brought: no file of the package is looked for', async () => {
    const compile = vi.spyOn(WebAssembly, 'compile')
    const { kernels } = make({ simd128 })
    expect(await kernels.load('relaxed-simd')).toMatchObject({ kernel: 'simd128', module: simd128 })
    expect(compile).not.toHaveBeenCalled()
  })

  it('are not to be had where the baseline is not, which is tried once', async () => {
    const compile = vi.spyOn(WebAssembly, 'compile')
    const { kernels } = make({ simd128: broken, 'relaxed-simd': broken })
    await expect(kernels.load('simd128')).rejects.toThrow('the simd128 module could not be loaded')
    expect(compile).toHaveBeenCalledOnce()
  })
})

/** Has a worker do a task that needs the kernel: what the task answers, and how often others were let in. */
async function ask(kernels: CommitmentKernels, worker: never, name: 'simd128' | 'relaxed-simd') {
  const letOthersIn = vi.fn()
  const attempt = async (task: (worker: never) => unknown): Promise<never> => (await task(worker)) as never
  const onMissing = vi.fn()
  const answer = await kernels.attempt(
    ...([async () => 'done', attempt, { current: { name } }, letOthersIn, onMissing] as const),
  )
  expect(onMissing.mock.calls).toEqual(answer === 'done' ? [] : [[expect.any(Error)]])
  return { answer, waits: letOthersIn.mock.calls.length }
}

describe('a worker', () => {
  it('is given them once, and others where the verifier’s kernel is another one by then', async () => {
    const { kernels } = make({ simd128, 'relaxed-simd': simd128 })
    await kernels.load('relaxed-simd')
    const [one, other] = [workerOf(true), workerOf(true)]
    const waits: number[] = []
    for (const kernel of ['relaxed-simd', 'relaxed-simd', 'simd128', 'simd128'] as const)
      waits.push((await ask(kernels, one.worker, kernel)).waits)
    expect(await ask(kernels, other.worker, 'simd128')).toEqual({ answer: 'done', waits: 0 })
    // The baseline was to be loaded.
    expect(waits).toEqual([0, 0, 1, 0])
    const baseline = ['simd128', simd128, points]
    expect(one.given).toEqual([['relaxed-simd', simd128, points], baseline])
    expect(other.given).toEqual([baseline])
  })

  it('is given the baseline where the kernel fails its probe there, and so are the others from then on', async () => {
    const { kernels } = make({ simd128, 'relaxed-simd': simd128 })
    await kernels.load('relaxed-simd')
    const [one, other] = [workerOf(false), workerOf(true)]
    expect(await ask(kernels, one.worker, 'relaxed-simd')).toEqual({ answer: 'done', waits: 1 })
    for (const { worker } of [one, other])
      expect(await ask(kernels, worker, 'relaxed-simd')).toEqual({ answer: 'done', waits: 0 })
    const kernelsOf = (given: readonly unknown[]): unknown[] => given.map((one) => (one as unknown[])[0])
    expect(kernelsOf(one.given)).toEqual(['relaxed-simd', 'simd128'])
    expect(kernelsOf(other.given)).toEqual(['simd128'])
  })

  it('has nothing to do where the kernel fails its probe, and the baseline is not to be had', async () => {
    const { kernels } = make({ simd128: broken, 'relaxed-simd': simd128 })
    await kernels.load('relaxed-simd')
    const { worker, given } = workerOf(false)
    expect(await ask(kernels, worker, 'relaxed-simd')).toEqual({ answer: CRASHED, waits: 1 })
    expect(given).toHaveLength(1)
    expect(kernels.has('relaxed-simd')).toBe(false)
    await expect(kernels.load('relaxed-simd')).rejects.toThrow('the simd128 module could not be loaded')
  })

  it('goes on with the baseline whatever that says of itself: nothing could take its place', async () => {
    const { kernels } = make({ simd128 })
    await kernels.load('simd128')
    const worker = { takeCommitmentKernel: async () => false } as never
    expect(await ask(kernels, worker, 'simd128')).toEqual({ answer: 'done', waits: 0 })
  })
})
