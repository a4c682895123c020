/** Errors that every entry of the package may throw. None of them is about the data that was verified. */

/** The WebAssembly module or the workers could not be loaded, or the kernel asked for is not sound here. */
export class WasmUnavailableError extends Error {
  override readonly name = 'WasmUnavailableError'
}

/** The verifier or prover was disposed of before or during the call. */
export class DisposedError extends Error {
  override readonly name = 'DisposedError'
  constructor() {
    super('this verifier or prover has been disposed of')
  }
}

/** A task did not come back: its worker died, trapped or fell silent. Nothing is known about what it worked on. */
export class WorkerCrashed extends Error {
  override readonly name = 'WorkerCrashed'
}

/** In the place of a task's result, where a caller prefers that to `WorkerCrashed`: nothing is known. No task's result is ever this. */
export const CRASHED: unique symbol = Symbol('crashed')
/** The type of `CRASHED`. */
export type Crashed = typeof CRASHED
