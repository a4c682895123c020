/** What sampling or a fallback found out: the part of a report that depends on the data. */
import { noLinks } from '../verdict/verdict.ts'
import { confidenceOf } from './confidence.ts'
import type { SamplerParts } from './context.ts'
import type { ColumnAttempt, EndpointShare } from '../block-data/report.ts'
import type { Confidence, SampleReason, SampleReport, SampleVerdict } from './report.ts'
import { EndpointTally } from '../block-data/requests/tally.ts'

/** What is known of a block's data, and by whom. */
export type Finding = Pick<
  SampleReport,
  | 'verdict'
  | 'reason'
  | 'detail'
  | 'via'
  | 'fallback'
  | 'columns'
  | 'links'
  | 'commitments'
  | 'payload'
  | 'blobs'
> & {
  readonly confidence: Confidence
  readonly endpoints: readonly EndpointShare[]
}

/** The finding where no data was asked for: what is known of the block says it all, or too little is known of it. */
export function unsampled(
  { endpoints }: SamplerParts,
  verdict: SampleVerdict,
  reason: SampleReason,
  more: Partial<Pick<Finding, 'commitments' | 'detail' | 'links' | 'payload'>> = {},
): Finding {
  return {
    verdict,
    reason,
    detail: null,
    via: 'header',
    fallback: null,
    confidence: confidenceOf({
      samples: 0,
      missing: 0,
      maxError: 1,
      endpoints: [],
      contested: [],
      target: 0,
      kzg: 'absent',
    }),
    columns: [],
    endpoints: endpoints.all.map(({ name }) => new EndpointTally(name).report()),
    links: noLinks,
    commitments: [],
    payload: null,
    blobs: null,
    ...more,
  }
}

/** What an endpoint said that answered in a fork to come, of these attempts; null where none did. It is no more than its word. */
export function forkToCome(attempts: readonly ColumnAttempt[]): string | null {
  for (const attempt of attempts) if (attempt.outcome === 'unsupported-fork') return attempt.detail
  return null
}
