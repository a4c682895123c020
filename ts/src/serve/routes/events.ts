/** `/eth/v1/events`: what happens, as it happens (server-sent events). */
import { type Hono, streamSSE } from '../../vendor/hono.ts'
import { COLUMNS } from '../../beacon/constants.ts'
import type { Chain, ChainBlock, ChainEvent, ChainLightClient, Encoded } from '../chain.ts'
import { isHiding, withheldColumns } from '../faults/data.ts'
import { type Fault, faultsOf } from '../faults/faults.ts'
import { hexOf } from '../ssz/types.ts'
import { ApiError, listOf } from './http.ts'

const TOPICS = [
  'head',
  'head_v2',
  'block',
  'block_gossip',
  'finalized_checkpoint',
  'data_column_sidecar',
  'execution_payload',
  'execution_payload_gossip',
  'execution_payload_available',
  'light_client_finality_update',
  'light_client_optimistic_update',
] as const
type Topic = (typeof TOPICS)[number]

/**
 * What the API has besides, of which nothing happens here: no validator speaks, no builder bids, and no fork is left. Whoever subscribes to some
 * of these hears of the others. Source: apis/eventstream of ethereum/beacon-APIs; `blob_sidecar` was there before Fulu.
 */
const SILENT: readonly string[] = [
  'attestation',
  'attester_slashing',
  'blob_sidecar',
  'bls_to_execution_change',
  'chain_reorg',
  'contribution_and_proof',
  'execution_payload_bid',
  'fast_confirmation',
  'payload_attestation_message',
  'payload_attributes',
  'proposer_preferences',
  'proposer_slashing',
  'single_attestation',
  'voluntary_exit',
]

/**
 * Events of the chain that may wait for a slow reader; then the stream ends, and the reader may begin anew. They are about as many as the
 * blocks of a day: a chain that is moved on by hand tells of many at once, before anybody can read. Each waits as a reference to its block,
 * which the chain keeps anyway; the stream has some 130 events of it, which are made when it is its turn.
 */
const MAX_WAITING = 8_192
const KEEP_ALIVE_MS = 15_000

export function addEventRoutes(app: Hono, chain: Chain): void {
  app.get('/eth/v1/events', (context) => {
    const topics = listOf(context, 'topics') ?? []
    const known = [...TOPICS, ...SILENT]
    if (topics.length === 0 || !topics.every((topic) => known.includes(topic)))
      throw new ApiError(400, `topics must be some of ${known.join(', ')}`)
    // A stream would be dropped unread, and neither end nor be cancelled: it would listen for ever.
    if (context.req.method === 'HEAD')
      return context.body(null, 200, { 'content-type': 'text/event-stream', 'cache-control': 'no-cache' })
    const faults = faultsOf(context)
    return streamSSE(context, async (stream) => {
      const waiting: ChainEvent[] = []
      let ofOne: StreamEvent[] = []
      let wake = (): void => {}
      const end = new AbortController()
      const unsubscribe = chain.subscribe((event) => {
        waiting.push(event)
        if (waiting.length > MAX_WAITING) stream.abort()
        wake()
      })
      stream.onAbort(() => {
        unsubscribe()
        end.abort()
        wake()
      })
      const take = (): StreamEvent | undefined => {
        while (ofOne.length === 0 && waiting.length > 0)
          ofOne = eventsFor(chain, waiting.shift()!, faults).filter(({ topic }) => topics.includes(topic))
        return ofOne.shift()
      }
      try {
        await stream.write(': blobcheck serve\n\n')
        while (!stream.aborted) {
          // An event looks into the chain, which would make all blocks that are missing at once.
          await chain.catchUp?.(end.signal)
          const next = take()
          const data = next?.data() ?? null
          if (next !== undefined && data !== null)
            await stream.writeSSE({ event: next.topic, data: JSON.stringify(data) })
          else if (next !== undefined) continue
          else if (!(await sleepUntil((woken) => (wake = woken)))) await stream.write(':\n\n')
        }
      } catch (error) {
        if (!end.signal.aborted) throw error
      } finally {
        unsubscribe()
      }
    })
  })
}

interface StreamEvent {
  readonly topic: Topic
  /** Made when it is written; null where there is nothing to tell after all. */
  data(): object | null
}

function eventsFor(chain: Chain, event: ChainEvent, faults: readonly Fault[]): StreamEvent[] {
  const { block } = event
  const state = hexOf(block.header.message.state_root)
  if (event.kind === 'finalized') {
    const data = { block: block.root, state, epoch: event.epoch.toString(), execution_optimistic: false }
    return [{ topic: 'finalized_checkpoint', data: () => data }]
  }
  const slot = block.slot.toString()
  const columns = columnsOf(block, faults)
  return [
    { topic: 'block_gossip', data: () => ({ slot, block: block.root }) },
    { topic: 'block', data: () => ({ slot, block: block.root, execution_optimistic: false }) },
    ...columns,
    ...headsOf(chain, block, columns.length > 0 || block.blobs.length === 0),
    // Those of this block: by the time of its turn the chain may have others, which later events tell of.
    ...update('light_client_finality_update', (client) => client.finalityUpdate(block.root)),
    ...update('light_client_optimistic_update', (client) => client.optimisticUpdate(block.root)),
  ]

  function update(topic: Topic, ask: (client: ChainLightClient) => Encoded | null): StreamEvent[] {
    const { lightClient } = chain
    return lightClient === null ? [] : [{ topic, data: () => dataOf(ask(lightClient)) }]
  }
}

/**
 * A new head: `head` once, and `head_v2` for each payload status that the block comes to have. In Gloas a block is first a head without
 * its payload, `empty`, and stays so unless that is revealed, which is told of between the two and makes it `full`; before Gloas the payload
 * is in the block, which is `full` at once. Source: eventstream of ethereum/beacon-APIs (590, 628), which says nothing of blocks before Gloas.
 */
function headsOf(chain: Chain, block: ChainBlock, hasColumns: boolean): StreamEvent[] {
  const slotsPerEpoch = chain.network.slotsPerEpoch ?? 32
  const epochStart = block.slot - (block.slot % slotsPerEpoch)
  const common = {
    slot: block.slot.toString(),
    block: block.root,
    state: hexOf(block.header.message.state_root),
    epoch_transition: block.slot === epochStart,
    execution_optimistic: false,
  }
  const before = (): string => rootAt(chain, block, epochStart - slotsPerEpoch - 1)
  const present = (): string => rootAt(chain, block, epochStart - 1)
  const head: StreamEvent = {
    topic: 'head',
    data: () => ({
      ...common,
      previous_duty_dependent_root: before(),
      current_duty_dependent_root: present(),
    }),
  }
  const headOf = (status: 'empty' | 'full'): StreamEvent => ({
    topic: 'head_v2',
    data: () => ({
      version: block.version,
      data: {
        ...common,
        payload_status: status,
        current_epoch_dependent_root: before(),
        next_epoch_dependent_root: present(),
      },
    }),
  })
  const { gloas = null } = block
  if (gloas === null) return [head, headOf('full')]
  if (gloas.envelope === null) return [head, headOf('empty')]
  return [head, headOf('empty'), ...payloadOf(block, gloas.envelope, hasColumns), headOf('full')]
}

/**
 * The payload of a block of Gloas, as it is revealed: its envelope passes the rules of gossip, it is there with all blobs (unless this
 * server has no column of them), and then it is imported.
 * Source: eventstream of ethereum/beacon-APIs (588).
 */
function payloadOf({ slot, root }: ChainBlock, envelope: Encoded, hasColumns: boolean): StreamEvent[] {
  const facts = (): object => {
    const { message } = envelope.json() as EnvelopeJson
    return {
      slot: slot.toString(),
      builder_index: message.builder_index,
      block_hash: message.payload.block_hash,
      block_root: root,
    }
  }
  return [
    { topic: 'execution_payload_gossip', data: facts },
    ...(hasColumns
      ? [
          {
            topic: 'execution_payload_available' as const,
            data: () => ({ slot: slot.toString(), block_root: root }),
          },
        ]
      : []),
    { topic: 'execution_payload', data: () => ({ ...facts(), execution_optimistic: false }) },
  ]
}

/** What is told of a SignedExecutionPayloadEnvelope. */
interface EnvelopeJson {
  readonly message: { readonly builder_index: string; readonly payload: { readonly block_hash: string } }
}

/**
 * The root of the newest block up to a slot, on the branch of a later block: `get_block_root_at_slot`, and the genesis block's where the
 * slot is before it. Of a chain that does not go back so far, the root of the parent of the earliest block that it knows.
 */
function rootAt(chain: Chain, from: ChainBlock, slot: number): string {
  let block = from
  while (block.slot > Math.max(slot, 0)) {
    const parentRoot = hexOf(block.header.message.parent_root)
    const parent = chain.byRoot(parentRoot)
    if (parent === null) return parentRoot
    block = parent
  }
  return block.root
}

function dataOf(encoded: Encoded | null): object | null {
  return encoded === null ? null : { version: encoded.version, data: encoded.json() }
}

/** The columns that this server has of a block: none where its payload was never revealed. Those of Gloas bring no commitments. */
function columnsOf({ slot, root, blobs, gloas = null }: ChainBlock, faults: readonly Fault[]): StreamEvent[] {
  if (blobs.length === 0 || isHiding(faults) || (gloas !== null && gloas.envelope === null)) return []
  const withheld = withheldColumns(faults, root)
  const commitments =
    gloas === null ? { kzg_commitments: blobs.map(({ commitment }) => hexOf(commitment)) } : {}
  return Array.from({ length: COLUMNS }, (_, index) => index)
    .filter((index) => !withheld.has(index))
    .map((index) => ({
      topic: 'data_column_sidecar',
      data: () => ({ block_root: root, index: index.toString(), slot: slot.toString(), ...commitments }),
    }))
}

/** Waits to be woken, or until a reader should hear that the stream lives: true where it was woken. */
function sleepUntil(onWoken: (wake: () => void) => void): Promise<boolean> {
  return new Promise((resolve) => {
    const timer = setTimeout(() => resolve(false), KEEP_ALIVE_MS)
    onWoken(() => {
      clearTimeout(timer)
      resolve(true)
    })
  })
}
