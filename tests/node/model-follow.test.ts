/**
 * `Sampler.follow` against a model of it, over random chains: heads that come, come again, come late or skip others; blocks that others take the place
 * of, gaps, headers of slots to come; blocks of Gloas that build on the payload before them or do not, with their columns or without; sources that look slots up late, or do not know
 * them; callers that ask for several slots at a time, wait, and end it in four ways. No slot between is passed over, none is begun that nobody asked
 * for; what is reported last of a slot is what the chain has there, and what became of its payload there; no call hangs, and nothing is left behind.
 */
import { createVerifier, type Verifier } from 'blobcheck'
import type { Following, HeaderSource, Resolution, SampledHeader, SlotReport } from 'blobcheck/sampler'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { readParts } from '../../dist/block-data/read-parts.js'
import { followSlots } from '../../dist/sampler/follow.js'
import { planOf } from '../../dist/sampler/plan.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import { invented, slots } from '../support/blocks.ts'
import { fromHex, toHex } from '../support/bytes.ts'
import { FIRST, inSlot, sum } from '../support/following.ts'
import { seeded } from '../support/make.ts'
import { SEED, timesRounds } from '../support/rounds.ts'
import { bytesFrom } from '../support/samplers.ts'
import { INSTANT, turns, VirtualTime } from '../support/virtual-time.ts'

const RUNS = 300

/** By the clock, it is so many slots after the first. */
const NOW = 1_000

const time = new VirtualTime()
afterEach(() => time.end())

let verifier: Verifier
beforeAll(async () => {
  verifier = await createVerifier({ network: invented, ...INSTANT })
})
afterAll(() => verifier.dispose())

type Step =
  /** A block on the one that is so many blocks before the head, so many slots after the newest; whether it builds on that one's payload, and the source says so. */
  | {
      readonly do: 'block'
      readonly back: number
      readonly gap: number
      readonly isOnPayload: boolean
      readonly isTold: boolean
    }
  /** The source says a head once more that it has said, or one of the chain that is not its newest. */
  | { readonly do: 'repeat'; readonly back: number }
  | { readonly do: 'ahead' }
  | { readonly do: 'ask'; readonly times: number }
  | { readonly do: 'wait'; readonly ms: number }
  /** The caller asks until what was said by now has been reported on. */
  | { readonly do: 'catch-up' }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('block' as const),
      back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(4)),
      gap: fc.constantFrom(1, 1, 1, 2, 4),
      isOnPayload: fc.boolean(),
      isTold: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    }),
  },
  fc.record({ do: fc.constant('repeat' as const), back: fc.nat(3) }),
  fc.record({ do: fc.constant('ahead' as const) }),
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('ask' as const), times: fc.integer({ min: 1, max: 4 }) }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constant('catch-up' as const) }) },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 10, 400, 9_000) }),
  },
)

const history = fc.record({
  fork: fc.constantFrom('fulu', 'gloas'),
  /** Of Gloas: whether the columns of a block are to be had, whatever becomes of its payload. */
  hasColumns: fc.boolean(),
  steps: fc.array(step, { minLength: 1, maxLength: 16, size: 'max' }),
  concurrency: fc.integer({ min: 1, max: 3 }),
  catchUpSlots: fc.constantFrom(0, 2, 64, 64),
  /** How many of ten slots the source of headers does not know when it is asked. */
  unknown: fc.constantFrom(0, 0, 0, 3),
  end: fc.constantFrom('source', 'source', 'source', 'throw', 'signal', 'return'),
  seed: fc.nat(),
})
type History = typeof history extends fc.Arbitrary<infer T> ? T : never

interface Block {
  readonly slot: number
  readonly root: string
  readonly parent: Block | null
  /** Of Gloas: the execution block of its own payload, 32 bytes as 0x hex, and whether it builds on its parent's. */
  readonly payload: string
  readonly isOnPayload: boolean
}

const zeros = `0x${'00'.repeat(32)}`

const headerOf = ({ slot, root, parent }: Block): SampledHeader =>
  ({ slot, root, parent_root: parent?.root ?? zeros }) as SampledHeader

/** A list of one column of Gloas, of a block with one blob: as long as it must be. */
function listOfOneColumn(index: number): Uint8Array<ArrayBuffer> {
  const list = new Uint8Array(4 + 56 + 2048 + 48)
  const view = new DataView(list.buffer)
  view.setUint32(0, 4, true)
  view.setBigUint64(4, BigInt(index), true)
  view.setUint32(12, 56, true)
  view.setUint32(16, 56 + 2048, true)
  return list
}

const thrown = new Error('the source of heads')

class Life {
  readonly #history: History
  readonly #random: () => number
  readonly #following: Following
  readonly #controller = new AbortController()
  readonly #blocks = new Map<string, Block>()
  /** The first slot that may have a block. */
  readonly #origin: number
  /** The chain’s head as it is. */
  #head: Block | null = null
  /** The first head that was told of, with which everything begins. */
  #first: Block | null = null
  readonly #told: Block[] = []
  /** What the source has yet to say, and who waits for it. */
  readonly #queue: SampledHeader[] = []
  #hasEnded = false
  #wake: () => void = () => {}
  #ahead = 0
  #errors = 0
  readonly #asked: Promise<IteratorResult<SlotReport, undefined>>[] = []
  readonly #reports: SlotReport[] = []
  /** Slots that a resolution was not known of. */
  readonly #unknown = new Set<number>()
  #open = 0
  readonly #timers = new Set<NodeJS.Timeout>()

  constructor(history: History) {
    this.#history = history
    this.#random = seeded(history.seed)
    this.#origin = history.fork === 'gloas' ? Number(slots.gloas) : FIRST
    const headers: HeaderSource = {
      resolve: (id) => this.#resolve(Number(id)),
      headers: () => this.#heads(),
    }
    const { parts } = readParts({
      ...{ verifier, headers, beacon: 'http://node.invalid', now: inSlot(this.#origin - FIRST + NOW) },
      ...{ timeoutMs: 10_000, requestsPerEndpoint: 2 },
      fetch: (url, init) => this.#answer(url, init?.signal),
    })
    const { catchUpSlots, concurrency } = history
    this.#following = followSlots(
      {
        ...parts,
        // Nor are columns: they are taken for what they say they are.
        verifier: {
          verifyDataColumnSidecars: async (sidecars: readonly unknown[]) =>
            sidecars.map(() => ({ status: 'valid', links: noLinks })),
        } as never,
        // No block is made, whose root would have to be its hash: it is read as what it stands for.
        blocks: {
          read: async ({ header }: { header: { header: Uint8Array } }) => this.#read(header.header),
        } as never,
        random: bytesFrom(history.seed),
        fallbacks: { blobs: false, archives: null, files: [] },
      },
      planOf({ columns: 1 }, 0),
      {
        ...{ catchUpSlots, concurrency, signal: this.#controller.signal },
        onError: () => void this.#errors++,
      },
    )
  }

  async run(): Promise<void> {
    for (const step of this.#history.steps) {
      switch (step.do) {
        case 'block':
          this.#extend(step)
          break
        case 'repeat': {
          const block = this.#ancestor(step.back)
          if (block !== null && this.#told.includes(block)) this.#tell(block)
          break
        }
        case 'ahead':
          this.#ahead++
          this.#say({ slot: this.#origin + NOW + 50, root: `0x${'ab'.repeat(32)}` })
          break
        case 'ask':
          for (let count = 0; count < step.times; count++) this.#ask()
          break
        case 'wait':
          await time.pass(step.ms)
          break
        case 'catch-up':
          for (let isIdle = false; !isIdle;) {
            const asked = this.#ask().catch(() => {})
            isIdle = await Promise.race([
              asked.then((end) => end === undefined || end.done === true),
              time.pass(9_000).then(() => true),
            ])
          }
      }
      await turns(1)
      expect(this.#open).toBeLessThanOrEqual(this.#history.concurrency)
    }
    await this.#end()
    this.#timers.forEach(clearTimeout)
    // A task that the verifier has begun comes to its end, in time that passes: it may have to compile its module first.
    for (const end = Date.now() + 20_000; time.timers > 0 && Date.now() < end;) await turns(1)
    expect([this.#open, time.timers]).toEqual([0, 0])
    expect(await this.#following.next()).toEqual({ done: true, value: undefined })
    this.#judge()
  }

  async #end(): Promise<void> {
    const { end } = this.#history
    switch (end) {
      case 'source':
        // The last word is the newest of all, so that nobody can pass it over.
        this.#extend({ back: 0, gap: 1, isOnPayload: true, isTold: true })
        break
      case 'signal':
        this.#controller.abort()
        break
      case 'return':
        await time.until(this.#following.return!())
    }
    this.#hasEnded = true
    this.#wake()
    const drain = async (): Promise<unknown> => {
      while ((await this.#ask()).done !== true);
      return null
    }
    const error = await time.until(drain().catch((error: unknown) => error))
    if (error !== null) expect([end, error]).toEqual(['throw', thrown])
    await time.until(Promise.allSettled(this.#asked))
  }

  #ask(): Promise<IteratorResult<SlotReport, undefined>> {
    const answer = this.#following.next().then((result) => {
      if (result.done !== true) this.#reports.push(result.value)
      return result
    })
    answer.catch(() => {})
    this.#asked.push(answer)
    return answer
  }

  #ancestor(back: number): Block | null {
    let block = this.#head
    for (let count = 0; count < back && block?.parent; count++) block = block.parent
    return block
  }

  #extend({ back, gap, isOnPayload, isTold }: Omit<Extract<Step, { do: 'block' }>, 'do'>): void {
    const parent = this.#ancestor(back)
    const newest = this.#head?.slot ?? this.#origin - gap
    // A block in the place of others comes after them, or in the slot of one.
    const slot = Math.max((parent?.slot ?? this.#origin - 1) + 1, newest + gap - back)
    const digits = (this.#blocks.size + 1).toString(16).padStart(62, '0')
    this.#head = { slot, root: `0xb1${digits}`, parent, payload: `0xe1${digits}`, isOnPayload }
    this.#blocks.set(this.#head.root, this.#head)
    if (isTold) this.#tell(this.#head)
  }

  #tell(block: Block): void {
    this.#told.push(block)
    this.#say(headerOf(block))
  }

  #say(header: SampledHeader): void {
    this.#queue.push(header)
    this.#wake()
  }

  async *#heads(): AsyncGenerator<SampledHeader> {
    for (;;) {
      const header = this.#queue.shift()
      if (header !== undefined) {
        this.#first ??= this.#told.find(({ root }) => root === header.root) ?? null
        yield header
      } else if (this.#hasEnded) {
        if (this.#history.end === 'throw') throw thrown
        return
      } else await new Promise<void>((resolve) => (this.#wake = resolve))
    }
  }

  /** The chain’s block in a slot. */
  #at(slot: number): Block | null {
    for (let block = this.#head; block !== null; block = block.parent) if (block.slot === slot) return block
    return null
  }

  async #resolve(slot: number): Promise<Resolution> {
    await this.#pause()
    if (this.#random() * 10 < this.#history.unknown) {
      this.#unknown.add(slot)
      return { status: 'unknown', detail: 'not yet' }
    }
    const block = this.#at(slot)
    await this.#pause()
    return block === null ? { status: 'no-block' } : { status: 'found', header: headerOf(block) }
  }

  /** A node that has blocks of Gloas, and columns where the history has them. */
  async #answer(url: string, signal: AbortSignal | null | undefined): Promise<Response> {
    signal?.throwIfAborted()
    this.#open++
    try {
      const gone = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      )
      await Promise.race([this.#pause(), gone])
      const { fork, hasColumns } = this.#history
      const body = url.includes('/blocks/')
        ? new Uint8Array(5)
        : fork === 'gloas' && hasColumns
          ? listOfOneColumn(Number(new URL(url).searchParams.get('indices')))
          : null
      return body === null
        ? new Response(null, { status: 404 })
        : new Response(body, { headers: { 'content-type': 'application/octet-stream' } })
    } finally {
      this.#open--
    }
  }

  /** The block of a root, with one blob. */
  #read(root: Uint8Array): object {
    const { slot, parent, payload, isOnPayload } = this.#blocks.get(toHex(root))!
    const header = new Uint8Array(112)
    new DataView(header.buffer).setBigUint64(0, BigInt(slot), true)
    header.set(fromHex(parent?.root ?? zeros), 16)
    const bid = new Uint8Array(224)
    bid.set(fromHex((isOnPayload && parent?.payload) || zeros))
    bid.set(fromHex(payload), 64)
    return { header, commitments: ['01'.repeat(48)], blockHash: new Uint8Array(0), bid }
  }

  async #pause(): Promise<void> {
    // A block of Gloas looks for the next one behind all empty slots, in a third of its time.
    const longest = this.#history.fork === 'gloas' ? 60 : 300
    const ms = this.#random() < 0.5 ? 0 : Math.floor(this.#random() * longest)
    if (ms > 0) await new Promise((resolve) => this.#timers.add(setTimeout(resolve, ms)))
  }

  #judge(): void {
    const { catchUpSlots, end } = this.#history
    const { counters } = this.#following
    expect(counters.slots).toBe(sum(counters))
    expect(counters.slots).toBe(
      this.#reports.reduce((slots, { slot, lastSlot }) => slots + lastSlot - slot + 1, 0),
    )
    const last = new Map<number, SlotReport>()
    for (const report of this.#reports) {
      for (let { slot } = report; slot <= report.lastSlot; slot++) {
        if (report.again) expect(last.has(slot)).toBe(true)
        last.set(slot, report)
      }
      if (report.outcome === 'missed')
        expect(report.slot !== report.lastSlot || this.#unknown.has(report.slot) || catchUpSlots < 64).toBe(
          true,
        )
    }
    if (end !== 'source') return
    expect(this.#errors).toBe(this.#ahead)
    const first = this.#first!
    const newest = Math.max(...this.#told.map(({ slot }) => slot))
    for (let slot = first.slot; slot <= newest; slot++) {
      const report = last.get(slot)
      expect(report, `slot ${slot - this.#origin}`).toBeDefined()
      // Further back than that nobody looks, and what is before a slot that nobody knew may not be noticed.
      if (catchUpSlots < 64 || slot > this.#head!.slot || this.#unknown.size > 0) continue
      const block = this.#at(slot)
      const found = report!.report?.block?.root ?? null
      const payload = report!.report?.payload?.status ?? null
      const fate = block && this.#fateOf(block)
      // What was there before anybody knew is not told again where the payload came.
      const isEarly = payload === 'unknown' && fate === 'full' && report!.outcome === 'available'
      expect([slot - this.#origin, found, payload]).toEqual([
        slot - this.#origin,
        block?.root ?? null,
        isEarly ? payload : fate,
      ])
    }
  }

  /** What the chain shows to have become of a block's payload; null before Gloas. */
  #fateOf(block: Block): string | null {
    if (this.#history.fork !== 'gloas') return null
    for (let child = this.#head; child !== null; child = child.parent)
      if (child.parent === block) return child.isOnPayload ? 'full' : 'empty'
    return 'unknown'
  }
}

const block = (back: number, gap: number, isOnPayload: boolean, isTold: boolean): Step => ({
  ...{ do: 'block', back, gap, isOnPayload, isTold },
})
const catchUp: Step = { do: 'catch-up' }
const ask = (times: number): Step => ({ do: 'ask', times })

const alone = { hasColumns: false, concurrency: 1, catchUpSlots: 64, unknown: 0, end: 'source' } as const

/** Once found, and too rare to be found each time. */
const found: History[] = [
  // A block that was never told of comes before one that is none of the chain any more, but was not looked up yet.
  {
    ...{ ...alone, fork: 'fulu', seed: 737320570 },
    steps: [
      ...[catchUp, catchUp, ask(1), block(0, 4, true, true), ask(4), block(0, 2, false, true), ask(3)],
      ...[block(2, 1, false, false), catchUp, block(0, 2, false, true), { do: 'repeat', back: 1 } as const],
      ...[ask(2), ask(2), ask(4)],
    ],
  },
  // A block has another next one than the first that nobody could tell of its payload by, and no head says so of the block itself.
  {
    ...{ ...alone, fork: 'gloas', seed: 1342122298 },
    steps: [
      ...[block(0, 2, false, false), block(2, 2, true, false), catchUp, { do: 'ahead' } as const],
      ...[block(0, 1, true, true), ask(3), block(0, 1, true, false), block(0, 4, true, true)],
      ...[block(2, 1, true, true), catchUp, block(0, 1, false, true), block(0, 4, false, true), catchUp],
      block(0, 4, false, true),
    ],
  },
  // All slots that were reported are empty now, from the first one on, and then a block that was never told of takes one of them.
  {
    ...{ ...alone, fork: 'fulu', seed: 0 },
    steps: [
      ...[block(0, 1, true, false), block(0, 1, true, true), catchUp, block(1, 4, true, true), catchUp],
      block(4, 2, true, false),
    ],
  },
  // A head is told of that is in a slot which is being looked up.
  {
    ...{ ...alone, fork: 'fulu', seed: 1971669213, concurrency: 3 },
    steps: [
      ...[block(0, 2, true, true), { do: 'repeat', back: 1 } as const, ask(3), catchUp, catchUp, ask(2)],
      ...[block(0, 4, false, true), catchUp, block(0, 2, true, false), block(0, 1, true, true)],
      ...[{ do: 'repeat', back: 0 } as const, ask(3), block(4, 2, false, false)],
    ],
  },
  // What was told of early stays, since the next block shows that the payload came; then one that does not build on it takes that block's place.
  {
    ...{ ...alone, fork: 'gloas', hasColumns: true, seed: 0 },
    steps: [
      ...[
        block(0, 1, true, true),
        catchUp,
        block(0, 1, true, true),
        catchUp,
        block(0, 1, true, true),
        catchUp,
      ],
      ...[block(2, 4, false, true), catchUp, block(0, 1, true, true), catchUp],
    ],
  },
  // The block that told of a payload was none of the chain by a head, came back, and is replaced by another one than then.
  {
    ...{ ...alone, fork: 'gloas', hasColumns: true, seed: 494476627 },
    steps: [
      ...[ask(3), block(0, 2, true, true), block(0, 4, true, true), ask(4), ask(1)],
      ...[block(3, 1, false, true), catchUp, block(0, 4, true, true), catchUp],
      ...[block(2, 4, true, true), block(0, 2, false, true), block(3, 2, true, true)],
    ],
  },
]

it('any chain', async () => {
  await fc.assert(
    fc.asyncProperty(history, (one) => time.during(() => new Life(one).run())),
    {
      ...{ numRuns: timesRounds(RUNS), seed: SEED, endOnFailure: true },
      examples: found.map((one): [History] => [one]),
    },
  )
})
