/**
 * Faults that were found in other packages by running them, each with the right answer here. They accept lists that do
 * not match, trailing bytes and short points; they say `false` of what cannot be judged; one traps on many cells and
 * never answers again.
 */
import { createVerifier, type Verdict } from 'blobcheck'
import { type Kzg, KzgInputError, type KzgInputCode } from 'blobcheck/kzg'
import { describe, expect, it } from 'vitest'
import { concat } from '../support/bytes.ts'
import { kernelsHere } from '../support/kernels.ts'
import { infinity, makeBadBlob, makeBadCell, makeBlob, makeCell, range, realBlobs } from '../support/make.ts'

type Bytes = Uint8Array<ArrayBuffer>
interface Blob {
  blob: Bytes
  commitment: Bytes
  proof: Bytes
}
interface Cell {
  commitment: Bytes
  cellIndex: number
  cell: Bytes
  proof: Bytes
}

const junk = (bytes: Bytes): Bytes => concat(bytes, Uint8Array.of(0))
const cut = (bytes: Bytes): Bytes => bytes.slice(0, -1)

/** The code of the error that a call throws; a call that answers fails the test, whatever it answers. */
function codeOf(call: () => unknown): KzgInputCode {
  let answer: unknown
  try {
    answer = call()
  } catch (error) {
    if (error instanceof KzgInputError) return error.code
    throw error
  }
  throw new Error(`answered ${String(answer)} where nothing can be judged`)
}

const verify = (kzg: Kzg, { blob, commitment, proof }: Blob): boolean =>
  kzg.verifyBlobKzgProof(blob, commitment, proof)

const verifyEach = (kzg: Kzg, cells: readonly Cell[]): boolean =>
  kzg.verifyCellKzgProofBatch(
    cells.map(({ commitment }) => commitment),
    cells.map(({ cellIndex }) => cellIndex),
    cells.map(({ cell }) => cell),
    cells.map(({ proof }) => proof),
  )

/** Distinct valid cells, of as many blobs as it takes. */
const manyCells = (count: number): Cell[] =>
  range(count).map((at) => makeCell(1 + (at >> 7), at % 128) as Cell)

/** More cells than kzg-wasm survives (2,435), and more than a WebAssembly stack of its size could hold. */
const MANY = 2_560

const [real] = (await realBlobs()) as Blob[]
if (real === undefined) throw new Error('the real block has no blobs')
const constant = makeBlob(1) as Blob

for (const { name, kzg } of await kernelsHere()) {
  describe(`what others get wrong, on ${name}`, () => {
    it('no blobs with a commitment and a proof are not a batch', () => {
      expect(codeOf(() => kzg.verifyBlobKzgProofBatch([], [real.commitment], [real.proof]))).toBe(
        'array-lengths',
      )
    })

    it('one blob with two commitments and two proofs is not a batch', () => {
      const { blob, commitment, proof } = real
      const call = (): boolean =>
        kzg.verifyBlobKzgProofBatch([blob], [commitment, commitment], [proof, proof])
      expect(codeOf(call)).toBe('array-lengths')
    })

    it('one cell for two commitments and two indices is not a batch', () => {
      const { commitment, cell, proof } = makeCell(1, 3) as Cell
      const call = (): boolean =>
        kzg.verifyCellKzgProofBatch([commitment, commitment], [3, 4], [cell], [proof])
      expect(codeOf(call)).toBe('array-lengths')
    })

    it('every other way for one list to be longer or shorter is refused too', () => {
      const cells = [makeCell(1, 3), makeCell(1, 4)] as Cell[]
      const lists = (): [Bytes[], number[], Bytes[], Bytes[]] => [
        cells.map(({ commitment }) => commitment),
        cells.map(({ cellIndex }) => cellIndex),
        cells.map(({ cell }) => cell),
        cells.map(({ proof }) => proof),
      ]
      for (const which of range(4)) {
        for (const change of [(list: unknown[]) => list.push(list[0]), (list: unknown[]) => list.pop()]) {
          const args = lists()
          change(args[which]!)
          const call = (): boolean => kzg.verifyCellKzgProofBatch(...args)
          expect(codeOf(call)).toBe('array-lengths')
        }
      }
    })

    it('a byte too many or too few, anywhere, is not overlooked', () => {
      for (const change of [junk, cut]) {
        const { blob, commitment, proof } = real
        const cell = makeCell(1, 3) as Cell
        const zero = new Uint8Array(32)
        expect(codeOf(() => verify(kzg, { ...real, blob: change(blob) }))).toBe('blob-length')
        expect(codeOf(() => verify(kzg, { ...real, commitment: change(commitment) }))).toBe(
          'commitment-length',
        )
        expect(codeOf(() => verify(kzg, { ...real, proof: change(proof) }))).toBe('proof-length')
        expect(codeOf(() => kzg.verifyBlobKzgProofBatch([change(blob)], [commitment], [proof]))).toBe(
          'blob-length',
        )
        expect(codeOf(() => kzg.verifyBlobKzgProofBatch([blob], [change(commitment)], [proof]))).toBe(
          'commitment-length',
        )
        expect(codeOf(() => kzg.verifyBlobKzgProofBatch([blob], [commitment], [change(proof)]))).toBe(
          'proof-length',
        )
        expect(codeOf(() => verifyEach(kzg, [{ ...cell, cell: change(cell.cell) }]))).toBe('cell-length')
        expect(codeOf(() => verifyEach(kzg, [{ ...cell, commitment: change(cell.commitment) }]))).toBe(
          'commitment-length',
        )
        expect(codeOf(() => verifyEach(kzg, [{ ...cell, proof: change(cell.proof) }]))).toBe('proof-length')
        expect(codeOf(() => kzg.verifyKzgProof(change(infinity), zero, zero, infinity))).toBe(
          'commitment-length',
        )
        expect(codeOf(() => kzg.verifyKzgProof(infinity, change(zero), zero, infinity))).toBe('scalar-length')
        expect(codeOf(() => kzg.verifyKzgProof(infinity, zero, change(zero), infinity))).toBe('scalar-length')
        expect(codeOf(() => kzg.verifyKzgProof(infinity, zero, zero, change(infinity)))).toBe('proof-length')
      }
    })

    it('bytes that one list lacks are not taken from its neighbour', () => {
      // All of a list's bytes cross in one piece: a short element followed by a long one has the right sum.
      const blobs = [makeBlob(1), makeBlob(2)] as [Blob, Blob]
      const [first, second] = [blobs[0].commitment, blobs[1].commitment]
      const shifted = [first.slice(0, 47), concat(first.slice(47), second)]
      const call = (): boolean =>
        kzg.verifyBlobKzgProofBatch(
          blobs.map(({ blob }) => blob),
          shifted,
          [infinity, infinity],
        )
      expect(codeOf(call)).toBe('commitment-length')
    })

    it('a commitment of 47 bytes is refused right after a valid call with the same one', () => {
      expect(verify(kzg, real)).toBe(true)
      expect(codeOf(() => verify(kzg, { ...real, commitment: cut(real.commitment) }))).toBe(
        'commitment-length',
      )
      expect(verify(kzg, real)).toBe(true)
    })

    it('what cannot be judged throws, and what is false is false', () => {
      const notCanonical = new Uint8Array(real.blob).fill(0xff, 0, 32)
      expect(codeOf(() => verify(kzg, { ...real, blob: notCanonical }))).toBe('scalar-not-canonical')
      expect(codeOf(() => verify(kzg, { ...real, commitment: new Uint8Array(48) }))).toBe(
        'commitment-encoding',
      )
      expect(codeOf(() => verify(kzg, { ...real, proof: new Uint8Array(48) }))).toBe('proof-encoding')
      expect(codeOf(() => verifyEach(kzg, [{ ...makeCell(1, 3), cellIndex: 128 } as Cell]))).toBe(
        'cell-index',
      )
      expect(verify(kzg, { ...real, proof: infinity })).toBe(false)
      expect(verify(kzg, { ...real, commitment: constant.commitment })).toBe(false)
      expect(verify(kzg, makeBadBlob(1) as Blob)).toBe(false)
      expect(verifyEach(kzg, [makeBadCell(1, 3) as Cell])).toBe(false)
    })

    it(`${MANY} cells in one call are judged, and the instance lives on`, () => {
      const cells = manyCells(MANY)
      expect(verifyEach(kzg, cells)).toBe(true)
      expect(verifyEach(kzg, [...cells.slice(0, -1), makeBadCell(1 + (MANY >> 7), 127) as Cell])).toBe(false)
      expect(codeOf(() => verifyEach(kzg, [...cells.slice(0, -1), { ...cells[0]!, cellIndex: 128 }]))).toBe(
        'cell-index',
      )
      expect(verify(kzg, real)).toBe(true)
    })
  })
}

describe('what others get wrong, as verdicts', () => {
  it(`${MANY} cells in one call are judged one by one, and a bad one is found among them`, async () => {
    const verifier = await createVerifier({ cache: false })
    try {
      const items = manyCells(MANY)
      const guilty = 1_234
      items[guilty] = makeBadCell(99, 7) as Cell
      const verdicts = await verifier.verifyCells(items)
      const odd = verdicts.flatMap(({ status }, at) => (status === 'valid' ? [] : [[at, status]]))
      expect(odd).toEqual([[guilty, 'invalid']])
    } finally {
      await verifier.dispose()
    }
  })

  it('a malformed item is not called false, and a false one not malformed', async () => {
    const verifier = await createVerifier({ cache: false })
    try {
      const verdicts = await verifier.verifyBlobs([
        real,
        { ...real, blob: junk(real.blob) },
        { ...real, commitment: cut(real.commitment) },
        { ...real, proof: junk(real.proof) },
        { ...real, proof: infinity },
        real,
      ])
      const said = verdicts.map((verdict: Verdict) => [
        verdict.status,
        'reason' in verdict ? verdict.reason : null,
      ])
      expect(said).toEqual([
        ['valid', null],
        ['malformed', 'blob-length'],
        ['malformed', 'commitment-length'],
        ['malformed', 'proof-length'],
        ['invalid', 'proof-mismatch'],
        ['valid', null],
      ])
    } finally {
      await verifier.dispose()
    }
  })
})
