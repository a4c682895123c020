/**
 * Pages in the background: timers come once a minute there, or never while the page is frozen, and no frame is drawn. No verdict waits for
 * any of them; they only limit how long is waited for what does not come.
 */
import { createVerifier, DisposedError, IndexedDbCache } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { createProver } from 'blobcheck/prover'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { capella, now } from '../support/capella.ts'
import { inBrowser } from '../support/files.ts'
import { useGlobalTimers } from '../support/global-timers.ts'
import { makeBadBlob, makeBlob, makeCell, range } from '../support/make.ts'
import { makeGate, trapWorker } from '../support/threads.ts'

// @ts-expect-error It comes without types; it has no exports either.
if (!inBrowser) await import('fake-indexeddb/auto')

afterEach(() => {
  // First: who looks at timers then takes them for the real ones.
  vi.unstubAllGlobals()
  vi.useRealTimers()
})

/** From now on no timer goes off, and no frame is drawn. */
function stopTimers(): void {
  useGlobalTimers()
  for (const name of ['setTimeout', 'setInterval', 'requestAnimationFrame', 'requestIdleCallback'])
    vi.stubGlobal(name, () => 0)
}

describe('without timers', () => {
  it.each([0, 2])('a verifier starts, verifies, remembers, aborts and ends, %i workers', async (workers) => {
    stopTimers()
    const cache = new IndexedDbCache({ name: `throttled-${workers}-${Date.now()}` })
    const verifier = await createVerifier({ workers, cache })
    const verdicts = await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2), makeBlob(3), makeBlob(1)])
    expect(verdicts.map(({ status }) => status)).toEqual(['valid', 'invalid', 'valid', 'valid'])
    expect(await verifier.verifyCells([makeCell(4, 5)])).toMatchObject([{ status: 'valid' }])
    expect(await verifier.verifyBlobs([makeBlob(1)])).toMatchObject([{ status: 'valid', via: 'cache' }])
    const controller = new AbortController()
    const aborted = verifier.verifyBlobs([makeBlob(6), makeBlob(7)], { signal: controller.signal })
    controller.abort()
    await expect(aborted).rejects.toThrow('abort')
    await verifier.warmup()
    const late = expect(verifier.verifyBlobs([makeBlob(8)])).rejects.toThrow(DisposedError)
    await verifier.dispose()
    await late
    expect(verifier.stats()).toMatchObject({ errors: 0, crashes: 0, cacheFailures: 0 })
  })

  it('a light client follows the chain', async () => {
    stopTimers()
    const { fetch, checkpoint } = await capella()
    const client = await LightClient.fromCheckpoint({
      ...{ checkpoint, fetch, now, store: false },
      beacon: 'http://recorded.example',
    })
    await client.sync()
    expect(client.finalized.slot).toBe(7_109_344)
    await client.dispose()
  })

  it('a prover proves', async () => {
    stopTimers()
    const prover = await createProver({ workers: 1 })
    expect(await prover.blobToKzgCommitment(makeBlob(9).blob)).toEqual(makeBlob(9).commitment)
    await prover.dispose()
  })
})

describe('a page that was frozen in the middle of a call', () => {
  const { setTimeout: later } = globalThis
  const statuses = ['valid', 'valid', 'valid', 'invalid']
  const items = [...range(3).map((at) => makeBlob(10 + at)), makeBadBlob(20)]

  /** The timers that a verifier sets from now on are due when the page goes on, as if it had been frozen for so long. */
  async function frozenFor(seconds: number, workers: number): Promise<{ crashes: number }> {
    const gate = makeGate()
    const verifier = await createVerifier({
      workers,
      cache: false,
      workerUrl: trapWorker({ gate: gate.name }),
    })
    try {
      await verifier.warmup()
      useGlobalTimers()
      vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
      const call = verifier.verifyBlobs(items)
      while (gate.held === 0) await new Promise((resolve) => later(resolve, 5))
      // What the workers have to say comes after the timers that are due.
      await vi.advanceTimersByTimeAsync(1_000 * seconds)
      vi.useRealTimers()
      gate.open()
      expect((await call).map(({ status }) => status)).toEqual(statuses)
      expect(verifier.stats().errors).toBe(0)
      return verifier.stats()
    } finally {
      gate.close()
      await verifier.dispose()
    }
  }

  it.each([1, 2])('for a minute has lost nothing, %i workers', async (workers) => {
    expect((await frozenFor(60, workers)).crashes).toBe(0)
  })

  it.each([1, 2])(
    'for longer than a worker may be silent has it done again, by another one, %i workers',
    async (workers) => {
      expect((await frozenFor(121, workers)).crashes).toBeGreaterThan(0)
    },
  )
})
