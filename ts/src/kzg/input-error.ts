/**
 * The error of the specification's functions, and what they are given. Apart from the words that its messages say, which those alone load that
 * have the functions.
 */
import { BLOB_BYTES, CELL_BYTES, POINT_BYTES } from '../beacon/ssz/layout.ts'
import type { KzgInputCode } from '../verdict/reasons.ts'

/**
 * Thrown by the functions of `blobcheck/kzg` and `blobcheck/prover` for malformed input, wherever the official vectors say `null`: they answer
 * with booleans and bytes, and have no verdict to say `malformed` in. It is thrown in one case more, by a recovery from more than 64 cells that
 * no single blob has; the specification's function returns the cells of another blob there. The message says in words what has to be, and what was
 * given.
 *
 * @example
 * ```ts
 * import { KzgInputError, loadKzg } from 'blobcheck/kzg'
 *
 * const kzg = await loadKzg()
 * try {
 *   kzg.verifyBlobKzgProofBatch(['0x00'], [commitment], [proof])
 * } catch (error) {
 *   if (error instanceof KzgInputError) console.log(error.code, error.index) // blob-length 0
 * }
 * ```
 */
export class KzgInputError extends Error {
  override readonly name = 'KzgInputError'
  /** What is wrong with the input. */
  readonly code: KzgInputCode
  /**
   * Which element of its array is meant, from 0. It is 0 where the list as a whole is meant: `array-lengths`, `not-an-array`, `cell-count` and
   * `cells-inconsistent`. For single values 0, or 1 for what is wrong with `y` beside `z`.
   */
  readonly index: number
  /**
   * What that element was given as, or the elements of the list, where the code does not say it: `not-bytes`, `bad-hex`, `not-an-array`,
   * `scalar-length` and `scalar-not-canonical`.
   */
  readonly field: KzgInputField | undefined

  /** `words`: what has to be, and what was given, for the message. */
  constructor(code: KzgInputCode, index = 0, field?: KzgInputField, words?: string) {
    const place = `${code} (${field === undefined ? '' : `${field}, `}index ${index})`
    super(words === undefined ? place : `${place}: ${words}`)
    this.code = code
    this.index = index
    this.field = field
  }
}

/** What has bytes. */
export type Field = 'blob' | 'cell' | 'commitment' | 'proof' | 'z' | 'y'

/** What a function of KZG is given: something that has bytes, or an index. */
export type KzgInputField = Field | 'cell-index' | 'commitment-index'

/** How many bytes each has. */
export const FIELD_BYTES: Readonly<Record<Field, number>> = {
  ...{ blob: BLOB_BYTES, cell: CELL_BYTES },
  ...{ commitment: POINT_BYTES, proof: POINT_BYTES },
  ...{ z: 32, y: 32 },
}
