/**
 * What throws. None of these is about the data that was verified, except `KzgInputError` of `blobcheck/kzg` and `blobcheck/prover`,
 * whose functions answer with booleans and have no verdict to say "malformed" in.
 */
import type { KzgInputCode } from './verdict/reasons.ts'

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

/**
 * Malformed input to a function of `blobcheck/kzg` or `blobcheck/prover`, exactly where the official vectors say `null`.
 * `code` says what is wrong, `index` which element of the arrays (0 for single values).
 */
export class KzgInputError extends Error {
  override readonly name = 'KzgInputError'
  readonly code: KzgInputCode
  readonly index: number
  constructor(code: KzgInputCode, index = 0) {
    super(`${code} (element ${index})`)
    this.code = code
    this.index = index
  }
}

/** The `AbortError` that a call rejects with when its signal is aborted; `cause` is the signal's reason. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  if (reason instanceof Error && reason.name === 'AbortError') return reason
  const error = new DOMException('the call was aborted', 'AbortError')
  Object.defineProperty(error, 'cause', { value: reason, configurable: true, writable: true })
  return error
}
