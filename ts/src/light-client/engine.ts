/**
 * The protocol in a worker, as the light client uses it: a crash is tried once more, and no one is accused by the fast
 * kernel alone, since an engine's bug must not condemn an honest endpoint.
 */
import { CRASHED, type Crashed } from '../runtime/errors.ts'
import { ConfirmedKernel } from '../runtime/kernel/confirmation.ts'
import type { Kernel } from '../runtime/kernel/kernel.ts'
import type { Pool } from '../runtime/pool/pool.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import type { LightClientApi, Step, StepFailure, Stepped } from './worker/protocol.ts'

export class Engine {
  readonly #pool: Pool<LightClientApi>
  readonly #network: BigUint64Array
  readonly #currentSlot: () => number
  readonly #kernel: ConfirmedKernel

  constructor(
    pool: Pool<LightClientApi>,
    kernel: Kernel,
    network: BigUint64Array,
    currentSlot: () => number,
    compileBaseline: () => Promise<WebAssembly.Module>,
  ) {
    this.#pool = pool
    this.#kernel = new ConfirmedKernel(pool, kernel, compileBaseline)
    this.#network = network
    this.#currentSlot = currentSlot
  }

  /** The kernel in use, and why. */
  get kernel(): Kernel {
    return this.#kernel.current
  }

  /**
   * Takes a step. What cannot be known, since two workers in a row crashed on it, is a failure `crashed`. With a signal, it counts only while
   * somebody waits for it: rejects with its reason where that was aborted meanwhile.
   */
  async step(step: Step, signal?: AbortSignal): Promise<Stepped> {
    const stepped = await this.#confirmed(step)
    signal?.throwIfAborted()
    return stepped
  }

  /** The roots of a chain of parents; throws `BeaconFailure` where it is none. */
  async ancestors(trusted: Uint8Array, headers: readonly Uint8Array[]): Promise<Uint8Array[]> {
    return orThrow(await this.#pool.attemptTwice(async (api) => await api.ancestors(trusted, headers)))
  }

  /** The header in an answer, 112 bytes; throws `BeaconFailure`. */
  async header(answer: BeaconAnswer): Promise<Uint8Array<ArrayBuffer>> {
    return orThrow(await this.#pool.attemptTwice(async (api) => await api.header(answer)))
  }

  dispose(): void {
    this.#pool.dispose()
  }

  async #confirmed(step: Step): Promise<Stepped> {
    // One time for both: a slot that begins in between is no fault of the fast kernel's.
    const currentSlot = this.#currentSlot()
    const isFast = this.kernel.name !== 'simd128'
    const answer = await this.#attempt(step, currentSlot, null)
    const stepped = answer === CRASHED ? nothing : answer
    if (stepped.failure === null || !isFast) return stepped
    const confirmation = await this.#kernel.confirm(
      (baseline) => this.#attempt(step, currentSlot, baseline),
      ({ failure, accepted }) => failure === null || accepted.length > stepped.accepted.length,
    )
    if ('answer' in confirmation) return confirmation.answer
    return confirmation.status === 'crashed' ? nothing : { ...stepped, failure: unconfirmed }
  }

  async #attempt(
    step: Step,
    currentSlot: number,
    baseline: WebAssembly.Module | null,
  ): Promise<Stepped | Crashed> {
    const terms = { network: this.#network, currentSlot, baseline }
    return await this.#pool.attemptTwice((api) => api.step(step, terms))
  }
}

const crashed: StepFailure = { kind: 'crashed', detail: 'two workers in a row crashed on it' }

/** What is known of a step that two workers in a row crashed on. */
const nothing: Stepped = {
  ...{ store: null, view: null, accepted: [], leading: [], update: null },
  failure: crashed,
}

const unconfirmed: StepFailure = {
  kind: 'crashed',
  detail: 'the baseline module, which confirms refusals, could not be loaded',
}

function orThrow<T extends object>(result: T | StepFailure | Crashed): T {
  const answer = result === CRASHED ? crashed : result
  if ('kind' in answer) throw new BeaconFailure(answer.kind, answer.detail)
  return answer
}
