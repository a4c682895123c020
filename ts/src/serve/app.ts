/** A Beacon API as an app: `app.fetch(request)` answers in Node, in a page and in a service worker. */
import type { PlatformRequest, PlatformResponse } from '../util/platform-types.ts'
import { cors, Hono } from '../vendor/hono.ts'
import { abortableFetch } from './abortable-fetch.ts'
import { type Chain, checkChain } from './chain.ts'
import { type Faults, routeOf } from './faults/faults.ts'
import { applyFaults } from './faults/transport.ts'
import { type NodeName, nodeNames, refusesQuery } from './implementations.ts'
import { errorAnswered, errorResponse } from './routes/http.ts'
import { addBlockRoutes } from './routes/blocks.ts'
import { caughtUp } from './routes/catch-up.ts'
import { addDataRoutes } from './routes/data.ts'
import { addEventRoutes } from './routes/events.ts'
import { addLightClientRoutes } from './routes/light-client.ts'
import { addConfigRoutes, addNodeRoutes } from './routes/node.ts'

/** What `createBeaconApp` serves, and with which faults. */
export interface BeaconAppOptions {
  /** The chain that the routes read: of `makeChain`, of `realChain`, or of your own. */
  readonly chain: Chain
  /** The faults of the server; default: none. They are read at each request, and may be changed between two. */
  readonly faults?: Faults
  /** The implementation whose ways are followed where nodes differ; default: proofs of all sidecars are computed, and SSZ is as in the API. */
  readonly nodesLike?: NodeName
}

/** What `createBeaconApp` makes. */
export interface BeaconApp {
  /**
   * Answers a request, whatever the host in its address. It rejects with the reason of the request's signal when that is aborted, and a body
   * that is being read, or a stream of events, fails with it. It needs no `this`, so that it can be handed on by itself.
   */
  readonly fetch: (request: PlatformRequest) => PlatformResponse | Promise<PlatformResponse>
}

/**
 * Makes a Beacon API over a chain: an app whose `fetch` takes a `Request` and resolves with a `Response`. It serves headers,
 * blocks, blob sidecars, blobs, data column sidecars, light-client objects, events and the configuration, as JSON and (where the
 * API has it) as SSZ, to pages of any origin. It opens no port, so that it runs in Node, in a page and in a service worker.
 * What cannot be answered is an error of the API: a JSON body `{ code, message }` with that status; 500 says what went wrong. Throws `TypeError`
 * for what is no chain, no rules of faults and no node. Source: ethereum/beacon-APIs.
 *
 * @example
 * ```ts
 * import { createBeaconApp, makeChain } from 'blobcheck/serve'
 *
 * const app = createBeaconApp({ chain: await makeChain({ slots: 8, clock: 'by-hand' }) })
 * const response = await app.fetch(new Request('http://any/eth/v1/beacon/headers/head'))
 * console.log(response.status) // 200
 * ```
 */
export function createBeaconApp({ chain, faults = { rules: [] }, nodesLike }: BeaconAppOptions): BeaconApp {
  if (nodesLike !== undefined && !nodeNames.includes(nodesLike))
    throw new TypeError(`nodesLike must be one of ${nodeNames.join(', ')}`)
  checkChain(chain)
  const app = new Hono()
  app.use(
    cors({
      origin: '*',
      exposeHeaders: ['Eth-Consensus-Version', 'Retry-After'],
      allowMethods: ['GET', 'HEAD'],
    }),
  )
  app.use(applyFaults(faults, ({ req }) => [routeOf(req.path)].filter((route) => route !== null)))
  app.use(async ({ req }, next) =>
    refusesQuery(new URL(req.url).searchParams, nodesLike)
      ? errorResponse(400, 'so many values of one key are no list')
      : await next(),
  )
  app.use(caughtUp(chain))
  addNodeRoutes(app, chain)
  addConfigRoutes(app, chain)
  addBlockRoutes(app, chain)
  addDataRoutes(app, chain, nodesLike)
  addLightClientRoutes(app, chain)
  addEventRoutes(app, chain)
  app.notFound(({ req }) => errorResponse(404, `there is no route ${req.path}`))
  app.onError(errorAnswered)
  return { fetch: abortableFetch(app) }
}
