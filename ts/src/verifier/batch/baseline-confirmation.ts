/** Refusals of units, confirmed by the baseline or overruled; with the counters of it. */
import type { HashedUnit } from '../checks/protocol.ts'
import { ConfirmedKernel } from '../../runtime/kernel/confirmation.ts'
import type { Kernel } from '../../runtime/kernel/kernel.ts'
import type { VerifierPool } from '../worker/protocol.ts'
import type { KzgOutcome, UnitOutcome } from '../../verdict/verdict.ts'
import type { Counters } from '../stats.ts'

export class BaselineConfirmation {
  readonly #pool: VerifierPool
  readonly #counters: Counters
  readonly #kernel: ConfirmedKernel

  constructor(
    pool: VerifierPool,
    kernel: Kernel,
    compileBaseline: () => Promise<WebAssembly.Module>,
    counters: Counters,
  ) {
    this.#pool = pool
    this.#kernel = new ConfirmedKernel(pool, kernel, compileBaseline)
    this.#counters = counters
  }

  /** The kernel in use, and why. */
  get kernel(): Kernel {
    return this.#kernel.current
  }

  /** The outcomes, with each refusal confirmed or overruled. */
  async confirm(
    units: readonly { readonly bytes: HashedUnit }[],
    outcomes: readonly KzgOutcome[],
  ): Promise<UnitOutcome[]> {
    if (!this.#kernel.needsConfirmation) return [...outcomes]
    return await Promise.all(
      outcomes.map((outcome, at) => (outcome === 'valid' ? outcome : this.#ask(units[at]!.bytes))),
    )
  }

  /** The baseline's outcome for a unit that the fast kernel refused. */
  async #ask(unit: HashedUnit): Promise<UnitOutcome> {
    const confirmation = await this.#kernel.confirm(
      (baseline) =>
        this.#pool.attemptTwice(async (api) => first(await api.confirm([unit.slice()], baseline)), {
          urgent: true,
        }),
      (outcome) => outcome === 'valid',
    )
    if (!('answer' in confirmation)) return { status: 'error', reason: 'worker-crashed' }
    this.#counters.confirmations++
    if (confirmation.status === 'overruled') this.#counters.kernelDisagreements++
    return confirmation.answer
  }
}

/** An answer without an outcome would be a defect of the worker's, and must not be taken for one. */
function first(outcomes: readonly KzgOutcome[]): KzgOutcome {
  const [outcome] = outcomes
  if (outcome === undefined) throw new Error('the baseline gave no outcome')
  return outcome
}
