/** Headers and blocks: `/eth/v1/beacon/headers`, `/eth/v1/beacon/blocks/{block_id}/root` and `/eth/v2/beacon/blocks/{block_id}`. */
import { BeaconUnavailableError } from '../../beacon/failure.ts'
import { ApiError, numberOf } from '../../serve/routes/http.ts'
import type { Hono } from '../../vendor/hono.ts'
import type { Blocks } from '../block/blocks.ts'
import { jsonOf } from '../block/ssz-value.ts'
import type { KnownHeader, KnownHeaders } from '../headers/known-header.ts'
import { NO_SIGNATURE, NO_SIGNATURE_HEX } from '../sidecars.ts'
import { asciiJson, formAnswer, headerOf, jsonAnswer, type ProxyEnv, Refusal, statusOf } from './answers.ts'
import { LEFT_OUT } from './data.ts'

/** In front of a signed block's message: the message's offset. */
const MESSAGE_OFFSET = Uint8Array.of(100, 0, 0, 0)

export function addChainRoutes(app: Hono<ProxyEnv>, headers: KnownHeaders, blocks: Blocks): void {
  app.get('/eth/v1/beacon/headers', async (context) => {
    if (context.req.query('parent_root') !== undefined)
      throw new ApiError(400, 'headers are not looked up by parent_root here')
    const slot = context.req.query('slot') === undefined ? null : numberOf(context, 'slot')
    const found = await headerOf(context, headers, String(slot ?? 'head'), true).catch((error: unknown) => {
      // A list has room for the answer that there is none.
      if (error instanceof Refusal && error.status === 404) return null
      throw error
    })
    const data = found === null ? [] : [headerJson(found)]
    // That a slot has no block is final where a later one is.
    const finalized = found?.finalized ?? (slot ?? Infinity) <= (headers.status().finalized?.slot ?? -1)
    return jsonAnswer(context, { execution_optimistic: false, finalized, data }, LEFT_OUT)
  })

  app.get('/eth/v1/beacon/headers/:block_id', async (context) => {
    const header = await headerOf(context, headers, context.req.param('block_id'), true)
    return jsonAnswer(context, { ...statusOf(header), data: headerJson(header) }, LEFT_OUT)
  })

  app.get('/eth/v1/beacon/blocks/:block_id/root', async (context) => {
    const header = await headerOf(context, headers, context.req.param('block_id'))
    return jsonAnswer(context, { ...statusOf(header), data: { root: header.root } })
  })

  app.get('/eth/v2/beacon/blocks/:block_id', async (context) => {
    const header = await headerOf(context, headers, context.req.param('block_id'))
    const block = await blocks.get(header.root, context.var.signal).catch((error: unknown) => {
      if (error instanceof BeaconUnavailableError) throw new Refusal(503, 'unreachable', error.message)
      throw error
    })
    const { fork, message, type } = block
    return formAnswer(
      context,
      {
        json: () => {
          const data = { message: jsonOf(type, message), signature: NO_SIGNATURE_HEX }
          return [{ kind: 'text', text: asciiJson({ version: fork, ...statusOf(header), data }) }]
        },
        ssz: () => [MESSAGE_OFFSET, NO_SIGNATURE, message].map((bytes) => ({ kind: 'bytes', bytes })),
      },
      { 'eth-consensus-version': fork, ...LEFT_OUT },
    )
  })
}

function headerJson(header: KnownHeader): object {
  const { root, slot, proposer_index, parent_root, state_root, body_root, canonical = true } = header
  const message = { slot: String(slot), proposer_index, parent_root, state_root, body_root }
  return { root, canonical, header: { message, signature: NO_SIGNATURE_HEX } }
}
