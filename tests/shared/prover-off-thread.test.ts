/** The prover off the calling thread: the same results, abort, workers that die. */
import { createVerifier, KzgInputError } from 'blobcheck'
import { type AsyncProver, DisposedError, loadProver, type Prover } from 'blobcheck/prover'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { Pool } from '../../dist/runtime/pool/pool.js'
import { toHex } from '../support/bytes.ts'
import { infinity, never, range, turn } from '../support/make.ts'
import { readAssetBytes } from '../support/modules.ts'
import { blobs } from '../support/prover-blobs.ts'
import { disposeAll, openProver, tables } from '../support/provers.ts'
import { watchThreads } from '../support/threads.ts'

afterEach(async () => {
  vi.restoreAllMocks()
  await disposeAll()
})

/**
 * The names of what is asked of workers, or of the calling thread in their place, from now on; without what hands over the setup. They
 * die of what is deadly.
 */
function watchTasks(isDeadly: (name: string, given: readonly unknown[]) => boolean = () => false): string[] {
  const asked: string[] = []
  const run = Pool.prototype.run
  vi.spyOn(Pool.prototype, 'run').mockImplementation(function (
    this: Pool<never>,
    task: (api: never) => PromiseLike<unknown>,
    options?: object,
  ) {
    const watched = (api: Record<string, (...given: unknown[]) => unknown>): PromiseLike<unknown> =>
      task(
        new Proxy(api, {
          get: (_, name: string) => {
            if (!['halves', 'give'].includes(name)) asked.push(name)
            return (...given: unknown[]) =>
              isDeadly(name, given) ? Promise.reject(new Error('it died')) : api[name]!(...given)
          },
        }) as never,
      )
    return run.call(this, watched as never, options)
  } as never)
  return asked
}

const here = await loadProver()
const expected = here.computeCellsAndKzgProofs(blobs.noise)

describe.each([0, 2])('off the calling thread, %i workers', (workers) => {
  it('everything is as in the calling thread', async () => {
    const prover = await openProver({ workers, precompute: workers === 2 ? tables : 'none' })
    expect(prover.workers).toBe(workers)
    const blob = blobs.noise
    const commitment = here.blobToKzgCommitment(blob)
    const known = range(64).map((at) => 2 * at)
    const cells = known.map((at) => expected.cells[at]!)
    expect(await prover.blobToKzgCommitment(blob)).toEqual(commitment)
    expect(await prover.computeBlobKzgProof(toHex(blob), commitment)).toEqual(
      here.computeBlobKzgProof(blob, commitment),
    )
    expect(await prover.computeKzgProof(blob, new Uint8Array(32))).toEqual(
      here.computeKzgProof(blob, new Uint8Array(32)),
    )
    expect(await prover.computeCells(blob)).toEqual(expected.cells)
    expect(await prover.recoverCells(known, cells)).toEqual(expected.cells)
    const seen: number[] = []
    const proved = await prover.computeCellsAndKzgProofs(blob, {
      onProgress: ({ stage, done, total }) => {
        expect([stage, total]).toEqual(['prove', 18])
        seen.push(done)
      },
    })
    expect(proved).toEqual(expected)
    expect(seen.at(-1)).toBe(18)
    expect(seen).toEqual([...seen].sort((a, b) => a - b))
    expect(await prover.recoverCellsAndKzgProofs(known, cells)).toEqual(expected)
  })

  it('an array may be changed as soon as the call has returned', async () => {
    const prover = await openProver({ workers })
    const blob = new Uint8Array(blobs.noise)
    const commitment = prover.blobToKzgCommitment(blob)
    blob.fill(0)
    expect(await commitment).toEqual(here.blobToKzgCommitment(blobs.noise))
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
    await expect(prover.computeBlobKzgProof(blobs.zero, '0x0')).rejects.toMatchObject({
      ...{ code: 'bad-hex', index: 0, field: 'commitment' },
      message: 'bad-hex (commitment, index 0): hex is 0x and an even number of digits',
    })
    expect((await good).proofs.map(toHex)).toEqual(Array(128).fill(toHex(infinity)))
  })

  it('malformed input is called what it is called in the calling thread, in the same words', async () => {
    const prover = await openProver({ workers })
    const { zero, noise } = blobs
    const bad = new Uint8Array(noise).fill(0xff, 32 * 4000, 32 * 4001)
    const [tooLarge, half] = [new Uint8Array(32).fill(0xff), range(64)]
    const cells = here.computeCells(noise)
    const calls: readonly ((of: Prover | AsyncProver) => unknown)[] = [
      (of) => of.computeKzgProof(bad, new Uint8Array(32)),
      (of) => of.computeKzgProof(toHex(bad), new Uint8Array(32)),
      (of) => of.computeKzgProof(zero, tooLarge),
      (of) => of.computeKzgProof(bad, toHex(tooLarge)),
      (of) => of.computeKzgProof(zero, '0x'),
      (of) => of.computeKzgProof(zero, zero),
      (of) => of.computeKzgProof(zero, null as never),
      (of) => of.computeBlobKzgProof(bad, infinity),
      (of) => of.computeBlobKzgProof(zero, new Uint8Array(48)),
      (of) => of.computeBlobKzgProof(zero, '0xg0'),
      (of) => of.blobToKzgCommitment(zero.subarray(1)),
      (of) => of.computeCellsAndKzgProofs(bad),
      (of) => of.recoverCells(half, cells.slice(0, 63)),
      (of) => of.recoverCells(half.with(63, 128), cells.slice(0, 64)),
      (of) =>
        of.recoverCellsAndKzgProofs(half, cells.slice(0, 64).with(5, new Uint8Array(2048).fill(0xff, 2016))),
      (of) => of.recoverCellsAndKzgProofs(range(63), cells.slice(0, 63)),
      (of) => of.recoverCells(range(65), cells.slice(0, 65).with(64, cells[0]!)),
    ]
    const seen: string[] = []
    for (const call of calls) {
      const [sync, async] = await Promise.all(
        [here, prover].map(async (of) => {
          const error: unknown = await (async () => await call(of))().catch((error: unknown) => error)
          expect(error).toBeInstanceOf(KzgInputError)
          const { code, index, field, message } = error as KzgInputError
          return { code, index, field, message }
        }),
      )
      expect(async).toEqual(sync)
      seen.push(async!.message)
    }
    expect(seen.slice(0, 6).map((message) => message.replace(/;.*/, ''))).toEqual([
      'scalar-not-canonical (blob, index 0): element 4000 (from 0) is not below BLS_MODULUS',
      'scalar-not-canonical (blob, index 0): element 4000 (from 0) is not below BLS_MODULUS',
      'scalar-not-canonical (z, index 0): z is not below BLS_MODULUS',
      'scalar-not-canonical (z, index 0): z is not below BLS_MODULUS',
      'scalar-length (z, index 0): must have 32 bytes',
      'scalar-length (z, index 0): must have 32 bytes',
    ])
  })

  it('an aborted call rejects at once, and what was queued for it is not begun', async () => {
    const prover = await openProver({ workers })
    await prover.prepare()
    const controller = new AbortController()
    const { signal } = controller
    const reason = new Error('no longer wanted')
    const asked = watchTasks()
    let before = Number.NaN
    // With the first step, when sums of eight blobs are queued.
    const onProgress = (): void => {
      controller.abort(reason)
      before = asked.length
    }
    const calls = range(8).map(() => prover.computeCellsAndKzgProofs(blobs.noise, { signal, onProgress }))
    for (const outcome of await Promise.allSettled(calls)) {
      expect(outcome).toEqual({ status: 'rejected', reason })
    }
    // The queue is in order: what is left of those blobs would be begun before this one's sums.
    const proved = await prover.computeCellsAndKzgProofs(blobs.zero)
    expect(proved.proofs).toEqual(range(128).map(() => infinity))
    // Its cells, its sums in eight pieces, and its proofs in two. Each worker may have been at one task more, and have been asked no more than
    // whether it has the setup.
    const after = asked.splice(0).length - before
    expect(after).toBeGreaterThanOrEqual(11)
    expect(after).toBeLessThanOrEqual(11 + Math.max(workers, 1))
    await expect(prover.computeCells(blobs.zero, { signal: AbortSignal.abort() })).rejects.toMatchObject({
      name: 'AbortError',
    })
    expect(asked).toEqual([])
  })

  it('of a call that has failed nothing more is begun, nor told', async () => {
    const prover = await openProver({ workers, onWarning: () => {} })
    await prover.prepare()
    // The first of eight pieces: two workers in a row die of it.
    const asked = watchTasks((name, given) => name === 'sums' && given[2] === 0)
    const onProgress = vi.fn()
    const call = prover.computeCellsAndKzgProofs(blobs.noise, { onProgress })
    await expect(call).rejects.toThrow('it died')
    const [before, told] = [asked.length, onProgress.mock.calls.length]
    // The queue is in order: what is left of that blob would be begun before this.
    expect(await prover.computeCells(blobs.noise)).toEqual(expected.cells)
    expect(asked.length - before).toBeLessThanOrEqual(1 + workers)
    await prover.dispose()
    expect(onProgress).toHaveBeenCalledTimes(told)
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

  it('a prover whose setup never comes ends its calls when it is disposed of', async () => {
    const asked = vi.fn(never)
    // In a browser it is fetched as well.
    const simd128 = await readAssetBytes('prover_simd128.wasm')
    vi.stubGlobal('fetch', asked)
    onTestFinished(() => void vi.unstubAllGlobals())
    const prover = await openProver({
      ...{ workers, kernel: 'simd128', wasm: { simd128 } },
      setup: { blobs: new URL('http://nowhere.example/prover-setup.bin') },
    })
    const outcome = expect(prover.blobToKzgCommitment(blobs.zero)).rejects.toThrow(DisposedError)
    await turn(20)
    expect(asked).toHaveBeenCalledOnce()
    await prover.dispose()
    await outcome
    await expect(prover.blobToKzgCommitment(blobs.zero)).rejects.toThrow(DisposedError)
    expect(asked).toHaveBeenCalledOnce()
  })
})

describe('workers that die', () => {
  it('are replaced, and the call goes on', async () => {
    const threads = await watchThreads()
    try {
      const prover = await openProver({ workers: 2, precompute: tables })
      await prover.prepare()
      let killed = false
      const proved = await prover.computeCellsAndKzgProofs(blobs.noise, {
        onProgress: () => {
          if (!killed) void threads.killAll()
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
