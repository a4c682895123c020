/** Calls of the functions of `blobcheck/kzg`, with valid arguments, of which a test spoils some. */
import { type Kzg, type KzgInputCode, KzgInputError, type KzgInputField, loadKzg } from 'blobcheck/kzg'
import { fromHex } from './bytes.ts'
import { infinity, makeBlob, makeCell, range } from './make.ts'

export const kzg = await loadKzg({ commitmentSetup: true })
export const { blob, commitment, proof } = makeBlob(1) as {
  blob: Uint8Array
  commitment: Uint8Array
  proof: Uint8Array
}
export const { cell } = makeCell(1, 3) as { cell: Uint8Array }
export const zero = new Uint8Array(32)
/** BLS_MODULUS: the smallest 32 bytes that are no field element. */
export const modulus = fromHex('73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001')

/** Valid arguments of each function. Those of `recoverCells` are made once: 128 cells of a constant. */
export const valid = {
  verifyKzgProof: [infinity, zero, zero, infinity],
  verifyBlobKzgProof: [blob, commitment, proof],
  verifyBlobKzgProofBatch: [
    [blob, blob],
    [commitment, commitment],
    [proof, proof],
  ],
  verifyCellKzgProofBatch: [
    [commitment, commitment],
    [3, 4],
    [cell, cell],
    [infinity, infinity],
  ],
  verifyBlobCommitments: [
    [blob, blob],
    [commitment, commitment],
  ],
  computeChallenge: [blob, commitment],
  computeVerifyCellKzgProofBatchChallenge: [[commitment], [0, 0], [3, 4], [cell, cell], [infinity, infinity]],
  computeCells: [blob],
  recoverCells: [range(64), range(64).map(() => cell)],
} satisfies { [name in Exclude<keyof Kzg, 'kernel' | 'hashing'>]: unknown[] }

export type Name = keyof typeof valid

/** What each argument is, as an error names it. */
export const fields: Readonly<Record<Name, readonly KzgInputField[]>> = {
  verifyKzgProof: ['commitment', 'z', 'y', 'proof'],
  verifyBlobKzgProof: ['blob', 'commitment', 'proof'],
  verifyBlobKzgProofBatch: ['blob', 'commitment', 'proof'],
  verifyCellKzgProofBatch: ['commitment', 'cell-index', 'cell', 'proof'],
  verifyBlobCommitments: ['blob', 'commitment'],
  computeChallenge: ['blob', 'commitment'],
  computeVerifyCellKzgProofBatchChallenge: ['commitment', 'commitment-index', 'cell-index', 'cell', 'proof'],
  computeCells: ['blob'],
  recoverCells: ['cell-index', 'cell'],
}
export const names = Object.keys(valid) as Name[]

/** Calls a function with arguments of any kind. */
export const call = (name: Name, args: readonly unknown[]): unknown =>
  (kzg[name] as (...args: unknown[]) => unknown)(...args)

/** The `KzgInputError` of a call; throws where there is none. */
export function errorOf(name: Name, args: readonly unknown[]): KzgInputError {
  let answer: unknown
  try {
    answer = call(name, args)
  } catch (error) {
    if (error instanceof KzgInputError) return error
    throw error
  }
  throw new Error(`${name} answered ${String(answer).slice(0, 80)}`)
}

/** Its code. */
export const codeOf = (name: Name, args: readonly unknown[]): KzgInputCode => errorOf(name, args).code

/** The arguments with one replaced, or one element of one replaced. */
export function replaced(name: Name, position: number, value: unknown, element?: number): unknown[] {
  const args: unknown[] = [...valid[name]]
  args[position] = element === undefined ? value : (args[position] as unknown[]).with(element, value)
  return args
}
