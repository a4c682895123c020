/**
 * No one is accused by the fast module alone: an engine's bug must not condemn an honest peer. Whatever it refuses is
 * verified once more, singly, by the baseline module, whose word is final. If they differ, the fast one is not used
 * again.
 */
import type { HashedUnit } from '../checks/delivery.ts'
import { DisposedError } from '../../runtime/errors.ts'
import type { Terms } from '../../runtime/pool/pool.ts'
import type { VerifierPool } from '../worker/protocol.ts'
import type { KzgOutcome } from '../../verdict/refusal.ts'
import type { ErrorReason } from '../../verdict/reasons.ts'
import type { Counters } from '../stats.ts'
import type { Kernel } from '../../runtime/kernel/kernel.ts'

type Confirmed = KzgOutcome | { readonly status: 'error'; readonly reason: ErrorReason }

export class Judge {
  readonly #pool: VerifierPool
  readonly #counters: Counters
  readonly #compileBaseline: () => Promise<WebAssembly.Module>
  /** Whether refusals may come from the fast kernel: also after it was replaced, from tasks that it had begun. */
  readonly #doubts: boolean
  #kernel: Kernel
  #baseline: Promise<WebAssembly.Module> | undefined

  constructor(
    pool: VerifierPool,
    kernel: Kernel,
    compileBaseline: () => Promise<WebAssembly.Module>,
    counters: Counters,
  ) {
    this.#pool = pool
    this.#kernel = kernel
    this.#doubts = kernel.name !== 'simd128'
    this.#compileBaseline = compileBaseline
    this.#counters = counters
  }

  /** The kernel in use, and why. */
  get kernel(): Kernel {
    return this.#kernel
  }

  /** The outcomes, with each refusal confirmed or overruled. */
  async confirm(
    units: readonly { readonly bytes: HashedUnit }[],
    outcomes: readonly KzgOutcome[],
  ): Promise<Confirmed[]> {
    if (!this.#doubts) return [...outcomes]
    return await Promise.all(
      outcomes.map((outcome, at) => (outcome === 'valid' ? outcome : this.#ask(units[at]!.bytes, outcome))),
    )
  }

  async #ask(unit: HashedUnit, accused: KzgOutcome): Promise<Confirmed> {
    const verdict = (await this.#attempt(unit, {})) ?? (await this.#attempt(unit, { careful: true }))
    if (verdict === undefined) return { status: 'error', reason: 'worker-crashed' }
    this.#counters.confirmations++
    if (verdict === 'valid' && accused !== 'valid') await this.#demote()
    return verdict
  }

  /** What the baseline says, or undefined if its worker crashed or its module cannot be had now. */
  async #attempt(unit: HashedUnit, terms: Terms): Promise<KzgOutcome | undefined> {
    try {
      this.#baseline ??= this.#compileBaseline()
      const baseline = await this.#baseline.catch((cause: unknown) => {
        this.#baseline = undefined // the network may be back next time
        throw cause
      })
      return (
        await this.#pool.run((api) => api.confirm([unit.slice()], baseline), { ...terms, urgent: true })
      )[0]
    } catch (error) {
      if (error instanceof DisposedError) throw error
      return undefined
    }
  }

  /** The fast kernel gave a wrong answer: from here on the baseline computes. */
  async #demote(): Promise<void> {
    this.#counters.kernelDisagreements++
    if (this.#kernel.name === 'simd128' || this.#baseline === undefined) return
    this.#kernel = { name: 'simd128', reason: 'the relaxed-simd kernel gave a wrong answer on this engine' }
    this.#pool.replaceKernel({ kernel: 'simd128', module: await this.#baseline })
  }
}
