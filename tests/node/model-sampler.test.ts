/**
 * A sampler against a model of it, over random histories: calls at the same time, about several blocks, one of them without blobs, that share
 * nodes which withhold columns and blocks, lie, stall and fail and change their manners meanwhile; sources of headers that are slow or fail; signals, deadlines, jumps of
 * the clock, and an end. Nothing is called available that was not served, nothing unavailable that somebody may have; liars are named and
 * nobody else is; nothing is asked twice that was answered; no call hangs, and nothing is left behind.
 */
import { createVerifier, DisposedError, type Verifier } from 'blobcheck'
import {
  createSampler,
  type HeaderSource,
  type Resolution,
  type Sampler,
  type SampleReport,
  type SampleTarget,
} from 'blobcheck/sampler'
import type { MadeChain } from 'blobcheck/serve'
import * as fc from 'fast-check'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { samplerOf } from '../../dist/sampler/create.js'
import { planOf } from '../../dist/sampler/plan.js'
import { type Abort, abortedAfter, abortOf } from '../support/aborts.ts'
import { chance } from '../support/chance.ts'
import {
  columnDeliveries,
  columnLies,
  type ColumnManner,
  ColumnNodes,
  honestly,
  type Said,
  type ServedBlock,
  servedBlock,
} from '../support/column-nodes.ts'
import { range } from '../support/make.ts'
import { SEED, timesRounds } from '../support/rounds.ts'
import { bytesFrom, expectSound } from '../support/samplers.ts'
import { handChain } from '../support/served.ts'
import { INSTANT, turns, VirtualTime } from '../support/virtual-time.ts'

const RUNS = 250
/** How long a node is waited for. */
const TIMEOUT_MS = 2_000

/** Which of the blocks has no blobs; the others have two. */
const WITHOUT_BLOBS = 3

let chain: MadeChain
let blocks: readonly ServedBlock[]
beforeAll(async () => {
  chain = await handChain({ slots: 4, blobsPerBlock: (slot) => (slot % 4 === WITHOUT_BLOBS ? 0 : 2) })
  blocks = range(4).map((at) => servedBlock(chain, chain.head.slot - 3 + at))
})

/** A verifier that has loaded the module for blocks, which is loaded when it is wanted first, and takes time of another kind than the tests'. */
async function makeVerifier(): Promise<Verifier> {
  const verifier = await createVerifier({ network: chain.network, ...INSTANT })
  const { fetch, urls: beacon } = new ColumnNodes(blocks, [honestly], TIMEOUT_MS)
  const headers: HeaderSource = { resolve: async () => ({ status: 'found', header: blocks[WITHOUT_BLOBS]! }) }
  const { verdict } = await createSampler({ verifier, headers, beacon, fetch }).sampleBlock('head')
  expect(verdict).toBe('no-blobs')
  return verifier
}

const time = new VirtualTime()
afterEach(() => time.end())

/** What a source of headers does. */
const headerManners = [
  'tells',
  'tells',
  'tells',
  'tells late',
  'is silent',
  'knows nothing',
  'says empty',
  'throws',
] as const

interface Ask {
  readonly do: 'sample'
  readonly block: number
  readonly target: SampleTarget
  readonly deadlineMs: number
  readonly reconstruct: boolean
  readonly headers: (typeof headerManners)[number]
  readonly abort: Abort
}

type Step =
  | Ask
  | { readonly do: 'manner'; readonly node: number; readonly manner: ColumnManner }
  | { readonly do: 'wait'; readonly ms: number }
  | { readonly do: 'clock'; readonly epochs: number }

const abort = abortOf(5, [0, 1, 300, 2_500, 20_000], 60)
const manner: fc.Arbitrary<ColumnManner> = fc.record({
  keeps: fc.constantFrom(128, 128, 96, 65, 64, 63, 63, 16, 0),
  spoils: fc.constantFrom(0, 0, 0, 1, 16, 64, 128),
  lie: fc.constantFrom(...columnLies),
  block: fc.constantFrom('true', 'true', 'another', null),
  delivery: fc.oneof(
    { weight: 2, arbitrary: fc.constant('plain' as const) },
    fc.constantFrom(...columnDeliveries),
  ),
  chance,
})
const sample: fc.Arbitrary<Ask> = fc.record({
  do: fc.constant('sample' as const),
  block: fc.nat(3),
  target: fc.oneof(
    fc.record({ columns: fc.constantFrom(1, 4, 16, 64, 128, 128) }),
    fc.record({ maxError: fc.constantFrom(0.2, 0.01, 2 ** -20) }),
  ),
  deadlineMs: fc.constantFrom(60_000, 60_000, 60_000, 3_000, 1),
  reconstruct: fc.boolean(),
  headers: fc.constantFrom(...headerManners),
  abort,
})
const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: sample },
  { weight: 2, arbitrary: fc.record({ do: fc.constant('manner' as const), node: fc.nat(3), manner }) },
  fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 100, 1_500, 40_000) }),
  fc.record({ do: fc.constant('clock' as const), epochs: fc.constantFrom(0, 0, 5_000, -3) }),
)
const history = fc.record({
  steps: fc.array(step, { minLength: 1, maxLength: 8, size: 'max' }),
  nodes: fc.array(manner, { minLength: 1, maxLength: 4, size: 'max' }),
  /** Whether the last node has everything, and says it. */
  isSteady: fc.boolean(),
  allowMissing: fc.constantFrom(0, 1, 3),
  seed: fc.nat(),
  /** Whether the verifier is disposed of while calls are under way. */
  ends: fc.oneof({ weight: 4, arbitrary: fc.constant(false) }, fc.constant(true)),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

const thrown = new Error('a source of headers')

class Life {
  readonly #history: History
  readonly #verifier: Verifier
  readonly #nodes: ColumnNodes
  readonly #sampler: Sampler
  readonly #calls: Promise<void>[] = []
  /** Blocks that a call is about: one at a time, so that requests tell of which call they are. */
  readonly #busy = new Set<number>()
  readonly #aborts = new Set<NodeJS.Timeout>()
  #headers: Ask['headers'] = 'tells'
  #epochs = 0
  /** How often something changed that a call could notice. */
  #changes = 0
  #hasEnded = false

  constructor(history: History, verifier: Verifier) {
    this.#history = history
    this.#verifier = verifier
    const { allowMissing, isSteady, nodes, seed } = history
    this.#nodes = new ColumnNodes(blocks, nodes, TIMEOUT_MS)
    if (isSteady) this.#nodes.manners[nodes.length - 1] = honestly
    const headers: HeaderSource = { resolve: (id) => this.#resolve(Number(id)) }
    this.#sampler = samplerOf(
      {
        ...{ verifier, headers, allowMissing, beacon: this.#nodes.urls, fetch: this.#nodes.fetch },
        timeoutMs: TIMEOUT_MS,
        now: () => chain.now() + 12_000 * (10 + 32 * this.#epochs),
      },
      bytesFrom(seed),
    )
  }

  async run(): Promise<void> {
    for (const step of this.#history.steps) {
      switch (step.do) {
        case 'sample':
          this.#sample(step)
          break
        case 'manner':
          if (step.node >= this.#nodes.urls.length - Number(this.#history.isSteady)) break
          this.#nodes.manners[step.node] = step.manner
          this.#changes++
          break
        case 'wait':
          await time.pass(step.ms)
          break
        case 'clock':
          this.#epochs = step.epochs
          this.#changes++
      }
      await turns(1)
    }
    this.#hasEnded = this.#history.ends
    if (this.#hasEnded) await this.#verifier.dispose()
    await time.until(Promise.all(this.#calls), 100_000)
    this.#aborts.forEach(clearTimeout)
    await turns(20)
    expect(this.#nodes.open).toBe(0)
    expect(time.timers).toBe(0)
  }

  async #resolve(slot: number): Promise<Resolution> {
    const { root } = blocks.find((block) => block.slot === slot)!
    switch (this.#headers) {
      case 'tells late':
        await new Promise((resolve) => this.#aborts.add(setTimeout(resolve, 700)))
        break
      case 'is silent':
        return await new Promise(() => {})
      case 'knows nothing':
        return { status: 'unknown', detail: 'nothing is known' }
      case 'says empty':
        return { status: 'no-block' }
      case 'throws':
        throw thrown
    }
    return { status: 'found', header: { root, slot } }
  }

  #sample(ask: Ask): void {
    if (this.#busy.has(ask.block)) return
    this.#busy.add(ask.block)
    const reason = {}
    const controller = abortedAfter(ask.abort, reason, this.#aborts)
    const { slot, root } = blocks[ask.block]!
    const changes = this.#changes
    const first = this.#nodes.requests.length
    const firstBlock = this.#nodes.blockRequests.length
    const told = async (): Promise<void> => {
      this.#headers = ask.headers
      const { target, deadlineMs, reconstruct } = ask
      const call = this.#sampler.sampleBlock(slot, {
        target,
        deadlineMs,
        reconstruct,
        signal: controller.signal,
      })
      const outcome = await call.then(
        (report) => ({ report }),
        (error: unknown) => ({ error }),
      )
      this.#busy.delete(ask.block)
      if ('error' in outcome) {
        if (outcome.error === reason) return
        if (outcome.error === thrown) return void expect(ask.headers).toBe('throws')
        if (this.#hasEnded && outcome.error instanceof DisposedError) return
        throw outcome.error
      }
      // What fails about it is printed without them, which would take minutes.
      for (const one of outcome.report.blobs ?? []) Object.defineProperty(one, 'blob', { enumerable: false })
      const requests = this.#nodes.requests.slice(first).filter((request) => request.root === root)
      const ofBlock = this.#nodes.blockRequests.slice(firstBlock).filter((request) => request.root === root)
      this.#judge(ask, outcome.report, requests, this.#changes === changes)
      this.#judgeCount(ask, outcome.report, ofBlock)
    }
    const call = told()
    // It is waited for at the end.
    call.catch(() => {})
    this.#calls.push(call)
  }

  /** What the report may say, by what nodes were seen to say. `isCalm`: nobody changed meanwhile. */
  #judge(ask: Ask, report: SampleReport, requests: ColumnNodes['requests'], isCalm: boolean): void {
    expectSound(report)
    const { columns, endpoints, reason, verdict, timings } = report
    expect(timings.totalMs).toBeLessThanOrEqual(ask.deadlineMs)
    if (ask.headers === 'says empty')
      return void expect([verdict, reason]).toEqual(['no-block', 'empty-slot'])
    const isUnresolved = ask.headers === 'knows nothing' || ask.headers === 'is silent'
    if (isUnresolved) return void expect([verdict, reason]).toEqual(['unknown', 'no-header'])
    if (reason === 'no-header')
      return void expect([ask.headers, ask.deadlineMs < 1_000]).toEqual(['tells late', true])

    const { urls } = this.#nodes
    const saidBy = (node: number, index: number): Said[] =>
      requests.flatMap((request) => (request.node === node ? [request.said.get(index) ?? []].flat() : []))

    // What is verified was served, truly, by whom it is said to be of.
    for (const { index, source, status } of columns)
      if (status === 'verified') expect(saidBy(urls.indexOf(source!), index)).toContain('true')

    // The sample decides, and is as large as it has to be for what is missing.
    const plan = planOf(ask.target, this.#history.allowMissing)
    const verified = columns.filter(({ status }) => status === 'verified').length
    const { missing, samples } = report.confidence
    const drawn = columns.slice(0, samples)
    expect(drawn.filter(({ status }) => status === 'missing')).toHaveLength(missing)
    const isThere = verified >= 64 || samples >= (plan.sizes[missing] ?? Infinity)
    expect(verdict === 'available').toBe(isThere)
    if (isThere && ask.reconstruct && verified >= 64) expect(report.blobs).toHaveLength(2)

    // Beyond it columns are asked for only where it failed.
    if (columns.length > samples) expect(missing).toBeGreaterThan(this.#history.allowMissing)

    // Who serves no columns at all is asked for none after that.
    const nodes = range(urls.length)
    const serving = nodes.filter((node) => {
      const own = requests.filter((request) => request.node === node)
      const refusal = own.findIndex(({ said }) => [...said.values()].includes('no route'))
      if (refusal !== -1) expect(own).toHaveLength(refusal + 1)
      return refusal === -1
    })

    // Who accuses a block has heard everyone who serves columns, and nobody had what is missing: together they cannot rebuild it.
    if (verdict === 'unavailable') {
      expect(serving).not.toEqual([])
      const denied = columns.filter(({ index }) =>
        serving.every((node) => saidBy(node, index).some((said) => said === 'lacking' || said === 'false')),
      )
      expect(
        denied.every(({ index }) => urls.every((_, node) => !saidBy(node, index).includes('true'))),
      ).toBe(true)
      expect(denied.length).toBeGreaterThanOrEqual(65)
      expect(missing).toBeGreaterThan(this.#history.allowMissing)
    }

    // Nobody is named but who lied; and who lied in time is.
    const isInTime = timings.totalMs < ask.deadlineMs
    for (const [node, { refused }] of endpoints.entries()) {
      const own = requests.filter((request) => request.node === node)
      const lies = own.flatMap(({ indices, said }) => indices.filter((index) => said.get(index) === 'false'))
      const named = refused.map(({ index }) => index)
      if (isInTime) expect(named.toSorted()).toEqual(lies.toSorted())
      else expect(lies).toEqual(expect.arrayContaining(named))
      // What was answered is not asked again, nor is what will fail again; what may pass is tried three times.
      const tries = new Map<number, number>()
      for (const { indices, isTransient } of own)
        for (const index of indices) {
          const before = tries.get(index) ?? 0
          expect(before).toBeLessThan(3)
          tries.set(index, isTransient ? before + 1 : 3)
        }
    }
    // Nor is what another one gave.
    const given = new Set<number>()
    for (const { indices, said } of requests)
      for (const index of indices) {
        expect(given.has(index)).toBe(false)
        if (isInTime && said.get(index) === 'true') given.add(index)
      }

    if (!this.#history.isSteady) return
    const steady = endpoints.at(-1)!
    expect(steady.refused).toEqual([])
    // Until it is known that there are none, it is told to lack what it was asked for.
    if (ask.block !== WITHOUT_BLOBS || verdict === 'no-blobs') expect(steady.notDelivered).toEqual([])
    // Who waits for another answer under test when the time is over has not answered in time.
    expect(steady.failures.filter(({ kind }) => isInTime || kind !== 'timeout')).toEqual([])
    // Time enough for all others to fail first.
    const expected = ask.block === WITHOUT_BLOBS ? 'no-blobs' : 'available'
    if (ask.deadlineMs >= 60_000 && isCalm) expect(verdict).toBe(expected)
  }

  /** What the report may say of how many blobs there are, where no data shows it: what a block says that a node was seen to give. */
  #judgeCount(ask: Ask, report: SampleReport, requests: ColumnNodes['blockRequests']): void {
    const { reason, timings, verdict } = report
    const isTold = requests.some(({ said }) => said === 'true')
    const isInTime = timings.totalMs < ask.deadlineMs
    if (verdict === 'no-blobs') expect([ask.block, isTold]).toEqual([WITHOUT_BLOBS, true])
    if (ask.block === WITHOUT_BLOBS) expect(['available', 'unavailable']).not.toContain(verdict)
    if (isTold && isInTime) expect(reason).not.toBe('may-have-no-blobs')
    if (isTold && isInTime && ask.block === WITHOUT_BLOBS) expect(verdict).toBe('no-blobs')
    // Nobody is asked again who answered.
    const answered = requests.filter(({ said }) => said !== 'none').map(({ node }) => node)
    expect(new Set(answered).size).toBe(answered.length)
  }
}

it('any history', async () => {
  await fc.assert(
    fc.asyncProperty(history, async (one) => {
      const verifier = await makeVerifier()
      try {
        await time.during(() => new Life(one, verifier).run())
      } finally {
        await verifier.dispose()
      }
    }),
    { numRuns: timesRounds(RUNS), seed: SEED, endOnFailure: true },
  )
})
