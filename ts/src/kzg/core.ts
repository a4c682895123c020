/**
 * The Rust core as an object: one WASM instance of one kernel. The exports are those of crates/wasm; this file turns
 * their codes into reasons and gives them the types that TypeScript can hold on to.
 */
import type { InvalidReason, MalformedReason } from '../verdict/reasons.ts'
import type { Refusal } from '../verdict/verdict.ts'
import { type Glue, Instances } from '../runtime/kernel/module.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'

export { isTrap, outOfMemory } from '../runtime/kernel/module.ts'

/** The exports that say what a code means. */
interface ReasonExports {
  reasonCodes(): Uint8Array
  reasonName(code: number): string
  reasonStage(code: number): string
}

/** One instance of the Rust core on this thread, which exports `E`. */
export interface CoreOf<E> {
  readonly kernel: KernelName
  /** To be read again for each task: see `Instances.exportsOf`. */
  readonly exports: E
  /** What a code that the module reports means; 0 means that nothing is wrong. */
  refusal(code: number): Refusal | null
  /** After a trap: the same module with fresh memory. Everything that the instance held is gone. */
  revive(): void
}

/** The instances of one module on this thread. */
export class Cores<G extends Glue & ReasonExports> {
  readonly #instances: Instances<G>
  readonly #cores = new Map<KernelName, CoreOf<G>>()

  constructor(glue: Readonly<Record<KernelName, G>>) {
    this.#instances = new Instances(glue)
  }

  /** Instantiates a kernel on this thread. There is one instance of each on a thread: asking again gives the same. */
  instantiate(kernel: KernelName, module: WebAssembly.Module): CoreOf<G> {
    const existing = this.#cores.get(kernel)
    if (existing !== undefined) return existing
    const instances = this.#instances
    instances.instantiate(kernel, module)
    const core = {
      kernel,
      get exports() {
        return instances.exportsOf(kernel)
      },
      refusal: instances.run(kernel, refusals),
      revive: () => instances.revive(kernel),
    }
    this.#cores.set(kernel, core)
    return core
  }
}

const nothing = new Uint8Array(0)

/**
 * Has an instance read the points of commitments, unless it has: an instance that trapped has forgotten them. False for bytes that are not
 * Ethereum's setup. They are copied into the instance's memory when it reads them, and no more.
 */
export function giveCommitmentSetup(
  exports: { readCommitmentSetup(bytes: Uint8Array): boolean },
  bytes: Uint8Array,
): boolean {
  return exports.readCommitmentSetup(nothing) || exports.readCommitmentSetup(bytes)
}

/** Codes as refusals, from the names and stages that the crates give them. */
function refusals(exports: ReasonExports): (code: number) => Refusal | null {
  const table = new Map<number, Refusal>()
  for (const code of exports.reasonCodes()) {
    const stage = exports.reasonStage(code)
    const reason = exports.reasonName(code)
    table.set(
      code,
      stage === 'structure' || stage === 'encoding'
        ? { status: 'malformed', stage, reason: reason as MalformedReason }
        : { status: 'invalid', stage: stage as 'kzg', reason: reason as InvalidReason },
    )
  }
  return (code) => {
    if (code === 0) return null
    const refusal = table.get(code)
    if (refusal === undefined) throw new RangeError(`the module reported an unknown code ${code}`)
    return refusal
  }
}
