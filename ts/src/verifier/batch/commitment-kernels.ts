/**
 * What blobs without proofs are verified with: the module of `blobcheck/kzg`, which is built for speed where the verifier's own is built
 * for size, and the points that commitments are computed with. Both are loaded when the first such blob comes.
 */
import { kzgFiles } from '../../kzg/files.ts'
import { commitmentSetupOf, type SetupHalf } from '../../kzg/setup.ts'
import type { ReadSetupSource } from '../../kzg/setup-source.ts'
import { CRASHED, type Crashed } from '../../runtime/errors.ts'
import type { KernelName } from '../../runtime/kernel/kernel.ts'
import { bringsOnlyBaseline, compileKernel, type ReadSources } from '../../runtime/kernel/module.ts'
import type { Task } from '../../runtime/pool/pool.ts'
import { Once } from '../../util/once.ts'
import type { CommitmentKernel, VerifierApi } from '../worker/protocol.ts'

type Worker = Parameters<Task<unknown, VerifierApi>>[0]

/** Has a worker do a task. */
export type Attempt = <T>(task: Task<T, VerifierApi>) => Promise<T | Crashed>

/** What a task answers that was not begun, since something has to be loaded for it. */
const MISSING = Symbol('missing')

/** What they are made with. */
export interface CommitmentOptions {
  /** Where the modules of `blobcheck/kzg` come from. */
  readonly wasm: ReadSources
  /** Where the points come from; undefined: from the package's own files. */
  readonly setup: ReadSetupSource | undefined
}

/** Makes them for one verifier; nothing is fetched until they are asked to `load`. One of the parts (`../parts/parts.ts`). */
export async function startCommitmentKernels({ wasm, setup }: CommitmentOptions): Promise<CommitmentKernels> {
  return new CommitmentKernels(wasm, commitmentSetupOf(setup))
}

/** The kernels of one verifier's blobs without proofs, and which of its workers have them. */
export class CommitmentKernels {
  readonly #wasm: ReadSources
  readonly #points: SetupHalf
  readonly #kernels: Readonly<Record<KernelName, Once<CommitmentKernel>>> = {
    simd128: new Once(() => this.#load('simd128')),
    'relaxed-simd': new Once(() => this.#load('relaxed-simd')),
  }
  /** The kernel that a worker was given. A worker that takes a dead one's place is another key. */
  readonly #given = new WeakMap<Worker, KernelName>()
  /** Whether a kernel has failed its probe on a worker: the baseline takes its place on all of them. */
  #isUnsound = false

  constructor(wasm: ReadSources, points: SetupHalf) {
    this.#wasm = wasm
    this.#points = points
  }

  /** Whether what `load` resolves to is there, and need not be waited for. */
  has(kernel: KernelName): boolean {
    return this.#inUse(kernel).made !== undefined
  }

  /**
   * The points and a kernel's module, or the baseline's where that one is not to be had, or has failed its probe. Loaded once, or again where
   * that failed. Throws `SetupUnavailableError` or `WasmUnavailableError`.
   */
  load(kernel: KernelName): Promise<CommitmentKernel> {
    return this.#inUse(kernel).get()
  }

  /** The baseline's module, or null where it is not to be had now. */
  async baseline(): Promise<WebAssembly.Module | null> {
    try {
      return (await this.#kernels.simd128.get()).module
    } catch {
      return null
    }
  }

  /**
   * Attempts a task on a worker that has been given the points and the kernel in use. No worker is held while what it is to be given has
   * to be loaded, as the baseline has where the kernel fails its probe there: the task is attempted again once that is there, after
   * `letOthersIn`. Where it is not to be had, `onMissing` is called with the cause, and the answer is `CRASHED`.
   */
  async attempt<T>(
    task: Task<T, VerifierApi>,
    attempt: Attempt,
    kernel: { readonly current: { readonly name: KernelName } },
    letOthersIn: () => void,
    onMissing: (cause: unknown) => void,
  ): Promise<T | Crashed> {
    for (;;) {
      const answer = await attempt(async (worker) =>
        (await this.#give(worker, kernel.current.name)) ? await task(worker) : MISSING,
      )
      if (answer !== MISSING) return answer
      letOthersIn()
      try {
        await this.load(kernel.current.name)
      } catch (cause) {
        onMissing(cause)
        return CRASHED
      }
    }
  }

  /** Sees to it that a worker has the points and the kernel, or the baseline in its place; false where these have to be loaded first. */
  async #give(worker: Worker, kernel: KernelName): Promise<boolean> {
    const { made } = this.#inUse(kernel)
    if (made === undefined) return false
    if (this.#given.get(worker) === made.kernel) return true
    const isSound = await worker.takeCommitmentKernel(made)
    // Of the baseline, nothing could take its place.
    if (!isSound && made.kernel !== 'simd128') {
      this.#isUnsound = true
      return await this.#give(worker, kernel)
    }
    this.#given.set(worker, made.kernel)
    return true
  }

  /** What is used where a kernel is asked for. */
  #inUse(kernel: KernelName): Once<CommitmentKernel> {
    return this.#kernels[this.#isUnsound ? 'simd128' : kernel]
  }

  async #load(kernel: KernelName): Promise<CommitmentKernel> {
    const [compiled, points] = await Promise.all([this.#compile(kernel), this.#points.load()])
    return { ...compiled, points }
  }

  async #compile(kernel: KernelName): Promise<Omit<CommitmentKernel, 'points'>> {
    if (kernel !== 'simd128' && !bringsOnlyBaseline(this.#wasm)) {
      try {
        return { kernel, module: await compileKernel(kernel, this.#wasm, kzgFiles) }
      } catch {
        // As where a verifier is made: the baseline takes its place.
      }
    }
    return { kernel: 'simd128', module: await compileKernel('simd128', this.#wasm, kzgFiles) }
  }
}
