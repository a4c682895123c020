/** What was found out about one item: its verdict, without what is of no use in a terminal. */
import type { Links, TransactionVerdict, Verdict } from '../../verdict/verdict.ts'
import type { Reason } from '../../verdict/reasons.ts'

export interface Finding {
  readonly status: Verdict['status']
  /** Where it was refused, and why; null where it was not. */
  readonly stage: string | null
  readonly reason: Reason | null
  readonly links: Links
  /** Of a transaction's blobs, in order. */
  readonly blobs: readonly Finding[]
}

export function findingOf(verdict: Verdict | TransactionVerdict): Finding {
  return {
    status: verdict.status,
    stage: 'stage' in verdict ? verdict.stage : null,
    reason: 'reason' in verdict ? verdict.reason : null,
    links: verdict.links,
    blobs: 'blobs' in verdict ? verdict.blobs.map(findingOf) : [],
  }
}
