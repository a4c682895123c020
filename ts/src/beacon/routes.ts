/** The routes of the Beacon API that are about blocks and headers, with the longest honest answer of each. Source: ethereum/beacon-APIs. */
import { MAX_BLOCK_TEXT } from './block/source.ts'
import type { Route } from './endpoint.ts'

/** A committee of 512 keys takes 25 KB in SSZ, and in JSON, however it is spaced, less than this. */
const COMMITTEE_BYTES = 160_000
const HEADERS_BYTES = 32_000

export const routes = {
  bootstrap: (root: string): Route => ({
    path: `/eth/v1/beacon/light_client/bootstrap/${root}`,
    maxBytes: COMMITTEE_BYTES + HEADERS_BYTES,
  }),
  updates: (startPeriod: number, count: number): Route => ({
    path: `/eth/v1/beacon/light_client/updates?start_period=${startPeriod}&count=${count}`,
    maxBytes: count * (COMMITTEE_BYTES + HEADERS_BYTES) + 1_000,
  }),
  finalityUpdate: { path: '/eth/v1/beacon/light_client/finality_update', maxBytes: HEADERS_BYTES } as Route,
  optimisticUpdate: {
    path: '/eth/v1/beacon/light_client/optimistic_update',
    maxBytes: HEADERS_BYTES,
  } as Route,
  block: (root: string): Route => ({ path: `/eth/v2/beacon/blocks/${root}`, maxBytes: MAX_BLOCK_TEXT }),
  header: (root: string): Route => ({ path: `/eth/v1/beacon/headers/${root}`, maxBytes: 8_000 }),
} as const
