/** Chains by themselves: their options, their clocks, and what cannot be made a chain. */
import { readFile } from 'node:fs/promises'
import {
  createBeaconApp,
  createExecutionApp,
  embeddedSidecarsUrl,
  fetchEmbeddedSidecars,
  holeskyAsIfFulu,
  type LabelledNetwork,
  type MadeChain,
  makeChain,
  type MakeChainOptions,
  realChain,
} from 'blobcheck/serve'
import { readEmbeddedSidecars } from 'blobcheck/serve/node'
import { createVerifier, networks } from 'blobcheck'
import { loadBeacon } from 'blobcheck/beacon'
import { createProver } from 'blobcheck/prover'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { fromHex, toHex } from '../support/bytes.ts'
import { range, until } from '../support/make.ts'
import { type HeaderJson, headerRoot } from '../support/ssz.ts'
import { ask, blobSidecars, columns, handChain, JSON_TYPE, SSZ } from '../support/served.ts'

const none = { blobsPerBlock: 0 } as const

describe('a made chain', () => {
  it.each([
    { slots: 0 },
    { slots: 1.5 },
    { blobsPerBlock: -1 },
    { blobsPerBlock: 129 },
    { blobsPerBlock: 7, maxBlobsPerBlock: 6 },
    { blobsPerBlock: () => Number.NaN },
    { blobsPerBlock: () => 22 },
    { firstSlot: 0 },
    { secondsPerSlot: 0 },
    { secondsPerSlot: 0.5 },
    { slotsPerEpoch: 0 },
    { syncCommitteeSize: 500 },
    { syncCommitteeSize: 1024 },
    { epochsPerSyncCommitteePeriod: 0 },
    { dataRetentionEpochs: -1 },
    { genesisTime: 0.5 },
    { genesisTime: Math.ceil(Date.now() / 1000) },
  ])('is refused with %o', async (options) => {
    await expect(makeChain({ ...none, ...options })).rejects.toBeInstanceOf(TypeError)
  })

  it.each([
    [{ slot: 5 }, 'options: "slot" is no option'],
    [{ clock: 'byhand' }, "clock must be 'running' or 'by-hand', not byhand"],
    [{ clock: null }, "clock must be 'running' or 'by-hand', not null"],
    [{ seed: 'x' }, 'seed must be an integer from'],
    [{ seed: NaN }, 'seed must be an integer from'],
    [{ blobsPerBlock: '3' }, 'blobsPerBlock must be an integer from 0 to 128, not 3'],
    [{ isMissed: [70] }, 'isMissed must be a function'],
    [{ isPayloadWithheld: true }, 'isPayloadWithheld must be a function'],
    [{ onProgress: 5 }, 'onProgress must be a function'],
    [{ signHeaders: 'no' }, 'signHeaders must be a boolean'],
    [{ signal: 5 }, 'signal must be an AbortSignal'],
  ])('says of %o what is wrong', async (options, words) => {
    const chain = makeChain({ ...none, slots: 2, clock: 'by-hand', ...(options as MakeChainOptions) })
    await expect(chain).rejects.toMatchObject({
      name: 'TypeError',
      message: expect.stringContaining(words) as unknown,
    })
  })

  it('does not grow past its clock, so that whoever listens hears of each block', async () => {
    const chain = await handChain({ ...none, slots: 8 })
    const told: number[] = []
    chain.subscribe((event) => event.kind === 'block' && told.push(event.block.slot))
    chain.grow(71)
    expect(() => chain.grow(72)).toThrow(
      new TypeError('slot must have begun: the present one is 71, and 72 is to come'),
    )
    expect(() => chain.grow('71' as never)).toThrow(TypeError)
    chain.advance(3)
    chain.grow(74)
    expect([chain.head.slot, told]).toEqual([74, [72, 73, 74]])
  })

  it.each([null, 5])('is not made of %o', async (options) => {
    await expect(makeChain(options as never)).rejects.toEqual(new TypeError('options must be an object'))
  })

  it.each([-1, NaN, 1.5, '3', Infinity, null])('is not moved on by %o slots', async (slots) => {
    const chain = await handChain(none)
    const { slot } = chain.head
    expect(() => chain.advance(slots as number)).toThrow(
      new TypeError(`slots must be an integer from 0 to 2147483648, not ${slots}`),
    )
    expect(chain.head.slot).toBe(slot)
    chain.advance(0)
    expect(chain.head.slot).toBe(slot)
    chain.advance()
    expect(chain.head.slot).toBe(slot + 1)
  })

  it.each([
    [512, 'mainnet'],
    [32, 'minimal'],
  ])('of committees of %i has the blocks of the %s preset, whose roots are right', async (size, preset) => {
    const chain = await handChain({
      ...{ ...none, slots: 40, slotsPerEpoch: 8, firstSlot: 16, gloasForkEpoch: 4, syncCommitteeSize: size },
      isMissed: (slot) => slot % 3 === 0,
    })
    const app = createBeaconApp({ chain })
    const beacon = await loadBeacon()
    const forks = new Set<string>()
    for (let slot = 16; slot < 56; slot++) {
      const block = chain.at(slot)
      if (block === null) continue
      forks.add(block.version)
      for (const accept of [SSZ, JSON_TYPE]) {
        const { bytes, json } = await ask(app, `/eth/v2/beacon/blocks/${slot}`, accept)
        const read = beacon.readBlock(json ?? bytes, { network: chain.network })
        expect(read.root).toBe(block.root)
        expect(read.bodyRoot).toBe(toHex(block.header.message.body_root))
      }
    }
    expect([...forks]).toEqual(['fulu', 'gloas'])
    const spec = (await ask(app, '/eth/v1/config/spec')).json['data']
    expect(spec).toMatchObject({ PRESET_BASE: preset, SYNC_COMMITTEE_SIZE: String(size) })
  })

  it('is called off by a signal', async () => {
    const reason = new Error('enough')
    const signal = AbortSignal.abort(reason)
    await expect(makeChain({ signal, seed: 77 })).rejects.toBe(reason)
    await expect(makeChain({ ...none, signal, slots: 1 })).rejects.toBe(reason)
    const controller = new AbortController()
    const onProgress = (): void => controller.abort(reason)
    await expect(makeChain({ seed: 78, signal: controller.signal, onProgress })).rejects.toBe(reason)
    const late = makeChain({ ...none, slots: 100_000, signal: AbortSignal.timeout(50) })
    await expect(late).rejects.toMatchObject({ name: 'TimeoutError' })
  })

  it('tells how far it is', async () => {
    const told: [number, number][] = []
    const stages = new Set<string>()
    await handChain({
      blobsPerBlock: 2,
      onProgress({ stage, done, total }) {
        stages.add(stage)
        told.push([done, total])
      },
    })
    expect(stages).toEqual(new Set(['prove']))
    expect(told.at(-1)).toEqual([6, 6])
    expect(told.map(([done]) => done)).toEqual([...told.map(([done]) => done)].sort((a, b) => a - b))
  })

  it('has the slots that it is asked for, from a whole epoch on', async () => {
    const chain = await handChain({ ...none, firstSlot: 33, slots: 10, isMissed: (slot) => slot % 3 === 0 })
    expect(chain.head.slot).toBe(73)
    expect(chain.at(64)!.root).toBe(chain.checkpoint)
    expect([65, 66, 69, 72].map((slot) => chain.at(slot)?.slot ?? null)).toEqual([65, null, null, null])
    expect(chain.at(74)).toBeNull()
    chain.advance()
    expect(chain.at(74)!.slot).toBe(74)
    expect(chain.at(63)).toBeNull()
    expect(chain.at(0)!.slot).toBe(0)
  })

  it('stands still by hand, and runs by itself, a slot a second', async () => {
    const still = await handChain({ ...none, slots: 5 })
    const running = await makeChain({ ...none, slots: 5, secondsPerSlot: 1 })
    const now = still.now()
    const slots: number[] = []
    const unsubscribe = running.subscribe((event) => event.kind === 'block' && slots.push(event.block.slot))
    // Whatever slot begins between one line and the next.
    const slotByTheClock = (): number => Math.floor(running.now() / 1000 - running.network.genesisTime)
    const begun = slotByTheClock()
    await until(() => slots.length >= 2)
    unsubscribe()
    expect(still.now()).toBe(now)
    expect(slots).toEqual(slots.map((_, at) => slots[0]! + at))
    expect(slots[0]).toBeLessThanOrEqual(begun + 1)
    const before = slotByTheClock()
    const head = running.head.slot
    expect(head).toBeGreaterThanOrEqual(before)
    expect(head).toBeLessThanOrEqual(slotByTheClock())
    expect(() => running.advance()).toThrow(TypeError)
  })

  it('is the same chain again where it has the same genesis time', async () => {
    const genesisTime = Math.floor(Date.now() / 1000) - 1000
    const options = { ...none, slotsPerEpoch: 8, secondsPerSlot: 10, genesisTime }
    const first = await makeChain({ ...options, slots: 5 })
    const again = await makeChain({ ...options, slots: 50 })
    expect(first.head.slot).toBeGreaterThanOrEqual(100)
    for (const slot of [16, 20, 21, 65, 100]) expect(again.at(slot)!.root).toBe(first.at(slot)!.root)
    const later = await makeChain({ ...options, slots: 5, genesisTime: genesisTime + 1 })
    expect(later.at(20)!.root).not.toBe(first.at(20)!.root)
    expect((await handChain({ ...none, genesisTime: 1_600_000_000 })).network.genesisTime).toBe(1_600_000_000)
  })

  it('draws its blobs from one that is proved already', async () => {
    const { data } = JSON.parse(await readEmbeddedSidecars()) as {
      data: { blob: string; kzg_commitment: string }[]
    }
    const prover = await createProver()
    const { blob, kzg_commitment: commitment } = data[0]!
    const proved = await prover.computeCellsAndKzgProofs(blob)
    await prover.dispose()
    const firstBlob = { ...proved, commitment: fromHex(commitment) }
    const chain = await handChain({ blobsPerBlock: 5, firstBlob })
    // Of a pool of eight: block 71 has the last of them and the first four.
    expect(chain.head.slot).toBe(71)
    expect(toHex(chain.head.blobs[1]!.blob)).toBe(blob)
    expect(new Set(chain.head.blobs.map((one) => toHex(one.commitment))).size).toBe(5)
    const { bytes } = await ask(createBeaconApp({ chain }), columns('head'), SSZ)
    const verifier = await createVerifier({ network: chain.network, cache: false })
    const verdicts = await verifier.verifyDataColumnSidecars(bytes)
    await verifier.dispose()
    expect(verdicts.map(({ status }) => status)).toEqual(Array(128).fill('valid'))

    const ones = new Uint8Array(48).fill(255)
    for (const changed of [
      { commitment: new Uint8Array(47) },
      { cells: proved.cells.slice(1) },
      { proofs: [...proved.proofs.slice(1), new Uint8Array(0)] },
      { commitment: ones },
      { proofs: [ones, ...proved.proofs.slice(1)] },
      { cells: [new Uint8Array(2048).fill(255), ...proved.cells.slice(1)] },
    ])
      await expect(handChain({ firstBlob: { ...firstBlob, ...changed } })).rejects.toBeInstanceOf(TypeError)
  })

  it('may leave its headers unsigned', async () => {
    const [bare, signed] = [await handChain({ ...none, signHeaders: false }), await handChain(none)]
    expect(bare.head.root).toBe(signed.head.root)
    expect(bare.head.header.signature).toEqual(new Uint8Array(96))
    expect(signed.head.header.signature).not.toEqual(new Uint8Array(96))
  })
})

describe('a made chain that has many slots to make', () => {
  const SLOTS = 5_000
  /** More than are made before others get a turn, and far fewer than there are. */
  const FEW = 200
  /** The slots that were made since others had a turn, the most of them, and all. */
  let made = { sinceTurn: 0, most: 0, total: 0 }
  let watch: NodeJS.Immediate
  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'] })
    made = { sinceTurn: 0, most: 0, total: 0 }
    const turn = (): void => {
      made.sinceTurn = 0
      watch = setImmediate(turn)
    }
    watch = setImmediate(turn)
  })
  afterEach(() => {
    clearImmediate(watch)
    vi.useRealTimers()
  })
  const options: MakeChainOptions = {
    ...none,
    slots: 8,
    secondsPerSlot: 1,
    isMissed(slot) {
      made.total++
      made.most = Math.max(made.most, ++made.sinceTurn)
      return slot % 100 !== 0
    },
  }

  /** A chain that nobody has asked for so long. */
  async function idle(): Promise<MadeChain> {
    const chain = await makeChain(options)
    vi.setSystemTime(Date.now() + SLOTS * 1_000)
    made = { sinceTurn: 0, most: 0, total: 0 }
    return chain
  }

  const headers = (init: RequestInit = {}): Request =>
    new Request('http://beacon.test/eth/v1/beacon/headers/head', init)

  it('gives others a turn before it is there, where its genesis was long ago', async () => {
    const genesisTime = Math.floor(Date.now() / 1_000) - SLOTS
    const chain = await makeChain({ ...options, genesisTime })
    expect(chain.head.slot).toBe(SLOTS)
    expect(made.total).toBeGreaterThan(SLOTS - FEW)
    expect(made.most).toBeLessThan(FEW)
  })

  it('gives others a turn before it answers, however many ask at the same time', async () => {
    const app = createBeaconApp({ chain: await idle() })
    const answers = await Promise.all(range(20).map(async () => await app.fetch(headers())))
    for (const answer of answers)
      expect(await answer.json()).toMatchObject({ data: { header: { message: { slot: '5000' } } } })
    expect(made.total).toBeGreaterThan(SLOTS - FEW)
    expect(made.most).toBeLessThan(FEW)
  })

  it('gives others a turn before it answers of its execution layer', async () => {
    const app = createExecutionApp({ chain: await idle() })
    const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'eth_blockNumber', params: [] })
    const answer = await app.fetch(new Request('http://execution.test/', { method: 'POST', body }))
    // Genesis, the first slot's block, and each hundredth.
    expect(await answer.json()).toMatchObject({ result: '0x33' })
    expect(made.total).toBeGreaterThan(SLOTS - FEW)
    expect(made.most).toBeLessThan(FEW)
  })

  it('makes no more of them when those who asked have gone', async () => {
    const chain = await idle()
    const app = createBeaconApp({ chain })
    const controller = new AbortController()
    const asking = app.fetch(headers({ signal: controller.signal }))
    await until(() => made.total > 0)
    // As a server gives it, which is no error.
    controller.abort('the connection was closed')
    await expect(asking).rejects.toBe('the connection was closed')
    // The slots whose turn it is are made.
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(made.total).toBeLessThan(SLOTS - FEW)
    const { total } = made
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(made.total).toBe(total)
    await expect(chain.catchUp(controller.signal)).rejects.toBe('the connection was closed')
    expect((await app.fetch(headers())).status).toBe(200)
    expect(chain.head.slot).toBe(SLOTS)
  })

  it('gives others a turn where somebody listens to it, and tells of each block in order', async () => {
    const chain = await makeChain(options)
    const told: number[] = []
    const unsubscribe = chain.subscribe((event) => event.kind === 'block' && told.push(event.block.slot))
    // The machine sleeps, and the timer of the next slot is late.
    vi.setSystemTime(Date.now() + SLOTS * 1_000)
    made = { sinceTurn: 0, most: 0, total: 0 }
    await until(() => made.total > SLOTS - FEW)
    unsubscribe()
    expect(made.most).toBeLessThan(FEW)
    expect(told).toEqual(told.toSorted((a, b) => a - b))
    expect(told.length).toBeGreaterThan((SLOTS - FEW) / 100 - 1)
  })

  it('gives others a turn where a stream of its events is open', async () => {
    const chain = await makeChain(options)
    const app = createBeaconApp({ chain })
    const url = 'http://beacon.test/eth/v1/events?topics=head&topics=light_client_optimistic_update'
    const reader = (await app.fetch(new Request(url))).body!.pipeThrough(new TextDecoderStream()).getReader()
    await reader.read()
    vi.setSystemTime(Date.now() + SLOTS * 1_000)
    made = { sinceTurn: 0, most: 0, total: 0 }
    for (let text = ''; !text.includes('"slot":"5000"');) text += (await reader.read()).value
    await reader.cancel()
    expect(made.total).toBeGreaterThan(SLOTS - FEW)
    expect(made.most).toBeLessThan(FEW)
  })

  it('makes no more of them when those who listened have gone', async () => {
    const chain = await makeChain(options)
    const unsubscribe = chain.subscribe(() => {})
    vi.setSystemTime(Date.now() + SLOTS * 1_000)
    made = { sinceTurn: 0, most: 0, total: 0 }
    await until(() => made.total > 0)
    unsubscribe()
    await new Promise((resolve) => setTimeout(resolve, 20))
    expect(made.total).toBeLessThan(SLOTS - FEW)
    // Whoever listens next finds it whole.
    chain.subscribe(() => {})()
    expect(made.total).toBeGreaterThan(SLOTS - FEW)
  })

  it('answers with an error, and is asked again, where a block cannot be made', async () => {
    let isBroken = true
    const chain = await makeChain({
      ...options,
      blobsPerBlock(slot) {
        if (isBroken && slot === 1_000) throw new Error('not this one')
        return 0
      },
    })
    vi.setSystemTime(Date.now() + SLOTS * 1_000)
    const app = createBeaconApp({ chain })
    for (const _ of range(2))
      expect(await (await app.fetch(headers())).json()).toEqual({
        code: 500,
        message: 'this server has a fault of its own: not this one',
      })
    isBroken = false
    expect((await app.fetch(headers())).status).toBe(200)
    // The slot is not lost.
    expect(chain.at(1_000)!.slot).toBe(1_000)
  })
})

it.each([{}, null, undefined, 'a chain', { head: null, now: () => 0 }])('%o is no chain', (chain) => {
  // The execution layer is served of a chain of which there is nothing else.
  for (const [create, words] of [
    [createBeaconApp, /chain must be .* it lacks network, checkpoint, /],
    [createExecutionApp, /chain must be .* it lacks network$/],
  ] as const)
    expect(() => create({ chain: chain as never })).toThrow(
      expect.objectContaining({ name: 'TypeError', message: expect.stringMatching(words) as unknown }),
    )
})

describe('the real block', () => {
  it('is of Deneb on its own network: it has sidecars and no columns', async () => {
    const network: LabelledNetwork = { ...networks.holesky, label: 'Holesky' }
    const chain = await realChain({ sidecars: await readEmbeddedSidecars(), network })
    expect(chain.head.version).toBe('deneb')
    const app = createBeaconApp({ chain })
    expect((await ask(app, blobSidecars('head'))).headers.get('eth-consensus-version')).toBe('deneb')
    const { status, json } = await ask(app, columns('head'))
    expect([status, json['message']]).toEqual([400, expect.stringContaining('Fulu') as unknown])
    for (const path of ['/eth/v2/beacon/blocks/head', '/eth/v1/beacon/light_client/optimistic_update'])
      expect(await ask(app, path)).toMatchObject({ status: 404, json: { code: 404 } })
  })

  it('has the root of its header, and is all that there is', async () => {
    const chain = await realChain({
      sidecars: await readEmbeddedSidecars(),
      network: { ...holeskyAsIfFulu, forkEpochs: { ...networks.holesky.forkEpochs } },
    })
    const text = await readEmbeddedSidecars()
    const { data } = JSON.parse(text) as { data: { signed_block_header: { message: HeaderJson } }[] }
    expect(chain.checkpoint).toBe(toHex(await headerRoot(data[0]!.signed_block_header.message)))
    expect(chain.head).toBe(chain.finalized)
    expect(chain.byRoot(chain.checkpoint)).toBe(chain.head)
    expect(chain.at(chain.head.slot + 1)).toBeNull()
  })

  it('is refused where it is not whole', async () => {
    const whole = await readEmbeddedSidecars()
    const { data } = JSON.parse(whole) as { data: Record<string, unknown>[] }
    const [first, ...others] = data
    const bad: unknown[] = [
      null,
      [],
      {},
      { data: [] },
      { data: null },
      { data: [null] },
      { data: others },
      { data: [...others, first] },
      { data: [{ ...first, blob: '0x00' }] },
      { data: [{ ...first, kzg_proof: 7 }] },
      { data: [{ ...first, kzg_commitment_inclusion_proof: [] }] },
      { data: [{ ...first, signed_block_header: null }] },
    ]
    for (const value of bad)
      await expect(realChain({ sidecars: JSON.stringify(value) })).rejects.toBeInstanceOf(TypeError)
    await expect(realChain({ sidecars: whole.slice(0, 1_000) })).rejects.toBeInstanceOf(TypeError)
  })

  it('is called off by a signal before it begins, whether or not there is anything to prove', async () => {
    const [sidecars, reason] = [await readEmbeddedSidecars(), new Error('enough')]
    const signal = AbortSignal.abort(reason)
    const deneb: LabelledNetwork = { ...networks.holesky, label: 'Holesky' }
    await expect(realChain({ sidecars, signal })).rejects.toBe(reason)
    await expect(realChain({ sidecars, signal, network: deneb })).rejects.toBe(reason)
  })

  it('is fetched by a `fetch` without streams, too', async () => {
    const arrayBuffer = async (): Promise<Uint8Array> => new Uint8Array(await readFile(embeddedSidecarsUrl))
    vi.stubGlobal('fetch', () => ({ ok: true, body: null, arrayBuffer }))
    try {
      expect(await fetchEmbeddedSidecars()).toBe(await readEmbeddedSidecars())
    } finally {
      vi.unstubAllGlobals()
    }
  })

  describe('in a service worker, which has no workers', () => {
    afterEach(() => void vi.unstubAllGlobals())

    it('is called off by a signal, also by one that is aborted between two blobs', async () => {
      vi.stubGlobal('ServiceWorkerGlobalScope', class {})
      const [sidecars, reason] = [await readEmbeddedSidecars(), new Error('enough')]
      await expect(realChain({ sidecars, signal: AbortSignal.abort(reason) })).rejects.toBe(reason)
      const controller = new AbortController()
      const told: number[] = []
      const onProgress = ({ done }: { readonly done: number }): void => {
        told.push(done)
        // As a message would that comes while a blob is proved.
        if (done === 1) setTimeout(() => controller.abort(reason))
      }
      await expect(realChain({ sidecars, signal: controller.signal, onProgress })).rejects.toBe(reason)
      expect(told).toEqual([0, 1])
    })
  })
})
