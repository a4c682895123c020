/** What passes between the calling thread and the prover's workers. Types alone: everything here can be cloned. */
import type { Bytes } from '../../util/hex.ts'
import type { KzgInputError } from '../../kzg/input-error.ts'
import type { WorkerBase } from '../../runtime/pool/protocol.ts'
import type { TableShape } from '../options.ts'
import type { TableHolder, TableOrigin } from '../tables/cache.ts'

/** A result, or what a `KzgInputError` says: tasks do not throw because of their input. */
export type ProofOutcome =
  | { readonly value: Uint8Array<ArrayBuffer> }
  | Pick<KzgInputError, 'code' | 'index' | 'field'>

/** A function of the specification that one worker computes by itself. */
export type Question =
  | { readonly kind: 'commitment'; readonly blob: Bytes }
  /** Answers with proof ‖ y. */
  | { readonly kind: 'proof'; readonly blob: Bytes; readonly z: Bytes }
  | { readonly kind: 'blob-proof'; readonly blob: Bytes; readonly commitment: Bytes }
  /** Answer with 128 cells in one piece. */
  | { readonly kind: 'cells'; readonly blob: Bytes }
  | {
      readonly kind: 'recovery'
      readonly cellIndices: Uint32Array<ArrayBuffer>
      readonly cells: readonly Uint8Array[]
    }

/** Where tables that were asked for come from, and what the failures of the store said that they are kept in. */
export interface Prepared {
  readonly origins: readonly TableOrigin[]
  readonly failures: readonly string[]
}

/** What a prover's worker does. It keeps nothing between calls but the setup, and tables of it. */
export interface ProverApi extends WorkerBase, TableHolder {
  /** How many halves of the setup it has. */
  halves(): number
  /** Takes the next half; false for bytes that are not Ethereum's. */
  give(half: number, bytes: Uint8Array): boolean
  /** Has no tables any more. */
  dropTables(): void
  /** With tables of any shape that there are, or of the one that is given. */
  compute(question: Question, tables: TableShape | null): ProofOutcome
  /**
   * Comes by the tables of the parts from `first` to before `end`. `hashes`: what they must be (`tables/pinned.ts`), where
   * they are kept in IndexedDB; else null, and they are worked out.
   */
  prepare(tables: TableShape, first: number, end: number, hashes: string | null): Promise<Prepared>
  /** Sums of the parts from `first` to before `end`: opaque, to be joined in order. */
  sums(blob: Uint8Array, tables: TableShape | null, first: number, end: number): ProofOutcome
  /** The 64 proofs of a half of the cells, in one piece, from the sums of all 16 parts. */
  finish(sums: Uint8Array, half: 0 | 1): ProofOutcome
}
