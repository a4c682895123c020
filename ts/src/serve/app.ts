/** A Beacon API as a Hono app: `app.fetch(request)` answers in Node, in a page and in a service worker. */
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { HTTPException } from 'hono/http-exception'
import type { Chain } from './chain.ts'
import type { Faults } from './faults/faults.ts'
import { befall } from './faults/transport.ts'
import { addBlockRoutes } from './routes/blocks.ts'
import { addConfigRoutes } from './routes/config.ts'
import { addDataRoutes } from './routes/data.ts'
import { addEventRoutes } from './routes/events.ts'
import { addLightClientRoutes } from './routes/light-client.ts'
import { addNodeRoutes } from './routes/node.ts'
import { problem } from './routes/problem.ts'

/** What an app serves. */
export interface BeaconAppOptions {
  readonly chain: Chain
  /** How it is bad; default: not at all. Read at each request. */
  readonly faults?: Faults
}

/** The routes of the Beacon API over a chain, for pages of any origin. Source: ethereum/beacon-APIs. */
export function createBeaconApp({ chain, faults = { rules: [] } }: BeaconAppOptions): Hono {
  const app = new Hono()
  app.use(cors({ origin: '*', exposeHeaders: ['Eth-Consensus-Version'], allowMethods: ['GET', 'HEAD'] }))
  app.use(befall(faults))
  addNodeRoutes(app, chain)
  addConfigRoutes(app, chain)
  addBlockRoutes(app, chain)
  addDataRoutes(app, chain)
  addLightClientRoutes(app, chain)
  addEventRoutes(app, chain)
  app.notFound(({ req }) => problem(404, `there is no route ${req.path}`))
  app.onError((error) =>
    error instanceof HTTPException ? error.getResponse() : problem(500, 'this server has a fault of its own'),
  )
  return app
}
