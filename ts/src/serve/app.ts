/** A Beacon API as a Hono app: `app.fetch(request)` answers in Node, in a page and in a service worker. */
import { Hono } from 'hono'
import type { Chain } from './chain.ts'
import type { Faults } from './faults/faults.ts'

/** What an app serves. */
export interface BeaconAppOptions {
  readonly chain: Chain
  /** Default: none. */
  readonly faults?: Faults
}

/** The routes of the Beacon API over a chain. Source: ethereum/beacon-APIs. */
export function createBeaconApp({ chain }: BeaconAppOptions): Hono {
  const app = new Hono()
  app.get('/eth/v1/node/version', (context) => context.json({ data: { version: chain.network.label } }))
  return app
}
