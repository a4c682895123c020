/**
 * Data that is made to pass, through the public functions of each kernel: points outside G1 of each order, alone and in pairs whose
 * defects cancel, in batches of every size about the numbers from which on points are tested in bulk; values whose errors cancel for coefficients that somebody could
 * know; and claims whose sums meet the exceptions of additions. `crates/kzg/tests/kzg/hostile.rs` has the same of the core, and more.
 */
import { type CellItem, createVerifier, type Verdict, type Verifier } from 'blobcheck'
import { type Kzg, KzgInputError } from 'blobcheck/kzg'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { COLLECT, type Load, loadOf, plan } from '../../dist/verifier/batch/plan.js'
import { concat, fromHex } from '../support/bytes.ts'
import { besides, kernelsHere, mustHaveRelaxed } from '../support/kernels.ts'
import { BLOB_BYTES, infinity, makeBlob, makeCell, range } from '../support/make.ts'
import { packageFile } from '../support/modules.ts'

/** Of each prime order that the group of the curve has and G1 has not: one point, or two that are independent. */
const { g1 } = JSON.parse(readFileSync(packageFile('crates/testing/src/torsion.json'), 'utf8')) as {
  g1: { order: string; points: string[] }[]
}
const outside = g1.flatMap(({ points }) => points.map(fromHex))

/** The bit that tells y from −y is the third. */
const opposite = (point: Uint8Array): Uint8Array<ArrayBuffer> =>
  Uint8Array.from(point, (byte, at) => (at === 0 ? byte ^ 0x20 : byte))

const cellAt = (at: number): CellItem => makeCell(7, at % 128)

const verifyCells = (kzg: Kzg, cells: readonly CellItem[]): boolean => {
  const bytes = (key: 'commitment' | 'cell' | 'proof') => cells.map((cell) => cell[key] as Uint8Array)
  const indices = cells.map(({ cellIndex }) => cellIndex)
  return kzg.verifyCellKzgProofBatch(bytes('commitment'), indices, bytes('cell'), bytes('proof'))
}

/** The code and the index with which a call refuses its input. */
function refusal(call: () => unknown): [string, number] {
  try {
    call()
  } catch (error) {
    if (error instanceof KzgInputError) return [error.code, error.index]
    throw error
  }
  throw new Error('it was not refused')
}

/** Batches about which coefficients would have to be known. The errors d of the values cancel where Σ rᵢ·dᵢ = 0. */
const cancelling: [string, [number, number]][] = [
  ['all are 1', [1, -1]],
  ['they are the powers of 2', [2, -1]],
  ['they are 1, 2, 3, …', [-2, 1]],
]

describe.each(await kernelsHere())('$name', ({ kzg }) => {
  it('knows points of every order outside G1 by themselves', () => {
    expect(outside).toHaveLength(9)
    for (const point of outside.flatMap((point) => [point, opposite(point)])) {
      expect(refusal(() => verifyCells(kzg, [{ ...cellAt(0), proof: point }]))).toEqual([
        'proof-not-in-subgroup',
        0,
      ])
      const blob = new Uint8Array(BLOB_BYTES)
      const refusals = [
        () => kzg.verifyBlobKzgProof(blob, point, infinity),
        () => kzg.verifyBlobKzgProofBatch([blob, blob], [point, opposite(point)], [infinity, infinity]),
        () => kzg.verifyBlobCommitments([blob, blob], [point, opposite(point)]),
      ]
      for (const call of refusals) expect(refusal(call)).toEqual(['commitment-not-in-subgroup', 0])
    }
  })

  // Points are tested in bulk from 28 or 39 cells on, by the kernel; the method of sums changes at other numbers.
  it('finds them in batches of every size, alone and in pairs that cancel', () => {
    for (const count of range(110).slice(1)) {
      const point = outside[count % 9]!
      const cells = range(count).map(cellAt)
      if (count % 10 === 1) expect(verifyCells(kzg, cells)).toBe(true)
      const first = count < 2 ? 0 : (count * 7) % (count - 1)
      cells[first] = { ...cellAt(first), proof: point }
      if (count % 2 === 0) cells[count - 1] = { ...cellAt(count - 1), proof: opposite(point) }
      expect(refusal(() => verifyCells(kzg, cells))).toEqual(['proof-not-in-subgroup', first])
    }
  })

  it.each(cancelling)('refuses values whose errors cancel if coefficients are known: %s', (_, errors) => {
    for (const count of [2, 20, 60, 110]) {
      const cells = range(count).map(cellAt)
      errors.forEach((error, at) => {
        cells[at] = { ...cellAt(at), cell: makeCell(7 + error, at).cell }
        expect(verifyCells(kzg, [cells[at]])).toBe(false)
      })
      expect(verifyCells(kzg, cells)).toBe(false)
    }
  })

  // C − I(τ) is a doubling then, and c-kzg 4.1.0 takes it for the identity.
  it('refuses the opposite of a commitment with a proof at infinity', () => {
    for (const count of [1, 2, 60]) {
      const cells = range(count).map((at) => ({
        ...cellAt(at),
        commitment: opposite(makeBlob(7).commitment as Uint8Array),
      }))
      expect(verifyCells(kzg, cells)).toBe(false)
      const { blob, commitment } = makeBlob(7)
      const wrong = opposite(commitment as Uint8Array)
      const times = <T>(value: T): T[] => Array<T>(count).fill(value)
      expect(kzg.verifyBlobKzgProof(blob, wrong, infinity)).toBe(false)
      expect(kzg.verifyBlobKzgProofBatch(times(blob), times(wrong), times(infinity))).toBe(false)
      expect(kzg.verifyBlobCommitments(times(blob), times(wrong))).toBe(false)
    }
  })

  it('opens constants at points of the domain', () => {
    const scalar = (value: bigint): Uint8Array => fromHex(value.toString(16).padStart(64, '0'))
    const r = 0x73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000001n
    const { commitment } = makeBlob(7) as { commitment: Uint8Array }
    for (const z of [0n, 1n, r - 1n, 2n]) {
      expect(kzg.verifyKzgProof(commitment, scalar(z), scalar(7n), infinity)).toBe(true)
      expect(kzg.verifyKzgProof(commitment, scalar(z), scalar(r - 7n), infinity)).toBe(false)
    }
  })

  // A cell with its two indices and its proof is as long as 44 commitments.
  it('binds the numbers of commitments and cells in their challenge', () => {
    const bytes = Uint8Array.from({ length: 46 * 48 }, (_, at) => (at >= 48 && at < 64 ? 0 : at % 251))
    const commitments = range(45).map((at) => bytes.slice(48 * at, 48 * at + 48))
    const [cell, proof] = [new Uint8Array(2_048).fill(1), new Uint8Array(48).fill(2)]
    const challenge = kzg.computeVerifyCellKzgProofBatchChallenge
    const asCommitments = challenge(commitments, [0], [0], [cell], [proof])
    const inside = concat(...commitments.slice(1))
    const [first, firstProof] = [inside.slice(16, 2_064), inside.slice(2_064)]
    const asCells = challenge(commitments.slice(0, 1), [0, 0], [0, 0], [first, cell], [firstProof, proof])
    expect(asCells).not.toEqual(asCommitments)
  })
})

describe.each(besides('simd128' as const, mustHaveRelaxed ? (['relaxed-simd'] as const) : []))(
  'a verifier with two workers, %s',
  (kernel) => {
    let verifier: Verifier
    beforeAll(async () => void (verifier = await createVerifier({ kernel, workers: 2, cache: false })))
    afterAll(async () => await verifier.dispose())

    /** The numbers of units from which a batch has one group more, or gets as large as two groups may be. */
    const edges = (load: Load, most: number): number[] => {
      const groups = (count: number): number => plan(Array<Load>(count).fill(load), 2).length
      return range(most).filter((count) => count > 1 && groups(count) !== groups(count - 1))
    }
    const cell: Load = { ms: COLLECT.cell, bytes: 2_148 }
    const blob: Load = { ms: loadOf(Uint8Array.of(1)).ms, bytes: makeBlob(1).blob.length + 150 }
    const about = (counts: readonly number[]): number[] =>
      counts.flatMap((count) => [count - 1, count, count + 1]).filter((count) => count > 1)

    /** Which verdicts are not `valid`, and what they are. */
    const refused = (verdicts: readonly Verdict[]): [number, string][] =>
      verdicts.flatMap((verdict, at) =>
        verdict.status === 'invalid' || verdict.status === 'malformed' ? [[at, verdict.reason]] : [],
      )

    it('judges pairs that cancel over its groups one by one', async () => {
      const [cells, blobs] = [edges(cell, 200), edges(blob, 200)]
      expect(cells.length).toBeGreaterThan(0)
      // The last edge is where two groups would take more memory than they may.
      expect(blobs.at(-1)).toBeGreaterThan(128)
      for (const [turn, count] of about([...cells, 27, 52, 82]).entries()) {
        const point = outside[turn % 9]!
        const items = range(count).map((at) => makeCell(1 + (at % 50), at))
        const [first, last] = [0, count - 1]
        items[first] = { ...items[first]!, proof: point }
        items[last] = { ...items[last]!, proof: opposite(point) }
        const reason = 'proof-not-in-subgroup'
        expect(refused(await verifier.verifyCells(items))).toEqual([
          [first, reason],
          [last, reason],
        ])
      }
      for (const [turn, count] of [2, 3, blobs.at(-1)! - 1, blobs.at(-1)!].entries()) {
        const point = outside[(turn + 4) % 9]!
        const items = range(count).map((at) => makeBlob(at + 1))
        const [first, last] = [0, count - 1]
        items[first] = { ...items[first]!, proof: point }
        items[last] = { ...items[last]!, proof: opposite(point) }
        expect(refused(await verifier.verifyBlobs(items))).toEqual([
          [first, 'proof-not-in-subgroup'],
          [last, 'proof-not-in-subgroup'],
        ])
      }
    })

    it.each(cancelling)(
      'finds both values whose errors cancel if coefficients are known: %s',
      async (_, errors) => {
        for (const count of about([...edges(cell, 200), 52])) {
          const items = range(count).map((at) => makeCell(7, at))
          const guilty = [0, count - 1]
          errors.forEach((error, at) => {
            const place = guilty[at]!
            items[place] = { ...items[place]!, cell: makeCell(7 + error, place).cell }
          })
          const found = refused(await verifier.verifyCells(items))
          expect(found).toEqual(guilty.map((at) => [at, 'proof-mismatch']))
        }
      },
    )
  },
)
