/**
 * The Rust core as an object: one WASM instance of one kernel. The exports are those of crates/wasm; this file turns
 * their codes into reasons and gives them the types that TypeScript can hold on to.
 */
import { instance as relaxedSimd } from '#wasm/relaxed-simd'
import { instance as simd128 } from '#wasm/simd128'
import type { InvalidReason, MalformedReason } from '../verdict/reasons.ts'
import type { Refusal } from '../verdict/verdict.ts'
import { Instances } from '../runtime/kernel/module.ts'
import type { KernelName } from '../runtime/kernel/kernel.ts'

export { isTrap } from '../runtime/kernel/module.ts'

/** The exports that both kernels have, as wasm-bindgen types them. */
export type Exports = Omit<typeof simd128, 'initSync' | '__wbg_reset_state'>

const instances = new Instances<typeof simd128>({
  simd128,
  'relaxed-simd': relaxedSimd,
})

/** One instance of the Rust core on this thread. */
export interface Core {
  readonly kernel: KernelName
  readonly exports: Exports
  /** What a code that the module reports means; 0 means that nothing is wrong. */
  refusal(code: number): Refusal | null
}

const cores = new Map<KernelName, Core>()

/** Instantiates a kernel on this thread. There is one instance of each on a thread: asking again gives the same. */
export function instantiate(kernel: KernelName, module: WebAssembly.Module): Core {
  const existing = cores.get(kernel)
  if (existing !== undefined) return existing
  const exports = instances.instantiate(kernel, module)
  const core = { kernel, exports, refusal: refusals(exports) }
  cores.set(kernel, core)
  return core
}

const nothing = new Uint8Array(0)

/**
 * Has an instance read the points of commitments, unless it has: an instance that trapped has forgotten them. False for bytes that are not
 * Ethereum's setup. They are copied into the instance's memory when it reads them, and no more.
 */
export function giveCommitmentSetup(exports: Exports, bytes: Uint8Array): boolean {
  return exports.readCommitmentSetup(nothing) || exports.readCommitmentSetup(bytes)
}

/** After a trap: the same module with fresh memory. Everything that the instance held is gone. */
export function revive(core: Core): void {
  instances.revive(core.kernel)
}

/** Codes as refusals, from the names and stages that the crates give them. */
function refusals(exports: Exports): (code: number) => Refusal | null {
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
