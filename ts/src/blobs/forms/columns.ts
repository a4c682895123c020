/** Columns of a block, of all endpoints together, until there are so many that the blobs follow from them. */
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { COLUMNS, COLUMNS_TO_REBUILD } from '../../beacon/constants.ts'
import { dataColumns } from '../../block-data/requests/sidecars.ts'
import { commitmentsOf, rebuildBlobs } from '../../block-data/sidecar-bytes.ts'
import { fetchVerified, sidecarRequests } from '../../block-data/verify.ts'
import { inCommon } from '../../verdict/links.ts'
import type { HeldColumn, Search } from '../search.ts'
import type { Share } from '../shares.ts'
import { tellOfRequests } from './sidecars.ts'

/** Columns that are asked for at least where the first were too few; then twice as many, and so on. */
const MIN_SPARE = 8

/** Asks for columns until there are 64, those that are here already included, and rebuilds what is missing. */
export async function takeColumns(search: Search, endpoints: BeaconEndpoints): Promise<void> {
  const context = search.context(endpoints)
  if (context === null) return
  const requests = sidecarRequests(dataColumns, context)
  const share = (name: string): Share => search.call.shares.of('beacon', name)
  const asked: number[] = []
  let spare = 0
  try {
    for (;;) {
      const lacking = COLUMNS_TO_REBUILD - search.columns.size
      const rest = Array.from({ length: COLUMNS }, (_, index) => index).filter(
        (index) => !search.columns.has(index) && !asked.includes(index),
      )
      // The first 64 are the blobs themselves. Where all of the rest may be needed, one question is better than two; and where a few are lacking,
      // those that are asked for may be withheld, too, so that more are, and more each time.
      const isFirst = asked.length === 0
      const chosen =
        isFirst || lacking < COLUMNS_TO_REBUILD / 2 ? rest.slice(0, Math.max(lacking, spare)) : rest
      spare = isFirst ? MIN_SPARE : 2 * spare
      if (lacking <= 0 || chosen.length === 0 || isAllHere(search) || search.until.aborted) break
      asked.push(...chosen)
      await fetchVerified(requests, chosen, context, ({ index, source, ssz, links }) =>
        holdColumn(search, { index, ssz: new Uint8Array(ssz), links, share: share(source) }),
      )
    }
  } finally {
    tellOfRequests(search, requests, share, asked)
  }
  await rebuildFromColumns(search)
}

/** Whether there is nothing more to be had of the block, as far as its commitments tell. */
function isAllHere({ commitments, missingOfBlock }: Search): boolean {
  return commitments !== null && missingOfBlock.length === 0
}

/** Keeps a verified column. Of Fulu it brings the block's commitments, too. */
export function holdColumn(search: Search, column: HeldColumn): void {
  if (search.columns.has(column.index)) return
  search.columns.set(column.index, column)
  if (search.commitments === null) search.learnCommitments(commitmentsOf(column.ssz), column.links)
}

/** Rebuilds what is missing, where there are columns enough. */
export async function rebuildFromColumns(search: Search): Promise<void> {
  const { call, columns } = search
  const missing = search.missing.flatMap(({ index, commitment }) =>
    index === null || commitment === null ? [] : [{ index, commitment }],
  )
  if (columns.size < COLUMNS_TO_REBUILD || missing.length === 0) return
  const used = [...columns.values()]
  const rebuilt = await rebuildBlobs(call.parts.pool, used, missing, search.signal)
  if (rebuilt === null) {
    call.shares.hasCrashed = true
    return
  }
  const shares = [...new Set(used.map(({ share }) => share))]
  // Each of its cells was verified against the commitment, or is in the verifier's cache: then so much of the blob is known, and no more.
  const { kzg } = inCommon(used.map(({ links }) => links))
  const isOfFiles = shares.every(({ role }) => role === 'file')
  for (const { index, blob, commitment } of rebuilt)
    search.take(
      {
        ...{ index, blob, commitment, versionedHash: null },
        via: isOfFiles ? 'files' : 'data-columns',
        links: { ...search.links, kzg },
      },
      shares,
    )
}
