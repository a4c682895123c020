/** `/eth/v1/beacon/light_client`. */
import type { Hono } from '../../vendor/hono.ts'
import { concatAll } from '../../util/bytes.ts'
import type { Chain, ChainLightClient, Encoded, EncodedUpdate } from '../chain.ts'
import { uint64 } from '../ssz/types.ts'
import { answer, type Answer, ApiError, numberOf, readRoot } from './http.ts'

/** MAX_REQUEST_LIGHT_CLIENT_UPDATES. */
const MAX_UPDATES = 128
const base = '/eth/v1/beacon/light_client'

export function addLightClientRoutes(app: Hono, chain: Chain): void {
  const source = (): ChainLightClient => {
    if (chain.lightClient === null)
      throw new ApiError(404, 'this chain is one block, without a sync committee')
    return chain.lightClient
  }
  app.get(`${base}/bootstrap/:block_root`, (context) => {
    const root = readRoot(context.req.param('block_root'), 'block_root')
    return answer(context, answerOf(source().bootstrap(root), `there is no bootstrap of ${root}`))
  })
  app.get(`${base}/finality_update`, (context) =>
    answer(context, answerOf(source().finalityUpdate(), 'nothing is finalized yet')),
  )
  app.get(`${base}/optimistic_update`, (context) =>
    answer(context, answerOf(source().optimisticUpdate(), 'nothing is signed yet')),
  )
  app.get(`${base}/updates`, (context) => {
    const [start, count] = [numberOf(context, 'start_period'), numberOf(context, 'count')]
    const updates = updatesOf(source(), start, Math.min(count, MAX_UPDATES))
    return answer(context, {
      ...(updates[0] === undefined ? {} : { version: updates[0].version }),
      json: () => updates.map((update) => ({ version: update.version, data: update.json() })),
      ssz: () => concatAll(updates.flatMap(chunk)),
    })
  })
}

function answerOf(encoded: Encoded | null, otherwise: string): Answer {
  if (encoded === null) throw new ApiError(404, otherwise)
  const { version } = encoded
  return { version, json: () => ({ version, data: encoded.json() }), ssz: () => encoded.ssz() }
}

/** Of consecutive periods: an answer has no gaps. */
function updatesOf(source: ChainLightClient, start: number, count: number): EncodedUpdate[] {
  const updates: EncodedUpdate[] = []
  for (let period = start; period < start + count; period++) {
    const update = source.update(period)
    if (update !== null) updates.push(update)
    else if (updates.length > 0) break
  }
  return updates
}

/** Length, fork digest, update: a piece of the stream that the API gives SSZ updates in. */
function chunk(update: EncodedUpdate): Uint8Array[] {
  const ssz = update.ssz()
  return [uint64.serialize(update.forkDigest.length + ssz.length), update.forkDigest, ssz]
}
