/**
 * Confirmation by the baseline. No one is accused by the fast module alone: an engine's bug must not condemn an honest peer. Whatever
 * it refuses is asked of the baseline module, whose word is final. If they differ, the fast one is not used again.
 */
import { Once } from '../../util/once.ts'
import { CRASHED, type Crashed } from '../errors.ts'
import type { Kernel, KernelModule } from './kernel.ts'

/** What the baseline said; or that it could not be asked, since its module is not to be had now, or since its workers crashed. */
export type Confirmation<T> =
  | { readonly status: 'confirmed' | 'overruled'; readonly answer: T }
  | { readonly status: 'no-baseline' | 'crashed' }

/** What computes with a kernel, and hears of one that fails its probe. */
interface KernelUser {
  onUnsound: () => Promise<void>
  replaceKernel(kernel: KernelModule): void
}

/** The kernel that a pool computes with, for as long as nothing that it said was wrong. */
export class ConfirmedKernel {
  readonly #pool: KernelUser
  /** The baseline's module. */
  readonly #baseline: Once<WebAssembly.Module>
  #current: Kernel

  /** Whether refusals may be the fast kernel's: also after it was replaced, of tasks that it had begun. */
  readonly needsConfirmation: boolean

  constructor(pool: KernelUser, kernel: Kernel, compileBaseline: () => Promise<WebAssembly.Module>) {
    this.#pool = pool
    this.#current = kernel
    this.#baseline = new Once(compileBaseline)
    this.needsConfirmation = kernel.name !== 'simd128'
    pool.onUnsound = () => this.distrust('failed its probe in a worker that started later')
  }

  /** The kernel in use, and why. */
  get current(): Kernel {
    return this.#current
  }

  /** Whether the baseline's module is there, and need not be waited for. */
  get hasBaseline(): boolean {
    return this.#baseline.made !== undefined
  }

  /**
   * Asks the baseline what the fast kernel answered with a refusal. `ask` runs the question with the baseline's module;
   * `overrules` says whether its answer acquits where the fast kernel refused: the baseline takes the fast kernel's place then.
   */
  async confirm<T>(
    ask: (baseline: WebAssembly.Module) => Promise<T | Crashed>,
    overrules: (answer: T) => boolean,
  ): Promise<Confirmation<T>> {
    const baseline = await this.#loadBaseline()
    if (baseline === null) return { status: 'no-baseline' }
    const answer = await ask(baseline)
    if (answer === CRASHED) return { status: 'crashed' }
    if (!overrules(answer)) return { status: 'confirmed', answer }
    await this.distrust('gave a wrong answer')
    return { status: 'overruled', answer }
  }

  /** Puts the baseline in the fast kernel's place, for what that has done. Nothing happens where the baseline is not to be had. */
  async distrust(why: string): Promise<void> {
    const module = await this.#loadBaseline()
    if (module === null || this.#current.name === 'simd128') return
    this.#current = { name: 'simd128', reason: `the relaxed-simd kernel ${why} on this engine` }
    this.#pool.replaceKernel({ kernel: 'simd128', module })
  }

  /** The baseline's module, compiled once; null where it is not to be had now. */
  async #loadBaseline(): Promise<WebAssembly.Module | null> {
    return await this.#baseline.get().catch(() => null)
  }
}
