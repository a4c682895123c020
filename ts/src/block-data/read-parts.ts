/** The options that all who look for a block's data have, read: whom they ask, who says which block is meant, and who verifies. */
import type { EndpointOptions } from '../beacon/endpoint.ts'
import { BeaconEndpoints, readUrls } from '../beacon/endpoints.ts'
import type { Fetch } from '../beacon/request.ts'
import type { Verifier } from '../verifier/verifier.ts'
import { internalsOf } from '../verifier/pipeline.ts'
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import type { BlockParts } from './context.ts'
import { type Headers, isVouchedFor, refuseNonHeader } from './header.ts'
import { readNow } from '../util/options.ts'
import { readCount, readMs } from './options.ts'
import { DataSchedule } from './schedule.ts'

/** Options as they came, with defaults filled in. */
export interface PartsOptions {
  readonly verifier: Verifier
  readonly headers: Headers
  readonly beacon: unknown
  readonly now: () => number
  readonly fetch: Fetch
  readonly timeoutMs: number
  readonly requestsPerEndpoint: number
}

/** What is made of them. */
export interface ReadParts {
  readonly parts: BlockParts
  /** Further endpoints of the same call, by the same terms; `option` is what errors call them. Undefined: there are none. */
  readonly archivesOf: (urls: unknown, option: string) => BeaconEndpoints | null
  /** The terms that endpoints are asked by. */
  readonly terms: EndpointOptions
}

/** Throws `TypeError` for options that make no sense. */
export function readParts(options: PartsOptions): ReadParts {
  const { verifier, headers, fetch } = options
  const { blocks, network, pool } = internalsOf(verifier)
  if (typeof headers !== 'object' || headers === null || !hasHeaders(headers))
    throw new TypeError('headers must be a LightClient or a HeaderSource')
  refuseStranger(headers, network)
  const now = readNow(options.now)
  const terms: EndpointOptions = {
    ...{ fetch, now, random: Math.random },
    timeoutMs: readMs(options.timeoutMs, 'timeoutMs'),
    atOnce: readCount(options.requestsPerEndpoint, 'requestsPerEndpoint'),
  }
  const beacon = readUrls(options.beacon)
  return {
    parts: {
      ...{ verifier, pool, blocks, network, headers, now },
      endpoints: new BeaconEndpoints(beacon, terms),
      schedule: new DataSchedule(network),
    },
    archivesOf: (urls, option) =>
      urls === undefined ? null : new BeaconEndpoints(readUrls(urls, option), terms, beacon),
    terms,
  }
}

/** Whether it is a source of headers as far as it can be seen: one of the caller's own, or a light client. */
function hasHeaders(headers: Headers): boolean {
  return typeof ('resolve' in headers ? headers.resolve : headers.headerAt) === 'function'
}

/** Its headers would be refused one by one; but what is asked for by its time, as execution blocks are, would seem to be of no chain before. */
function refuseStranger(headers: Headers, network: VettedNetwork): void {
  const newest = 'resolve' in headers ? null : headers.finalized
  if (newest === null || !isVouchedFor(newest)) return
  try {
    refuseNonHeader(newest, network)
  } catch (cause) {
    throw new TypeError('headers is a light client of another network than the verifier’s', { cause })
  }
}
