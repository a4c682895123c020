/**
 * Users test their code with timers that stand still until they say so, and then run ahead of all that other threads do. No verdict waits for
 * such a timer, and no worker is given up because of one.
 */
import { createVerifier, type Warning } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { createProver } from 'blobcheck/prover'
import { makeChain } from 'blobcheck/serve'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { capella, now } from '../support/capella.ts'
import { infinity, makeBadBlob, makeBlob, makeCell, never, range } from '../support/make.ts'
import { makeGate, trapWorker } from '../support/threads.ts'

const { setTimeout: soon } = globalThis
/** Lets other threads do what they are at. */
const pause = (): Promise<void> => new Promise((resolve) => soon(resolve, 5))

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

describe('while all timers stand still', () => {
  it.each([0, 2])('a verifier verifies, %i workers', async (workers) => {
    const verifier = await createVerifier({ workers, cache: false })
    const verdicts = await verifier.verifyBlobs([...range(40).map((at) => makeBlob(1 + at)), makeBadBlob(50)])
    expect(new Set(verdicts.slice(0, 40).map(({ status }) => status))).toEqual(new Set(['valid']))
    expect(verdicts[40]).toMatchObject({ status: 'invalid' })
    await verifier.warmup()
    await verifier.dispose()
  })

  it('a verifier goes on without a cache that says nothing, and ends', async () => {
    const cache = { has: never, add: never, clear: never, close: never }
    const verifier = await createVerifier({ workers: 1, cache })
    expect(await verifier.verifyBlobs([makeBlob(1)])).toMatchObject([{ status: 'valid', via: 'kzg' }])
    await verifier.dispose()
  })

  it.each([0, 1])('a prover proves, %i workers', async (workers) => {
    const prover = await createProver({ workers })
    expect(await prover.blobToKzgCommitment(makeBlob(1).blob)).toEqual(makeBlob(1).commitment)
    await prover.dispose()
  })

  it.each([false, true])('a light client follows the chain, in a worker: %s', async (worker) => {
    const { fetch, checkpoint } = await capella()
    const client = await LightClient.fromCheckpoint({
      ...{ checkpoint, fetch, now, worker, store: false },
      beacon: 'http://recorded.example',
    })
    await client.sync()
    expect(client.finalized.slot).toBe(7_109_344)
    await client.dispose()
  })

  it('a chain with blobs is made', async () => {
    const commitment = makeBlob(1).commitment as Uint8Array
    const cells = range(128).map((at) => makeCell(1, at).cell as Uint8Array)
    const firstBlob = { commitment, cells, proofs: cells.map(() => infinity) }
    const chain = await makeChain({
      slots: 2,
      blobsPerBlock: 1,
      firstBlob,
      clock: 'by-hand',
      signHeaders: false,
    })
    expect(chain.at(chain.head.slot)).not.toBeNull()
  })
})

describe('while timers run ahead', () => {
  it.each([1, 2])('no worker that starts is given up, %i workers', async (workers) => {
    const warnings: Warning[] = []
    const opening = createVerifier({ workers, cache: false, onWarning: (warning) => warnings.push(warning) })
    let isOpen = false
    void opening.then(() => (isOpen = true))
    while (!isOpen) {
      await vi.advanceTimersByTimeAsync(60_000)
      await pause()
    }
    const verifier = await opening
    expect([verifier.workers, warnings]).toEqual([workers, []])
    await verifier.dispose()
  })

  it.each([1, 2])('no worker is given up in the middle of a call, %i workers', async (workers) => {
    const gate = makeGate()
    const verifier = await createVerifier({
      workers,
      cache: false,
      workerUrl: trapWorker({ gate: gate.name }),
    })
    const call = verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)])
    while (gate.held === 0) await pause()
    await vi.advanceTimersByTimeAsync(3_600_000)
    gate.open()
    expect((await call).map(({ status }) => status)).toEqual(['valid', 'invalid'])
    expect(verifier.stats()).toMatchObject({ crashes: 0, errors: 0 })
    await verifier.dispose()
    gate.close()
  })
})
