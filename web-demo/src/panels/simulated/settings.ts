/** What a visitor can set of the simulated chain and of its node, and what `blobcheck/serve` makes of it. */
import type { CorruptPart, Fault, FaultRule, MakeChainOptions, RouteName } from 'blobcheck/serve'

export interface ChainSettings {
  readonly fork: 'fulu' | 'gloas'
  readonly blobs: number
  readonly secondsPerSlot: number
}

/** What of `makeChain`’s options can be printed. */
export type PlainChainOptions = Omit<
  MakeChainOptions,
  | 'slots'
  | 'firstSlot'
  | 'blobsPerBlock'
  | 'isMissed'
  | 'isPayloadWithheld'
  | 'firstBlob'
  | 'onProgress'
  | 'signal'
> & { readonly slots: number; readonly firstSlot: number; readonly blobsPerBlock: number }

/**
 * Epochs are short, so that a chain of 40 blocks has a final one, and goes on into Gloas after its first epoch with blocks: the checkpoint is a
 * block of Fulu in both.
 */
export function chainOptions({ fork, blobs, secondsPerSlot }: ChainSettings): PlainChainOptions {
  const common = { slots: 40, firstSlot: 16, slotsPerEpoch: 8, blobsPerBlock: blobs, secondsPerSlot }
  return fork === 'gloas' ? { ...common, gloasForkEpoch: 3 } : common
}

/** A signature that is put in the place of the right one. `blobcheck/serve` knows no such fault: the page’s own node forges them. */
export type Forgery = 'signature' | 'committee'

/** What the node says that is not so. */
export type Lie = 'none' | CorruptPart | 'hide-blobs' | Forgery

/** How an answer comes, whatever is in it. */
export type Delivery =
  | 'whole'
  | 'truncate'
  | 'drip'
  | 'oversized'
  | 'content-type'
  | 'redirect'
  | 'status'
  | 'rate-limit'

export interface FaultSettings {
  /** How many columns of each block the node does not have, 0 to 128. */
  readonly withheld: number
  /** Milliseconds. */
  readonly delayMs: number
  readonly lie: Lie
  readonly delivery: Delivery
  /** Which answers are late, or come as `delivery` says. */
  readonly answers: 'data' | 'all'
  /** How likely an answer has a fault, above 0 and up to 1. */
  readonly probability: number
  /** Whether payloads of blocks of Gloas that are still to come are never revealed. */
  readonly payloadsWithheld: boolean
}

/** The faults as the node takes them. */
export interface NodeFaults {
  readonly rules: readonly FaultRule[]
  readonly forgery: Forgery | null
  readonly payloadsWithheld: boolean
}

export function nodeFaults(settings: FaultSettings): NodeFaults {
  const { lie, payloadsWithheld } = settings
  return {
    rules: rulesOf(settings),
    forgery: isForgery(lie) ? lie : null,
    payloadsWithheld,
  }
}

export function isForgery(lie: Lie): lie is Forgery {
  return lie === 'signature' || lie === 'committee'
}

/** What is served of a block’s data, and the block of Gloas, without which nobody can tell what its columns are of. */
const dataRoutes: readonly RouteName[] = ['data_column_sidecars', 'blob_sidecars', 'blobs', 'blocks']

function rulesOf({ withheld, delayMs, lie, delivery, answers, probability }: FaultSettings): FaultRule[] {
  const rules: FaultRule[] = []
  const add = (fault: Fault, routes?: readonly RouteName[]): void => {
    rules.push({ fault, ...(routes && { routes }), ...(probability < 1 && { probability }) })
  }
  const routes = answers === 'data' ? dataRoutes : undefined
  if (withheld > 0) add({ kind: 'withhold', columns: withheld })
  if (lie === 'hide-blobs') add({ kind: 'hide-blobs' })
  else if (lie !== 'none' && !isForgery(lie)) add({ kind: 'corrupt', part: lie })
  if (delayMs > 0) add({ kind: 'delay', ms: delayMs }, routes)
  if (delivery !== 'whole') add(deliveries[delivery], routes)
  return rules
}

const deliveries: Readonly<Record<Exclude<Delivery, 'whole'>, Fault>> = {
  truncate: { kind: 'truncate', at: 0.5 },
  drip: { kind: 'drip', bytes: 512, everyMs: 500 },
  oversized: { kind: 'oversized', bytes: 16_777_216 },
  'content-type': { kind: 'content-type', value: 'text/html' },
  redirect: { kind: 'redirect', to: '/elsewhere' },
  status: { kind: 'status', code: 503, retryAfterSeconds: 1 },
  'rate-limit': { kind: 'rate-limit', perSecond: 1 },
}
