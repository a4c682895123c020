/** The prover, in the calling thread and off it: agreement, inputs, abort, crashes, setup. No vectors are needed. */
import { createVerifier, KzgInputError } from 'blobcheck'
import { loadKzg } from 'blobcheck/kzg'
import { DisposedError, loadProver, SetupUnavailableError, tableBytes } from 'blobcheck/prover'
import { afterEach, describe, expect, it } from 'vitest'
import { flip, toHex } from '../support/bytes.ts'
import { infinity, makeBlob, range, realBlobs, seeded } from '../support/make.ts'
import { readAssetBytes } from '../support/modules.ts'
import { disposeAll, openProver, proversHere, tables } from '../support/provers.ts'
import { watchThreads } from '../support/threads.ts'

afterEach(disposeAll)

const [real] = await realBlobs()
const kzg = await loadKzg()

/** The largest field element, r − 1. */
const LARGEST = '73eda753299d7d483339d80809a1d80553bda402fffe5bfeffffffff00000000'

/** A blob with these field elements (hex), and zeros elsewhere. */
function blobOf(elements: Record<number, string>, rest = '0'.repeat(64)): Uint8Array<ArrayBuffer> {
  const text = range(4096).map((at) => elements[at] ?? rest)
  return Uint8Array.from({ length: 131_072 }, (_, at) =>
    Number.parseInt(text[at >> 5]!.slice((at % 32) * 2, (at % 32) * 2 + 2), 16),
  )
}

function randomBlob(seed: number): Uint8Array<ArrayBuffer> {
  const random = seeded(seed)
  return Uint8Array.from({ length: 131_072 }, (_, at) => (at % 32 === 0 ? 0 : Math.floor(256 * random())))
}

const blobs = {
  real: real!.blob,
  noise: randomBlob(1),
  zero: new Uint8Array(131_072),
  constant: makeBlob(7).blob,
  'one element': blobOf({ 4095: LARGEST }),
  'largest elements': blobOf({}, LARGEST),
}

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
      expect(said).not.toContain('accepted 0')
      expect(said.map((line) => line.split(' ')[0])).toMatchObject([
        'blob-length',
        'not-bytes',
        'bad-hex',
        'scalar-not-canonical',
        'scalar-length',
        'scalar-not-canonical',
        'commitment-length',
        'commitment-encoding',
        'scalar-not-canonical',
        expect.any(String),
        'array-lengths',
        expect.any(String),
        expect.any(String),
        'cell-index',
        'cell-index',
        'not-an-array',
        'cell-length',
      ])
      // And goes on.
      expect(toHex(prover.blobToKzgCommitment(blob))).toBe(toHex(makeBlob(1).commitment as Uint8Array))
    })
  })
}

describe.each([0, 1, 3])('off the calling thread, %i workers', (workers) => {
  it('everything is as in the calling thread', async () => {
    const here = await loadProver()
    const prover = await openProver({ workers, precompute: workers === 3 ? tables : 'none' })
    expect(prover.workers).toBe(workers)
    const blob = blobs.noise
    const commitment = here.blobToKzgCommitment(blob)
    const whole = here.computeCellsAndKzgProofs(blob)
    const known = range(64).map((at) => 2 * at)
    const cells = known.map((at) => whole.cells[at]!)
    expect(await prover.blobToKzgCommitment(blob)).toEqual(commitment)
    expect(await prover.computeBlobKzgProof(toHex(blob), commitment)).toEqual(
      here.computeBlobKzgProof(blob, commitment),
    )
    expect(await prover.computeKzgProof(blob, new Uint8Array(32))).toEqual(
      here.computeKzgProof(blob, new Uint8Array(32)),
    )
    expect(await prover.computeCells(blob)).toEqual(whole.cells)
    expect(await prover.recoverCells(known, cells)).toEqual(whole.cells)
    const seen: number[] = []
    const proved = await prover.computeCellsAndKzgProofs(blob, {
      onProgress: ({ done, total }) => {
        expect(total).toBe(18)
        seen.push(done)
      },
    })
    expect(proved).toEqual(whole)
    expect(seen.at(-1)).toBe(18)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(await prover.recoverCellsAndKzgProofs(known, cells)).toEqual(whole)
  })

  it('an array may be changed as soon as the call has returned', async () => {
    const prover = await openProver({ workers })
    const blob = new Uint8Array(blobs.noise)
    const expected = (await loadProver({ proofs: 'blobs' })).blobToKzgCommitment(blob)
    const commitment = prover.blobToKzgCommitment(blob)
    blob.fill(0)
    expect(await commitment).toEqual(expected)
  })

  it('malformed input rejects, and takes nothing with it', async () => {
    const prover = await openProver({ workers })
    const good = prover.computeCellsAndKzgProofs(blobs.constant)
    const bad = [
      prover.computeCellsAndKzgProofs(new Uint8Array(131_072).fill(0xff)),
      prover.recoverCellsAndKzgProofs([1, 0], []),
      prover.blobToKzgCommitment(5 as never),
      prover.computeKzgProof(blobs.zero, '0x12'),
    ]
    await Promise.all(bad.map((call) => expect(call).rejects.toThrow(KzgInputError)))
    expect((await good).proofs.map(toHex)).toEqual(Array(128).fill(toHex(infinity)))
  })

  it('an aborted call rejects at once, and what was queued for it is not begun', async () => {
    const prover = await openProver({ workers })
    await prover.prepare()
    const controller = new AbortController()
    const reason = new Error('no longer wanted')
    const calls = range(8).map(() =>
      prover.computeCellsAndKzgProofs(blobs.noise, { signal: controller.signal }),
    )
    const settled = Promise.allSettled(calls)
    controller.abort(reason)
    for (const outcome of await settled) {
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'AbortError', cause: reason } })
    }
    // Eight blobs would have been before it; a test that waits for them runs into its time limit.
    expect(await prover.blobToKzgCommitment(blobs.zero)).toEqual(infinity)
    await expect(prover.computeCells(blobs.zero, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
  })

  it('a prover that was disposed of says so', async () => {
    const prover = await openProver({ workers })
    const call = prover.computeCellsAndKzgProofs(blobs.noise)
    const outcome = expect(call).rejects.toThrow(DisposedError)
    await prover.dispose()
    await outcome
    await expect(prover.blobToKzgCommitment(blobs.zero)).rejects.toThrow(DisposedError)
    await prover.dispose()
  })
})

describe('workers that die', () => {
  it('are replaced, and the call goes on', async () => {
    const threads = await watchThreads()
    try {
      const prover = await openProver({ workers: 2, precompute: tables })
      await prover.prepare()
      const expected = (await loadProver()).computeCellsAndKzgProofs(blobs.noise)
      let killed = false
      const proved = await prover.computeCellsAndKzgProofs(blobs.noise, {
        onProgress: () => {
          if (!killed) threads.killAll()
          killed = true
        },
      })
      expect(killed).toBe(true)
      expect(threads.started).toBeGreaterThan(2)
      expect(proved).toEqual(expected)
    } finally {
      threads.stop()
    }
  })
})

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
    const absent = { blobs: new URL('./nowhere.bin', import.meta.url) }
    await expect(loadProver({ setup: absent })).rejects.toThrow(SetupUnavailableError)
  })

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
    await prover.prepare({ onProgress: ({ done, total }) => steps.push(done + total) })
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
    { kernel: 'fastest' },
    { proofs: 'all' },
    null,
  ])('loadProver(%o)', async (options) => {
    await expect(loadProver(options as never)).rejects.toThrow(TypeError)
  })

  it.each([{ workers: -1 }, { workers: 1.5 }, { precompute: 'some' }, { kernel: 'fastest' }, null])(
    'createProver(%o)',
    async (options) => {
      await expect(openProver(options as never)).rejects.toThrow(TypeError)
    },
  )

  it.each([{ signal: {} }, { onProgress: 1 }, null])('a call with %o', async (options) => {
    const prover = await openProver({ workers: 0 })
    await expect(prover.blobToKzgCommitment(blobs.zero, options as never)).rejects.toThrow(TypeError)
  })

  it('a listener that throws hinders nobody', async () => {
    const prover = await openProver({ workers: 0 })
    const onProgress = (): never => {
      throw new Error('not your day')
    }
    expect((await prover.computeCellsAndKzgProofs(blobs.zero, { onProgress })).cells).toHaveLength(128)
  })
})

it('what it makes is valid, end to end', async () => {
  const prover = await openProver({ workers: 1 })
  const verifier = await createVerifier({ workers: 0, cache: false })
  try {
    const commitment = await prover.blobToKzgCommitment(blobs.noise)
    const { cells, proofs } = await prover.computeCellsAndKzgProofs(blobs.noise)
    const items = range(128).map((cellIndex) => ({
      commitment,
      cellIndex,
      cell: cells[cellIndex]!,
      proof: proofs[cellIndex]!,
    }))
    const verdicts = await verifier.verifyCells(items)
    expect(new Set(verdicts.map(({ status }) => status))).toEqual(new Set(['valid']))
  } finally {
    await verifier.dispose()
  }
})
