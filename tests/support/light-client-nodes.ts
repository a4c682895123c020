/**
 * A chain as beacon nodes tell of it, moment by moment, and what a model needs to know of that: which headers are true by when. Nodes can be
 * bad in what they say and in how they say it; each of them is a function in place of `fetch`.
 */
import type { LightClientOptions } from 'blobcheck/light-client'
import { type Block, type Chain, makeChain, SLOTS_PER_PERIOD, type Update } from '../lodestar/chain.mjs'
import { committeeOf } from '../lodestar/committee.mjs'
import type { Oracle, Told } from './beacon-server.ts'
import { flip, toHex } from './bytes.ts'
import { answerWithoutData, lapse, OpenRequests } from './deliveries.ts'
import { type HeaderJson, headerRoot } from './ssz.ts'

/** What nodes know from one slot on, until they know more. */
interface Moment {
  /** The slot in which it is signed. */
  readonly slot: number
  readonly finality: Update
  readonly optimistic: object
  /** Truly signed, by less than two thirds, of blocks that nobody else signed. */
  readonly few: { readonly finality: Update; readonly optimistic: object }
  /** A block in the newest one's slot that nobody signed. */
  readonly unsigned: Block
}

/** Roots as 0x hex: of what is final, and of what is signed or final. */
export interface Truth {
  readonly finals: ReadonlySet<string>
  readonly heads: ReadonlySet<string>
}

/** 341 of 512 are left: less than two thirds. */
const most = Array.from({ length: 171 }, (_, at) => at)

const strangers = (): object => {
  const { pubkeys, aggregatePubkey } = committeeOf(99)
  return { pubkeys, aggregatePubkey }
}

/** What a node can say that is not what it should, by name, each as what it puts in the place of what is true. */
const lies: Readonly<Record<string, (tale: Tale, at: number) => object>> = {
  'another committee in the bootstrap': ({ chain }) => ({
    bootstrap: { ...chain.bootstrap, currentSyncCommittee: strangers() },
  }),
  'another block in the bootstrap': ({ chain: { bootstrap } }) => {
    const beacon = { ...bootstrap.header.beacon, proposerIndex: 1 }
    return { bootstrap: { ...bootstrap, header: { ...bootstrap.header, beacon } } }
  },
  'another next committee': (tale, at) => ({
    updates: tale.updatesAt(at).map((update) => ({ ...update, nextSyncCommittee: strangers() })),
  }),
  'an update that another committee signed': (tale, at) => ({
    updates: tale.updatesAt(at).map((update, nth, all) => {
      const { syncAggregate } = all[nth === 0 ? all.length - 1 : 0]!
      return all.length > 1
        ? { ...update, syncAggregate }
        : { ...update, signatureSlot: update.signatureSlot - SLOTS_PER_PERIOD }
    }),
  }),
  'updates of other periods': (tale, at) => ({ updates: [...tale.updatesAt(at)].reverse() }),
  'updates that too few signed': ({ fewUpdates, updatesAt }, at) => ({
    updates: updatesAt(at).map((_, nth) => fewUpdates[nth]),
  }),
  'another finalized header': ({ chain, moments }, at) => ({
    finality: { ...moments[at]!.finality, finalizedHeader: chain.updates[0]!.finalizedHeader },
  }),
  'another execution block': ({ moments }, at) => {
    const { finality } = moments[at]!
    const { attestedHeader } = finality
    const execution = { ...attestedHeader.execution, blockNumber: 1 }
    return { finality: { ...finality, attestedHeader: { ...attestedHeader, execution } } }
  },
  'a head that nobody signed': ({ moments }, at) => ({
    optimistic: { ...moments[at]!.optimistic, attestedHeader: moments[at]!.unsigned.header },
  }),
  'what too few signed': ({ moments }, at) => moments[at]!.few,
  'another parent': () => ({}),
}

export const lieNames: readonly string[] = Object.keys(lies)

export class Tale {
  readonly chain: Chain
  readonly moments: readonly Moment[]
  /** Of each period, truly signed by less than two thirds. */
  readonly fewUpdates: readonly object[]
  /** The final block of each moment, and the blocks before it that nodes have. */
  readonly blocks: readonly Block[]
  readonly #truths: readonly Truth[]
  readonly #told = new Map<string, Told | null>()

  private constructor(
    chain: Chain,
    moments: readonly Moment[],
    blocks: readonly Block[],
    truths: readonly Truth[],
  ) {
    this.chain = chain
    this.moments = moments
    this.blocks = blocks
    this.#truths = truths
    this.fewUpdates = chain.updates.map((update) => {
      const { slot } = update.finalizedHeader.beacon
      const final = chain.block(slot, undefined, { parentRoot: new Uint8Array(32).fill(0xfe) })
      const attested = chain.block(slot + 71, chain.stateOf(slot + 71, final))
      return { ...update, ...chain.sign(attested, final, most) }
    })
  }

  /** Two periods and a half; moments early, late and between in each. */
  static async make(): Promise<Tale> {
    const chain = makeChain({ periods: 2 })
    const momentAt = (final: Block, more?: Pick<Moment, 'finality' | 'optimistic'>): Moment => {
      const { slot } = final
      const stray = chain.block(slot - 1, undefined, { parentRoot: new Uint8Array(32).fill(0xfd) })
      const few = chain.block(slot + 69, chain.stateOf(slot + 69, stray))
      const head = chain.block(slot + 70, chain.stateOf(slot + 70, final))
      return {
        slot: slot + 71,
        finality: chain.sign(chain.block(slot + 68, chain.stateOf(slot + 68, final)), final, [9]),
        optimistic: chain.sign(head, null, []).update,
        ...more,
        few: {
          finality: chain.sign(few, stray, most),
          optimistic: chain.sign(chain.block(slot + 69, undefined, { parentRoot: stray.root }), null, most)
            .update,
        },
        unsigned: chain.block(slot + 70, undefined, { parentRoot: stray.root }),
      }
    }
    const first = chain.firstPeriod * SLOTS_PER_PERIOD
    // Before the first period's update is there; after it; at its end; in the second one before its update is there; and so on.
    const slots = [100, 1_000, 8_100, 8_192 + 200, 8_192 + 5_000, 16_384 + 150].map((slot) => first + slot)
    const last = { finality: chain.finality, optimistic: chain.optimisticUpdate.update }
    const ways = slots.map((slot) => wayTo(chain, slot))
    const moments = [...ways.map((way) => momentAt(way.at(-1)!)), momentAt(chain.finalized, last)]
    const blocks = [...ways.flat(), ...chain.ancestors, chain.finalized]

    const tale = new Tale(chain, moments, blocks, [])
    const truths: Truth[] = []
    for (const at of moments.keys()) {
      const finals = new Set([chain.checkpoint, ...(truths.at(-1)?.finals ?? [])])
      const heads = new Set(truths.at(-1)?.heads ?? [])
      const paths = [
        'finality_update',
        'optimistic_update',
        `updates?start_period=${chain.firstPeriod}&count=9`,
      ]
      for (const path of paths) {
        for (const { attested, finalized } of headersIn(tale.say(at, null, lightClientUrl(path)))) {
          heads.add(toHex(await headerRoot(attested)))
          if (finalized !== undefined) finals.add(toHex(await headerRoot(finalized)))
        }
      }
      truths.push({ finals, heads: new Set([...heads, ...finals]) })
    }
    return new Tale(chain, moments, blocks, truths)
  }

  /** What is true by a moment. */
  truthAt(at: number): Truth {
    return this.#truths[at]!
  }

  /** The updates that there are at a moment. */
  readonly updatesAt = (at: number): readonly Update[] =>
    this.chain.updates.filter(({ signatureSlot }) => signatureSlot <= this.moments[at]!.slot)

  /** What a node says at a moment, all of it true but for one lie. */
  say(at: number, lie: string | null, url: URL): Told | null {
    const key = `${at} ${lie} ${url.pathname}${url.search}`
    const known = this.#told.get(key)
    if (known !== undefined) return known
    const { finality, optimistic } = this.moments[at]!
    const oracle: Oracle = this.chain.oracle({
      ...{ finality, optimistic, updates: this.updatesAt(at), strays: this.blocks },
      ...(lie === null ? {} : lies[lie]!(this, at)),
    })
    const truth = lie === null ? null : this.say(at, null, url)
    const said = lie === 'another parent' ? otherProposer(oracle(url)) : oracle(url)
    // A lie about something else leaves this answer what it is.
    const isTrue = lie !== null && JSON.stringify(said?.json) === JSON.stringify(truth?.json)
    const told = isTrue ? truth : said
    this.#told.set(key, told)
    return told
  }
}

/** The block of a slot behind a few others, one slot before it empty. */
function wayTo(chain: Chain, slot: number): Block[] {
  const way: Block[] = []
  for (const at of [slot - 5, slot - 4, slot - 2, slot - 1, slot])
    way.push(chain.block(at, undefined, way.length === 0 ? {} : { parentRoot: way.at(-1)!.root }))
  return way
}

/** An answer about a header by its root, with another proposer in it. */
function otherProposer(told: Told | null): Told | null {
  const json = structuredClone(told?.json ?? {}) as {
    data?: { header?: { message?: { proposer_index: string } } }
  }
  const message = json.data?.header?.message
  if (told === null || message === undefined) return told
  message.proposer_index = '7'
  return { ...told, json }
}

const lightClientUrl = (path: string): URL => new URL(`http://x/eth/v1/beacon/light_client/${path}`)

interface HeadersJson {
  readonly attested: HeaderJson
  readonly finalized: HeaderJson | undefined
}

function headersIn(told: Told | null): HeadersJson[] {
  type Beacon = { readonly beacon: HeaderJson }
  type Entry = { readonly data: { readonly attested_header: Beacon; readonly finalized_header?: Beacon } }
  if (told === null) return []
  const json = told.json as Entry | readonly Entry[]
  const entries = Array.isArray(json) ? (json as readonly Entry[]) : [json as Entry]
  return entries.map(({ data }) => ({
    attested: data.attested_header.beacon,
    finalized: data.finalized_header?.beacon,
  }))
}

/** In which way a node answers. */
export const deliveries = [
  'plain',
  'json',
  'late',
  'stalls',
  'deaf',
  'endless',
  'down',
  'busy',
  'failing',
  'gone',
  'cut',
  'flipped',
  'noise',
] as const

export interface Manner {
  /** One of `lieNames`; null: the truth. */
  readonly lie: string | null
  /** How many moments it is behind the chain; negative: what it says is of a time to come. */
  readonly behind: number
  readonly delivery: (typeof deliveries)[number]
  /** In [0, 1): which bit is flipped, how late it is. */
  readonly chance: number
}

export const honest: Manner = { lie: null, behind: 0, delivery: 'plain', chance: 0 }

/** Nodes in the place of `fetch`, each with its own manner, which may change with each request. */
export class Nodes {
  readonly urls: readonly string[]
  readonly manners: Manner[]
  /** The moment that it is on the chain. */
  now = 0
  /** The latest moment of which anybody has told anything so far. */
  told = 0
  /** How often each node was asked, how often it gave what could be held against it, and how often nothing in that was true. */
  readonly gave: { asked: number; flawed: number; false: number }[]
  readonly #tale: Tale
  readonly #open = new OpenRequests()

  constructor(tale: Tale, manners: readonly Manner[]) {
    this.#tale = tale
    this.urls = manners.map((_, at) => `http://node-${at}.example`)
    this.manners = [...manners]
    this.gave = this.urls.map(() => ({ asked: 0, flawed: 0, false: 0 }))
  }

  /** Requests whose signal was never aborted, as it is once nobody wants more of the answer. */
  get open(): number {
    return this.#open.count
  }

  readonly fetch: NonNullable<LightClientOptions['fetch']> = async (text, init) => {
    const signal = init.signal as AbortSignal
    this.#open.add(signal)
    const url = new URL(text)
    const node = this.urls.indexOf(url.origin)
    const { lie, behind, delivery, chance } = this.manners[node]!
    const gave = this.gave[node]!
    gave.asked++
    const at = Math.min(Math.max(this.now - behind, 0), this.#tale.moments.length - 1)
    const told = this.#tale.say(at, lie, url)
    const isTrue = lie === null || told === this.#tale.say(at, null, url)
    const withoutData = await answerWithoutData(delivery, signal, 7)
    if (withoutData !== null) return withoutData
    if (delivery === 'late') await lapse(chance * 4_000, signal)
    if (told === null) return new Response(null, { status: 404 })
    this.told = Math.max(this.told, at)
    const headers = told.version === undefined ? {} : { 'eth-consensus-version': told.version }
    // What there is as JSON alone is given as it is.
    const isJson = delivery === 'json' || told.ssz === null
    const isNoise = delivery === 'noise' && !isJson
    if (!isTrue || isNoise || (!isJson && (delivery === 'flipped' || delivery === 'cut'))) gave.flawed++
    // The first of several updates may be true.
    if (isNoise || (!isTrue && !url.pathname.endsWith('/updates'))) gave.false++
    if (isJson)
      return new Response(JSON.stringify(told.json), {
        headers: { ...headers, 'content-type': 'application/json' },
      })
    const ssz = new Uint8Array(told.ssz)
    const bytes = isNoise
      ? new Uint8Array(20_000).fill(0xa7)
      : delivery === 'cut'
        ? ssz.subarray(0, chance * ssz.length)
        : delivery === 'flipped'
          ? flip(ssz, Math.floor(chance * ssz.length), Math.floor(chance * 8_000) % 8)
          : ssz
    return new Response(bytes, {
      headers: {
        ...headers,
        'content-type': 'application/octet-stream',
        'content-length': String(ssz.length),
      },
    })
  }
}
