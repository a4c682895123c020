/** From an execution block, or a transaction in it, to its beacon block, with an execution layer and headers that do what a test tells them. */
import type { HeaderSource, Resolution } from 'blobcheck/blobs'
import { describe, expect, it } from 'vitest'
import { BeaconUnavailableError } from '../../dist/beacon/failure.js'
import { startFromExecution } from '../../dist/blobs/from-execution.js'
import type { TrustedExecution } from '../../dist/blobs/placement.js'
import type { Start } from '../../dist/blobs/start.js'
import type {
  ExecutionHeader,
  ExecutionSource,
  ExecutionTerms,
  ProvenTransaction,
} from '../../dist/execution/execution.js'
import { invented, slots } from '../support/blocks.ts'
import { fromHex } from '../support/bytes.ts'
import { never, unanswered } from '../support/make.ts'
import { word } from '../support/sampled-chain.ts'
import { type BlobWorld, callIn, hashes } from '../support/searches.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const time = new VirtualTime()
const SLOT = Number(slots.fulu)

/** An execution block with one blob, of the beacon block in that slot. */
const executedIn = (slot: number, more: Partial<ExecutionHeader> = {}): ExecutionHeader => ({
  ...{ hash: word(slot % 256), rlp: new Uint8Array(), number: slot, parentHash: word(0) },
  ...{ timestamp: Number(invented.genesisTime) + 12 * slot, transactionsRoot: word(0), slotNumber: null },
  ...{ blobGasUsed: 2 ** 17, parentBeaconBlockRoot: word(0) },
  ...more,
})
/** The one after it, which names its beacon block. */
const childOf = (parent: ExecutionHeader, more: Partial<ExecutionHeader> = {}): ExecutionHeader =>
  executedIn(parent.number + 1, { parentHash: parent.hash, parentBeaconBlockRoot: word(7), ...more })

const sentIn = (header: ExecutionHeader, versionedHashes = hashes(1)): ProvenTransaction => ({
  ...{ hash: word(9), index: 0, versionedHashes, firstBlob: null, header },
})

/** The header of any slot, whose root is known by it. */
const found = (slot: number): Resolution => ({ status: 'found', header: { root: word(slot % 256), slot } })
const unknown: Resolution = { status: 'unknown', detail: 'nobody knows' }
const headersBy = (resolve: (slot: number) => Promise<Resolution> | Resolution): HeaderSource => ({
  resolve: async (id) => await resolve(Number(id)),
})

const noSource: ExecutionSource = { header: async () => null, transaction: async () => null }
/** Where a call for a transaction begins, or for the execution block that is given. */
async function startOf(
  world: BlobWorld,
  execution: Partial<ExecutionSource>,
  anchor: TrustedExecution | null = null,
  block?: ExecutionHeader,
): Promise<Start> {
  const { call } = callIn({ headers: headersBy(() => unknown), ...world })
  const query =
    block === undefined
      ? ({ kind: 'transaction', hash: word(9) } as const)
      : ({ kind: 'execution', blockHash: block.hash } as const)
  return await startFromExecution(call, { ...noSource, ...execution }, query, anchor)
}

/** A node that gives the beacon block of an execution block, as far as the module that reads it says so. */
const having = (own: ExecutionHeader, hash: Uint8Array = fromHex(own.hash)): BlobWorld => ({
  nodes: { a: ({ what }) => (what === 'block' ? new Uint8Array(9) : 404) },
  readBlock: async () => {
    const header = new Uint8Array(112)
    new DataView(header.buffer).setUint32(0, own.number, true)
    return { header, blockHash: hash, bid: new Uint8Array(0), commitments: [] }
  },
  headers: headersBy(found),
})
const unavailable = (): Promise<never> =>
  Promise.reject(
    new BeaconUnavailableError(
      [{ endpoint: 'http://a.example', kind: 'network', detail: 'gone' }],
      'execution',
    ),
  )
const own = executedIn(SLOT)

describe('an anchor', () => {
  it.each<[string, () => Promise<null>]>([
    ['has', async () => null],
    ['gives', unavailable],
  ])('whose header nobody %s leaves it open whether a block is of its chain', async (_, lookUp) => {
    const header = async (hash: string): Promise<ExecutionHeader | null> =>
      hash === own.hash ? own : await lookUp()
    expect(await startOf({}, { header }, { hash: word(1), header: null }, own)).toMatchObject({
      ...{ target: null, links: { 'execution-block': 'absent' } },
      conclusion: {
        ...{ verdict: 'unknown', reason: 'no-header' },
        detail: 'no execution endpoint gave the header of the anchor',
      },
    })
  })

  it('whose header the caller has given is not asked for', async () => {
    const child = childOf(own)
    const asked: string[] = []
    const header = async (hash: string): Promise<ExecutionHeader> => {
      asked.push(hash)
      return own
    }
    const start = await startOf({}, { header }, { hash: child.hash, header: child }, own)
    expect(start).toMatchObject({ target: { name: word(7), slot: SLOT }, conclusion: null })
    expect(asked).toEqual([own.hash])
  })
})

describe('an execution block without blobs', () => {
  const empty = executedIn(SLOT, { blobGasUsed: 0 })
  const header = async (): Promise<ExecutionHeader> => empty

  it('has none once its beacon block has shown that it is its own', async () => {
    expect(await startOf(having(empty), { header }, null, empty)).toMatchObject({
      target: { header: { slot: SLOT } },
      conclusion: { verdict: 'none', reason: 'no-blobs', detail: null },
    })
  })

  it('says nothing of the beacon block in its slot while nobody gives that', async () => {
    expect(await startOf({ headers: headersBy(found) }, { header }, null, empty)).toMatchObject({
      target: { header: { slot: SLOT }, selection: 'all', claim: { hash: empty.hash } },
      ...{ conclusion: null, links: { 'execution-block': 'absent' } },
    })
  })
})

describe('a beacon block that an anchor names, and nobody gives', () => {
  it.each<[string, number | null, string[], string | null]>([
    ['may be a later one in Gloas: nothing is told of it where there are no blobs', SLOT + 2, [], null],
    ['is the one that is meant before Gloas', null, [], word(7)],
    ['may be the one that blobs are looked for in', SLOT + 2, hashes(1), word(7)],
  ])('%s', async (_, slotNumber, versionedHashes, root) => {
    const child = childOf(own, { slotNumber })
    const transaction = async (): Promise<ProvenTransaction> => sentIn(own, versionedHashes)
    const start = await startOf({}, { transaction }, { hash: child.hash, header: child })
    expect(start.target?.header?.root ?? null).toBe(root)
    expect(start).toMatchObject({
      target: { name: root ?? `${SLOT}`, slot: SLOT, selection: versionedHashes },
      conclusion: versionedHashes.length > 0 ? null : { verdict: 'none', reason: 'no-blobs' },
    })
  })
})

describe('a beacon block', () => {
  const transaction = async (): Promise<ProvenTransaction> => sentIn(own)

  it('of before there were execution blocks has none', async () => {
    expect(await startOf(having(own, new Uint8Array(0)), { transaction })).toMatchObject({
      conclusion: {
        ...{ verdict: 'unknown', reason: 'not-of-the-chain' },
        detail: expect.stringMatching(/^the beacon block of slot 6400 has another: none; /) as string,
      },
    })
  })

  it('that cannot be read here is an error of ours, and no other block', async () => {
    const broken = new Error('no module reads blocks')
    const readBlock = async (): Promise<never> => await Promise.reject(broken)
    await expect(startOf({ ...having(own), readBlock }, { transaction })).rejects.toBe(broken)
  })
})

describe('a transaction', () => {
  it('that no endpoint gave is not known, for what each of them said', async () => {
    const conclusion = { verdict: 'unknown', reason: 'no-transaction' }
    const { message } = await unavailable().catch((error: Error) => error)
    expect(await startOf({}, { transaction: unavailable })).toMatchObject({
      conclusion: { ...conclusion, detail: message },
    })
    // The time that a call has is nobody's failure.
    const until = AbortSignal.abort(new DOMException('the deadline', 'TimeoutError'))
    const transaction = async (_: string, { signal }: ExecutionTerms): Promise<never> =>
      await Promise.reject(signal.reason as Error)
    expect(await startOf({ until }, { transaction })).toMatchObject({
      conclusion: { ...conclusion, detail: 'the execution layer gave no answer in time' },
    })
  })

  it.each([
    [
      'that is asked',
      async (broken: Error) => await startOf({}, { transaction: () => Promise.reject(broken) }),
    ],
    [
      'that is asked for the header of an anchor',
      async (broken: Error) =>
        await startOf(
          {},
          {
            transaction: async (_, { isOfChain }) => void (await isOfChain!(sentIn(own), () => {})) as never,
            header: () => Promise.reject(broken),
          },
          { hash: word(1), header: null },
        ),
    ],
    [
      'that had named a block of no chain',
      async (broken: Error) =>
        await startOf(
          { headers: headersBy(() => ({ status: 'no-block' })) },
          {
            async transaction(_, { isOfChain }) {
              expect(await isOfChain!(sentIn(own), () => {})).toBe('no')
              throw broken
            },
          },
        ),
    ],
  ])('rejects with what is broken in a source %s', async (_, start) => {
    const broken = new Error('not the endpoint’s fault')
    await expect(start(broken)).rejects.toBe(broken)
  })

  it('begins where its beacon block is known, if it is its own, whatever is placed still, and then elsewhere', async () => {
    const [placed, nowhere, slow] = [SLOT, SLOT + 1, SLOT + 2].map((slot) => executedIn(slot))
    const headers = headersBy(async (slot) =>
      slot === slow!.number ? await never() : slot === placed!.number ? found(slot) : unknown,
    )
    await time.during(async () => {
      const start = startOf(
        { headers },
        {
          async transaction(_, { isOfChain, signal }) {
            void isOfChain!(sentIn(slow!), () => {})
            for (const header of [nowhere!, placed!])
              expect(await isOfChain!(sentIn(header), () => {})).toBe('unknown')
            return await unanswered(signal)
          },
        },
      )
      expect(await time.until(start)).toMatchObject({
        ...{ target: { slot: placed!.number }, known: { execution: { hash: placed!.hash } } },
        others: [{ target: null, known: { execution: { hash: nowhere!.hash } } }],
      })
    })
  })
})
