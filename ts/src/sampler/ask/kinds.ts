/** What endpoints are asked for: columns, and before Fulu blobs, both with the branch that ties them to a header. */
import type { Route } from '../../beacon/endpoint.ts'

/** One of the two kinds of sidecars. */
export interface SidecarKind {
  readonly delivery: 'data-column-sidecar' | 'blob-sidecar'
  /** How many indices there can be. */
  readonly count: number
  /** The longest SSZ of a sidecar of a block with so many blobs, in bytes. */
  maxBytes(blobs: number): number
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

/** `DataColumnSidecar` (specs/fulu/das-core.md): 356 bytes, and for each blob a cell, a commitment and a proof. */
export const dataColumns: SidecarKind = {
  delivery: 'data-column-sidecar',
  count: 128,
  maxBytes: (blobs) => 356 + blobs * (2_048 + 48 + 48),
  route: (root, indices, blobs) =>
    routeOf(`/eth/v1/debug/beacon/data_column_sidecars/${root}`, indices, 4 + dataColumns.maxBytes(blobs)),
}

/** `BlobSidecar` (specs/deneb/p2p-interface.md), of fixed size. */
export const blobSidecars: SidecarKind = {
  delivery: 'blob-sidecar',
  count: 4_096,
  maxBytes: () => 131_928,
  route: (root, indices) =>
    routeOf(`/eth/v1/beacon/blob_sidecars/${root}`, indices, blobSidecars.maxBytes(1)),
}
