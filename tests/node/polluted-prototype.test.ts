/** What somebody has put on all objects, by a fault of other code on the page, is nothing that a caller said, and nothing that was found. */
import { createVerifier, fromSource, type Verifier } from 'blobcheck'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { makeBlob, realBlobs } from '../support/make.ts'

/** Does something while all objects have a property. */
async function polluted<T>(name: string, value: unknown, work: () => Promise<T>): Promise<T> {
  Object.defineProperty(Object.prototype, name, {
    value,
    configurable: true,
    enumerable: true,
    writable: true,
  })
  try {
    return await work()
  } finally {
    delete (Object.prototype as Record<string, unknown>)[name]
  }
}

describe.each([0, 1])('with %i workers, on all objects', (workers) => {
  let verifier: Verifier
  beforeAll(async () => {
    verifier = await createVerifier({ network: 'holesky', workers, cache: false })
    await verifier.warmup()
  })
  afterAll(async () => await verifier.dispose())

  it.each([
    ['source', 'innocent'],
    ['transfer', true],
    ['mode', 'cheap'],
    ['blobs', true],
    ['blobs', []],
    ['refusal', true],
    ['refused', {}],
    ['unit', {}],
    ['answer', 'valid'],
    ['anchor', { commitments: [] }],
  ])('%s is of no effect: %o', async (name, value) => {
    const [good, other] = (await realBlobs()) as [ReturnType<typeof makeBlob>, ReturnType<typeof makeBlob>]
    const items = [
      good,
      { ...good, proof: other.proof },
      { ...good, proof: new Uint8Array(47), source: 'Ann' },
    ]
    const verdicts = async (): Promise<unknown> => [
      await verifier.verifyBlobs(items),
      await verifier.verifyBlobs(items, {}),
      await verifier.verifyBlobSidecars([fromSource('0x00', 'Bob'), '0x00']),
      await verifier.verifyBlobTransaction('0x03', { fork: 'osaka' }),
    ]
    const expected = await verdicts()
    const found = await polluted(name, value, verdicts)
    expect(found).toEqual(expected)
    expect((good.blob as Uint8Array).length).toBe(131_072)
    expect(Object.keys((found as object[][])[0]![0]!)).toContain('status')
  })
})
