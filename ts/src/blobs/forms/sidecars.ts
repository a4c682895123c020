/** Blob sidecars of a block of before Gloas, of endpoints or archives. Each brings its commitment, and the branch to its header. */
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import type { SidecarRequests } from '../../block-data/requests/requests.ts'
import { blobSidecars } from '../../block-data/requests/sidecars.ts'
import { blobParts } from '../../block-data/sidecar-bytes.ts'
import { fetchVerified, sidecarRequests, type VerifiedSidecar } from '../../block-data/verify.ts'
import type { Search } from '../search.ts'
import type { Share } from '../shares.ts'

/** Asks for the sidecars of what is missing; where nothing is known of the block's commitments, for the first one first, which tells how many there are. */
export async function takeSidecars(
  search: Search,
  endpoints: BeaconEndpoints,
  role: 'beacon' | 'archive',
): Promise<void> {
  const context = search.context(endpoints)
  if (context === null) return
  const requests = sidecarRequests(blobSidecars, context)
  const share = (name: string): Share => search.call.shares.of(role, name)
  const asked = new Set<number>()
  const get = async (indices: readonly number[]): Promise<void> => {
    for (const index of indices) asked.add(index)
    await fetchVerified(requests, indices, context, (sidecar) =>
      takeSidecar(search, sidecar, share(sidecar.source)),
    )
  }
  try {
    let count: number | null = null
    if (search.wanted === null) {
      await fetchVerified(requests, [0], context, (sidecar) => {
        count = countIn(search, sidecar)
        takeSidecar(search, sidecar, share(sidecar.source))
      })
      asked.add(0)
    }
    const missing = search.missingOfBlock
    const isKnown = missing.every(({ index }) => index !== null)
    const all = Array.from({ length: count ?? search.maxBlobs }, (_, index) => index)
    const wanted = isKnown ? missing.flatMap(({ index }) => index ?? []) : all
    await get(wanted.filter((index) => !asked.has(index)))
  } finally {
    tellOfRequests(search, requests, share, [...asked])
  }
}

/** How many blobs the block of a verified sidecar has, by its branch; null where no block can have so many. */
export function countIn(search: Search, { ssz }: Pick<VerifiedSidecar, 'ssz'>): number | null {
  const { committed } = blobParts(ssz)
  if (committed > search.maxBlobs) return null
  search.learnCount(committed)
  return committed
}

/** Keeps the blob of a verified sidecar. */
export function takeSidecar(search: Search, sidecar: VerifiedSidecar, share: Share): void {
  const { index, links, ssz } = sidecar
  const { blob, commitment } = blobParts(ssz)
  search.learnPlace(index, commitment)
  search.take(
    {
      ...{ index, commitment, versionedHash: null, links },
      blob: new Uint8Array(blob),
      via: share.role === 'file' ? 'files' : 'blob-sidecars',
    },
    [share],
  )
}

/** Adds what these requests did to the shares: `asked` are the indices that any of them was for. */
export function tellOfRequests(
  search: Search,
  requests: SidecarRequests,
  shareOf: (name: string) => Share,
  asked: readonly number[],
): void {
  const { shares } = search.call
  const { delivery } = requests.kind
  for (const report of requests.tallies.map((tally) => tally.report())) {
    if (report.requests === 0) continue
    const share = shareOf(report.endpoint)
    share.requests += report.requests
    share.bytes += report.bytes
    for (const { kind, detail } of report.failures) share.fail({ kind, message: detail })
    for (const { index, reason } of report.refused) share.refuse(`${delivery} ${index}`, reason)
  }
  for (const index of asked) {
    for (const { endpoint, outcome } of requests.attemptsOf(index).attempts) {
      if (outcome === 'false') shares.liars.add(endpoint)
      const isAnswer = outcome === 'verified' || outcome === 'false' || outcome === 'not-delivered'
      shares.ended(`${delivery} ${index}`, endpoint, isAnswer ? null : outcome)
    }
  }
}
