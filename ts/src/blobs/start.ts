/** What is known before the data of a block is looked for: which block is meant, and which blobs of it. */
import type { Conclusion } from './conclude.ts'
import type { BlobLinks, BlobsResult } from './result.ts'
import type { SearchTarget } from './search.ts'

/** Where a call begins. */
export interface Start {
  /** Null where it is not known. */
  readonly target: SearchTarget | null
  /** What the call comes to, where that is known already and nothing is looked for; null else. */
  readonly conclusion: Conclusion | null
  /** What the execution layer said of it. */
  readonly known: Pick<BlobsResult, 'execution' | 'transaction'>
  readonly links: Pick<BlobLinks, 'transaction' | 'execution-block'>
  /** Where else the call may begin: at blocks that other endpoints name for the same transaction, where nothing has shown which one is right. */
  readonly others?: readonly Start[]
  /** To be called where the execution block turns out to be none of the chain: it tells of everyone who named it. */
  readonly refute?: () => void
}

/** Nothing of the execution layer was asked for. */
export const noExecution: Start['links'] = { transaction: 'absent', 'execution-block': 'absent' }
export const nothingKnown: Start['known'] = { execution: null, transaction: null }
