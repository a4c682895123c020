/** Servers of the execution layer that have a chain of their own, with blocks of other slots: what others say is waited for, and not for ever. */
import { createBlobSource, type HeaderSource, type Resolution } from 'blobcheck/blobs'
import { describe, expect, it, onTestFinished, vi } from 'vitest'
import { readParts } from '../../dist/block-data/read-parts.js'
import type { Call } from '../../dist/blobs/context.js'
import { startFromExecution } from '../../dist/blobs/from-execution.js'
import { Shares } from '../../dist/blobs/shares.js'
import type { ExecutionSource, ProvenTransaction } from '../../dist/execution/execution.js'
import { beaconOf } from '../support/beacons.ts'
import { expectTrue, headersFrom, quietly } from '../support/blob-sources.ts'
import { later } from '../support/make.ts'
import {
  chain,
  client,
  executionOf,
  FULU,
  getSent,
  GLOAS,
  inSlot,
  now,
  sentIn,
  useTransactions,
  verifier,
} from '../support/sent-blobs.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const time = new VirtualTime()
const zeros = `0x${'00'.repeat(32)}`

useTransactions()

describe('a server of the execution layer that lies about time', () => {
  it.each([FULU, GLOAS])('hides nothing that an honest one says: slot %i', async (slot) => {
    const sent = sentIn(slot)
    const liar = await executionOf(inSlot(chain.head.slot + 100_000))
    const good = await executionOf(chain)
    for (const headers of [client, headersFrom(chain)]) {
      const source = createBlobSource({
        ...{ verifier, headers, now, beacon: await beaconOf(chain), execution: [liar, good] },
      })
      const result = quietly(await source.get({ transaction: sent.hash }))
      expectTrue(result, sent.block, sent.places)
      expect(result).toMatchObject({ verdict: 'complete', execution: { hash: sent.execution.hash } })
      const shares = result.report.sources.filter(({ role }) => role === 'execution')
      expect(shares.find(({ source: name }) => name === liar)?.failures).toMatchObject([{ kind: 'behind' }])
      expect(shares.find(({ source: name }) => name === good)?.failures).toEqual([])
    }
  })

  /** Headers of the chain, but for one that never comes, to whoever waits for it; and who does so no longer. */
  const withoutEnd = (slow: number): { headers: HeaderSource; left: Promise<void> } => {
    const { promise: left, resolve: leave } = later()
    const headers: HeaderSource = {
      async resolve(id, options) {
        if (id !== slow) return await headersFrom(chain).resolve(id, options)
        options.signal?.addEventListener('abort', () => leave())
        return await new Promise(() => {})
      },
    }
    return { headers, left }
  }

  it('takes a second, and not all of it, where the header of its slot is long in coming', async () => {
    const sent = sentIn(FULU)
    const liar = await executionOf(inSlot(FULU - 9))
    const { headers, left } = withoutEnd(FULU - 9)
    const result = await getSent(sent, [liar, await executionOf(chain)], { headers, deadlineMs: 60_000 })
    expect(result).toMatchObject({ verdict: 'complete', execution: { hash: sent.execution.hash } })
    expect(result.report.timings.headerMs).toBeLessThan(30_000)
    expect(result.report.sources.find(({ source }) => source === liar)?.failures).toMatchObject([
      { kind: 'behind' },
    ])
    // The header is not waited for after the call, either.
    await left
  })

  it('alone has a transaction whose header did not come in time', async () => {
    const sent = sentIn(FULU)
    const { headers } = withoutEnd(FULU - 9)
    const result = await getSent(sent, await executionOf(inSlot(FULU - 9)), { headers, deadlineMs: 1_000 })
    expect(result).toMatchObject({
      ...{ verdict: 'unknown', reason: 'no-header', transaction: { hash: sent.hash } },
      detail: 'the header could not be had in time',
    })
  })

  it('leaves nothing to be done once an honest one has the answer', async () => {
    const [liar, honest] = [provenIn(100_000), provenInFinalized()]
    const late = later<Resolution>()
    const header = client.finalized
    const headers: HeaderSource = {
      resolve: async (slot) => (slot === header.slot ? { status: 'found', header } : await late.promise),
    }
    let placed: Promise<unknown> | undefined
    const execution: ExecutionSource = {
      header: async () => null,
      async transaction(_hash, { isOfChain }) {
        placed = isOfChain!(liar, () => {})
        expect(await isOfChain!(honest, () => {})).toBe('yes')
        return honest
      },
    }
    await time.during(async () => {
      const query = { kind: 'transaction', hash: honest.hash } as const
      const start = startFromExecution(callOf(headers, 10_000), execution, query, null)
      expect(await time.until(start)).toMatchObject({ conclusion: null })
      late.resolve({ status: 'unknown', detail: 'not known here' })
      expect(await placed).toBe('unknown')
      expect(time.timers).toBe(0)
    })
  })

  it('alone has a transaction whose beacon block is not known', async () => {
    const sent = sentIn(FULU)
    const liar = await executionOf(inSlot(chain.head.slot + 100_000))
    for (const others of [
      [],
      ['http://127.0.0.1:9'],
      [await executionOf(chain, { fault: { kind: 'status', code: 404 } })],
    ]) {
      const result = await getSent(sent, [liar, ...others])
      expect(result).toMatchObject({
        ...{ verdict: 'unknown', reason: 'no-header', blobs: [] },
        ...{
          transaction: { hash: sent.hash },
          links: { transaction: 'verified', 'execution-block': 'absent' },
        },
      })
      const share = result.report.sources.find(({ source }) => source === liar)
      // Nothing says that it is wrong.
      expect(share).toMatchObject({ failures: [], refused: [], requests: expect.any(Number) as number })
    }
  })

  it('beside one that is silent ends the wait early', async () => {
    const sent = sentIn(FULU)
    const liar = await executionOf(inSlot(chain.head.slot + 100_000))
    const silent = await executionOf(chain, { fault: { kind: 'delay', ms: 600_000 } })
    const result = await getSent(sent, [liar, silent], { timeoutMs: 600_000, deadlineMs: 10_000 })
    expect(result).toMatchObject({
      verdict: 'unknown',
      reason: 'no-header',
      transaction: { hash: sent.hash },
    })
  })

  it('gives the others no more time by being the second such one', async () => {
    const sent = sentIn(FULU)
    const liars = await Promise.all([1, 2].map((n) => executionOf(inSlot(chain.head.slot + n * 100_000))))
    const silent = await executionOf(chain, { fault: { kind: 'delay', ms: 600_000 } })
    const { performance, setTimeout: start } = globalThis
    const tell = performance.now.bind(performance)
    let late = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => tell() + late)
    // After the first one half of the time goes by, and so does the third that the others had.
    const timers = vi.spyOn(globalThis, 'setTimeout').mockImplementation(((callback: () => void, ms = 0) => {
      if (ms > 90_000 && ms <= 100_000) late = 150_000
      return start(callback, ms)
    }) as typeof setTimeout)
    onTestFinished(() => {
      timers.mockRestore()
      clock.mockRestore()
    })
    const result = await getSent(sent, [...liars, silent], { timeoutMs: 600_000, deadlineMs: 300_000 })
    expect(late).toBe(150_000)
    expect(result).toMatchObject({ verdict: 'unknown', reason: 'no-header' })
  })

  it('ends no call, by being the second such one, while the block of an honest one is being placed', async () => {
    const [liar, honest, other] = [provenIn(100_000), provenInFinalized(), provenIn(200_000)]
    const { finalized } = client
    const header = later<Resolution>()
    const headers: HeaderSource = {
      resolve: async (slot) =>
        slot === finalized.slot ? await header.promise : { status: 'unknown', detail: 'not known here' },
    }
    const execution: ExecutionSource = {
      header: async () => null,
      async transaction(_hash, { isOfChain, signal }) {
        expect(await isOfChain!(liar, () => {})).toBe('unknown')
        const placed = isOfChain!(honest, () => {})
        expect(await isOfChain!(other, () => {})).toBe('unknown')
        await time.pass(4_000)
        expect(signal.aborted).toBe(false)
        header.resolve({ status: 'found', header: finalized })
        expect(await placed).toBe('yes')
        return honest
      },
    }
    await time.during(async () => {
      const start = startFromExecution(
        callOf(headers, 10_000),
        execution,
        { kind: 'transaction', hash: honest.hash },
        null,
      )
      expect(await time.until(start)).toMatchObject({ target: { name: finalized.root }, conclusion: null })
    })
  })

  /** A transaction in a block of that slot, proven. */
  function provenIn(slot: number): ProvenTransaction {
    const header = {
      ...{ hash: `0x${slot.toString(16).padStart(64, '0')}`, rlp: new Uint8Array(), number: slot },
      ...{ timestamp: chain.network.genesisTime + 12 * slot, parentHash: zeros, transactionsRoot: zeros },
      ...{ blobGasUsed: 131_072, parentBeaconBlockRoot: zeros, slotNumber: null },
    }
    return { hash: zeros, index: 0, versionedHashes: [zeros], firstBlob: null, header }
  }

  /** One in the execution block of the final header, whose hash the light client has proven. */
  function provenInFinalized(): ProvenTransaction {
    const { execution, slot } = client.finalized
    const proven = provenIn(slot)
    return { ...proven, header: { ...proven.header, hash: execution!.blockHash } }
  }

  /** A call that may take so long, with these headers and a beacon endpoint that has nothing. */
  function callOf(headers: HeaderSource, deadlineMs: number): Call {
    const { parts } = readParts({
      ...{ verifier, headers, now, beacon: 'http://node.invalid', timeoutMs: 10_000, requestsPerEndpoint: 2 },
      fetch: async () => new Response(null, { status: 404 }),
    })
    return {
      ...{
        parts: parts as Call['parts'],
        shares: new Shares(new AbortController().signal),
        notify: () => {},
        signal: undefined,
      },
      ...{ until: new AbortController().signal, beganAt: performance.now() },
      endsAt: performance.now() + deadlineMs,
    }
  }
})
