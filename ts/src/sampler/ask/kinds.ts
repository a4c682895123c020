/** What endpoints are asked for: columns, and before Fulu blobs, both with the branch that ties them to a header. */
import type { Route } from '../../beacon/endpoint.ts'
import type { SidecarName } from '../../verifier/checks/delivery.ts'
import { COLUMNS } from '../../beacon/constants.ts'
import { blobSidecar, columnBytes } from '../../beacon/ssz/layout.ts'
import { isWholeColumn } from '../column-bytes.ts'
import { splitByOffsets, splitFixed } from '../../beacon/ssz/list.ts'

/** One of the two kinds of sidecars. */
export interface SidecarKind {
  readonly delivery: SidecarName
  /** How many indices there can be. */
  readonly count: number
  /** The longest SSZ of a sidecar of a block with so many blobs, in bytes. */
  maxBytes(blobs: number): number
  /** An SSZ list of them, split; null where it is none. */
  split(list: Uint8Array): Uint8Array[] | null
  /** Whether SSZ that was split off is a sidecar to its last byte, as far as its lengths tell. */
  isWhole(sidecar: Uint8Array): boolean
  /** The question for these indices of a block. */
  route(root: string, indices: readonly number[], blobs: number): Route
}

/** What JSON takes for a byte of SSZ: two digits, and quotes and names around short fields. And slack for lists. */
const JSON_FACTOR = 2.25
const JSON_SLACK = 4_096

function routeOf(path: string, indices: readonly number[], bytesEach: number): Route {
  // Each by its own key: that is what all clients understand.
  const query = indices.map((index) => `indices=${index}`).join('&')
  return {
    path: `${path}?${query}`,
    maxBytes: Math.ceil(indices.length * bytesEach * JSON_FACTOR) + JSON_SLACK,
  }
}

/** `DataColumnSidecar` (specs/fulu/das-core.md), as long as its block has blobs. */
export const dataColumns: SidecarKind = {
  delivery: 'data-column-sidecar',
  count: COLUMNS,
  maxBytes: columnBytes,
  split: (list) => splitByOffsets(list, dataColumns.count),
  isWhole: isWholeColumn,
  route: (root, indices, blobs) =>
    routeOf(`/eth/v1/debug/beacon/data_column_sidecars/${root}`, indices, 4 + columnBytes(blobs)),
}

/** `BlobSidecar` (specs/deneb/p2p-interface.md), of fixed size. */
export const blobSidecars: SidecarKind = {
  delivery: 'blob-sidecar',
  count: 4_096,
  maxBytes: () => blobSidecar.end,
  split: (list) => splitFixed(list, blobSidecar.end),
  isWhole: (sidecar) => sidecar.length === blobSidecar.end,
  route: (root, indices) => routeOf(`/eth/v1/beacon/blob_sidecars/${root}`, indices, blobSidecar.end),
}
