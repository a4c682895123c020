/** The prover in the calling thread: what it makes, and what it refuses. No vectors are needed. */
import { KzgInputError } from 'blobcheck'
import { loadKzg } from 'blobcheck/kzg'
import { describe, expect, it } from 'vitest'
import { flip, toHex } from '../support/bytes.ts'
import { infinity, makeBlob, range } from '../support/make.ts'
import { blobs } from '../support/prover-blobs.ts'
import { proversHere } from '../support/provers.ts'

const kzg = await loadKzg()

for (const { name, prover } of await proversHere()) {
  describe(`the prover on ${name}`, () => {
    it.each(Object.entries(blobs))('proves what the verifier accepts: %s', async (_, blob) => {
      const commitment = prover.blobToKzgCommitment(blob)
      expect(kzg.verifyBlobKzgProof(blob, commitment, prover.computeBlobKzgProof(blob, commitment))).toBe(
        true,
      )
      for (const z of [new Uint8Array(32), new Uint8Array(32).fill(1, 31), new Uint8Array(32).fill(9, 1)]) {
        const { proof, y } = prover.computeKzgProof(blob, z)
        expect(kzg.verifyKzgProof(commitment, z, y, proof)).toBe(true)
      }
      const { cells, proofs } = prover.computeCellsAndKzgProofs(blob)
      const commitments = cells.map(() => commitment)
      expect(kzg.verifyCellKzgProofBatch(commitments, range(128), cells, proofs)).toBe(true)
      expect(cells.map(toHex)).toEqual(kzg.computeCells(blob).map(toHex))
      const last = range(64).map((at) => at + 64)
      const recovered = prover.recoverCellsAndKzgProofs(
        last,
        last.map((at) => cells[at]!),
      )
      expect(recovered.cells.map(toHex)).toEqual(cells.map(toHex))
      expect(recovered.proofs.map(toHex)).toEqual(proofs.map(toHex))
    })

    it('a constant has the point at infinity for proofs', () => {
      const { proofs } = prover.computeCellsAndKzgProofs(blobs.constant)
      expect(new Set(proofs.map(toHex))).toEqual(new Set([toHex(infinity)]))
      expect(toHex(prover.blobToKzgCommitment(blobs.constant))).toBe(
        toHex(makeBlob(7).commitment as Uint8Array),
      )
    })

    it('refuses what is malformed, and says why', () => {
      const { blob } = makeBlob(1)
      const cells = prover.computeCells(blob)
      const codes = (calls: readonly (() => unknown)[]): string[] =>
        calls.map((call) => {
          try {
            call()
          } catch (error) {
            if (error instanceof KzgInputError) return `${error.code} ${error.index}`
            throw error
          }
          return 'accepted'
        })
      const half = cells.slice(0, 64)
      const said = codes([
        () => prover.blobToKzgCommitment(blob.subarray(1)),
        () => prover.blobToKzgCommitment(null as never),
        () => prover.blobToKzgCommitment('0xg0'),
        () => prover.blobToKzgCommitment(new Uint8Array(131_072).fill(0xff)),
        () => prover.computeKzgProof(blob, new Uint8Array(31)),
        () => prover.computeKzgProof(blob, new Uint8Array(32).fill(0xff)),
        () => prover.computeBlobKzgProof(blob, new Uint8Array(47)),
        () => prover.computeBlobKzgProof(blob, new Uint8Array(48)),
        () => prover.computeCellsAndKzgProofs(flip(blob, 0, 7)),
        () => prover.recoverCellsAndKzgProofs(range(63), cells.slice(0, 63)),
        () => prover.recoverCellsAndKzgProofs(range(64), cells.slice(0, 63)),
        () => prover.recoverCellsAndKzgProofs([1, 0, ...range(64).slice(2)], half),
        () => prover.recoverCellsAndKzgProofs([0, 0, ...range(64).slice(2)], half),
        () => prover.recoverCellsAndKzgProofs([...range(63), 128], half),
        () => prover.recoverCellsAndKzgProofs([...range(63), -1], half),
        () => prover.recoverCellsAndKzgProofs({} as never, half),
        () => prover.recoverCellsAndKzgProofs(range(64), [...half.slice(0, 63), new Uint8Array(5)]),
      ])
      expect(said).toEqual([
        'blob-length 0',
        'not-bytes 0',
        'bad-hex 0',
        'scalar-not-canonical 0',
        'scalar-length 0',
        'scalar-not-canonical 0',
        'commitment-length 0',
        'commitment-encoding 0',
        'scalar-not-canonical 0',
        'cell-count 0',
        'array-lengths 0',
        'cell-order 1',
        'cell-order 1',
        'cell-index 63',
        'cell-index 63',
        'not-an-array 0',
        'cell-length 63',
      ])
      // And goes on.
      expect(toHex(prover.blobToKzgCommitment(blob))).toBe(toHex(makeBlob(1).commitment as Uint8Array))
    })
  })
}
