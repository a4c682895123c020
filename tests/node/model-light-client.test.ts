/**
 * A light client against a model of it, over random histories: synchronisations, looks back and iterations at the same time, nodes that lie,
 * stall and fail, a storage that fails, forgets and brings back what somebody spoiled, jumps of the clock, signals, ends and new starts.
 * Nothing is ever trusted but what was truly signed by then, the state never goes backwards, no call hangs, no honest node is blamed, and
 * once nodes are honest the head is reached.
 */
import {
  BeaconUnavailableError,
  DisposedError,
  LightClient,
  StaleCheckpointError,
  type TrustedHeader,
} from 'blobcheck/light-client'
import * as fc from 'fast-check'
import { afterEach, beforeAll, expect, it } from 'vitest'
import { type Abort, abortedAfter } from '../support/aborts.ts'
import { toHex } from '../support/bytes.ts'
import { FailingStorage } from '../support/failing-storage.ts'
import { type History, history, type Step } from '../support/light-client-histories.ts'
import { honest, Nodes, Tale } from '../support/light-client-nodes.ts'
import { readLightClientModule } from '../support/light-client.ts'
import { SEED, timesRounds } from '../support/rounds.ts'
import { turns, VirtualTime } from '../support/virtual-time.ts'

const RUNS = 100

let tale: Tale
let module: WebAssembly.Module
beforeAll(async () => {
  tale = await Tale.make()
  module = await WebAssembly.compile(await readLightClientModule('simd128'))
})

const time = new VirtualTime()
afterEach(() => time.end())

/** What has come about so far, of what a promise is about that could else be kept by nobody asking. */
const seen = new Set<string>()

/** Until who follows a chain asks for more, a third into the next slot: the clock stands 3 s into its own. */
const NEXT_SLOT_MS = 13_000

/** In epochs: as long as one period and a half. */
const LIMIT = 400

/** A call that is under way, with what may become of it. */
interface Call {
  readonly outcome: Promise<unknown>
  readonly reason: object
}

/** A client, what it may trust by the model, and how far it has been seen to be. */
class Session {
  readonly calls: Call[] = []
  /** End the iterations, which would go on for ever. */
  readonly stops: (() => void)[] = []
  /** What nodes had done before it was started. */
  readonly #before: Nodes['gave']
  hasEnded = false
  /** The latest slot that it was by its clock, and whether that was ever wrong. */
  latest = 0
  #finalized = 0
  #optimistic = 0

  readonly client: LightClient
  readonly #life: Life

  constructor(life: Life, client: LightClient, before: Nodes['gave']) {
    this.client = client
    this.#life = life
    this.#before = before
  }

  /** Whether it was ended, and that is what a call was told. */
  isEndedBy(error: unknown): boolean {
    return this.hasEnded && error instanceof DisposedError
  }

  /** That it stands on nothing but what is true by now, and no further back than before. */
  look(): void {
    const { nodes, storage, history } = this.#life
    this.latest = Math.max(this.latest, this.#life.slot)
    const { finalized, optimistic } = this.client
    const truth = tale.truthAt(nodes.told)
    for (const header of [finalized, optimistic]) {
      const isVerified = header.links.header === 'verified'
      expect(header.links.checkpoint).toBe(header.links.header)
      if (!history.trustCache) expect(isVerified).toBe(true)
      // Who believes a storage that somebody spoiled believes what is in it, and is told so.
      if (!isVerified && storage.isSpoiled) continue
      const roots = header === finalized || header.finalized ? truth.finals : truth.heads
      expect(roots).toContain(header.root)
      const isCheckpoint = header.root === tale.chain.checkpoint
      // What is signed is signed in a later slot, which must have come.
      if (!isCheckpoint) expect(header.slot).toBeLessThan(this.latest)
      if (isVerified) expect(header.links['sync-committee']).toBe(isCheckpoint ? 'absent' : 'verified')
    }
    expect(finalized.finalized).toBe(true)
    expect(optimistic.slot).toBeGreaterThanOrEqual(finalized.slot)
    // What was believed unseen is given up where nodes contradict it.
    if (history.trustCache) return
    expect(finalized.slot).toBeGreaterThanOrEqual(this.#finalized)
    expect(optimistic.slot).toBeGreaterThanOrEqual(this.#optimistic)
    this.#finalized = finalized.slot
    this.#optimistic = optimistic.slot
  }

  /** That nobody is blamed for more than it did, nothing false counts as an answer, and nobody contradicts anybody: nothing was signed twice. */
  lookAtBlame(): void {
    const { history, nodes } = this.#life
    if (history.trustCache) return
    expect(this.client.report().disagreements).toEqual([])
    for (const [at, { answers, failures, state }] of this.client.report().endpoints.entries()) {
      const { invalid = 0, malformed = 0, 'few-signatures': few = 0, ...others } = failures
      const [before, now] = [this.#before[at]!, nodes.gave[at]!]
      const flawed = now.flawed - before.flawed
      expect(invalid + malformed + few).toBeLessThanOrEqual(flawed)
      if (flawed === 0) expect(state).not.toBe('distrusted')
      expect(answers).toBeLessThanOrEqual(now.asked - before.asked - (now.false - before.false))
      if (at < nodes.urls.length - 1 || !history.isSteady) continue
      expect(['behind', 'ahead', 'not-found', 'timeout']).toEqual(expect.arrayContaining(Object.keys(others)))
    }
  }
}

class Life {
  readonly history: History
  readonly nodes: Nodes
  readonly storage = new FailingStorage()
  session: Session | null = null
  skew = 0
  /** How often the clock was set. */
  #sets = 0
  readonly #aborts = new Set<NodeJS.Timeout>()

  constructor(history: History) {
    this.history = history
    this.nodes = new Nodes(tale, history.nodes)
    this.nodes.now = history.from
    if (history.isSteady) this.nodes.manners[history.nodes.length - 1] = honest
  }

  /** The slot that it is by the client's clock. */
  get slot(): number {
    return Math.max(0, tale.moments[this.nodes.now]!.slot + this.skew)
  }

  readonly #now = (): number => {
    const { genesisTime } = tale.chain.network
    return (genesisTime + (tale.moments[this.nodes.now]!.slot + this.skew) * 12 + 3) * 1000
  }

  /** Whether a block is older, by the client's clock, than what may be stood on. */
  isStale(slot: number): boolean {
    const epoch = (of: number): number => Math.floor(of / 32)
    return this.history.isLimited && epoch(this.slot) - epoch(slot) > LIMIT
  }

  async run(): Promise<void> {
    await this.#start(null)
    for (const step of this.history.steps) {
      await this.#take(step)
      await turns(1)
      this.session?.look()
    }
    await this.#calm()
  }

  async #take(step: Step): Promise<void> {
    const { nodes, session, storage } = this
    switch (step.do) {
      case 'start':
        await this.#end()
        await this.#start(step.abort)
        break
      case 'end':
        await this.#end()
        break
      case 'sync':
        if (session) this.#sync(session, step.abort)
        if (step.isAwaited) await time.until(session?.calls.at(-1)?.outcome ?? Promise.resolve(), 3_000_000)
        break
      case 'look back':
        if (session) this.#lookBack(session, step.by, step.abort)
        break
      case 'tie':
        if (session) this.#tie(session, step.from, step.gap)
        break
      case 'follow':
        if (session) this.#follow(session, step.finality, step.abort)
        break
      case 'manner':
        if (step.node < nodes.urls.length - Number(this.history.isSteady))
          nodes.manners[step.node] = step.manner
        break
      case 'storage':
        storage.mode = step.mode
        storage.chance = step.chance
        break
      case 'clock':
        this.#setClock(step.skew)
        break
      case 'wait':
        // Who follows asks in each slot.
        await time.pass(session?.stops.length ? Math.min(step.ms, 40_000) : step.ms)
        break
      case 'go on':
        nodes.now = Math.min(nodes.now + 1, tale.moments.length - 1)
        if (session?.stops.length) await time.pass(NEXT_SLOT_MS)
    }
  }

  #setClock(skew: number): void {
    if (skew !== this.skew) this.#sets++
    this.skew = skew
  }

  /** A new client, unless its start fails, as it may by the model. */
  async #start(abort: Abort): Promise<void> {
    this.session = null
    const { history, nodes, storage } = this
    const reason = {}
    const { signal } = abortedAfter(abort, reason, this.#aborts)
    const { network, checkpoint, bootstrap } = tale.chain
    const isStale = this.isStale(bootstrap.header.beacon.slot)
    const before = nodes.gave.map((gave) => ({ ...gave }))
    const outcome = LightClient.fromCheckpoint({
      ...{
        network,
        checkpoint,
        beacon: nodes.urls,
        fetch: nodes.fetch,
        now: this.#now,
        store: storage,
        signal,
      },
      ...{ worker: false, wasm: { simd128: module }, trustCache: history.trustCache },
      ...(history.isLimited ? { weakSubjectivityEpochs: LIMIT } : { allowStale: true }),
    })
    const started = await time.until(
      outcome.catch((error: unknown) => ({ error })),
      200_000,
    )
    if (started instanceof LightClient) {
      if (!history.trustCache) expect(isStale).toBe(false)
      this.session = new Session(this, started, before)
      this.session.look()
    } else if (started.error !== reason) {
      if (started.error instanceof StaleCheckpointError) return void expect(isStale).toBe(true)
      expect(started.error).toBeInstanceOf(BeaconUnavailableError)
      expect(history.isSteady).toBe(false)
    }
  }

  async #end(): Promise<void> {
    const { session } = this
    if (session === null) return
    this.session = null
    session.look()
    session.hasEnded = true
    await time.until(session.client.dispose(), 10_000)
    await this.#settle(session)
    session.lookAtBlame()
    await expect(session.client.sync()).rejects.toBeInstanceOf(DisposedError)
  }

  /** Waits for all calls of a client: each ends, and none with what the model does not know. */
  async #settle({ calls }: Session): Promise<void> {
    await time.until(Promise.all(calls.map(({ outcome }) => outcome)), 3_000_000)
  }

  #sync(session: Session, abort: Abort): void {
    const { nodes, history } = this
    const reason = {}
    const { signal } = abortedAfter(abort, reason, this.#aborts)
    const [sets, skew, now] = [this.#sets, this.skew, nodes.now]
    const told = async (): Promise<void> => {
      try {
        const report = await session.client.sync({ signal })
        expect(report.finalized.slot).toBeLessThanOrEqual(session.client.finalized.slot)
      } catch (error) {
        const wasSet = this.#sets !== sets
        if (error === reason) return
        if (error instanceof DisposedError) return void expect(session.hasEnded).toBe(true)
        if (error instanceof StaleCheckpointError) {
          // By the clock as it is now, or as it was when the call began.
          if (!wasSet) expect(this.isStale(session.client.finalized.slot)).toBe(true)
          return
        }
        expect(error).toBeInstanceOf(BeaconUnavailableError)
        // Who is honest and asked at the right time can help, whatever the others do.
        if (history.isSteady && !wasSet && skew === 0 && !history.trustCache)
          expect.unreachable(`one node is honest: ${String(error)}`)
        return
      } finally {
        session.look()
      }
      if (!history.isSteady || history.trustCache || this.#sets !== sets || skew !== 0) return
      // While the chain goes on, nodes tell of two moments, which may not lead from one to the other.
      if (nodes.now !== now) return
      // As new as what the honest node said, or as new as makes no difference.
      const { finality, slot } = tale.moments[now]!
      const { finalized, optimistic } = session.client
      const final = finality.finalizedHeader.beacon.slot
      seen.add('as new')
      expect(finalized.slot >= final || this.slot - finalized.slot <= 4 * 32).toBe(true)
      expect(optimistic.slot >= slot - 1 || this.slot - optimistic.slot <= 4).toBe(true)
    }
    session.calls.push({ outcome: told(), reason })
  }

  /** `by`: how many slots before what is final for the client. */
  #lookBack(session: Session, by: number, abort: Abort): void {
    const reason = {}
    const slot = session.client.finalized.slot - by
    const { signal } = abortedAfter(abort, reason, this.#aborts)
    const own = tale.blocks.find((block) => block.slot === slot)
    const told = async (): Promise<void> => {
      try {
        const answer = await session.client.headerAt(slot, { signal })
        if (answer.status === 'unanchored') {
          seen.add(answer.reason)
          if (answer.reason === 'no-block' && !this.storage.isSpoiled) expect(own).toBe(undefined)
          return
        }
        const { header } = answer
        expect(header.slot).toBe(slot)
        if (header.links.header !== 'verified') return
        seen.add(by > 0 && own !== undefined ? 'ancestor' : 'anchored')
        // What was on the chain in that slot, in every part; or the header itself, where it is older than those that are kept here.
        if (own === undefined) expect(tale.truthAt(this.nodes.told).heads).toContain(header.root)
        else
          expect(header).toMatchObject({ root: toHex(own.root), ...jsonOf(own.header.beacon as never), slot })
      } catch (error) {
        if (error !== reason && !session.isEndedBy(error)) throw error
      }
    }
    session.calls.push({ outcome: told(), reason })
  }

  /** Headers that a caller brings are tied to the one that is final, if they are its ancestors. */
  #tie(session: Session, from: number, gap: boolean): void {
    const { ancestors, finalized } = tale.chain
    const newestFirst = [...ancestors].reverse().slice(0, from + 1)
    const brought = gap ? newestFirst.slice(1) : newestFirst
    const headers = brought.map(({ header: { beacon } }) => jsonOf(beacon as never))
    const isAtHead = session.client.finalized.root === toHex(finalized.root)
    const told = async (): Promise<void> => {
      try {
        const trusted: TrustedHeader[] | null = await session.client.trustAncestors(headers)
        const isTied = brought.length === 0 || (isAtHead && !gap)
        expect(trusted?.map(({ root }) => root)).toEqual(
          isTied ? brought.map(({ root }) => toHex(root)) : undefined,
        )
      } catch (error) {
        if (!session.isEndedBy(error)) throw error
      }
    }
    session.calls.push({ outcome: told(), reason: {} })
  }

  #follow(session: Session, finality: 'finalized' | 'optimistic', abort: Abort): void {
    const reason = {}
    const controller = abortedAfter(abort, reason, this.#aborts)
    session.stops.push(() => controller.abort(reason))
    let last = -1
    const told = async (): Promise<void> => {
      try {
        for await (const header of session.client.headers({ finality, signal: controller.signal })) {
          session.look()
          if (!this.history.trustCache) {
            expect(header.slot).toBeGreaterThan(last)
            seen.add(last < 0 ? 'followed' : 'followed on')
          }
          last = header.slot
        }
      } catch (error) {
        const isStale = error instanceof StaleCheckpointError && this.history.isLimited
        if (error !== reason && !isStale && !session.isEndedBy(error)) throw error
      }
    }
    session.calls.push({ outcome: told(), reason })
  }

  /** Nodes are honest, the storage works and the clock is right: the head is reached, from here and from what was kept. */
  async #calm(): Promise<void> {
    const { history, nodes, storage } = this
    nodes.manners.fill(honest)
    storage.mode = 'works'
    nodes.now = tale.moments.length - 1
    this.#setClock(0)
    if (this.session?.stops.length) await time.pass(NEXT_SLOT_MS)
    for (const stop of this.session?.stops ?? []) stop()
    if (this.session !== null) await this.#settle(this.session)
    for (let start = 0; start < 2; start++) {
      if (this.session === null) await this.#start(null)
      if (this.session !== null) await this.#reachHead(this.session)
      else expect(history.isLimited).toBe(true)
      await this.#end()
    }
    this.#aborts.forEach(clearTimeout)
    expect(nodes.open).toBe(0)
    // A storage that was silent is waited for, by writes that nobody waits for any more.
    if (this.storage.wasSilent) await time.drain(60_000)
    expect(time.timers).toBe(0)
  }

  async #reachHead({ client }: Session): Promise<void> {
    const isStale = this.isStale(client.finalized.slot)
    const isOnTrust = client.finalized.links.header === 'trusted'
    const outcome = time.until(client.sync(), 100_000)
    if (isStale) return void (await expect(outcome).rejects.toBeInstanceOf(StaleCheckpointError))
    // What somebody spoiled, and was believed, may be of another chain, and look newer than all that is true.
    if (isOnTrust && this.storage.isSpoiled) return void (await outcome.catch(() => {}))
    await outcome
    expect(client.finalized.root).toBe(toHex(tale.chain.finalized.root))
    expect(client.optimistic.root).toBe(toHex(tale.chain.optimistic.root))
  }
}

interface Beacon {
  readonly slot: number
  readonly proposerIndex: number
  readonly parentRoot: Uint8Array
  readonly stateRoot: Uint8Array
  readonly bodyRoot: Uint8Array
}

const jsonOf = ({ slot, proposerIndex, parentRoot, stateRoot, bodyRoot }: Beacon) => ({
  slot: String(slot),
  proposer_index: String(proposerIndex),
  parent_root: toHex(parentRoot),
  state_root: toHex(stateRoot),
  body_root: toHex(bodyRoot),
})

/** Where nobody lies and nothing fails a chain is followed to its head, and looked back from there: what comes of that is seen in each run. */
const plain: History = {
  steps: [
    { do: 'follow', finality: 'finalized', abort: null },
    { do: 'follow', finality: 'optimistic', abort: null },
    ...Array<Step>(4).fill({ do: 'go on' }),
    { do: 'sync', abort: null, isAwaited: true },
    ...[-1, 0, 3, 5, 6, 22].map((by): Step => ({ do: 'look back', by, abort: null })),
  ],
  ...{ nodes: [honest], from: 3, isSteady: true, trustCache: false, isLimited: false },
}

it('any history', async () => {
  await fc.assert(
    fc.asyncProperty(history, (one) => time.during(() => new Life(one).run())),
    { numRuns: timesRounds(RUNS), seed: SEED, endOnFailure: true, examples: [[plain]] },
  )
  expect([...seen].sort()).toEqual([
    'ancestor',
    'anchored',
    'as new',
    'followed',
    'followed on',
    'no-block',
    'too-new',
    'unavailable',
  ])
})
