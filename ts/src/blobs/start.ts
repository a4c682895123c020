/** What is known before the data of a block is looked for: which block is meant, and which blobs of it. */
import type { Conclusion } from './conclude.ts'
import type { BlobLinks, BlobsResult } from './result.ts'
import type { SearchTarget } from './search.ts'

/** Where a call begins. */
export interface Start {
  readonly target: SearchTarget | null
  /** Where there is no target: what the call comes to. */
  readonly conclusion: Conclusion | null
  /** What the execution layer said of it. */
  readonly known: Pick<BlobsResult, 'execution' | 'transaction'>
  readonly links: Pick<BlobLinks, 'transaction' | 'execution-block'>
}

/** Nothing of the execution layer was asked for. */
export const noExecution: Start['links'] = { transaction: 'absent', 'execution-block': 'absent' }
export const nothingKnown: Start['known'] = { execution: null, transaction: null }
