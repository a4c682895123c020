/** What a report is silent about, said. */
import type { Links } from '../verdict/verdict.ts'
import { COLUMNS } from '../beacon/constants.ts'
import type { Confidence, NotVerified, SampleReport } from './report.ts'

export function notVerified(
  links: Links,
  blobCountBy: SampleReport['blobCount']['by'],
  { certain, independent }: Confidence,
  sampled: number,
): NotVerified[] {
  const said: [NotVerified, boolean][] = [
    ['header', links.header !== 'verified'],
    ['sync-committee', links['sync-committee'] !== 'verified'],
    ['checkpoint', links.checkpoint !== 'verified'],
    ['proposer-signature', links.signature !== 'verified'],
    ['blob-count', blobCountBy !== 'proven'],
    ['columns-not-sampled', !certain && sampled < COLUMNS],
    ['independence-of-endpoints', !independent],
  ]
  return said.filter(([, isSo]) => isSo).map(([name]) => name)
}
