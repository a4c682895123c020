/** Errors that every entry of the package may throw. None of them is about the data that was verified. */

/**
 * Thrown where nothing can be computed here: the engine has no WebAssembly with 128-bit SIMD, a module cannot be fetched or compiled, no
 * worker starts, code cannot be loaded by `import()` (service workers forbid it), the kernel that was asked for is not sound in this engine, or
 * the module ran out of memory. The message names the remedy where there is one, and `cause` is the platform's own error.
 *
 * @example
 * ```ts
 * import { createVerifier, WasmUnavailableError } from 'blobcheck'
 *
 * const verifier = await createVerifier().catch((error: unknown) => {
 *   if (error instanceof WasmUnavailableError) console.warn(error.message) // says what helps, where something does
 *   throw error
 * })
 * await verifier.dispose()
 * ```
 */
export class WasmUnavailableError extends Error {
  override readonly name = 'WasmUnavailableError'
}

/**
 * Thrown by calls of a verifier, a prover or a light client that was disposed of before or during the call, and by samplers and sources of blobs over one.
 *
 * @example
 * ```ts
 * import { createVerifier, DisposedError } from 'blobcheck'
 *
 * const verifier = await createVerifier()
 * await verifier.dispose()
 * await verifier.verifyBlobs([]).catch((error: unknown) => console.log(error instanceof DisposedError)) // true
 * ```
 */
export class DisposedError extends Error {
  override readonly name = 'DisposedError'
  constructor() {
    super('this verifier, prover or light client has been disposed of')
  }
}

/**
 * Thrown where a task did not come back: its worker ended, trapped or fell silent, and so did a second one. Nothing is known about what
 * they worked on. A verifier never throws it; its verdicts say `error`.
 *
 * @example
 * ```ts
 * import { createProver, WorkerCrashed } from 'blobcheck/prover'
 *
 * const prover = await createProver()
 * const commitment = await prover.blobToKzgCommitment(blob).catch((error: unknown) => {
 *   if (error instanceof WorkerCrashed) console.warn('nothing is known of this blob: try again')
 *   throw error
 * })
 * console.log(commitment.length) // 48
 * await prover.dispose()
 * ```
 */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed'
}

/** In the place of a task's result, where a caller prefers that to `WorkerCrashed`: nothing is known. No task's result is ever this. */
export const CRASHED: unique symbol = Symbol('crashed')
/** The type of `CRASHED`. */
export type Crashed = typeof CRASHED

/**
 * What an error says, without its name and the full stop that some engines put behind it, so that a sentence can go on; of anything else
 * that was thrown, its text. Of several errors, what the first one says. A caller's store or signal may throw what has no text, or throws when it is read.
 */
export function messageOf(error: unknown): string {
  try {
    if (error instanceof AggregateError) return messageOf(error.errors[0])
    const text = error instanceof Error && error.message !== '' ? error.message : error
    return String(text).replace(/\b\.$/, '')
  } catch {
    return 'it threw what cannot be read'
  }
}
