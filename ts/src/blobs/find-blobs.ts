/** All that is wanted of one block, in whatever form it is to be had. */
import { BeaconUnavailableError } from '../beacon/failure.ts'
import { fetchBlock } from '../block-data/fetch-block.ts'
import { MisuseError, provenBlobs } from '../block-data/header.ts'
import { payloadOf } from '../block-data/payload.ts'
import type { DataForm } from '../block-data/schedule.ts'
import type { PayloadReport } from '../block-data/report.ts'
import { takeBareBlobs } from './forms/bare-blobs.ts'
import { keepInCache, takeCached } from './forms/cache.ts'
import { takeColumns } from './forms/columns.ts'
import { takeFromFiles } from './forms/files.ts'
import { takeSidecars } from './forms/sidecars.ts'
import { NOT_REVEALED, whyAnother, WITHOUT_HEADER } from './placement.ts'
import type { BlobsReason } from './result.ts'
import type { Search } from './search.ts'
import { inTurn, patience, type Step } from './steps.ts'

/** How a search ended, where that says more than what was found. */
export interface SearchEnd {
  /** Null where what was found, and what was not, says it all. */
  readonly reason: BlobsReason | null
  /** For people. */
  readonly detail: string | null
  /** What became of the payload of a block of Gloas; null before, and where it was not looked for. */
  readonly payload: PayloadReport | null
  /** When the block's commitments were known, as `performance.now()` tells the time. */
  readonly blockAt: number
}

/** Searches until all that is wanted is here, or nothing more can be had. Rejects with the signal's reason, and with what the verifier throws. */
export async function findBlobs(search: Search): Promise<SearchEnd> {
  const { call, target } = search
  const { parts } = call
  const form = target.slot === null ? 'columns' : parts.schedule.form(target.slot)
  const end = (reason: BlobsReason | null, more: Partial<SearchEnd> = {}): SearchEnd => ({
    ...{ reason, detail: null, payload: null, blockAt: performance.now() },
    ...more,
  })
  if (form === 'none') return end('before-deneb')
  if (form === 'unsupported')
    return end('unsupported-fork', {
      detail: `of a fork that began with epoch ${parts.schedule.unsupportedEpoch}`,
    })
  if (target.header !== null && provenBlobs(target.header) === 0 && target.selection === 'all')
    return end('no-blobs')

  let unread: Unread | null = null
  const block =
    target.header === null ? Promise.resolve() : learnBlock(search).then((is) => void (unread = is))
  const { claim = null } = target
  const isAll = target.selection === 'all'
  // Where the block is slow to come, columns and sidecars bring what is needed of it; but not those of Gloas, nor do they show which
  // execution block is its own. Blobs of a transaction have its hashes, whatever the block.
  const isNeeded = form === 'bid-columns' || (claim !== null && (isAll || claim.mayBeLater))
  await (isNeeded ? block : Promise.race([block, patience(search)]))
  const blockAt = performance.now()
  call.signal?.throwIfAborted()
  const why = unread as Unread | null
  if (why?.isOfLaterFork === true) return end('unsupported-fork', { detail: why.detail })
  if (why?.isAnother === true && claim?.mayBeLater !== true)
    return end('not-of-the-chain', { detail: why.detail, blockAt })

  if (target.header !== null && search.commitments === null && isNeeded) {
    if (claim?.mayBeLater !== true || (isAll && why?.isAnother !== true))
      return end('no-block', { detail: why?.detail ?? null })
    search.forgetHeader()
    if (isAll) return end('no-header', { detail: WITHOUT_HEADER, blockAt })
  }
  const committed = search.commitments?.length ?? null
  if (committed === 0) return end('no-blobs', { blockAt })
  // More than the network's schedule knows of: ours is an old one, and nobody else is at fault.
  if (committed !== null && committed > parts.schedule.maxBlobs(target.slot ?? 0))
    return end('unsupported-fork', { detail: `a block with ${committed} blobs` })

  let payload: PayloadReport | null = target.payload ?? null
  const { block: read } = search
  const context = search.context()
  if (form === 'bid-columns' && payload === null && read?.bid && context !== null) {
    payload = await payloadOf(read.bid, context, call.shares.forThing('block'))
    if (payload.status === 'empty')
      return claim === null
        ? end('payload-not-revealed', { payload, blockAt })
        : end('not-of-the-chain', { detail: NOT_REVEALED, payload, blockAt })
  }
  await inTurn(search, stepsOf(search, form, block))
  search.end()
  // What was called off has nothing to say; a header that is not its block's has.
  await block
  const late = unread as Unread | null
  if (late?.isAnother === true && search.target.header !== null)
    return end('not-of-the-chain', { detail: late.detail, payload, blockAt })
  if (parts.cache !== null) await keepInCache(search, parts.cache)
  const isUnknown = search.wanted === null
  return end(isUnknown ? 'no-block' : null, {
    ...{ payload, blockAt },
    detail: isUnknown ? ((unread as Unread | null)?.detail ?? null) : null,
  })
}

/** The ways to the data, the cheap ones first. */
function stepsOf(search: Search, form: DataForm, block: Promise<void>): Step[] {
  const { call, target, commitments } = search
  const { archives, cache, endpoints, files, now, schedule } = call.parts
  const bare =
    (...asked: [typeof endpoints, 'beacon' | 'archive']): Step =>
    async () => {
      // It may be on its way still.
      if (target.header !== null && search.commitments === null) await block
      await takeBareBlobs(search, ...asked)
    }
  const sidecars =
    (...asked: [typeof endpoints, 'beacon' | 'archive']): Step =>
    () =>
      takeSidecars(search, ...asked)
  const columns: Step = () => takeColumns(search, endpoints)

  const hasHeader = target.header !== null
  const nodes: Step[] = []
  if (target.name !== null) {
    const bareOfNodes = bare(endpoints, 'beacon')
    if (!hasHeader) nodes.push(bareOfNodes)
    // Sidecars bring their proofs, which cost less than the commitments of bare blobs, and before Fulu nodes have them.
    else if (form === 'blobs') nodes.push(sidecars(endpoints, 'beacon'), bareOfNodes)
    else {
      nodes.push(...(commitments === null ? [columns, bareOfNodes] : [bareOfNodes, columns]))
      if (form === 'columns') nodes.push(sidecars(endpoints, 'beacon'))
    }
  }
  const others: Step[] = []
  if (archives !== null && target.name !== null) {
    if (hasHeader && form !== 'bid-columns') others.push(sidecars(archives, 'archive'))
    others.push(bare(archives, 'archive'))
  }
  const isExpired = target.slot !== null && schedule.isExpired(target.slot, now())
  return [
    ...(cache === null ? [] : [() => takeCached(search, cache)]),
    ...(files.length === 0 ? [] : [() => takeFromFiles(search)]),
    // Nodes need not have what is so old.
    ...(isExpired ? [...others, ...nodes] : [...nodes, ...others]),
  ]
}

/** Why nothing is to be learnt of the block. */
interface Unread {
  readonly detail: string
  readonly isOfLaterFork: boolean
  /** It is here, and has another execution block than the one that is meant. */
  readonly isAnother: boolean
}

/** Fetches the block for its commitments; null where it is here. Where no endpoint gives it, what is known of it otherwise must do. */
async function learnBlock(search: Search): Promise<Unread | null> {
  const { call, target, until } = search
  const { header } = target
  if (header === null) return null
  try {
    const block = target.block ?? (await fetchBlock(call.parts, header, call.shares.forThing('block'), until))
    const { claim = null } = target
    const why = claim && whyAnother(block, header, claim)
    if (why !== null) {
      // Nothing of that block is wanted, unless what is wanted may be of an older one.
      if (claim?.mayBeLater !== true) search.end()
      return { detail: why, isOfLaterFork: false, isAnother: true }
    }
    if (block.slot !== header.slot)
      throw new MisuseError(`a header of slot ${header.slot}, whose block is of slot ${block.slot}`)
    search.learnBlock(block)
    return null
  } catch (error) {
    call.signal?.throwIfAborted()
    if (error instanceof BeaconUnavailableError)
      return {
        detail: error.message,
        isOfLaterFork: error.failures.some(({ kind }) => kind === 'unsupported-fork'),
        isAnother: false,
      }
    if (!until.aborted) throw error
    return { detail: 'the block could not be had in time', isOfLaterFork: false, isAnother: false }
  }
}
