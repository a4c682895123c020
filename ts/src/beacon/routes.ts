/** The routes of the Beacon API that are asked for, with the longest honest answer of each. Source: ethereum/beacon-APIs. */
import { MAX_BLOCK_TEXT } from './block/source.ts'
import type { Route } from './endpoint.ts'
import { BLOB_BYTES, blobSidecar } from './ssz/layout.ts'

/** A committee of 512 keys takes 25 KB in SSZ, and in JSON, however it is spaced, less than this. */
const COMMITTEE_BYTES = 160_000
const HEADERS_BYTES = 32_000
/** Some nodes send more updates than they are asked for: room for 128 (MAX_REQUEST_LIGHT_CLIENT_UPDATES) in JSON without spaces. */
const MAX_UPDATES_BYTES = 128 * 65_000
/** What JSON takes for a byte of SSZ: two digits, and quotes and names around short fields. */
const SIDECAR_JSON_FACTOR = 2.25
/** Blobs have two quotes and a comma each. */
const BLOBS_JSON_FACTOR = 2.01
/** What is around the data. */
const SLACK_BYTES = 4_096

/**
 * The most values of one key that all clients understand: Lodestar refuses more of them with 400 (Lodestar 9672, 9673), as its parser of
 * queries, qs, makes no list out of the 21st.
 */
export const MOST_VALUES = 20

/** Each value by a key of its own: up to `MOST_VALUES` of them, that is what all clients understand. Nothing where there is none. */
function queryOf(key: string, values: readonly (number | string)[]): string {
  return values.length === 0 ? '' : `?${values.map((value) => `${key}=${value}`).join('&')}`
}

function sidecarsRoute(path: string, indices: readonly number[], bytesEach: number): Route {
  return {
    path: `${path}${queryOf('indices', indices)}`,
    maxBytes: Math.ceil(indices.length * bytesEach * SIDECAR_JSON_FACTOR) + SLACK_BYTES,
  }
}

export const routes = {
  bootstrap: (root: string): Route => ({
    path: `/eth/v1/beacon/light_client/bootstrap/${root}`,
    maxBytes: COMMITTEE_BYTES + HEADERS_BYTES,
  }),
  updates: (startPeriod: number, count: number): Route => ({
    path: `/eth/v1/beacon/light_client/updates?start_period=${startPeriod}&count=${count}`,
    maxBytes: Math.max(count * (COMMITTEE_BYTES + HEADERS_BYTES), MAX_UPDATES_BYTES),
  }),
  finalityUpdate: { path: '/eth/v1/beacon/light_client/finality_update', maxBytes: HEADERS_BYTES } as Route,
  optimisticUpdate: {
    path: '/eth/v1/beacon/light_client/optimistic_update',
    maxBytes: HEADERS_BYTES,
  } as Route,
  block: (root: string): Route => ({ path: `/eth/v2/beacon/blocks/${root}`, maxBytes: MAX_BLOCK_TEXT }),
  /** The one route of these that has no SSZ in the API. */
  header: (root: string): Route => ({
    path: `/eth/v1/beacon/headers/${root}`,
    maxBytes: 8_000,
    jsonOnly: true,
  }),
  /**
   * Bare blobs, of a block with so many: their place since beacon-APIs 546. Of all of them, or of those with these versioned hashes; who
   * does not know that question answers with all.
   */
  blobs: (root: string, count: number, hashes: readonly string[] = []): Route => ({
    path: `/eth/v1/beacon/blobs/${root}${queryOf('versioned_hashes', hashes)}`,
    maxBytes: Math.ceil(count * BLOB_BYTES * BLOBS_JSON_FACTOR) + SLACK_BYTES,
  }),
  /** The older place of blobs, which nodes of before 546 have alone, and which goes with Gloas (beacon-APIs 577). */
  blobSidecars: (root: string, indices: readonly number[]): Route =>
    sidecarsRoute(`/eth/v1/beacon/blob_sidecars/${root}`, indices, blobSidecar.end),
  /**
   * Columns of so many bytes at most. The API has had them in this one place since beacon-APIs 537, before Fulu began; 582 added the
   * container of Gloas there. Some nodes serve it only where the debug routes are switched on.
   */
  dataColumns: (root: string, indices: readonly number[], bytesEach: number): Route =>
    sidecarsRoute(`/eth/v1/debug/beacon/data_column_sidecars/${root}`, indices, bytesEach),
} as const
