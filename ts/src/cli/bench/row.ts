/** A row of the tables: something to measure, and what it took. */
import type { Times } from './measure.ts'

export interface Row {
  /** The function that is called. */
  readonly op: string
  /** Blobs, or cells. */
  readonly n: number
  /** The same in words. */
  readonly title: string
  /** `blobcheck:` and the kernel. */
  readonly impl: string
  /** Of a verifier; null for a function that computes in the calling thread. */
  readonly workers: number | null
  /** Whether the answer is right. */
  readonly run: () => boolean | Promise<boolean>
}

export type Result = Omit<Row, 'run'> & Times
