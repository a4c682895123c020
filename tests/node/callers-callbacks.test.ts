/** What callers hand in to be called, or to call off with: listeners of any manners, and one signal for many calls. */
import { createVerifier, MemoryCache, type Verifier } from 'blobcheck'
import { createProver } from 'blobcheck/prover'
import { makeChain as serveChain } from 'blobcheck/serve'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { notify } from '../../dist/util/notify.js'
import { onAbort, SignalFan } from '../../dist/util/signals.js'
import { sleep, within } from '../../dist/util/timers.js'
import { makeChain } from '../lodestar/chain.mjs'
import { startClient, startServer } from '../support/clients.ts'
import { makeBlob, range } from '../support/make.ts'

const blobs = (count: number) => range(count).map((at) => makeBlob(at + 1))
const unhandled: unknown[] = []
const warnings: Error[] = []
const onUnhandled = (reason: unknown): void => void unhandled.push(reason)
const onWarning = (warning: Error): void => void warnings.push(warning)

let verifier: Verifier
beforeEach(async () => {
  process.on('unhandledRejection', onUnhandled)
  process.on('warning', onWarning)
  verifier = await createVerifier({ workers: 1, cache: new MemoryCache() })
})
afterEach(async () => {
  await verifier.dispose()
  process.off('unhandledRejection', onUnhandled)
  process.off('warning', onWarning)
  unhandled.length = 0
  warnings.length = 0
})

/** Rejections count as unhandled once the tasks of this turn are done; so do warnings. */
const settle = async (): Promise<void> => await sleep(20)

describe('an async listener that rejects', () => {
  const told: unknown[] = []
  const listener = async (event: unknown): Promise<void> => {
    told.push(event)
    throw new Error('a listener of one’s own')
  }
  beforeEach(() => void (told.length = 0))
  afterEach(async () => {
    await settle()
    expect(unhandled).toEqual([])
    expect(told.length).toBeGreaterThan(0)
  })

  it('harms no verification', async () => {
    const verdicts = await verifier.verifyBlobs(blobs(3), { onProgress: listener })
    expect(verdicts.every(({ status }) => status === 'valid')).toBe(true)
  })

  it('harms no proof', async () => {
    const prover = await createProver({ workers: 1 })
    try {
      const { proofs } = await prover.computeCellsAndKzgProofs(makeBlob(5).blob, { onProgress: listener })
      expect(proofs).toHaveLength(128)
    } finally {
      await prover.dispose()
    }
  })

  it('harms no light client', async () => {
    const chain = makeChain({ periods: 1 })
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url)
    await client.sync({ onProgress: listener })
    expect(client.finalized.slot).toBe(chain.finalized.slot)
  })

  it('harms no made chain', async () => {
    const chain = await serveChain({
      slots: 2,
      blobsPerBlock: 1,
      seed: 91,
      clock: 'by-hand',
      onProgress: listener,
    })
    expect(chain.head.blobs).toHaveLength(1)
  })
})

describe('notify', () => {
  it('tells nobody once the signal is aborted, and survives whatever is thrown', async () => {
    const told: number[] = []
    notify((event: number) => void told.push(event), 1)
    notify((event: number) => void told.push(event), 2, AbortSignal.abort())
    expect(told).toEqual([1])
    for (const listener of [
      () => {
        throw new Error('thrown')
      },
      () => Promise.reject(new Error('rejected')),
      () => ({
        get then() {
          throw new Error('a getter')
        },
      }),
    ])
      expect(() => notify(listener, 0)).not.toThrow()
    await settle()
    expect(unhandled).toEqual([])
  })
})

describe('one signal for many calls', () => {
  it('makes Node warn of no leak', async () => {
    const { signal } = new AbortController()
    const verdicts = await Promise.all(range(30).map(() => verifier.verifyBlobs(blobs(1), { signal })))
    expect(verdicts.flat().every(({ status }) => status === 'valid')).toBe(true)
    await Promise.all(range(30).map(() => verifier.warmup({ signal })))
    const fan = new SignalFan(signal)
    await Promise.all(range(30).map(() => sleep(1, signal)))
    await Promise.all(range(30).map(() => within(sleep(1), 1_000, () => new Error('late'), signal)))
    fan.release()
    await settle()
    expect(warnings).toEqual([])
  })

  it('ends each of them, and calls nobody back who has left', async () => {
    const controller = new AbortController()
    const { signal } = controller
    const called: number[] = []
    const leaves = range(3).map((at) => onAbort(signal, () => called.push(at)))
    leaves[1]!()
    leaves[1]!()
    const pauses = range(3).map(() => sleep(60_000, signal))
    controller.abort(new Error('enough'))
    for (const pause of pauses) await expect(pause).rejects.toThrow('enough')
    expect(called).toEqual([0, 2])
    await expect(sleep(60_000, signal)).rejects.toThrow('enough')
  })
})
