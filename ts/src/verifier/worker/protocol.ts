/** What passes between the calling thread and a worker. Types alone: everything here can be cloned. */
import type { Portable } from '../../util/portable.ts'
import type { Checked, CheckRequest, HashedUnit } from '../checks/protocol.ts'
import type { Listed } from '../checks/parse-answer.ts'
import type { KzgOutcome, Refusal } from '../../verdict/verdict.ts'
import type { KernelModule } from '../../runtime/kernel/kernel.ts'
import type { Pool } from '../../runtime/pool/pool.ts'
import type { WorkerBase } from '../../runtime/pool/protocol.ts'

/** What the checks made of each item, and the buffers that were lent for it. */
export interface CheckAnswer {
  readonly checked: readonly Checked[]
  /** Where the items' bytes lay. */
  readonly buffer: ArrayBuffer | null
  /** In the order of the request. */
  readonly taken: readonly ArrayBuffer[]
  /** The buffer for units, where no unit lies in it. */
  readonly unitBuffer: ArrayBuffer | null
}

/** The partial sums of a group of units, and the units that are malformed and therefore not in them. */
export interface Collected {
  /** `null`: in the sums. */
  readonly refusals: readonly (Refusal | null)[]
  readonly sums: Uint8Array<ArrayBuffer>
  /** Whether all points in the sums are known to be in G1; if not, that is for all groups together to find out. */
  readonly tested: boolean
}

/** The memory that the units were lent in, on its way home: in the order in which they are in it. */
export interface Returned {
  readonly returned: readonly ArrayBuffer[]
}

/** What blobs without proofs are verified with: a kernel of the module of `blobcheck/kzg`, and the points of `prover-setup.bin`. */
export interface CommitmentKernel extends KernelModule {
  readonly points: Uint8Array
}

/** What a worker does. It keeps no state between calls but its WASM instances, and the points of commitments. */
export interface VerifierApi extends WorkerBase {
  /** Splits the text of a Beacon API answer, or its bytes in UTF-8, into what it lists; more than `maxItems` are no answer. */
  parse(kind: Listed, text: string | Uint8Array, maxItems?: number): Portable[]
  /** Parses, checks structure, hashes, branches and anchor; everything that is cheap. */
  check(request: CheckRequest): Promise<CheckAnswer>
  /**
   * Takes what blobs without proofs are verified with; false if the kernel's known-answer probe fails on this thread. Throws for points that
   * are not Ethereum's.
   */
  takeCommitmentKernel(kernel: CommitmentKernel): boolean
  /** Partial sums, as one of so many groups, with coefficients of its own. The units of a call are all bare blobs of commitments, or none is. */
  collect(units: readonly HashedUnit[], groups: number): Collected & Returned
  /** Adds up the groups' sums and decides its part, from 0 to `parts - 1`, of what is left: all are valid if all parts say so. */
  close(sums: readonly Uint8Array[], part: number, parts: number): boolean
  /** What a part, from 0 to `parts - 1`, adds to the commitment of the sums of bare blobs: a point of 96 bytes. */
  commitPart(sums: readonly Uint8Array[], part: number, parts: number): Uint8Array<ArrayBuffer>
  /** Decides the groups' sums of bare blobs, given all parts of their commitment. */
  closeBare(sums: readonly Uint8Array[], points: readonly Uint8Array[]): boolean
  /** Collects, closes, and finds the guilty: a verdict for each unit. The units of a call are all bare blobs, or none is. */
  verify(units: readonly HashedUnit[]): { readonly outcomes: readonly KzgOutcome[] } & Returned
  /**
   * Verifies one by one with the baseline module, which is trusted over every other, and over every hash. For blobs without proofs it is
   * that of a `CommitmentKernel`, whose points the worker has taken before.
   */
  confirm(units: readonly HashedUnit[], baseline: WebAssembly.Module): Promise<KzgOutcome[]>
  /**
   * A blob, rebuilt from 64 cells or more, in ascending order of their indices; null where they are not of one blob.
   */
  rebuild(cellIndices: Uint32Array, cells: Uint8Array): Uint8Array<ArrayBuffer> | null
  /** Compiles, tiers up, primes tables; changes no state that anyone can see. */
  warmUp(): void
  /** Whether the kernel still passes its known-answer probe on this thread. */
  probe(): boolean
  /** The next step of its rehearsal (`rehearsal.ts`); whether that is over. */
  rehearse(): Promise<boolean>
}

/** The pool whose workers verify. */
export type VerifierPool = Pool<VerifierApi>
