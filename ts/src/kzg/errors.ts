/** The error by which the functions of `blobcheck/kzg` and `blobcheck/prover` refuse malformed input: they answer with booleans and bytes, and have no verdict to say "malformed" in. */
import type { KzgInputCode } from '../verdict/reasons.ts'

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
