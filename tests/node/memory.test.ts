/**
 * WebAssembly memory never shrinks, so that its size tells the most that was ever needed: after 500 blobs it must be
 * what it was after some, and a block of 128 columns × 72 blobs, 20 MB, must pass through a fraction of that.
 */
import { createVerifier, type KernelName, type Verifier } from 'blobcheck'
import { loadKzg } from 'blobcheck/kzg'
import { createProver } from 'blobcheck/prover'
import { describe, expect, it } from 'vitest'
import { instance as kzgRelaxed } from '../../wasm/relaxed_simd.js'
import { instance as kzgBaseline } from '../../wasm/simd128.js'
import { instance as baseline } from '../../wasm/verifier_simd128.js'
import { instance as relaxed } from '../../wasm/verifier_relaxed_simd.js'
import { invented, makeSidecars, slots } from '../support/blocks.ts'
import { makeBadCell, makeBlob, makeCell, range, until } from '../support/make.ts'
import { dataColumnSidecarSsz } from '../support/ssz.ts'
import { openDiary, trapWorker } from '../support/threads.ts'

const BATCH = 10

/** Verifies blobs that are all different, ten at a time. */
async function verify(verifier: Verifier, from: number, to: number): Promise<void> {
  for (let at = from; at < to; at += BATCH) {
    const verdicts = await verifier.verifyBlobs(range(BATCH).map((more) => makeBlob(at + more + 1)))
    expect(verdicts.every(({ status }) => status === 'valid')).toBe(true)
  }
}

/** The memory of this thread's instance of the verifier's module. */
const memoryHere = (kernel: KernelName): number => memoryOf(kernel === 'simd128' ? baseline : relaxed)

/** The memory of this thread's instance of the module of `blobcheck/kzg`. */
const memoryOfKzg = (kernel: KernelName): number => memoryOf(kernel === 'simd128' ? kzgBaseline : kzgRelaxed)

/** The memory of an instance; `initSync` gives the one that there is. */
function memoryOf({ initSync }: { readonly initSync: unknown }): number {
  return (initSync as (options: object) => { memory: WebAssembly.Memory })({}).memory.buffer.byteLength
}

/** The allocator finds its layout in the first few batches. */
const SETTLED = 50
const MANY = 500
/** What random coefficients make of it, batch by batch. To lose one blob in a hundred would cost twice as much. */
const SLACK_BYTES = 256 << 10

describe('the memory after 500 different blobs is what it was after 50', () => {
  it('in the calling thread', async () => {
    const verifier = await createVerifier({ workers: 0, cache: false })
    await verify(verifier, 0, SETTLED)
    const early = memoryHere(verifier.kernel)
    await verify(verifier, SETTLED, MANY)
    expect(memoryHere(verifier.kernel)).toBeLessThanOrEqual(early + SLACK_BYTES)
    expect(verifier.stats()).toMatchObject({ kzgItems: MANY, valid: MANY })
    console.log(
      `${verifier.kernel} in the calling thread: ${early / 1024} KiB after ${SETTLED} blobs and after ${MANY}`,
    )
    await verifier.dispose()
  })

  it('in a worker', async () => {
    const diary = openDiary()
    // One: which of several does what is chance, and so is what each of them needed at most.
    const workerUrl = trapWorker({ diary: diary.name })
    const verifier = await createVerifier({ workers: 1, cache: false, workerUrl })
    const memory = async (): Promise<number> => {
      diary.entries.splice(0)
      await verifier.warmup()
      await until(() => diary.entries.some(({ task }) => task === 'warmUp'))
      return diary.entries.at(-1)?.memory ?? 0
    }
    // Tables that are made once, at the first warm-up, lie where they find room: before the data, not between.
    await memory()
    await verify(verifier, 0, SETTLED)
    const early = await memory()
    expect(early).toBeGreaterThan(0)
    await verify(verifier, SETTLED, MANY)
    expect(await memory()).toBeLessThanOrEqual(early + SLACK_BYTES)
    expect(verifier.stats()).toMatchObject({ kzgItems: MANY, valid: MANY })
    console.log(
      `${verifier.kernel} in a worker: ${early / 1024} KiB after ${SETTLED} blobs and after ${MANY}`,
    )
    diary.close()
    await verifier.dispose()
  })
})

describe('a call needs memory for what it was given, and none for what is refused', () => {
  const COUNT = 40_000
  const junk = range(COUNT).map(() => null)
  const one = makeCell(1, 1)
  const mixed = range(COUNT).map((at) => (at % 100 === 0 ? one : null))
  it.each([
    ['junk', junk],
    ['a good cell among a hundred that are none', mixed],
  ])('%s', async (_, items) => {
    const verifier = await createVerifier({ workers: 1, cache: false })
    const before = process.memoryUsage().arrayBuffers
    let most = 0
    const timer = setInterval(() => (most = Math.max(most, process.memoryUsage().arrayBuffers - before)), 5)
    const verdicts = await verifier.verifyCells(items as never)
    clearInterval(timer)
    const good = items.filter((item) => item !== null).length
    expect(verdicts.filter(({ status }) => status === 'valid')).toHaveLength(good)
    // Slabs for each chunk would be 700 MB.
    expect(most).toBeLessThan(64 << 20)
    await verifier.dispose()
  })
})

it('blobcheck/kzg copies no list that is longer than the others', async () => {
  const kzg = await loadKzg()
  const before = memoryOfKzg(kzg.kernel)
  const points = Array.from<Uint8Array>({ length: 200_000 }).fill(new Uint8Array(48))
  expect(() => kzg.verifyBlobKzgProofBatch([], points, [])).toThrow('array-lengths')
  expect(() => kzg.verifyCellKzgProofBatch([], [], [], points)).toThrow('array-lengths')
  // Their lengths are four bytes each; they themselves would be twelve times as much.
  expect(memoryOfKzg(kzg.kernel) - before).toBeLessThan(4 << 20)
})

it('blobcheck/kzg frees what it has read of a list in which something is malformed', async () => {
  const kzg = await loadKzg({ commitmentSetup: true })
  const good = range(63).map((at) => makeBlob(at + 1))
  const blobs = [...good.map(({ blob }) => blob), new Uint8Array(131_072).fill(255)]
  const commitments = [...good, good[0]!].map(({ commitment }) => commitment)
  const ask = (): void => {
    expect(() => kzg.verifyBlobCommitments(blobs, commitments)).toThrow(
      expect.objectContaining({ code: 'scalar-not-canonical', index: 63 }),
    )
  }
  ask()
  const once = memoryOfKzg(kzg.kernel)
  for (let at = 0; at < 10; at++) ask()
  expect(memoryOfKzg(kzg.kernel)).toBe(once)
})

/** What one worker may need, whatever passes through it. */
const MAX_BYTES = 32 << 20

const BLOBS = 72
const COLUMNS = 128

describe('128 columns × 72 blobs pass in bounded memory, and leave the instance as good as before', () => {
  const cells = range(BLOBS * COLUMNS).map((at) => makeCell((at % BLOBS) + 1, Math.floor(at / BLOBS)))

  /** The columns of a block, as SSZ, on a network that allows for them. */
  async function columns(): Promise<{ network: typeof invented; sidecars: Uint8Array[] }> {
    const network = { ...invented, blobSchedule: [{ epoch: 200, maxBlobsPerBlock: BLOBS }] }
    const block = await makeSidecars(
      slots.fulu,
      range(BLOBS).map((at) => at + 1),
    )
    return { network, sidecars: range(COLUMNS).map((index) => dataColumnSidecarSsz(block.column(index))) }
  }

  it.each([0, 2])('as columns and as cells through a verifier with %i workers', async (workers) => {
    const diary = openDiary()
    const { network, sidecars } = await columns()
    const verifier = await createVerifier({
      network,
      workers,
      cache: false,
      workerUrl: trapWorker({ diary: diary.name }),
    })
    /** The most that any worker had at the end of a task. */
    const memory = async (): Promise<number> => {
      if (workers === 0) return memoryHere(verifier.kernel)
      const seen = diary.entries.length
      await verifier.warmup()
      await until(() => diary.entries.slice(seen).filter(({ task }) => task === 'warmUp').length === workers)
      return Math.max(...diary.entries.map((entry) => entry.memory))
    }
    const statuses = new Set<string>()
    for (const verdict of await verifier.verifyDataColumnSidecars(sidecars)) statuses.add(verdict.status)
    for (const verdict of await verifier.verifyCells(cells)) statuses.add(verdict.status)
    expect([...statuses]).toEqual(['valid'])
    const once = await memory()
    expect(once).toBeLessThan(MAX_BYTES)
    await verifier.verifyCells([...cells, ...cells])
    expect(await memory()).toBeLessThan(once * 1.25)
    const [good, bad] = await verifier.verifyCells([makeCell(5, 5), makeBadCell(6, 6)])
    expect([good?.status, bad?.status]).toEqual(['valid', 'invalid'])
    console.log(
      `9,216 cells, ${workers} workers: ${once / 1024} KiB; then 18,432: ${(await memory()) / 1024} KiB`,
    )
    diary.close()
    await verifier.dispose()
  })

  it('as one synchronous batch', async () => {
    const kzg = await loadKzg()
    const ask = (items: readonly ReturnType<typeof makeCell>[]): boolean =>
      kzg.verifyCellKzgProofBatch(
        items.map(({ commitment }) => commitment),
        items.map(({ cellIndex }) => cellIndex),
        items.map(({ cell }) => cell),
        items.map(({ proof }) => proof),
      )
    expect(ask(cells)).toBe(true)
    const once = memoryOfKzg(kzg.kernel)
    expect(once).toBeLessThan(MAX_BYTES)
    const thrice = [...cells, ...cells, ...cells]
    expect(ask(thrice)).toBe(true)
    expect(memoryOfKzg(kzg.kernel)).toBeLessThan(once * 1.25)
    // A false cell in the last part, and a malformed one, which is named by its place in the whole.
    expect(ask([...cells, makeBadCell(9, 9)])).toBe(false)
    const malformed = { ...makeCell(9, 9), cell: new Uint8Array(2_048).fill(255) }
    expect(() => ask([...cells, malformed, makeCell(1, 1)])).toThrow(
      expect.objectContaining({ code: 'scalar-not-canonical', index: cells.length }),
    )
    // What is checked first of a batch in one piece is checked first of one in parts.
    expect(() => ask([malformed, ...cells, { ...makeCell(9, 9), cellIndex: 128 }])).toThrow(
      expect.objectContaining({ code: 'cell-index', index: cells.length + 1 }),
    )
    expect(() => ask([malformed, ...cells, { ...makeCell(9, 9), proof: new Uint8Array(47) }])).toThrow(
      expect.objectContaining({ code: 'proof-length', index: cells.length + 1 }),
    )
    expect(ask([makeCell(1, 1)])).toBe(true)
    console.log(`9,216 cells at once: ${once / 1024} KiB; 27,648: ${memoryOfKzg(kzg.kernel) / 1024} KiB`)
  })

  it('1,000 blobs as one synchronous batch', async () => {
    const kzg = await loadKzg()
    const blobs = range(1_000).map((at) => makeBlob(at + 1))
    const ask = (items: typeof blobs): boolean =>
      kzg.verifyBlobKzgProofBatch(
        items.map(({ blob }) => blob),
        items.map(({ commitment }) => commitment),
        items.map(({ proof }) => proof),
      )
    expect(ask(blobs.slice(0, 130))).toBe(true)
    const once = memoryOfKzg(kzg.kernel)
    expect(once).toBeLessThan(MAX_BYTES)
    expect(ask(blobs)).toBe(true)
    expect(memoryOfKzg(kzg.kernel)).toBeLessThan(once * 1.25)
    expect(ask([...blobs.slice(0, 99), { ...makeBlob(2), commitment: makeBlob(3).commitment }])).toBe(false)
    expect(() => ask([...blobs.slice(0, 99), { ...makeBlob(2), blob: new Uint8Array(5) }])).toThrow(
      expect.objectContaining({ code: 'blob-length', index: 99 }),
    )
  })
})

describe('what is much too long for its place', () => {
  // Zeros that nobody reads take no memory of their own.
  const sizes = [900e6, 2.2e9]

  it.each(sizes)('is refused by blobcheck/kzg, and leaves no memory behind: %d bytes', async (size) => {
    const kzg = await loadKzg()
    const valid = makeBlob(3)
    expect(kzg.verifyBlobKzgProof(valid.blob, valid.commitment, valid.proof)).toBe(true)
    const kernels = [...new Set([kzg.kernel, 'simd128'] as const)]
    const before = kernels.map(memoryOfKzg)
    const huge = new Uint8Array(size)
    const cell = new Uint8Array(2_048)
    const { blob, commitment, proof } = makeBlob(4)
    const calls: [() => unknown, string, number][] = [
      [() => kzg.verifyBlobKzgProof(huge, commitment, proof), 'blob-length', 0],
      [() => kzg.verifyBlobKzgProof(blob, huge, proof), 'commitment-length', 0],
      [
        () => kzg.verifyBlobKzgProofBatch([blob, huge], [commitment, commitment], [proof, proof]),
        'blob-length',
        1,
      ],
      [() => kzg.verifyCellKzgProofBatch([commitment], [0], [huge], [proof]), 'cell-length', 0],
      [() => kzg.verifyKzgProof(commitment, huge, huge, proof), 'scalar-length', 0],
      [() => kzg.computeCells(huge), 'blob-length', 0],
      [() => kzg.computeChallenge(blob, huge), 'commitment-length', 0],
      [
        () =>
          kzg.recoverCells(
            range(64),
            range(64).map(() => huge),
          ),
        'cell-length',
        0,
      ],
      [() => kzg.computeCells(`0x${'00'.repeat(200e6)}`), 'blob-length', 0],
      [() => kzg.computeCells(`0x${'00'.repeat(200e6)}0`), 'bad-hex', 0],
      [
        () =>
          kzg.recoverCells(
            range(1e6),
            range(1e6).map(() => cell),
          ),
        'cell-count',
        0,
      ],
      [
        () =>
          kzg.recoverCells(
            range(129),
            range(130).map(() => huge),
          ),
        'array-lengths',
        0,
      ],
      [() => kzg.recoverCells(range(130), [...range(129).map(() => cell), huge]), 'cell-length', 129],
    ]
    for (const [call, code, index] of calls) expect(call).toThrow(expect.objectContaining({ code, index }))
    expect(kernels.map(memoryOfKzg)).toEqual(before)
  })

  it.each(sizes)('is refused by the prover, and goes to no worker: %d bytes', async (size) => {
    const huge = new Uint8Array(size)
    const prover = await createProver({ workers: 1 })
    const before = process.memoryUsage().rss
    const calls = [
      prover.blobToKzgCommitment(huge),
      prover.computeCellsAndKzgProofs(huge),
      prover.computeBlobKzgProof(new Uint8Array(131_072), huge),
    ]
    for (const outcome of await Promise.allSettled(calls))
      expect(outcome).toMatchObject({ status: 'rejected', reason: { name: 'KzgInputError' } })
    expect(process.memoryUsage().rss - before).toBeLessThan(300e6)
    await prover.dispose()
  })
})
