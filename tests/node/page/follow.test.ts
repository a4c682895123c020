/** What the live and the simulated source follow a chain with: each slot on a stage that only takes notes, for Fulu and for Gloas. */
import type { CellState, ChainLink } from 'blobcheck/elements'
import { BeaconUnavailableError, StaleCheckpointError } from 'blobcheck/light-client'
import {
  createBeaconApp,
  type Faults,
  type MadeChain,
  makeChain,
  type MakeChainOptions,
} from 'blobcheck/serve'
import { beforeAll, describe, expect, it } from 'vitest'
import { Answers } from '../../../web-demo/src/follow/answers.ts'
import { type FollowOptions, followChain, type FollowProgress } from '../../../web-demo/src/follow/follow.ts'
import { parseNetwork } from '../../../web-demo/src/follow/network.ts'
import { type FollowedSlot, RIBBON_SLOTS, slotsOf } from '../../../web-demo/src/follow/slot.ts'
import type { CellDetail, Conclusion, Stage, Subject } from '../../../web-demo/src/instrument/stage.ts'
import { CELL_BYTES } from '../../../web-demo/src/shared/sizes.ts'
import { until } from '../../support/make.ts'

/** A stage that takes notes of what is on it now. */
class Notes implements Stage {
  readonly held = new AbortController()
  readonly signal = this.held.signal
  now: Subject | null = null
  readonly columns = new Map<number, CellState>()
  chain: readonly ChainLink[] = []
  lanes = 0
  spans = 0
  conclusion: Conclusion | null = null
  look: (blob: number, column: number) => CellDetail = () => ({ text: '', bytes: null })

  subject(subject: Subject): void {
    this.now = subject
    this.columns.clear()
  }
  begin(): void {
    this.spans = 0
    this.conclusion = null
  }
  cell(): void {}
  row(): void {}
  column(column: number, state: CellState): void {
    this.columns.set(column, state)
  }
  inspect(look: (blob: number, column: number) => CellDetail): void {
    this.look = look
  }
  links(links: readonly ChainLink[]): void {
    this.chain = links
  }
  workers(count: number): void {
    this.lanes = count
  }
  span(): void {
    this.spans++
  }
  conclude(conclusion: Conclusion): void {
    this.conclusion = conclusion
  }

  /** How many columns are in a state. */
  count(wanted: CellState): number {
    return [...this.columns.values()].filter((state) => state === wanted).length
  }
  marks(): Record<string, string> {
    return Object.fromEntries(this.chain.map(({ name, mark }) => [name, mark]))
  }
}

/** A chain that is followed without a network, and all that was told of it. */
class Run {
  notes = new Notes()
  readonly stop = new AbortController()
  readonly faults: Faults = { rules: [] }
  readonly progress: FollowProgress[] = []
  readonly slots = new Map<number, FollowedSlot>()
  /** Requests that have no answer yet. */
  open = 0
  requests = 0
  readonly chain: MadeChain
  readonly followed

  constructor(chain: MadeChain, options: Partial<FollowOptions> = {}) {
    this.chain = chain
    const app = createBeaconApp({ chain, faults: this.faults })
    this.followed = followChain({
      ...{
        stage: this.notes,
        takeAgain: () => (this.notes = new Notes()),
        network: chain.network,
        checkpoint: chain.checkpoint,
        beacon: ['https://a.example'],
      },
      ...{ signal: this.stop.signal, now: () => chain.now(), store: false },
      fetch: async (url, init) => {
        this.open++
        this.requests++
        try {
          return await app.fetch(new Request(url, init as RequestInit))
        } finally {
          this.open--
        }
      },
      onProgress: (progress) => this.progress.push(progress),
      onSlot: (slot) => this.slots.set(slot.slot, slot),
      ...options,
    })
    this.followed.ended.catch(() => {})
  }

  /** Waits until a slot is over. */
  async over(slot: number): Promise<FollowedSlot> {
    const isOver = until(() => ![undefined, 'sampling'].includes(this.slots.get(slot)?.state))
    // What ends too soon says why.
    await Promise.race([isOver, this.followed.ended])
    return this.slots.get(slot)!
  }

  /** The newest slot, once it is over: its block has a child, whose makers signed for it. */
  async newest(): Promise<FollowedSlot> {
    return await this.over(slotNow(this.chain) - 1)
  }

  /** A slot later. */
  async next(): Promise<FollowedSlot> {
    this.chain.advance(1)
    return await this.newest()
  }

  async end(): Promise<void> {
    this.stop.abort()
    await this.followed.ended
  }
}

function slotNow(chain: MadeChain): number {
  const { genesisTime, secondsPerSlot = 12 } = chain.network
  return Math.floor((chain.now() / 1000 - genesisTime) / secondsPerSlot)
}

const made = (options: MakeChainOptions): Promise<MadeChain> =>
  makeChain({ clock: 'by-hand', secondsPerSlot: 1, blobsPerBlock: 2, ...options })

describe.each([
  ['Fulu', {}],
  ['Gloas', { gloasForkEpoch: 4 }],
])('a chain of %s', (fork, options) => {
  let chain: MadeChain
  beforeAll(async () => {
    chain = await made({ slots: 70, ...options })
  })

  it('is followed from its checkpoint: progress, slots, cells, links and bytes', async () => {
    const run = new Run(chain)
    const { notes } = run
    const { root, slot, version, blobs } = chain.at(chain.head.slot - 1)!
    expect(version).toBe(fork.toLowerCase())
    const first = await run.newest()
    expect(new Set(run.progress.map(({ stage }) => stage))).toEqual(
      new Set(['checkpoint', 'periods', 'finality', 'optimistic', 'following']),
    )
    expect(first).toMatchObject({ slot, state: 'available' })
    expect(first.label).toBe('1 in 2³¹')
    // The figure has what it rests on beside it.
    expect(first.words).toContain(first.label)
    expect(first.words).toContain('columns were drawn here, at random, after the block was made')
    expect(first.words).toContain('One server answered')
    expect(first.words).toContain('https://a.example delivered 26 of 26')
    expect(notes.now).toMatchObject({ slot, root, blobs: 2 })
    expect(notes.count('valid')).toBe(26)
    expect(notes.columns.size).toBe(26)
    expect(notes.spans).toBeGreaterThan(0)
    expect(notes.conclusion).toMatchObject({ state: 'verified', resting: 'a sync committee' })
    expect(notes.conclusion?.verdict).toContain('26 columns of 128, 52 cells')
    expect(notes.marks()).toEqual({
      ...{ cell: 'verified', commitment: 'verified', root: 'verified', signature: 'unknown' },
      ...{ committee: 'verified', checkpoint: 'verified' },
    })
    for (const [column] of notes.columns) {
      const { text, bytes } = notes.look(1, column)
      expect(text).toMatch(/^Verified here .* https:\/\/a\.example sent it, \d+ ms/)
      // The left half of the columns is the blob itself.
      if (column < 64)
        expect(bytes).toEqual(blobs[1]!.blob.subarray(column * CELL_BYTES, (column + 1) * CELL_BYTES))
      else expect(bytes).toHaveLength(CELL_BYTES)
    }
    const other = Array.from({ length: 128 }, (_, at) => at).find((at) => !notes.columns.has(at))!
    expect(notes.look(0, other)).toMatchObject({
      bytes: null,
      text: expect.stringContaining('not drawn') as string,
    })

    await run.next()
    expect(notes.now?.slot).toBe(slot + 1)
    // An older slot again, as it was, and it stays while others are sampled.
    run.followed.show(slot)
    expect(notes.now).toMatchObject({ slot, root })
    expect(notes.count('valid')).toBe(26)
    expect(notes.conclusion?.state).toBe('verified')
    expect(notes.marks()['committee']).toBe('verified')
    const shown = [...notes.columns.keys()][0]!
    expect(notes.look(0, shown).bytes).toHaveLength(CELL_BYTES)
    await run.next()
    expect(notes.now?.slot).toBe(slot)
    run.followed.show(null)
    expect(notes.now?.slot).toBe(slot + 2)
    await run.end()
  })

  it('that ended when another source took the stage takes it again to show a slot', async () => {
    const run = new Run(chain)
    const { slot } = await run.newest()
    await run.next()
    const { notes: before } = run
    before.held.abort()
    await run.followed.ended
    const asked = run.requests
    // Of no slot that it knows: nothing is taken for that.
    run.followed.show(slot - RIBBON_SLOTS)
    expect(run.notes).toBe(before)

    run.followed.show(slot)
    const { notes } = run
    expect(notes).not.toBe(before)
    expect(notes.now?.slot).toBe(slot)
    expect(notes.count('valid')).toBe(26)
    expect(notes.lanes).toBeGreaterThan(0)
    expect(notes.spans).toBeGreaterThan(0)
    expect(notes.conclusion).toMatchObject({ state: 'verified', resting: 'a sync committee' })
    expect(notes.marks()['committee']).toBe('verified')
    // It is held still: nobody need be asked for it.
    run.followed.show(null)
    expect(run.notes).toBe(notes)
    expect(notes.now?.slot).toBe(slot + 1)
    expect(run.requests).toBe(asked)
  })

  it('whose node withholds columns, or sends false ones, is shown as that', async () => {
    const run = new Run(chain)
    const { notes } = run
    await run.newest()
    run.faults.rules = [{ fault: { kind: 'withhold', columns: 65 }, routes: ['data_column_sidecars'] }]
    const withheld = await run.next()
    // Of Gloas the next block has to show first that the payload was revealed.
    expect(withheld.state).toBe(fork === 'Fulu' ? 'unavailable' : 'unknown')
    expect(notes.count('missing')).toBeGreaterThan(8)
    expect(notes.conclusion).toMatchObject({
      state: fork === 'Fulu' ? 'refused' : 'unknown',
      resting: 'a sync committee',
    })
    const missing = [...notes.columns].find(([, state]) => state === 'missing')![0]
    expect(notes.look(0, missing)).toEqual({
      text: 'Missing. https://a.example: not-delivered.',
      bytes: null,
    })

    run.faults.rules = [{ fault: { kind: 'corrupt', part: 'cell' }, routes: ['data_column_sidecars'] }]
    const refused = await run.next()
    expect(refused.state).toBe('refused')
    expect(refused.words).toMatch(/What was sent of \d+ columns is false/)
    expect(notes.count('valid')).toBe(0)
    expect(notes.conclusion?.state).toBe('refused')
    expect(notes.chain.find(({ name }) => name === 'cell')).toMatchObject({
      ...{ mark: 'broken', reason: 'proof-mismatch' },
    })
    // Whoever lies about the data, the header is the light client's.
    expect(notes.marks()).toMatchObject({ root: 'verified', committee: 'verified', checkpoint: 'verified' })
    const bad = [...notes.columns].find(([, state]) => state === 'refused')![0]
    expect(notes.look(0, bad).text).toContain('https://a.example: false (proof-mismatch)')
    expect(notes.look(0, bad).bytes).toHaveLength(CELL_BYTES)

    run.faults.rules = [{ fault: { kind: 'status', code: 503 }, routes: ['data_column_sidecars'] }]
    const silent = await run.next()
    expect(silent).toMatchObject({ state: 'unknown', label: 'not known' })
    expect(notes.conclusion?.state).toBe('unknown')
    await run.end()
  })

  it('ends with the signal, or when the stage is taken: nothing is asked any more', async () => {
    for (const end of ['stop', 'stage'] as const) {
      const run = new Run(chain)
      await run.newest()
      if (end === 'stop') run.stop.abort()
      else run.notes.held.abort()
      await run.followed.ended
      const { requests } = run
      expect(run.open).toBe(0)
      // Another one, which was not ended, learns of newer slots meanwhile.
      const other = new Run(chain)
      await other.newest()
      await other.next()
      await other.next()
      await other.end()
      expect(run.requests).toBe(requests)
    }
    const hanging = new Run(chain)
    await hanging.newest()
    hanging.faults.rules = [{ fault: { kind: 'delay', ms: 60_000 }, routes: ['data_column_sidecars'] }]
    chain.advance(1)
    const slot = chain.head.slot - 1
    await until(() => hanging.slots.get(slot)?.state === 'sampling')
    await hanging.end()
    // What was under way does not look as if it went on.
    expect(hanging.slots.get(slot)).toMatchObject({ state: 'missed', label: 'stopped' })
    expect(hanging.notes.conclusion).toMatchObject({ state: 'unknown', verdict: 'Not sampled' })
    const late = new Run(chain, { signal: AbortSignal.abort() })
    await late.followed.ended
    expect(late.requests).toBe(0)
  })
})

describe('slots without data', () => {
  it('are told apart: empty, without blobs, without a payload', async () => {
    const chain = await made({
      ...{ slots: 67, gloasForkEpoch: 4 },
      isMissed: (slot) => slot === 132,
      isPayloadWithheld: (slot) => slot === 131,
      blobsPerBlock: (slot) => (slot === 133 ? 0 : 2),
    })
    const run = new Run(chain)
    expect(await run.newest()).toMatchObject({ slot: 129 })
    expect(await run.next()).toMatchObject({ slot: 130, state: 'available' })
    // The child of 131 is in slot 133.
    chain.advance(2)
    expect(await run.over(131)).toMatchObject({ state: 'unknown' })
    // Its columns may never have existed.
    expect(run.slots.get(131)?.words).toContain('the next block will show it')
    expect(await run.next()).toMatchObject({ slot: 133, state: 'no-blobs', label: 'no blobs' })
    await until(() => run.slots.get(131)?.state === 'not-revealed')
    expect(run.slots.get(132)).toMatchObject({ state: 'empty', label: 'empty' })
    // What came again is not shown in the place of the newest.
    expect(run.notes.now).toMatchObject({ slot: 133, blobs: 0 })
    expect(run.notes.conclusion).toMatchObject({
      state: 'verified',
      verdict: 'No blobs: proven by the block',
    })
    run.followed.show(132)
    expect(run.notes.now).toMatchObject({ slot: 132, root: null, blobs: 0 })
    expect(run.notes.marks()['root']).toBe('unknown')
    run.followed.show(131)
    expect(run.notes.conclusion).toMatchObject({ state: 'unknown', resting: 'a sync committee' })
    await run.end()
  })

  it('that went by are as many as the ribbon has, however many they are', () => {
    const missed = { slot: 10, lastSlot: 10_000_000, outcome: 'missed', again: false, report: null } as const
    const slots = slotsOf(missed, missed.lastSlot - RIBBON_SLOTS + 1)
    expect(slots).toHaveLength(RIBBON_SLOTS)
    expect(slots.at(-1)).toMatchObject({ slot: 10_000_000, state: 'missed' })
  })
})

describe('what cannot be followed', () => {
  let chain: MadeChain
  beforeAll(async () => {
    chain = await made({ slots: 8, blobsPerBlock: 0 })
  })

  it('is told by the error of the light client', async () => {
    const unknown = new Run(chain, { checkpoint: `0x${'12'.repeat(32)}` })
    await expect(unknown.followed.ended).rejects.toBeInstanceOf(BeaconUnavailableError)
    expect(unknown.notes.conclusion).toEqual({
      state: 'unknown',
      verdict: 'Nothing verified',
      resting: 'nothing',
    })
    const old = new Run(chain, { now: () => chain.now() + 10_000 * 32 * 1000 })
    await expect(old.followed.ended).rejects.toBeInstanceOf(StaleCheckpointError)
  })
})

describe('the bytes of a cell', () => {
  const root = `0x${'12'.repeat(32)}`
  const cell = `0x${'ab'.repeat(CELL_BYTES)}`

  /** What is kept of an answer for column 5 that is this JSON. */
  async function keptOf(body: string): Promise<Answers> {
    const answers = new Answers()
    const fetch = answers.kept(() =>
      Promise.resolve(new Response(body, { headers: { 'content-type': 'application/json' } })),
    )
    const url = `https://a.example/eth/v1/debug/beacon/data_column_sidecars/${root}?indices=5`
    await (await fetch(url, {} as Parameters<typeof fetch>[1])).text()
    return answers
  }

  it('are taken out of an answer as JSON, whatever stands beside them', async () => {
    const others = [null, 7, { index: '4', column: [cell] }]
    const answers = await keptOf(
      JSON.stringify({ data: [...others, { index: '5', column: ['0x', cell, null] }] }),
    )
    expect(answers.cell(root, 'https://a.example', 5, 1)).toEqual(new Uint8Array(CELL_BYTES).fill(0xab))
    for (const blob of [0, 2, 3]) expect(answers.cell(root, 'https://a.example', 5, blob)).toBeNull()
  })

  it('are not kept where the answer is complete after its block was forgotten', async () => {
    const answers = new Answers()
    let finish = (): void => {}
    const body = new ReadableStream<Uint8Array>({
      start(controller) {
        finish = () => {
          const text = JSON.stringify({ data: [{ index: '5', column: [cell] }] })
          controller.enqueue(new TextEncoder().encode(text))
          controller.close()
        }
      },
    })
    const headers = { 'content-type': 'application/json' }
    const fetch = answers.kept(() => Promise.resolve(new Response(body, { headers })))
    const url = `https://a.example/eth/v1/debug/beacon/data_column_sidecars/${root}?indices=5`
    const response = await fetch(url, {} as Parameters<typeof fetch>[1])
    answers.forget(root)
    finish()
    expect(await response.text()).toContain(cell)
    expect(answers.cell(root, 'https://a.example', 5, 0)).toBeNull()
  })

  const columns = [null, 3, 'text', {}, [null], [3], [{}], ['0x'], [cell.replace('ab', 'zz')], [`${cell}00`]]
  const bodies = [
    ...['', '{', 'null', '3', '{}', '{"data":null}', '{"data":{}}', '{"data":[null]}', '{"data":[{}]}'],
    ...columns.map((column) => JSON.stringify({ data: [{ index: '5', column }] })),
  ]
  it.each(bodies.map((body) => ({ body })))(
    'are not in an answer of another shape: $body',
    async ({ body }) => {
      expect((await keptOf(body)).cell(root, 'https://a.example', 5, 0)).toBeNull()
    },
  )
})

it('a config as JSON says of a fork that it never comes with null', () => {
  const text = JSON.stringify({ genesisTime: 1, forkEpochs: { deneb: 0, electra: 0, fulu: null } })
  expect(parseNetwork(text).forkEpochs).toEqual({ deneb: 0, electra: 0, fulu: Infinity })
  for (const bad of ['', '3', '[]', '{}', 'null']) expect(() => parseNetwork(bad)).toThrow(TypeError)
})
