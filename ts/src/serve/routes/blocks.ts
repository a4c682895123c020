/** Headers and blocks, and what is known of their states. */
import type { Hono } from '../../vendor/hono.ts'
import type { Chain, ChainBlock, ChainCheckpoint } from '../chain.ts'
import { isHash } from '../../util/hash.ts'
import { SignedBeaconBlockHeader } from '../ssz/block.ts'
import { hexOf } from '../ssz/types.ts'
import { answer, ApiError, blockOf, numberOf, readRoot } from './http.ts'

/** What answers about a block say beside it. */
export function statusOf(
  chain: Chain,
  block: ChainBlock,
): { execution_optimistic: false; finalized: boolean } {
  return { execution_optimistic: false, finalized: block.slot <= chain.finalized.slot }
}

export function addBlockRoutes(app: Hono, chain: Chain): void {
  app.get('/eth/v1/beacon/headers', (context) => {
    const hasSlot = context.req.query('slot') !== undefined
    const parent = context.req.query('parent_root')
    const slot = hasSlot ? numberOf(context, 'slot') : null
    const block =
      parent !== undefined
        ? childOf(chain, readRoot(parent, 'parent_root'))
        : slot === null
          ? chain.head
          : chain.at(slot)
    const found = block === null || (slot !== null && block.slot !== slot) ? [] : [block]
    // That a slot has no block is final where a later one is; that a block has no child never is.
    const finalized = (found[0]?.slot ?? slot ?? Infinity) <= chain.finalized.slot
    return answer(context, {
      json: () => ({ execution_optimistic: false, finalized, data: found.map(headerJson) }),
    })
  })
  app.get('/eth/v1/beacon/headers/:block_id', (context) => {
    const block = blockOf(chain, context.req.param('block_id'))
    return answer(context, { json: () => ({ ...statusOf(chain, block), data: headerJson(block) }) })
  })
  app.get('/eth/v1/beacon/blocks/:block_id/root', (context) => {
    const block = blockOf(chain, context.req.param('block_id'))
    return answer(context, { json: () => ({ ...statusOf(chain, block), data: { root: block.root } }) })
  })
  app.get('/eth/v1/beacon/states/:state_id/finality_checkpoints', (context) => {
    if (chain.checkpoints === undefined) throw new ApiError(404, 'of this chain no states are known')
    const block = blockOfState(chain, context.req.param('state_id'))
    const found = chain.checkpoints(block.root)
    if (found === null) throw new ApiError(404, `the state of block ${block.root} is not known`)
    const json = ({ epoch, root }: ChainCheckpoint): object => ({ epoch: epoch.toString(), root })
    return answer(context, {
      json: () => ({
        ...statusOf(chain, block),
        data: {
          previous_justified: json(found.previousJustified),
          current_justified: json(found.currentJustified),
          finalized: json(found.finalized),
        },
      }),
    })
  })
  app.get('/eth/v1/beacon/execution_payload_envelopes/:block_id', (context) => {
    const found = blockOf(chain, context.req.param('block_id'))
    const envelope = found.gloas?.envelope ?? null
    if (envelope === null) throw new ApiError(404, 'no payload was revealed apart from this block')
    return answer(context, {
      version: envelope.version,
      json: () => ({ version: envelope.version, ...statusOf(chain, found), data: envelope.json() }),
      ssz: () => envelope.ssz(),
    })
  })
  app.get('/eth/v2/beacon/blocks/:block_id', (context) => {
    const found = blockOf(chain, context.req.param('block_id'))
    const { block } = found
    if (block === null)
      throw new ApiError(404, 'of this block only header, blobs and branches are known, not the whole of it')
    return answer(context, {
      version: block.version,
      json: () => ({ version: block.version, ...statusOf(chain, found), data: block.json() }),
      ssz: () => block.ssz(),
    })
  })
}

function headerJson({ root, header }: ChainBlock): object {
  return { root, canonical: true, header: SignedBeaconBlockHeader.json(header) }
}

/** The block of `{state_id}`: as those of blocks, but with the root of the state; and `justified`. */
function blockOfState(chain: Chain, id: string): ChainBlock {
  if (id === 'justified') return blockOf(chain, chain.checkpoints?.(chain.head.root)?.currentJustified.root)
  if (!isHash(id)) return blockOf(chain, id, 'state_id')
  const root = id.toLowerCase()
  let block: ChainBlock | null = chain.head
  while (block !== null && hexOf(block.header.message.state_root) !== root)
    block = chain.byRoot(hexOf(block.header.message.parent_root))
  if (block === null) throw new ApiError(404, `there is no state ${id}`)
  return block
}

/** The next block after one, which is its child on a chain without forks. */
function childOf(chain: Chain, parent: string): ChainBlock | null {
  const start = chain.byRoot(parent)?.slot
  if (start === undefined) return null
  for (let slot = start + 1; slot <= chain.head.slot; slot++) {
    const block = chain.at(slot)
    if (block !== null) return hexOf(block.header.message.parent_root) === parent ? block : null
  }
  return null
}
