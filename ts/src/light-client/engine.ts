/**
 * The protocol in a worker, as the light client uses it: a crash is tried once more, and no one is accused by the fast
 * kernel alone, since an engine's bug must not condemn an honest endpoint.
 */
import type { Pool } from '../runtime/pool/pool.ts'
import type { Kernel } from '../runtime/kernel/kernel.ts'
import { BeaconFailure } from '../beacon/failure.ts'
import type { BeaconAnswer } from '../beacon/request.ts'
import type { LightClientApi, Step, StepFailure, Stepped } from './worker/protocol.ts'

export class Engine {
  readonly #pool: Pool<LightClientApi>
  readonly #network: BigUint64Array
  readonly #currentSlot: () => number
  readonly #compileBaseline: () => Promise<WebAssembly.Module>
  #kernel: Kernel

  constructor(
    pool: Pool<LightClientApi>,
    kernel: Kernel,
    network: BigUint64Array,
    currentSlot: () => number,
    compileBaseline: () => Promise<WebAssembly.Module>,
  ) {
    this.#pool = pool
    this.#kernel = kernel
    this.#network = network
    this.#currentSlot = currentSlot
    this.#compileBaseline = compileBaseline
  }

  /** The kernel in use, and why. */
  get kernel(): Kernel {
    return this.#kernel
  }

  /** Takes a step. What cannot be known, since two workers in a row crashed on it, is a failure `crashed`. */
  async step(step: Step): Promise<Stepped> {
    // One time for both: a slot that begins in between is no fault of the fast kernel's.
    const currentSlot = this.#currentSlot()
    const stepped = await this.#attempt(step, currentSlot, null)
    if (stepped.failure === null || this.#kernel.name === 'simd128') return stepped
    const baseline = await this.#compileBaseline().catch(() => null)
    if (baseline === null) return { ...stepped, failure: unconfirmed }
    const confirmed = await this.#attempt(step, currentSlot, baseline)
    const overruled = confirmed.failure === null || confirmed.accepted.length > stepped.accepted.length
    if (overruled && confirmed.failure?.kind !== 'crashed') {
      this.#kernel = { name: 'simd128', reason: 'the relaxed-simd kernel gave a wrong answer on this engine' }
      this.#pool.replaceKernel({ kernel: 'simd128', module: baseline })
    }
    return confirmed
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

  async #attempt(step: Step, currentSlot: number, baseline: WebAssembly.Module | null): Promise<Stepped> {
    const terms = { network: this.#network, currentSlot, baseline }
    const stepped = await this.#pool.attemptTwice((api) => api.step(step, terms))
    if (stepped !== null) return stepped
    return { store: null, view: null, accepted: [], leading: [], update: null, failure: crashed }
  }
}

const crashed: StepFailure = { kind: 'crashed', detail: 'two workers in a row crashed on it' }

const unconfirmed: StepFailure = {
  kind: 'crashed',
  detail: 'the baseline module, which confirms refusals, could not be loaded',
}

function orThrow<T>(result: T | StepFailure | null): T {
  const answer = result ?? crashed
  if (typeof answer === 'object' && 'kind' in answer) throw new BeaconFailure(answer.kind, answer.detail)
  return answer
}
