/** `/eth/v1/node`: what a node says of itself. */
import type { Hono } from 'hono'
import type { Chain } from '../chain.ts'
import { answer } from './answer.ts'

export function addNodeRoutes(app: Hono, chain: Chain): void {
  app.get('/eth/v1/node/version', (context) =>
    answer(context, { json: () => ({ data: { version: `blobcheck-serve (${chain.network.label})` } }) }),
  )
  app.get('/eth/v1/node/health', (context) => context.body(null, 200))
  app.get('/eth/v1/node/syncing', (context) =>
    answer(context, {
      json: () => ({
        data: {
          head_slot: chain.head.slot.toString(),
          sync_distance: '0',
          is_syncing: false,
          is_optimistic: false,
          el_offline: false,
        },
      }),
    }),
  )
}
