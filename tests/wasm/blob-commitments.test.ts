/** Blobs against their commitments, without proofs, on each kernel: the official commitments, batches of any size, and every kind of fault. */
import { KzgInputError, loadKzg, SetupUnavailableError } from 'blobcheck/kzg'
import { describe, expect, it } from 'vitest'
import { listCases, readCase } from '../support/cases.ts'
import { kernelsHere } from '../support/kernels.ts'
import { infinity, makeBlob, range, realBlobs, tampered } from '../support/make.ts'
import { readAssetBytes } from '../support/modules.ts'

const real = (await realBlobs()).map(({ blob, commitment }) => ({
  blob,
  commitment: commitment as Uint8Array,
}))
const blobs = real.map(({ blob }) => blob)
const commitments = real.map(({ commitment }) => commitment)

for (const { name, kzg } of await kernelsHere()) {
  describe(name, () => {
    it('official commitments, alone and together', async () => {
      const names = await listCases('blob_to_kzg_commitment')
      const read = readCase<{ blob: string }, string>
      const cases = await Promise.all(names.map((which) => read('blob_to_kzg_commitment', which)))
      const good = cases.filter(({ output }) => output !== null)
      const [all, of] = [good.map(({ input }) => input.blob), good.map(({ output }) => output as string)]
      expect(all.length).toBeGreaterThan(4)
      expect(kzg.verifyBlobCommitments(all.map(bytes), of.map(bytes))).toBe(true)
      for (const [at, blob] of all.entries()) {
        expect(kzg.verifyBlobCommitments([bytes(blob)], [bytes(of[at]!)])).toBe(true)
        const other = of.find((commitment) => commitment !== of[at])!
        expect(kzg.verifyBlobCommitments([bytes(blob)], [bytes(other)])).toBe(false)
      }
      for (const { input } of cases.filter(({ output }) => output === null))
        expect(() => kzg.verifyBlobCommitments([bytes(input.blob)], [infinity])).toThrow(KzgInputError)
    })

    it('more than one part of them, false or malformed in any part', () => {
      const many = range(70).map((at) => makeBlob(at + 1))
      const [b, c] = [many.map(({ blob }) => blob), many.map(({ commitment }) => commitment as Uint8Array)]
      expect(kzg.verifyBlobCommitments(b, c)).toBe(true)
      for (const at of [0, 63, 64, 69])
        expect(kzg.verifyBlobCommitments(b.with(at, tampered(many[at]!).blob), c)).toBe(false)
      const codeOf = (task: () => unknown): unknown => {
        try {
          return task()
        } catch (error) {
          if (error instanceof KzgInputError) return [error.code, error.index]
          throw error
        }
      }
      const off = new Uint8Array(48).fill(0xff)
      const bad = new Uint8Array(131_072).fill(0xff)
      expect(codeOf(() => kzg.verifyBlobCommitments(b, c.with(66, off)))).toEqual(['commitment-encoding', 66])
      expect(codeOf(() => kzg.verifyBlobCommitments(b.with(69, bad), c))).toEqual([
        'scalar-not-canonical',
        69,
      ])
      // A length anywhere comes before an encoding.
      const short = b.with(0, bad).with(69, bad.subarray(1))
      expect(codeOf(() => kzg.verifyBlobCommitments(short, c))).toEqual(['blob-length', 69])
      // Malformed before false, wherever they are.
      const both = b.with(1, tampered(many[1]!).blob)
      expect(codeOf(() => kzg.verifyBlobCommitments(both, c.with(66, off)))).toEqual([
        'commitment-encoding',
        66,
      ])
    })

    it('errors that cancel are seen', () => {
      expect(kzg.verifyBlobCommitments(blobs, commitments)).toBe(true)
      const [a, b] = [new Uint8Array(blobs[0]!), new Uint8Array(blobs[1]!)]
      // Blob 0 plus 1 in an element, blob 1 minus 1: the plain sum is as before.
      a[31 + 32 * 5]!++
      b[31 + 32 * 5]!--
      expect([a[31 + 32 * 5], b[31 + 32 * 5]]).not.toContain(0)
      expect(kzg.verifyBlobCommitments(blobs.with(0, a).with(1, b), commitments)).toBe(false)
      const swapped = commitments.with(0, commitments[1]!).with(1, commitments[0]!)
      expect(kzg.verifyBlobCommitments(blobs, swapped)).toBe(false)
      expect(kzg.verifyBlobCommitments([], [])).toBe(true)
    })
  })
}

describe('the setup', () => {
  it('is asked for, and is Ethereum’s', async () => {
    const plain = await loadKzg()
    expect(() => plain.verifyBlobCommitments([], [])).toThrow(SetupUnavailableError)
    const bytes = await readAssetBytes('prover-setup.bin')
    const kzg = await loadKzg({ commitmentSetup: bytes.subarray() })
    expect(kzg.verifyBlobCommitments(blobs, commitments)).toBe(true)
    bytes[5]! ^= 1
    for (const commitmentSetup of [
      bytes,
      bytes.subarray(1),
      new ArrayBuffer(0),
      new URL('file:///nowhere/s.bin'),
    ])
      await expect(loadKzg({ commitmentSetup })).rejects.toThrow(SetupUnavailableError)
    for (const commitmentSetup of ['here', 1, null, {}] as never[])
      await expect(loadKzg({ commitmentSetup })).rejects.toThrow(TypeError)
  })
})

function bytes(hex: string): Uint8Array {
  return Uint8Array.from({ length: hex.length / 2 - 1 }, (_, at) =>
    Number.parseInt(hex.slice(2 * at + 2, 2 * at + 4), 16),
  )
}
