/** What a prover is told: its setup, its tables, and what makes no sense. */
import { loadProver, SetupUnavailableError, tableBytes } from 'blobcheck/prover'
import { afterEach, describe, expect, it } from 'vitest'
import { flip } from '../support/bytes.ts'
import { unreadable } from '../support/hostile.ts'
import { infinity, range, realBlobs } from '../support/make.ts'
import { readAssetBytes } from '../support/modules.ts'
import { blobs } from '../support/prover-blobs.ts'
import { disposeAll, openProver } from '../support/provers.ts'

afterEach(disposeAll)

const [real] = await realBlobs()

describe('the setup', () => {
  it('is taken from the caller, and from nobody who has another', async () => {
    const [first, second] = await Promise.all([
      readAssetBytes('prover-setup.bin'),
      readAssetBytes('prover-setup-extension.bin'),
    ])
    const prover = await openProver({ workers: 1, setup: { blobs: first, cells: second } })
    expect((await prover.computeCellsAndKzgProofs(blobs.zero)).proofs[127]).toEqual(infinity)
    for (const [blobsHalf, cellsHalf] of [
      [flip(first, 100), second],
      [second, first],
      [first.slice(1), second],
    ] as const) {
      const setup = { blobs: blobsHalf, cells: cellsHalf }
      const spoilt = await openProver({ workers: 1, setup })
      await expect(spoilt.blobToKzgCommitment(blobs.zero)).rejects.toThrow(SetupUnavailableError)
      // What needs no setup does not care.
      expect(await spoilt.computeCells(blobs.zero)).toHaveLength(128)
      await expect(loadProver({ setup })).rejects.toThrow(SetupUnavailableError)
    }
  })

  it.each(['blobs', 'cells'] as const)(
    'says by which option its file is to be named, where that is missing: %s',
    async (half) => {
      const nowhere = new URL('./nowhere.bin', import.meta.url)
      const setup = { [half]: nowhere }
      const message = `Say where it is with the option setup: { ${half} } of a prover`
      const prover = await openProver({ workers: 1, setup })
      for (const fail of [
        () => loadProver({ setup }),
        () => prover.computeCellsAndKzgProofs(blobs.zero),
        () => loadProver({ setup: { [half]: Uint8Array.of(1) } }),
      ]) {
        const error: unknown = await fail().catch((error: unknown) => error)
        expect(error).toBeInstanceOf(SetupUnavailableError)
        expect((error as Error).message.endsWith(`. ${message}`), (error as Error).message).toBe(true)
      }
    },
  )

  it('half of it proves blobs', async () => {
    const prover = await loadProver({ proofs: 'blobs' })
    const { blobToKzgCommitment, computeBlobKzgProof } = prover
    const proof = computeBlobKzgProof(real!.blob, blobToKzgCommitment(real!.blob))
    expect(proof).toEqual(real!.proof)
    expect(() => prover.computeCellsAndKzgProofs(blobs.zero)).toThrow(SetupUnavailableError)
    expect(prover.computeCells(blobs.zero)).toHaveLength(128)
  })
})

describe('tables', () => {
  it('are worked out before they are wanted, step by step', async () => {
    const prover = await openProver({ workers: 2, precompute: { rows: 2, width: 3 } })
    const steps: number[] = []
    await prover.prepare({
      onProgress: ({ stage, done, total }) => steps.push(stage === 'prepare' ? done + total : -1),
    })
    expect(steps).toEqual(range(16).map((at) => at + 17))
    const { proofs } = await prover.computeCellsAndKzgProofs(blobs.noise)
    expect(proofs).toEqual((await loadProver()).computeCellsAndKzgProofs(blobs.noise).proofs)
  })

  it('are as large as is said', () => {
    expect(tableBytes({ rows: 1, width: 2 })).toBe(786_432)
    expect(tableBytes({ rows: 4, width: 8 })).toBe(786_432 * 4 * 64)
  })

  it('of two shapes on one thread do not get in each other’s way', async () => {
    const [first, second] = [
      await loadProver({ precompute: { rows: 1, width: 4 } }),
      await loadProver({ precompute: { rows: 2, width: 2 } }),
    ]
    const expected = first.computeCellsAndKzgProofs(blobs.noise)
    expect(second.computeCellsAndKzgProofs(blobs.noise)).toEqual(expected)
    expect(first.computeCellsAndKzgProofs(blobs.noise)).toEqual(expected)
  })
})

describe('misuse', () => {
  it.each([
    { precompute: 8 },
    { precompute: { rows: 0, width: 5 } },
    { precompute: { rows: 1, width: 13 } },
    { precompute: { rows: 129, width: 12 } },
    { precompute: { rows: 1, width: 4, keep: true } },
    { kernel: 'fastest' },
    { proofs: 'all' },
    null,
  ])('loadProver(%o)', async (options) => {
    await expect(loadProver(options as never)).rejects.toThrow(TypeError)
  })

  it.each([
    { workers: -1 },
    { workers: 1.5 },
    { precompute: 'some' },
    { precompute: { rows: 3, width: 4, keep: true } },
    { precompute: { rows: 1, width: 9, keep: true } },
    { precompute: { rows: 1, width: 4, keep: 1 } },
    { precompute: { rows: 1, width: 4, keep: null } },
    { precompute: { rows: 1, width: 4, keep: { get: () => null } } },
    { kernel: 'fastest' },
    null,
  ])('createProver(%o)', async (options) => {
    await expect(openProver(options as never)).rejects.toThrow(TypeError)
  })

  it.each([{ signal: {} }, { onProgress: 1 }, null])('a call with %o', async (options) => {
    const prover = await openProver({ workers: 0 })
    await expect(prover.blobToKzgCommitment(blobs.zero, options as never)).rejects.toThrow(TypeError)
  })

  it('options that cannot be read', async () => {
    const both = ['precompute', 'kernel', 'wasm', 'setup']
    for (const [, options] of unreadable([...both, 'proofs'], [...both, 'proofs']))
      await expect(loadProver(options as never)).rejects.toThrow(TypeError)
    for (const [, options] of unreadable(
      [...both, 'workers', 'workerUrl'],
      [...both, 'workers', 'workerUrl'],
    ))
      await expect(openProver(options as never)).rejects.toThrow(TypeError)
    const prover = await openProver({ workers: 0 })
    for (const [, options] of unreadable(['signal', 'onProgress'], ['signal']))
      await expect(prover.computeCells(blobs.zero, options)).rejects.toThrow(TypeError)
  })

  it('the shape of tables is read once', async () => {
    // Three rows would do for tables that are not kept, four for those that are.
    let rows = 3
    const precompute = {
      get rows() {
        return rows++
      },
      width: 4,
      keep: true as const,
    }
    await expect(openProver({ workers: 0, precompute: precompute as never })).rejects.toThrow(TypeError)
    expect(rows).toBe(4)
  })

  it('a listener that throws hinders nobody', async () => {
    const prover = await openProver({ workers: 0 })
    const onProgress = (): never => {
      throw new Error('not your day')
    }
    expect((await prover.computeCellsAndKzgProofs(blobs.zero, { onProgress })).cells).toHaveLength(128)
  })
})
