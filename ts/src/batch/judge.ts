/**
 * No one is accused by the fast module alone: an engine's bug must not condemn an honest peer. Whatever it refuses is
 * verified once more, singly, by the baseline module, whose word is final. If they differ, the fast one is not used
 * again.
 */
import { DisposedError } from '../errors.ts'
import type { Pool } from '../pool/pool.ts'
import type { KzgOutcome } from '../pool/protocol.ts'
import type { ErrorReason } from '../verdict/reasons.ts'
import type { Counters } from '../verdict/stats.ts'
import type { Kernel } from '../wasm/kernel.ts'

type Confirmed = KzgOutcome | { readonly status: 'error'; readonly reason: ErrorReason }

export class Judge {
  readonly #pool: Pool
  readonly #counters: Counters
  readonly #compileBaseline: () => Promise<WebAssembly.Module>
  #kernel: Kernel
  #baseline: Promise<WebAssembly.Module> | undefined

  constructor(pool: Pool, kernel: Kernel, compileBaseline: () => Promise<WebAssembly.Module>, counters: Counters) {
    this.#pool = pool
    this.#kernel = kernel
    this.#compileBaseline = compileBaseline
    this.#counters = counters
  }

  /** The kernel in use, and why. */
  get kernel(): Kernel {
    return this.#kernel
  }

  /** The outcomes, with each refusal confirmed or overruled. */
  async confirm(units: readonly Uint8Array[], outcomes: readonly KzgOutcome[]): Promise<Confirmed[]> {
    if (this.#kernel.name === 'simd128') return [...outcomes]
    return await Promise.all(outcomes.map((outcome, at) => (outcome === 'valid' ? outcome : this.#ask(units[at]!, outcome))))
  }

  async #ask(unit: Uint8Array, accused: KzgOutcome): Promise<Confirmed> {
    let verdict: KzgOutcome | undefined
    try {
      this.#baseline ??= this.#compileBaseline()
      const baseline = await this.#baseline
      ;[verdict] = await this.#pool.run((api) => api.confirm([unit], baseline))
    } catch (error) {
      if (error instanceof DisposedError) throw error
    }
    if (verdict === undefined) return { status: 'error', reason: 'worker-crashed' }
    this.#counters.confirmations++
    if (verdict === 'valid' && accused !== 'valid') await this.#demote()
    return verdict
  }

  /** The fast kernel gave a wrong answer: from here on the baseline computes. */
  async #demote(): Promise<void> {
    this.#counters.kernelDisagreements++
    if (this.#kernel.name === 'simd128' || this.#baseline === undefined) return
    this.#kernel = { name: 'simd128', reason: 'the relaxed-simd kernel gave a wrong answer on this engine' }
    this.#pool.replaceKernel({ kernel: 'simd128', module: await this.#baseline })
  }
}
