/** blobcheck/adapters/ox with ox itself, and beside the official vectors: ox's own c-kzg takes twenty seconds to load its setup. */
import { toOxKzg, toOxSidecars } from 'blobcheck/adapters/ox'
import type { BlobProver } from 'blobcheck/adapters/osaka'
import { KzgInputError } from 'blobcheck/kzg'
import { loadProver, type ProverCallOptions } from 'blobcheck/prover'
import { readFile } from 'node:fs/promises'
import { BlobCells, Blobs, Kzg, Secp256k1, TxEnvelopeEip4844 } from 'ox'
import { afterAll, describe, expect, it } from 'vitest'
import { fromHex, toHex } from '../support/bytes.ts'
import { listCases, readCase } from '../support/cases.ts'
import {
  blobs,
  byHeart,
  callsAtOnce,
  expectValid,
  fields,
  offThread,
  parsedElsewhere,
  privateKey,
  prover,
  verifier,
} from './support.ts'

afterAll(() => offThread.dispose())

// Assignable as it is: that this compiles is part of the test.
const kzg: Kzg.Kzg = toOxKzg(prover, verifier)

type Hex = `0x${string}`
type Sidecars = NonNullable<TxEnvelopeEip4844.TxEnvelopeEip4844['sidecars']>

function signed(sidecars: Sidecars): Hex {
  const blobVersionedHashes = sidecars.commitments.map((commitment) =>
    Blobs.commitmentToVersionedHash(commitment),
  )
  const envelope = TxEnvelopeEip4844.from({
    ...fields,
    nonce: 5n,
    type: 'eip4844',
    blobVersionedHashes,
    sidecars,
  })
  const signature = Secp256k1.sign({ payload: TxEnvelopeEip4844.getSignPayload(envelope), privateKey })
  return TxEnvelopeEip4844.serialize(envelope, { signature })
}

it('sidecars are of the blobs as they were when they were handed in', async () => {
  const given = new Uint8Array(blobs[0]!)
  const proving = toOxSidecars(byHeart, [given])
  structuredClone(given, { transfer: [given.buffer] })
  expect(await proving).toEqual(await toOxSidecars(byHeart, blobs.slice(0, 1)))
})

it('the Kzg is of no prover of worker threads, whose promises ox would take for bytes', () => {
  for (const wrong of [offThread, undefined, null])
    expect(() => toOxKzg(wrong as never, verifier)).toThrow(callsAtOnce('toOxSidecars'))
})

it('the Kzg is of no verifier whose answers are promises, which ox would take for true', () => {
  const error = /^verifier must be what loadKzg\(\) resolves with/
  expect(() => toOxKzg(prover, Promise.resolve(verifier) as never)).toThrow(error)
  const wrapped = toOxKzg(prover, { verifyCellKzgProofBatch: async () => false } as never)
  expect(() => wrapped.verifyCellKzgProofBatch([], [], [], [])).toThrow(error)
})

it('what its documentation names of ox is there', async () => {
  const source = await readFile(new URL('../../ts/src/adapters/ox.ts', import.meta.url), 'utf8')
  const names = [...source.matchAll(/\bBlobs\.(\w+)\(/g)].map(([, name]) => name)
  expect(names).not.toEqual([])
  expect(names.filter((name) => !Object.hasOwn(Blobs, name!))).toEqual([])
})

it('sidecars are not of a prover of the calling thread, nor of a promise of one', async () => {
  for (const wrong of [prover, Promise.resolve(offThread), {}, undefined, { ...prover, workers: 1 }])
    await expect(toOxSidecars(wrong as never, [blobs[0]!])).rejects.toThrow(
      /^prover must be what createProver\(\) resolves with/,
    )
})

it('a prover of the calling thread is refused before it computes, also what was taken off it', async () => {
  const half = await loadProver({ proofs: 'blobs' })
  const { blobToKzgCommitment, computeCellsAndKzgProofs } = prover
  for (const wrong of [
    prover,
    half,
    { ...half },
    { ...byHeart, blobToKzgCommitment },
    { ...byHeart, computeCellsAndKzgProofs },
  ])
    // What is no blob is noticed where it is computed with.
    await expect(toOxSidecars(wrong as never, [new Uint8Array(0)])).rejects.toThrow(
      /^prover must be what createProver\(\) resolves with/,
    )
})

it('a prover of others that answers at once is asked for one blob alone, and one that answers later for all', async () => {
  const asked: number[] = []
  const atOnce = {
    ...byHeart,
    computeCellsAndKzgProofs: ({ length }: Uint8Array) => ({ cells: [], proofs: Array(asked.push(length)) }),
  }
  await expect(toOxSidecars(atOnce as never, blobs)).rejects.toThrow(/^prover must be what createProver\(\)/)
  expect(asked).toHaveLength(1)
  // With fields of its own, which may be called as those of this package are.
  const later = { ...prover, ...byHeart }
  expect((await toOxSidecars(later, blobs)).commitments).toHaveLength(2)
})

it('no blobs are proved for nobody either: the signal is heeded, and another copy’s error is known', async () => {
  await expect(toOxSidecars(byHeart, [], { signal: AbortSignal.abort('enough') })).rejects.toBe('enough')
  class KzgInputErrorOfAnotherCopy extends Error {
    override readonly name = 'KzgInputError'
    readonly code = 'blob-length'
    readonly index = 0
  }
  const other: BlobProver = {
    ...byHeart,
    async blobToKzgCommitment(blob) {
      if (blob.length === 0) throw new KzgInputErrorOfAnotherCopy()
      return new Uint8Array(48)
    },
  }
  const error: unknown = await toOxSidecars(other, [blobs[0]!, new Uint8Array(0)]).catch((e: unknown) => e)
  expect(error).toMatchObject({ name: 'KzgInputError', code: 'blob-length', index: 1 })
})

it('nothing is proved for a call any more, nor told of, once one of its blobs was refused', async () => {
  const calls: ProverCallOptions[] = []
  const patient: BlobProver = {
    ...byHeart,
    async blobToKzgCommitment(blob) {
      if (blob.length === 0) throw new KzgInputError('blob-length', 0)
      return new Uint8Array(48)
    },
    computeCellsAndKzgProofs: (_, call = {}) =>
      new Promise((_, reject) => {
        calls.push(call)
        call.signal?.addEventListener('abort', () => reject(call.signal!.reason as Error))
      }),
  }
  const steps: number[] = []
  const given = [blobs[0]!, new Uint8Array(0), blobs[1]!]
  const options = {
    signal: new AbortController().signal,
    onProgress: ({ done }: { done: number }) => steps.push(done),
  }
  const error: unknown = await toOxSidecars(patient, given, options).catch((error: unknown) => error)
  expect(error).toMatchObject({ name: 'KzgInputError', code: 'blob-length', index: 1 })
  expect(calls.map(({ signal }) => signal?.aborted)).toEqual([true, true, true])
  const before = steps.length
  for (const { onProgress } of calls) onProgress?.({ stage: 'prove', done: 18, total: 18 })
  expect(steps).toHaveLength(before)
})

describe('ox', () => {
  it('its Kzg has these methods and no others', () => {
    expect(Object.keys(kzg).sort()).toEqual(Object.keys(Kzg.from(kzg)).sort())
  })

  it('a transaction of blobs with proofs of cells, signed and serialised, is accepted by others', async () => {
    const inHex = blobs.map(toHex)
    const network = signed({
      blobs: inHex,
      commitments: Blobs.toCommitments(inHex, { kzg }),
      cellProofs: Blobs.toCellProofs(inHex, { kzg }),
    })
    await expectValid(network, 1)
    parsedElsewhere(network)
    expect(TxEnvelopeEip4844.deserialize(network as TxEnvelopeEip4844.Serialized).sidecars?.blobs).toEqual(
      inHex,
    )
  })

  it('sidecars that were proved off the calling thread are those that ox works out', async () => {
    const inHex = blobs.map(toHex)
    let last = {}
    const sidecars = await toOxSidecars(offThread, inHex, { onProgress: (progress) => (last = progress) })
    expect(last).toEqual({ stage: 'prove', done: 38, total: 38 })
    expect(sidecars).toEqual({
      blobs: inHex,
      commitments: Blobs.toCommitments(inHex, { kzg }),
      cellProofs: Blobs.toCellProofs(inHex, { kzg }),
    })
    await expectValid(signed(sidecars), 1)
  })

  it('every function answers as the official vectors do', async () => {
    for (const { input, output } of await validCases<{ blob: Hex }, Hex>('blob_to_kzg_commitment'))
      expect(toHex(kzg.blobToKzgCommitment(fromHex(input.blob)))).toBe(output)

    for (const { input, output } of await validCases<{ blob: Hex }, [Hex[], Hex[]]>(
      'compute_cells_and_kzg_proofs',
    )) {
      const blob = fromHex(input.blob)
      const { cells, proofs } = kzg.computeCellsAndKzgProofs(blob)
      expect([cells.map(toHex), proofs.map(toHex)]).toEqual(output)
      expect(kzg.computeCells(blob).map(toHex)).toEqual(output[0])

      const indices = Array.from({ length: 64 }, (_, at) => 2 * at + 1)
      const commitments = indices.map(() => kzg.blobToKzgCommitment(blob))
      const [known, theirProofs] = [cells, proofs].map((list) => indices.map((at) => list[at]!))
      const verify = (cells: Uint8Array[]): boolean =>
        kzg.verifyCellKzgProofBatch(commitments, indices, cells, theirProofs!)
      expect(verify(known!)).toBe(true)
      expect(verify(known!.map((cell, at) => (at === 5 ? new Uint8Array(2048).fill(1) : cell)))).toBe(false)
    }

    for (const { input, output } of await validCases<
      { cell_indices: number[]; cells: Hex[] },
      [Hex[], Hex[]]
    >('recover_cells_and_kzg_proofs')) {
      const indices = input.cell_indices as BlobCells.CellIndex[]
      const recovered = BlobCells.recover(indices, input.cells.map(fromHex), { kzg, as: 'Hex' })
      expect([recovered.cells, recovered.proofs]).toEqual(output)
    }
  })
})

/** Two cases of a function that have an answer: the prover's own tests take them all. */
async function validCases<Input, Output>(name: string): Promise<{ input: Input; output: Output }[]> {
  const valid = []
  for (const which of (await listCases(name)).toReversed()) {
    const { input, output } = await readCase<Input, Output>(name, which)
    if (output !== null && valid.push({ input, output }) === 2) return valid
  }
  throw new Error(`${name} has ${valid.length} cases with an answer`)
}
