/**
 * `Sampler.follow` against a model of it, over random chains: heads that come, come again, come late or skip others; blocks that others take the place
 * of, gaps, headers of slots to come; sources that look slots up late, or do not know them; callers that ask for several slots at a time, wait, and end
 * it in four ways. No slot between is passed over, none is begun that nobody asked for; what is reported last of a slot is what the chain has there; no
 * call hangs, and nothing is left behind.
 */
import { createVerifier, type Verifier } from 'blobcheck'
import type { Following, HeaderSource, Resolution, SampledHeader, SlotReport } from 'blobcheck/sampler'
import * as fc from 'fast-check'
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest'
import { samplerOf } from '../../dist/sampler/create.js'
import { invented } from '../support/blocks.ts'
import { FIRST, inSlot, sum } from '../support/following.ts'
import { seeded } from '../support/make.ts'
import { ROUNDS, SEED } from '../support/rounds.ts'
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
  /** A block on the one that is so many blocks before the head, so many slots after the newest; whether the source says so. */
  | { readonly do: 'block'; readonly back: number; readonly gap: number; readonly isTold: boolean }
  /** The source says a head once more that it has said, or one of the chain that is not its newest. */
  | { readonly do: 'repeat'; readonly back: number }
  | { readonly do: 'ahead' }
  | { readonly do: 'ask'; readonly times: number }
  | { readonly do: 'wait'; readonly ms: number }

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      do: fc.constant('block' as const),
      back: fc.oneof({ weight: 3, arbitrary: fc.constant(0) }, fc.nat(4)),
      gap: fc.constantFrom(1, 1, 1, 2, 4),
      isTold: fc.oneof({ weight: 3, arbitrary: fc.constant(true) }, fc.constant(false)),
    }),
  },
  fc.record({ do: fc.constant('repeat' as const), back: fc.nat(3) }),
  fc.record({ do: fc.constant('ahead' as const) }),
  {
    weight: 4,
    arbitrary: fc.record({ do: fc.constant('ask' as const), times: fc.integer({ min: 1, max: 4 }) }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ do: fc.constant('wait' as const), ms: fc.constantFrom(0, 10, 400, 9_000) }),
  },
)

const history = fc.record({
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
}

const headerOf = ({ slot, root, parent }: Block): SampledHeader =>
  ({ slot, root, parent_root: parent?.root ?? `0x${'00'.repeat(32)}` }) as SampledHeader

const thrown = new Error('the source of heads')

class Life {
  readonly #history: History
  readonly #random: () => number
  readonly #following: Following
  readonly #controller = new AbortController()
  #blocks = 0
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
    const headers: HeaderSource = {
      resolve: (id) => this.#resolve(Number(id)),
      headers: () => this.#heads(),
    }
    const sampler = samplerOf(
      {
        ...{ verifier, headers, target: { columns: 1 }, beacon: 'http://node.invalid', now: inSlot(NOW) },
        fetch: (_, init) => this.#lacking(init?.signal),
      },
      bytesFrom(history.seed),
    )
    const { catchUpSlots, concurrency } = history
    this.#following = sampler.follow({
      ...{ catchUpSlots, concurrency, signal: this.#controller.signal },
      onError: () => void this.#errors++,
    })
  }

  async run(): Promise<void> {
    for (const step of this.#history.steps) {
      switch (step.do) {
        case 'block':
          this.#extend(step.back, step.gap, step.isTold)
          break
        case 'repeat': {
          const block = this.#ancestor(step.back)
          if (block !== null && this.#told.includes(block)) this.#tell(block)
          break
        }
        case 'ahead':
          this.#ahead++
          this.#say({ slot: FIRST + NOW + 50, root: `0x${'ab'.repeat(32)}` })
          break
        case 'ask':
          for (let count = 0; count < step.times; count++) this.#ask()
          break
        case 'wait':
          await time.pass(step.ms)
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
        this.#extend(0, 1, true)
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

  #extend(back: number, gap: number, isTold: boolean): void {
    const parent = this.#ancestor(back)
    const newest = this.#head?.slot ?? FIRST - gap
    // A block in the place of others comes after them, or in the slot of one.
    const slot = Math.max((parent?.slot ?? FIRST - 1) + 1, newest + gap - back)
    const root = `0x${(++this.#blocks).toString(16).padStart(64, '0')}`
    this.#head = { slot, root, parent }
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

  /** A node that has nothing of any block. */
  async #lacking(signal: AbortSignal | null | undefined): Promise<Response> {
    this.#open++
    try {
      const gone = new Promise<never>((_, reject) =>
        signal?.addEventListener('abort', () => reject(signal.reason as Error), { once: true }),
      )
      await Promise.race([this.#pause(), gone])
      return new Response(null, { status: 404 })
    } finally {
      this.#open--
    }
  }

  async #pause(): Promise<void> {
    const ms = this.#random() < 0.5 ? 0 : Math.floor(this.#random() * 300)
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
      expect(report, `slot ${slot - FIRST}`).toBeDefined()
      // Further back than that nobody looks, and what is before a slot that nobody knew may not be noticed.
      if (catchUpSlots < 64 || slot > this.#head!.slot || this.#unknown.size > 0) continue
      const found = report!.report?.block?.root ?? null
      expect([slot - FIRST, found]).toEqual([slot - FIRST, this.#at(slot)?.root ?? null])
    }
  }
}

it('any chain', async () => {
  await fc.assert(
    fc.asyncProperty(history, (one) => time.during(() => new Life(one).run())),
    { numRuns: RUNS * ROUNDS, seed: SEED, endOnFailure: true },
  )
})
