/** What a node says of itself and of its network, and what a proxy says to those who watch over it: `/health` and `/metrics`. */
import type { VettedNetwork } from '../../beacon/vetted-network.ts'
import type { Hono } from '../../vendor/hono.ts'
import type { HeadersStatus, KnownHeaders } from '../headers/known-header.ts'
import type { ProxyMetrics } from '../metrics/proxy-metrics.ts'
import { syncingStatusOf } from '../../serve/routes/http.ts'
import { specOf } from '../../serve/spec.ts'
import { jsonAnswer, type ProxyContext, type ProxyEnv, Refusal } from './answers.ts'

/** What these routes read. */
export interface NodeParts {
  readonly network: VettedNetwork
  /** CONFIG_NAME of the network; null where it has none. */
  readonly networkName: string | null
  readonly headers: KnownHeaders
  readonly metrics: ProxyMetrics
  /** This package's. */
  readonly version: string
  /** What cannot be loaded, for which some requests are answered with a fault; null where there is nothing. */
  readonly fault: () => string | null
}

/** Slots that the newest header may be old: a node that is that far behind calls itself syncing. */
const IN_STEP_SLOTS = 8

export function addNodeRoutes(app: Hono<ProxyEnv>, parts: NodeParts): void {
  const { network, networkName, headers, metrics, version, fault } = parts
  app.get('/eth/v1/node/version', (context) =>
    jsonAnswer(context, { data: { version: `blobcheck-proxy/${version}` } }),
  )
  app.get('/eth/v1/node/syncing', (context) => {
    const { head, behind } = distanceOf(headers.status())
    if (head === null)
      throw new Refusal(503, 'starting', headers.status().trouble ?? 'no header is known yet')
    return jsonAnswer(context, {
      data: {
        head_slot: String(head),
        sync_distance: String(behind),
        is_syncing: behind > IN_STEP_SLOTS,
        is_optimistic: false,
        el_offline: false,
      },
    })
  })
  app.get('/eth/v1/node/health', (context) => {
    const { head, behind } = distanceOf(headers.status())
    const syncing = syncingStatusOf(context)
    const status = head === null ? 503 : behind > IN_STEP_SLOTS ? syncing : 200
    return new Response(null, { status })
  })
  app.get('/eth/v1/config/spec', (context) => jsonAnswer(context, { data: specOf(network, networkName) }))
  app.get('/eth/v1/beacon/genesis', (context) => {
    const { signing, genesisTime } = network
    if (signing === undefined)
      throw new Refusal(
        503,
        'not-configured',
        'the network’s config does not say what signatures are made under',
      )
    return jsonAnswer(context, {
      data: {
        genesis_time: String(genesisTime),
        genesis_validators_root: signing.genesisValidatorsRoot,
        genesis_fork_version: signing.forkVersions.genesis,
      },
    })
  })
  app.get('/health', (context) => {
    const status = headers.status()
    const { head, behind } = distanceOf(status)
    const { links } = status
    const broken = fault()
    const state = healthOf(status, broken)
    const body = {
      status: state,
      current_slot: status.currentSlot,
      head_slot: head,
      finalized_slot: status.finalized?.slot ?? null,
      slots_behind: head === null ? null : behind,
      headers: links && (links.header === 'verified' ? 'verified' : 'on trust'),
      trouble: broken ?? status.trouble,
    }
    return textAnswer(context, JSON.stringify(body), 'application/json', state === 'ok' ? 200 : 503)
  })
  app.get('/metrics', (context) =>
    textAnswer(context, metrics.text(), 'text/plain; version=0.0.4; charset=utf-8'),
  )
}

/** What `/health` says that it is: 200 where that is `ok`. `fault`: what cannot be loaded, or null. */
export function healthOf(
  status: HeadersStatus,
  fault: string | null,
): 'ok' | 'starting' | 'behind' | 'fault' {
  const { head, behind } = distanceOf(status)
  if (fault !== null) return 'fault'
  if (head === null) return 'starting'
  return behind > IN_STEP_SLOTS ? 'behind' : 'ok'
}

function textAnswer(context: ProxyContext, text: string, type: string, status: 200 | 503 = 200): Response {
  context.var.note.bytes = Buffer.byteLength(text)
  return context.body(text, status, { 'content-type': type })
}

function distanceOf({ head, currentSlot }: HeadersStatus): {
  readonly head: number | null
  readonly behind: number
} {
  return { head: head?.slot ?? null, behind: Math.max(0, currentSlot - (head?.slot ?? 0)) }
}
