/**
 * A source of blobs against a model of it, over random histories: calls at the same time for blocks of Fulu and Gloas, with blobs and without,
 * for slots without a block and for versioned hashes, of nodes that lie, hide, stall and fail and change meanwhile, of an archive that may do
 * so, too, of a cache that fails, lies or is silent; signals, deadlines, and an end. No byte is handed out that is not the block's, no block
 * is said to have none that has some, liars are named and honest nodes are not, no call hangs, nothing is left behind, one honest node is
 * enough, and so is an honest archive where the block's header says which blobs are meant.
 */
import { createVerifier, DisposedError, type Verifier } from 'blobcheck'
import { type BlobCache, type BlobsResult, type BlobSource, createBlobSource } from 'blobcheck/blobs'
import {
  type ChainBlock,
  createBeaconApp,
  type FaultRule,
  type Faults,
  type MadeChain,
} from 'blobcheck/serve'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { type Abort, abortedAfter, abortOf } from '../support/aborts.ts'
import { expectTrue, hashesOf, headersFrom, quietly } from '../support/blob-sources.ts'
import { flip } from '../support/bytes.ts'
import { SEED, timesRounds } from '../support/rounds.ts'
import { handChain } from '../support/served.ts'
import { INSTANT, turns, VirtualTime } from '../support/virtual-time.ts'

const RUNS = 50

/** The first slot of the chain; the first that is asked about, which is of Fulu; the first of Gloas; and the last one. */
const [BEGIN, FIRST, GLOAS, LAST] = [64, 92, 96, 101]
const [EMPTY_OF_FULU, WITHOUT_BLOCK, EMPTY_OF_GLOAS, NOT_REVEALED] = [93, 94, 98, 99]

let chain: MadeChain
let verifier: Verifier
beforeAll(async () => {
  chain = await handChain({
    ...{ firstSlot: BEGIN, slots: LAST - BEGIN + 1, gloasForkEpoch: GLOAS / 32 },
    blobsPerBlock: (slot) => (slot === EMPTY_OF_FULU || slot === EMPTY_OF_GLOAS ? 0 : 2),
    isMissed: (slot) => slot === WITHOUT_BLOCK,
    isPayloadWithheld: (slot) => slot === NOT_REVEALED,
  })
  verifier = await makeVerifier()
})
afterAll(async () => await verifier.dispose())

/**
 * A verifier that has loaded what is loaded when it is wanted first, since that takes time of another kind than the tests': the points for
 * commitments, the module for blocks, and what judges sidecars and columns.
 */
async function makeVerifier(): Promise<Verifier> {
  const made = await createVerifier({ network: chain.network, ...INSTANT })
  for (const [rules, verdict] of [
    [[], 'complete'],
    [lies, 'missing'],
  ] as const) {
    const { urls: beacon, fetch } = new FaultyNodes([rules])
    const options = { verifier: made, headers: headersFrom(chain), beacon, fetch, now: () => chain.now() }
    expect(await createBlobSource(options).get({ slot: FIRST })).toMatchObject({ verdict })
  }
  return made
}

const time = new VirtualTime()
afterEach(() => time.end())

/** What has come about so far, of what a promise is about that could else be kept by nobody asking. */
const seen = new Set<string>()

const DATA = ['blobs', 'blob_sidecars', 'data_column_sidecars'] as const
const parts = ['cell', 'proof', 'commitment', 'branch', 'header', 'index'] as const

const fault: fc.Arbitrary<FaultRule['fault']> = fc.oneof(
  {
    weight: 3,
    arbitrary: fc.record({ kind: fc.constant('corrupt' as const), part: fc.constantFrom(...parts) }),
  },
  fc.constant({ kind: 'corrupt', part: 'cell', indices: [1] } as const),
  fc.constant({ kind: 'hide-blobs' } as const),
  fc.record({ kind: fc.constant('withhold' as const), columns: fc.constantFrom(1, 64, 65, 128) }),
  fc.record({ kind: fc.constant('delay' as const), ms: fc.constantFrom(500, 1_500, 90_000) }),
  fc.record({ kind: fc.constant('truncate' as const), at: fc.constantFrom(0, 0.5, 0.99) }),
  fc.constant({ kind: 'oversized', bytes: 600_000 } as const),
  fc.constant({ kind: 'drip', bytes: 90_000, everyMs: 400 } as const),
  fc.constant({ kind: 'content-type', value: 'text/html' } as const),
  fc.constant({ kind: 'redirect', to: 'http://elsewhere.example/' } as const),
  fc.record({ kind: fc.constant('status' as const), code: fc.constantFrom(400, 404, 429, 500, 501, 503) }),
  fc.constant({ kind: 'status', code: 503, retryAfterSeconds: 2 } as const),
)
const rule: fc.Arbitrary<FaultRule> = fc.record({
  fault,
  routes: fc.oneof(fc.constant(DATA), fc.subarray([...DATA, 'blocks'] as const, { minLength: 1 })),
  probability: fc.constantFrom(1, 1, 0.5),
})
const rules: fc.Arbitrary<readonly FaultRule[]> = fc.array(rule, { maxLength: 3, size: 'max' })
/** Nothing but false cells. */
const lies: readonly FaultRule[] = [{ fault: { kind: 'corrupt', part: 'cell' }, routes: DATA }]

const cacheModes = ['works', 'fails', 'throws', 'is silent', 'lies', 'gives nonsense'] as const

interface Get {
  readonly do: 'get'
  readonly slot: number
  /** Which of its blobs, and whether a hash is among them that is not the block's; null: all. */
  readonly hashes: { readonly places: readonly number[]; readonly isStranger: boolean } | null
  readonly deadlineMs: number
  readonly abort: Abort
}
type Step =
  | Get
  | { readonly do: 'rules'; readonly node: number; readonly rules: readonly FaultRule[] }
  | { readonly do: 'cache'; readonly mode: (typeof cacheModes)[number] }
  | { readonly do: 'wait'; readonly ms: number }

const get: fc.Arbitrary<Get> = fc.record({
  do: fc.constant('get' as const),
  slot: fc.integer({ min: FIRST, max: LAST }),
  hashes: fc.option(
    fc.record({
      places: fc.constantFrom([0], [1], [1, 0], [0, 1]),
      isStranger: fc.oneof({ weight: 3, arbitrary: fc.constant(false) }, fc.constant(true)),
    }),
    { freq: 2 },
  ),
  deadlineMs: fc.constantFrom(120_000, 120_000, 120_000, 2_000, 1),
  abort: abortOf(5, [0, 1, 600, 5_000], 80),
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 4, arbitrary: get },
  fc.record({ do: fc.constant('rules' as const), node: fc.nat(2), rules }),
  fc.record({ do: fc.constant('cache' as const), mode: fc.constantFrom(...cacheModes) }),
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 700, 5_000, 60_000) }),
)
const history = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 6, size: 'max' }),
  nodes: fc.oneof(
    { weight: 4, arbitrary: fc.array(rules, { minLength: 1, maxLength: 3, size: 'max' }) },
    fc.array(fc.constant(lies), { minLength: 1, maxLength: 2 }),
  ),
  /** Whether the last node has everything, and says it. */
  isSteady: fc.boolean(),
  /** The rules of an archive; null: there is none. */
  archive: fc.oneof(fc.constant(null), fc.constant([]), rules),
  /** What is in the cache to begin with; null: there is no cache. */
  cache: fc.constantFrom(null, 'nothing', 'all'),
  mode: fc.constantFrom(...cacheModes),
  /** Whether the verifier is disposed of while calls are under way. */
  ends: fc.oneof({ weight: 7, arbitrary: fc.constant(false) }, fc.constant(true)),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

/** Calls with time enough, for all blobs of blocks. */
const gets = (...slots: readonly number[]): Get[] =>
  slots.map((slot) => ({ do: 'get', slot, hashes: null, deadlineMs: 120_000, abort: null }))
const stranger: Get['hashes'] = { places: [0], isStranger: true }

/** Calls to a node that does nothing but lie: what they come to is seen in each run, as is what the next ones do. */
const lonely: History = {
  steps: gets(FIRST, LAST),
  ...{ nodes: [lies], isSteady: false, archive: null, cache: null, mode: 'works', ends: false },
}
/** The same, beside an archive that has everything. */
const archived: History = { ...lonely, archive: [] }
/** Nobody lies, and each slot is asked about. */
const plain: History = {
  ...{ ...lonely, nodes: [[]], isSteady: true },
  steps: [
    ...gets(EMPTY_OF_FULU, WITHOUT_BLOCK, GLOAS, EMPTY_OF_GLOAS, NOT_REVEALED, LAST),
    ...gets(FIRST).map((one) => ({ ...one, hashes: stranger })),
  ],
}
/** A node that has one blob of two. */
const halved: History = {
  ...{ ...lonely, steps: gets(FIRST) },
  nodes: [
    [
      { fault: { kind: 'corrupt', part: 'cell', indices: [1] }, routes: ['blobs'] },
      { fault: { kind: 'status', code: 404 }, routes: ['blob_sidecars', 'data_column_sidecars'] },
    ],
  ],
}
/** Nobody shows whether a payload was revealed. */
const silent: History = {
  ...{ ...lonely, steps: gets(NOT_REVEALED) },
  nodes: [[{ fault: { kind: 'status', code: 503 }, routes: [...DATA, 'blocks'] }]],
}

/** A cache that fails in the ways in which caches do. */
class FailingCache implements BlobCache {
  mode: (typeof cacheModes)[number]
  /** Whether it gave anything that was not the blob. */
  hasLied = false
  readonly #blobs = new Map<string, Uint8Array>()

  /** `isFull`: with all blobs of payloads that were revealed. */
  constructor(mode: (typeof cacheModes)[number], isFull: boolean) {
    this.mode = mode
    for (let slot = FIRST; isFull && slot <= LAST; slot++) {
      const block = slot === NOT_REVEALED ? null : chain.at(slot)
      for (const [at, hash] of block === null ? [] : hashesOf(block).entries())
        this.#blobs.set(hash, block!.blobs[at]!.blob)
    }
  }

  async get(hash: string): Promise<Uint8Array | null> {
    await this.#fail()
    const blob = this.#blobs.get(hash)
    if (blob === undefined || this.mode === 'works') return blob ?? null
    this.hasLied = true
    return this.mode === 'lies' ? flip(blob, 131_071) : ('blob' as never)
  }

  async put(hash: string, blob: Uint8Array): Promise<void> {
    await this.#fail()
    this.#blobs.set(hash, new Uint8Array(blob))
  }

  #fail(): Promise<void> {
    if (this.mode === 'throws') throw new Error('no')
    if (this.mode === 'fails') return Promise.reject(new Error('full'))
    return this.mode === 'is silent' ? new Promise(() => {}) : Promise.resolve()
  }
}

/** Nodes of the chain, and an archive of it, in the place of `fetch`, each with faults of its own. */
class FaultyNodes {
  readonly urls: readonly string[]
  /** The archive, which is none of the nodes but comes after them in what is told of each. */
  readonly archive: string | null
  readonly faults: readonly Faults[]
  readonly asked: { readonly node: number; readonly path: string }[] = []
  readonly #apps: readonly ReturnType<typeof createBeaconApp>[]
  readonly #signals: AbortSignal[] = []

  constructor(rules: readonly (readonly FaultRule[])[], archive: readonly FaultRule[] | null = null) {
    this.urls = rules.map((_, at) => `http://node-${at}.example`)
    this.archive = archive && 'http://archive.example'
    this.faults = [...rules, ...(archive === null ? [] : [archive])].map((own, at) => ({
      seed: at + 1,
      rules: own,
    }))
    this.#apps = this.faults.map((faults) => createBeaconApp({ chain, faults }))
  }

  /** Which one a URL is of. */
  numberOf(origin: string): number {
    return origin === this.archive ? this.urls.length : this.urls.indexOf(origin)
  }

  get open(): number {
    return this.#signals.filter(({ aborted }) => !aborted).length
  }

  readonly fetch = async (url: string, init: { headers: object; signal: unknown }): Promise<Response> => {
    const signal = init.signal as AbortSignal
    this.#signals.push(signal)
    const { origin, pathname, search } = new URL(url)
    const node = this.numberOf(origin)
    this.asked.push({ node, path: `${pathname}${search}` })
    const request = new Request(url, { headers: { ...init.headers }, signal })
    const response = (await this.#apps[node]!.fetch(request)) as Response
    signal.throwIfAborted()
    if (response.body === null) return response
    // As a connection that is closed: the rest of the body is not wanted.
    const body = response.body.pipeThrough(new TransformStream(), { signal })
    return new Response(body, { status: response.status, headers: response.headers })
  }
}

class Life {
  readonly #history: History
  readonly #verifier: Verifier
  readonly #nodes: FaultyNodes
  readonly #source: BlobSource
  readonly #cache: FailingCache
  readonly #calls: Promise<void>[] = []
  /** Slots that a call is about: one at a time, so that requests tell of which call they are. */
  readonly #busy = new Set<number>()
  readonly #aborts = new Set<NodeJS.Timeout>()
  /** Nodes that ever had a fault that makes something false or unreadable. */
  readonly #liars = new Set<number>()
  #changes = 0
  #hasEnded = false

  constructor(history: History, own: Verifier) {
    this.#history = history
    this.#verifier = own
    const { archive, cache, isSteady, mode, nodes } = history
    this.#cache = new FailingCache(mode, cache === 'all')
    this.#nodes = new FaultyNodes(
      nodes.map((rules, at) => (isSteady && at === nodes.length - 1 ? [] : rules)),
      archive,
    )
    this.#noteLiars()
    this.#source = createBlobSource({
      ...{ verifier: own, headers: headersFrom(chain), beacon: this.#nodes.urls, fetch: this.#nodes.fetch },
      ...{ timeoutMs: 2_000, now: () => chain.now(), ...(cache !== null && { cache: this.#cache }) },
      ...(archive !== null && { archives: this.#nodes.archive! }),
    })
  }

  #noteLiars(): void {
    for (const [at, { rules }] of this.#nodes.faults.entries())
      if (rules.some(({ fault: { kind } }) => kind === 'corrupt' || kind === 'oversized')) this.#liars.add(at)
  }

  async run(): Promise<void> {
    for (const step of this.#history.steps) {
      switch (step.do) {
        case 'get':
          this.#get(step)
          break
        case 'rules': {
          if (step.node >= this.#nodes.urls.length - Number(this.#history.isSteady)) break
          this.#nodes.faults[step.node]!.rules = step.rules
          this.#noteLiars()
          this.#changes++
          break
        }
        case 'cache':
          this.#cache.mode = step.mode
          break
        case 'wait':
          await time.pass(step.ms)
      }
      await turns(1)
    }
    this.#hasEnded = this.#history.ends
    if (this.#hasEnded) await this.#verifier.dispose()
    await time.until(Promise.all(this.#calls), 200_000)
    this.#aborts.forEach(clearTimeout)
    // A node finds that nobody listens when it comes to the next piece of a body.
    await time.pass(400)
    expect(this.#nodes.open).toBe(0)
    expect(time.timers).toBe(0)
  }

  #get({ slot, hashes, deadlineMs, abort }: Get): void {
    if (this.#busy.has(slot)) return
    this.#busy.add(slot)
    const block = chain.at(slot)
    const own = block === null ? [] : hashesOf(block)
    const reason = {}
    const controller = abortedAfter(abort, reason, this.#aborts)
    const stranger = `0x01${'00'.repeat(31)}`
    const named = hashes?.places.map((place) => own[place] ?? stranger)
    const versionedHashes = named && [...named, ...(hashes?.isStranger ? [stranger] : [])]
    const terms = { deadlineMs, signal: controller.signal }
    const [changes, first] = [this.#changes, this.#nodes.asked.length]
    const told = async (): Promise<void> => {
      const outcome = await this.#source
        .get(versionedHashes === undefined ? { slot, ...terms } : { slot, versionedHashes, ...terms })
        .then(
          (result) => ({ result: quietly(result) }),
          (error: unknown) => ({ error }),
        )
      this.#busy.delete(slot)
      if ('error' in outcome) {
        if (outcome.error === reason || (this.#hasEnded && outcome.error instanceof DisposedError)) return
        throw outcome.error
      }
      const { result } = outcome
      // The cache may take a moment more at the end.
      expect(result.report.timings.totalMs).toBeLessThanOrEqual(deadlineMs + 400)
      const isInTime = deadlineMs >= 120_000 && this.#changes === changes && !this.#hasEnded
      const asked =
        block === null ? [] : this.#nodes.asked.slice(first).filter(({ path }) => path.includes(block.root))
      this.#judge(
        slot,
        block,
        versionedHashes?.map((hash) => own.indexOf(hash)),
        result,
        isInTime,
        asked,
      )
    }
    const call = told()
    // It is waited for at the end.
    call.catch(() => {})
    this.#calls.push(call)
  }

  /** `places`: of the blobs that were asked for by their hashes, −1 for one that is not the block's. `isInTime`: with time enough, and nobody changed. */
  #judge(
    slot: number,
    block: ChainBlock | null,
    places: readonly number[] | undefined,
    result: BlobsResult,
    isInTime: boolean,
    asked: FaultyNodes['asked'],
  ): void {
    const { verdict, reason, report } = result
    const wanted = places ?? block?.blobs.map((_, at) => at) ?? []
    const [isSteady, { urls }] = [this.#history.isSteady, this.#nodes]

    // There is nothing where there is nothing, by what the header and its block prove; and nowhere else.
    const none: readonly string[] =
      block === null
        ? ['empty-slot']
        : slot === NOT_REVEALED
          ? ['payload-not-revealed']
          : block.blobs.length === 0
            ? ['no-blobs']
            : []
    if (!places?.includes(-1)) seen.add(verdict === 'none' ? reason : verdict)
    if (verdict === 'none') expect(none).toContain(reason)
    else if (none.length > 0 && (block === null || (isSteady && isInTime)))
      expect.unreachable(`slot ${slot} has none, and not ${verdict} (${reason})`)
    if (block === null || verdict === 'none') return void expect(result.blobs).toEqual([])
    expect([verdict, ['complete', 'partial'].includes(verdict)]).toEqual([verdict, result.blobs.length > 0])
    if (slot === NOT_REVEALED) {
      seen.add('perhaps not revealed')
      return void expect(['unknown', 'missing']).toContain(verdict)
    }

    if (places === undefined || !places.includes(-1)) expectTrue(quietly(result), block, wanted)
    else {
      seen.add('a hash of another block')
      expect(verdict).not.toBe('complete')
      for (const { index, blob } of result.blobs)
        expect(Buffer.compare(blob, block.blobs[index!]!.blob)).toBe(0)
    }

    for (const { source, role, refused, failures } of report.sources) {
      if (role === 'cache') {
        if (!this.#cache.hasLied) expect(refused).toEqual([])
        continue
      }
      const node = this.#nodes.numberOf(source)
      if (!this.#liars.has(node)) expect(refused).toEqual([])
      if (isSteady && node === urls.length - 1)
        expect(failures.filter(({ kind }) => kind !== 'timeout' && kind !== 'not-found')).toEqual([])
    }

    if (!isInTime || block.blobs.length === 0) return
    const isThere = new Set(wanted.filter((place) => place >= 0)).size
    if (isSteady) {
      seen.add('one is honest')
      expect(new Set(result.blobs.map(({ index }) => index)).size).toBe(isThere)
      if (!wanted.includes(-1)) expect([verdict, reason]).toEqual(['complete', 'verified'])
    }
    const isArchiveHonest = this.#history.archive?.length === 0
    if (isArchiveHonest && slot < GLOAS) {
      seen.add('an archive is honest')
      expect(new Set(result.blobs.map(({ index }) => index)).size).toBe(isThere)
    }
    const faults = this.#nodes.faults.map(({ rules }) => rules)
    const isOnlyLying = faults.every((rules) => isLying(rules))
    if (isOnlyLying && isThere > 0 && result.blobs.length === 0) {
      seen.add(`all lie: ${reason}`)
      expect([verdict, reason]).toEqual(['missing', slot === LAST ? 'may-have-no-payload' : 'false'])
      // Whoever was asked for data lied, and each is named for each form of it.
      for (const { source, refused } of report.sources.filter(({ role }) => role !== 'cache')) {
        const node = this.#nodes.numberOf(source)
        const paths = asked.flatMap((one) => (one.node === node ? [one.path] : []))
        for (const [route, what] of Object.entries(lieIn))
          if (paths.some((path) => path.includes(route))) {
            seen.add(`a lie in ${route}`)
            expect(refused.map((one) => one.what)).toContainEqual(what)
          }
      }
    }
    // Where all are honest nothing is asked twice, nor of two.
    if (faults.every((rules) => rules.length === 0)) {
      seen.add('all are honest')
      // The block may be asked for by another call, too, for which it is the next one.
      const paths = asked.flatMap(({ path }) => (path.includes('/blocks/') ? [] : [path]))
      expect(asked.length - paths.length).toBeLessThanOrEqual(2)
      expect(paths).toEqual([...new Set(paths)])
      expect(paths.filter((path) => path.includes('/blobs/')).length).toBeLessThanOrEqual(1)
      expect(paths.filter((path) => path.includes('column'))).toEqual([])
      expect(asked.filter(({ node }) => node === urls.length)).toEqual([])
    }
  }
}

/** What a report calls what is false in the answers of a route; it names 32 at most, and so nothing of what is asked for after columns. */
const lieIn = {
  '/beacon/blobs/': expect.stringMatching(/^blob \d+ of its answer$/) as string,
  '/beacon/data_column_sidecars/': expect.stringMatching(/^data-column-sidecar \d+$/) as string,
}

/** Whether there is nothing but false cells in all that a node gives. */
function isLying(rules: readonly FaultRule[]): boolean {
  return (
    rules.length > 0 &&
    rules.every(
      ({ fault, probability, routes }) =>
        fault.kind === 'corrupt' &&
        fault.part === 'cell' &&
        fault.indices === undefined &&
        probability !== 0.5 &&
        DATA.every((route) => routes?.includes(route)),
    )
  )
}

it('any history', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (one) => {
      const own = one.ends ? await makeVerifier() : verifier
      try {
        await time.during(() => new Life(one, own).run())
      } finally {
        if (one.ends) await own.dispose()
      }
    }),
    {
      numRuns: timesRounds(RUNS),
      seed: SEED,
      endOnFailure: true,
      examples: [lonely, archived, plain, halved, silent].map((one) => [one]),
    },
  )
  expect([...seen].sort()).toEqual([
    'a hash of another block',
    'a lie in /beacon/blobs/',
    'a lie in /beacon/data_column_sidecars/',
    'all are honest',
    'all lie: false',
    'all lie: may-have-no-payload',
    'an archive is honest',
    'complete',
    'empty-slot',
    'missing',
    'no-blobs',
    'one is honest',
    'partial',
    'payload-not-revealed',
    'perhaps not revealed',
    'unknown',
  ])
})
