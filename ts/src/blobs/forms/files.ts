/** Sidecars in files that the caller has at hand: of a block whose header is known, or of blobs that are known by their versioned hashes alone. */
import { COLUMNS_TO_REBUILD, MAX_BLOB_COMMITMENTS_PER_BLOCK } from '../../beacon/constants.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import {
  entriesIn,
  type FileContent,
  type Held,
  type Refused,
  sidecarsIn,
  sorted,
} from '../../block-data/files.ts'
import type { SidecarFile } from '../../block-data/options.ts'
import { blobParts, commitmentsOf, rebuildBlobs } from '../../block-data/sidecar-bytes.ts'
import { inCommon } from '../../verdict/links.ts'
import { fromSource } from '../../verifier/sourced-sidecar.ts'
import type { Search } from '../search.ts'
import type { Share, Shares } from '../shares.ts'
import { hashOfCommitment } from '../wanted.ts'
import { holdColumn, rebuildFromColumns } from './columns.ts'
import { countIn, takeSidecar } from './sidecars.ts'

/** Takes what the files have of the search's block. What they have of other blocks is passed over. */
export async function takeFromFiles(search: Search): Promise<void> {
  const context = search.context()
  const { parts, shares } = search.call
  for (const file of parts.files) {
    if (search.isOver) return
    const share = shares.of('file', file.name)
    if (context === null) {
      await takeByHash(search, file, share)
      continue
    }
    const { held, refused, failure } = await sidecarsIn(file, context)
    // As of an endpoint: what was refused was given for a blob of this block.
    if (tell(shares, share, failure, refused, file.kind === 'blob-sidecars')) shares.liars.add(file.name)
    for (const one of held) {
      if (file.kind === 'data-column-sidecars') {
        const { index, links, ssz } = one
        holdColumn(search, { index, ssz: new Uint8Array(ssz), links, share })
        continue
      }
      countIn(search, one)
      takeSidecar(search, one, share)
    }
  }
  await rebuildFromColumns(search)
}

/** Nothing says which block is meant: what a file's sidecars say of themselves is verified, and their commitments are compared with the hashes. */
async function takeByHash(search: Search, file: SidecarFile, share: Share): Promise<void> {
  const { parts, shares } = search.call
  const { signal } = search
  let content: FileContent
  try {
    const { entries, incomplete } = await entriesIn(file, MAX_BLOB_COMMITMENTS_PER_BLOCK, parts.pool)
    const items = entries.map(({ sidecar }) => fromSource(sidecar as object, file.name)) as object[]
    const verdicts =
      file.kind === 'blob-sidecars'
        ? await parts.verifier.verifyBlobSidecars(items, { signal })
        : await parts.verifier.verifyDataColumnSidecars(items, { signal })
    content = { ...sorted(file, entries, verdicts), failure: incomplete }
  } catch (error) {
    if (!(error instanceof BeaconFailure)) throw error
    return void tell(shares, share, error, [])
  }
  // A column of Gloas brings no commitments: nothing can be said of it here.
  tell(
    shares,
    share,
    content.failure,
    content.refused.filter(({ verdict }) => verdict.reason !== 'commitment-missing'),
  )
  if (file.kind === 'blob-sidecars') {
    for (const { ssz, links } of content.held) {
      const { blob, commitment } = blobParts(ssz)
      search.take(
        {
          ...{ index: null, commitment, versionedHash: null, links },
          blob: new Uint8Array(blob),
          via: 'files',
        },
        [share],
      )
    }
    return
  }
  for (const { commitments, columns: byIndex } of byBlock(content.held)) {
    const columns = [...byIndex.values()]
    const hashes = new Set(search.missing.map(({ versionedHash }) => versionedHash))
    const wanted = commitments.flatMap((commitment, index) =>
      hashes.has(hashOfCommitment(commitment)) ? [{ index, commitment }] : [],
    )
    if (columns.length < COLUMNS_TO_REBUILD || wanted.length === 0) continue
    const rebuilt = await rebuildBlobs(parts.pool, columns, wanted, signal)
    if (rebuilt === null) shares.hasCrashed = true
    const { kzg } = inCommon(columns.map(({ links }) => links))
    for (const { blob, commitment } of rebuilt ?? [])
      search.take(
        {
          ...{ index: null, commitment, versionedHash: null, blob },
          via: 'files',
          links: { ...search.links, kzg },
        },
        [share],
      )
  }
}

/** Columns of the same blobs. */
interface BlockColumns {
  /** 0x hex, in the block's order. */
  readonly commitments: readonly string[]
  /** By their indices, each once. */
  readonly columns: Map<number, Held>
}

function byBlock(held: readonly Held[]): Iterable<BlockColumns> {
  const blocks = new Map<string, BlockColumns>()
  for (const one of held) {
    const commitments = commitmentsOf(one.ssz)
    const key = commitments.join()
    const block = blocks.get(key) ?? { commitments, columns: new Map<number, Held>() }
    block.columns.set(one.index, one)
    blocks.set(key, block)
  }
  return blocks.values()
}

/**
 * Adds it to a file's share: whether anything of it is false. What our own workers could not look at may be what is missing. `arePlaces`: a
 * sidecar's index is a place of the block.
 */
function tell(
  shares: Shares,
  share: Share,
  failure: BeaconFailure | null,
  refused: readonly Refused[],
  arePlaces: boolean = false,
): boolean {
  const fail = (one: Pick<BeaconFailure, 'kind' | 'message'>, place: number | null): void => {
    share.fail(one)
    if (one.kind === 'crashed')
      shares.unseen.push(({ index }) => place === null || index === null || index === place)
  }
  if (failure !== null) fail(failure, null)
  let isFalse = false
  for (const { index, verdict, what } of refused) {
    if (verdict.status === 'error')
      fail({ kind: 'crashed', message: `${what}: ${verdict.reason}` }, arePlaces ? index : null)
    // Of another block, of which a file may have some, too.
    else if (!('stage' in verdict) || verdict.stage !== 'anchor') {
      share.refuse(what, verdict.reason)
      isFalse = true
    }
  }
  return isFalse
}
