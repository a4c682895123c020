/** The ways to the data of a block: whom it is asked of, and in which form. */
import type { BeaconEndpoints } from '../beacon/endpoints.ts'
import type { DataForm } from '../block-data/schedule.ts'
import { takeBareBlobs } from './forms/bare-blobs.ts'
import { takeCached } from './forms/cache.ts'
import { takeColumns } from './forms/columns.ts'
import { takeFromFiles } from './forms/files.ts'
import { takeSidecars } from './forms/sidecars.ts'
import type { Search } from './search.ts'
import type { Step } from './steps.ts'

/** The ways to the data, the cheap ones first. `block` resolves when the block is here, or is not to be had. */
export function waysTo(search: Search, form: DataForm, block: Promise<void>): Step[] {
  const { target } = search
  const { cache, files, now, schedule } = search.call.parts
  const nodes = waysOfNodes(search, form, block)
  const archives = waysOfArchives(search, form, block)
  const isExpired = target.slot !== null && schedule.isExpired(target.slot, now())
  return [
    ...(cache === null ? [] : [() => takeCached(search, cache)]),
    ...(files.length === 0 ? [] : [() => takeFromFiles(search)]),
    // Nodes need not have what is so old.
    ...(isExpired ? [...archives, ...nodes] : [...nodes, ...archives]),
  ]
}

function waysOfNodes(search: Search, form: DataForm, block: Promise<void>): Step[] {
  const { target, commitments } = search
  const { endpoints } = search.call.parts
  if (target.name === null) return []
  const bare = bareBlobsOf(search, endpoints, 'beacon', block)
  if (target.header === null) return [bare]
  const sidecars: Step = () => takeSidecars(search, endpoints, 'beacon')
  const columns: Step = () => takeColumns(search, endpoints)
  switch (form) {
    // Sidecars bring their proofs, which cost less than the commitments of bare blobs, and before Fulu nodes have them.
    case 'blobs':
      return [sidecars, bare]
    case 'columns':
      return [...inOrder(commitments, bare, columns), sidecars]
    default:
      return inOrder(commitments, bare, columns)
  }
}

/** Bare blobs are few requests, and worth nothing before the commitments are known, which columns bring with them. */
function inOrder(commitments: readonly string[] | null, bare: Step, columns: Step): Step[] {
  return commitments === null ? [columns, bare] : [bare, columns]
}

function waysOfArchives(search: Search, form: DataForm, block: Promise<void>): Step[] {
  const { target } = search
  const { archives } = search.call.parts
  if (archives === null || target.name === null) return []
  const bare = bareBlobsOf(search, archives, 'archive', block)
  // There are no sidecars of Gloas, and none without a header can be told to be the block's.
  if (target.header === null || form === 'bid-columns') return [bare]
  return [() => takeSidecars(search, archives, 'archive'), bare]
}

function bareBlobsOf(
  search: Search,
  endpoints: BeaconEndpoints,
  kind: 'beacon' | 'archive',
  block: Promise<void>,
): Step {
  return async () => {
    // The block may be on its way still.
    if (search.target.header !== null && search.commitments === null) await block
    await takeBareBlobs(search, endpoints, kind)
  }
}
