/** `/eth/v1/events`: what happens, as it happens (server-sent events). */
import type { Hono } from 'hono'
import { streamSSE } from 'hono/streaming'
import { COLUMNS } from '../../beacon/constants.ts'
import type { Chain, ChainBlock, ChainEvent, Encoded } from '../chain.ts'
import { isHiding, withheldColumns } from '../faults/data.ts'
import { type Fault, faultsOf } from '../faults/faults.ts'
import { hexOf } from '../ssz/types.ts'
import { ApiError, listOf } from './http.ts'

const TOPICS = [
  'head',
  'block',
  'finalized_checkpoint',
  'data_column_sidecar',
  'light_client_finality_update',
  'light_client_optimistic_update',
] as const
type Topic = (typeof TOPICS)[number]

/** Events that may wait for a slow reader; then the stream ends, and the reader may begin anew. */
const MAX_WAITING = 4_096
const KEEP_ALIVE_MS = 15_000

export function addEventRoutes(app: Hono, chain: Chain): void {
  app.get('/eth/v1/events', (context) => {
    const topics = listOf(context, 'topics') ?? []
    const unknown = topics.find((topic) => !TOPICS.includes(topic as Topic))
    if (topics.length === 0 || unknown !== undefined)
      throw new ApiError(400, `topics must be some of ${TOPICS.join(', ')}`)
    const faults = faultsOf(context)
    return streamSSE(context, async (stream) => {
      const waiting: StreamEvent[] = []
      let wake = (): void => {}
      const unsubscribe = chain.subscribe((event) => {
        waiting.push(...eventsFor(chain, event, faults).filter(({ topic }) => topics.includes(topic)))
        if (waiting.length > MAX_WAITING) stream.abort()
        wake()
      })
      stream.onAbort(() => {
        unsubscribe()
        wake()
      })
      try {
        await stream.write(': blobcheck serve\n\n')
        while (!stream.aborted) {
          const next = waiting.shift()
          const data = next?.data() ?? null
          if (next !== undefined && data !== null)
            await stream.writeSSE({ event: next.topic, data: JSON.stringify(data) })
          else if (next !== undefined) continue
          else if (!(await sleepUntil((woken) => (wake = woken)))) await stream.write(':\n\n')
        }
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
  const head = {
    slot,
    ...{ block: block.root, state },
    epoch_transition: block.slot % (chain.network.slotsPerEpoch ?? 32) === 0,
    previous_duty_dependent_root: block.root,
    current_duty_dependent_root: block.root,
    execution_optimistic: false,
  }
  return [
    { topic: 'block', data: () => ({ slot, block: block.root, execution_optimistic: false }) },
    ...columnsOf(block, faults),
    { topic: 'head', data: () => head },
    ...update('light_client_finality_update', chain.lightClient?.finalityUpdate),
    ...update('light_client_optimistic_update', chain.lightClient?.optimisticUpdate),
  ]

  function update(topic: Topic, ask: (() => Encoded | null) | undefined): StreamEvent[] {
    if (ask === undefined) return []
    return [{ topic, data: () => dataOf(ask.call(chain.lightClient)) }]
  }
}

function dataOf(encoded: Encoded | null): object | null {
  return encoded === null ? null : { version: encoded.version, data: encoded.json() }
}

/** The columns that this server has of a block. */
function columnsOf({ slot, root, blobs }: ChainBlock, faults: readonly Fault[]): StreamEvent[] {
  if (blobs.length === 0 || isHiding(faults)) return []
  const withheld = withheldColumns(faults, root)
  const commitments = blobs.map(({ commitment }) => hexOf(commitment))
  return Array.from({ length: COLUMNS }, (_, index) => index)
    .filter((index) => !withheld.has(index))
    .map((index) => ({
      topic: 'data_column_sidecar',
      data: () => ({
        block_root: root,
        index: index.toString(),
        slot: slot.toString(),
        kzg_commitments: commitments,
      }),
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
