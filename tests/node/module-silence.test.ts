/** A module for blocks that never comes: no call that waits for it outlasts its signal, its deadline, or its verifier. */
import { createVerifier, DisposedError, type Verifier } from 'blobcheck'
import { createBlobSource } from 'blobcheck/blobs'
import { createSampler } from 'blobcheck/sampler'
import type { MadeChain } from 'blobcheck/serve'
import { beforeAll, beforeEach, expect, it } from 'vitest'
import { beaconOf } from '../support/beacons.ts'
import { expectTrue, headersFrom, quietly } from '../support/blob-sources.ts'
import { startServer } from '../support/clients.ts'
import { handChain } from '../support/served.ts'

/** The first slot of Gloas. */
const GLOAS = 96
let chain: MadeChain
beforeAll(async () => {
  chain = await handChain({ slots: GLOAS - 64 + 2, gloasForkEpoch: GLOAS / 32 })
})

let verifier: Verifier
let beacon: string
beforeEach(async () => {
  const silent = await startServer(
    () => null,
    () => {},
  )
  const wasm = { simd128: new URL(`${silent.url}/beacon.wasm`) }
  verifier = await createVerifier({ network: chain.network, workers: 0, cache: false, beacon: { wasm } })
  beacon = await beaconOf(chain)
  return () => verifier.dispose()
})

const parts = () => ({ verifier, headers: headersFrom(chain), beacon, now: () => chain.now() })

it('does not keep blobs away that are to be had without it', async () => {
  const source = createBlobSource(parts())
  const result = quietly(await source.get({ slot: GLOAS - 1, deadlineMs: 8_000 }))
  expect(result.verdict).toBe('complete')
  expectTrue(result, chain.at(GLOAS - 1)!)
})

it('ends with the deadline, where there is nothing without it', async () => {
  const unknown = { verdict: 'unknown', detail: 'the block could not be had in time' }
  expect(await createBlobSource(parts()).get({ slot: GLOAS, deadlineMs: 500 })).toMatchObject(unknown)
  expect(await createSampler(parts()).sampleBlock(GLOAS, { deadlineMs: 500 })).toMatchObject(unknown)
})

it('ends with the signal', async () => {
  const calls = [
    (signal: AbortSignal) => createBlobSource(parts()).get({ slot: GLOAS, signal }),
    (signal: AbortSignal) => createSampler(parts()).sampleBlock(GLOAS, { signal }),
  ]
  for (const call of calls) {
    const reason = new Error('enough')
    const controller = new AbortController()
    const ended = call(controller.signal)
    setTimeout(() => controller.abort(reason), 300)
    await expect(ended).rejects.toBe(reason)
  }
})

it('ends with the verifier', async () => {
  const block = chain.at(GLOAS - 1)!
  const anchor = { block: block.block!.ssz(), header: block.root }
  const calls = [
    verifier.verifyBlobs([{ blob: block.blobs[0]!.blob }], { anchor }),
    createSampler(parts()).sampleBlock(GLOAS),
    createBlobSource(parts()).get({ slot: GLOAS }),
  ]
  setTimeout(() => void verifier.dispose(), 300)
  for (const call of calls) await expect(call).rejects.toBeInstanceOf(DisposedError)
})
