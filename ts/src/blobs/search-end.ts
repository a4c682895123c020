/** How a search for a block's blobs ended. */
import type { PayloadReport } from '../block-data/report.ts'
import type { BlobsReason } from './result.ts'

/** How a search ended, where that says more than what was found. */
export interface SearchEnd {
  /** Null where what was found, and what was not, says it all. */
  readonly reason: BlobsReason | null
  /** For people. */
  readonly detail: string | null
  /** What became of the payload of a block of Gloas; null before, and where it was not looked for. */
  readonly payload: PayloadReport | null
  /** When the block's commitments were known, as `performance.now()` tells the time. */
  readonly blockAt: number
}

/** What ends a search: its reason, and more where there is more to say. */
export type Ending = Pick<SearchEnd, 'reason'> & Partial<SearchEnd>
