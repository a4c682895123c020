/** WASM instances: at most one of each kernel on a thread, for each module of the build matrix. */
import type { KernelName } from './kernel.ts'

/** The part of wasm-bindgen's glue that makes and unmakes an instance. */
export interface Glue {
  initSync(source: { module: WebAssembly.Module }): unknown
  __wbg_reset_state(): void
}

/** The instances of one module on this thread. */
export class Instances<G extends Glue> {
  readonly #glue: Readonly<Record<KernelName, G>>
  readonly #made = new Set<KernelName>()

  constructor(glue: Readonly<Record<KernelName, G>>) {
    this.#glue = glue
  }

  /** The exports of a kernel, instantiated if it has not been: asking again gives the same instance. */
  instantiate(kernel: KernelName, module: WebAssembly.Module): G {
    const glue = this.#glue[kernel]
    if (!this.#made.has(kernel)) {
      glue.initSync({ module })
      this.#made.add(kernel)
    }
    return glue
  }

  /** After a trap: the same module with fresh memory. Everything that the instance held is gone. */
  revive(kernel: KernelName): void {
    this.#glue[kernel].__wbg_reset_state()
  }
}

/** Whether an error came out of a WASM instance itself, so that its memory cannot be trusted any more. */
export function isTrap(error: unknown): boolean {
  return error instanceof WebAssembly.RuntimeError || error instanceof RangeError
}
