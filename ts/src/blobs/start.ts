/** What is known before the data of a block is looked for: which block is meant, and which blobs of it. */
import type { Conclusion } from './conclude.ts'
import type { BlobLinks, BlobsResult } from './result.ts'
import type { SearchTarget } from './search.ts'

/** Where a call begins: at a block whose blobs are looked for, or at what is concluded already, of a block or of none. */
export type Start = StartTerms &
  (
    | { readonly target: SearchTarget; readonly conclusion: Conclusion | null }
    | { readonly target: null; readonly conclusion: Conclusion }
  )

interface StartTerms {
  /** What the execution layer said of it. */
  readonly known: Pick<BlobsResult, 'execution' | 'transaction'>
  readonly links: Pick<BlobLinks, 'transaction' | 'execution-block'>
  /** Where else the call may begin: at blocks that other endpoints name for the same transaction, where nothing has shown which one is right. */
  readonly others?: readonly Start[]
  /** To be called where the execution block turns out to be none of the chain: it tells of everyone who named it. */
  readonly refute?: () => void
}

/** Where nothing of the execution layer was asked for. */
const withoutExecution: StartTerms = {
  known: { execution: null, transaction: null },
  links: { transaction: 'absent', 'execution-block': 'absent' },
}

/** At a block whose blobs are looked for, without the execution layer. */
export const startAtTarget = (target: SearchTarget): Start => ({
  ...withoutExecution,
  ...{ target, conclusion: null },
})

/** Where no block was found. */
export const startWithout = (conclusion: Conclusion): Start => ({
  ...withoutExecution,
  ...{ target: null, conclusion },
})
