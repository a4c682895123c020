/** Has the items of files verified, and tells each verdict as it comes. */
import type { AnchorOption, BlobItem, SidecarItem, Verdict, Verifier } from 'blobcheck'
import type { Gathered } from './gather.ts'
import { forkOfItem } from './item.ts'

/** The verdict on an item; a transaction's has one for each of its blobs. */
export type ItemVerdict = Verdict & { readonly blobs?: readonly Verdict[] }

export interface VerifyOptions {
  readonly anchor: AnchorOption
  readonly signal: AbortSignal
  /** Called as items pass the checks, and when they have their verdicts. */
  readonly onSign: () => void
  readonly onVerdict: (at: number, verdict: ItemVerdict) => void
}

/** What is verified: items of one kind. */
type Listed = Pick<Gathered, 'kind' | 'items' | 'parts'>

/** The most calls of the verifier for one list: an item each, where there are no more items. Its batches are not those of its calls. */
const MAX_CALLS = 256

/** Resolves when all items have their verdicts; rejects with the signal's reason. */
export async function verifyItems(
  verifier: Verifier,
  contents: Listed,
  options: VerifyOptions,
): Promise<void> {
  const { items } = contents
  const size = Math.ceil(items.length / MAX_CALLS)
  const starts = Array.from({ length: Math.ceil(items.length / size) }, (_, at) => at * size)
  await Promise.all(
    starts.map(async (start) => {
      const verdicts = await verdictsOf(verifier, contents, start, start + size, options)
      if (options.signal.aborted) return
      options.onSign()
      verdicts.forEach((verdict, at) => options.onVerdict(start + at, verdict))
    }),
  )
}

async function verdictsOf(
  verifier: Verifier,
  contents: Listed,
  from: number,
  to: number,
  { anchor, signal, onSign }: VerifyOptions,
): Promise<readonly ItemVerdict[]> {
  const { kind, items } = contents
  const some = items.slice(from, to)
  const common = { signal, onProgress: onSign }
  switch (kind) {
    case 'blob-sidecars':
      return await verifier.verifyBlobSidecars(some as SidecarItem[], { ...common, anchor })
    case 'data-column-sidecars':
      return await verifier.verifyDataColumnSidecars(some as SidecarItem[], { ...common, anchor })
    case 'blobs':
      return await verifier.verifyBlobs(inTheirPlaces(contents, anchor).slice(from, to), {
        ...common,
        anchor,
      })
    case 'transaction':
      return await Promise.all(
        (some as (Uint8Array | string)[]).map((transaction) =>
          verifier.verifyBlobTransaction(transaction, {
            ...common,
            anchor: anchor as { readonly versionedHashes: readonly string[] } | 'none',
            fork: forkOfItem(transaction),
          }),
        ),
      )
  }
}

/**
 * Blobs without commitments in one file, of which the anchor lists as many as there are blobs: each has that of its place, as the verifier
 * takes it where all blobs are of one call. Several files have no order but that of their names, which says nothing of the block: there a
 * blob may be any that is listed. It is alone in its call then: no more blobs are shown than there may be calls.
 */
function inTheirPlaces({ items: all, parts }: Listed, anchor: AnchorOption): readonly BlobItem[] {
  const items = all as readonly BlobItem[]
  if (anchor === 'none' || parts.length > 1) return items
  const commitments = 'commitments' in anchor ? anchor.commitments : []
  const hashes = 'versionedHashes' in anchor ? anchor.versionedHashes : []
  return items.map((item, at) => {
    if (item.commitment !== undefined) return item
    if (commitments.length === items.length) return { ...item, commitment: commitments[at]! }
    return hashes.length === items.length ? { ...item, versionedHash: hashes[at]! } : item
  })
}
