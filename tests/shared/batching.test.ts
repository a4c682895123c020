/** Batches: that one pairing closes them, and that the guilty, and only they, are found. */
import { createVerifier, type Stats, type Verdict, type Verifier } from 'blobcheck'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { Batcher } from '../../dist/verifier/batch/batcher.js'
import {
  makeBadBlob,
  makeBadCell,
  makeBlob,
  makeCell,
  range,
  realBlobs,
  tampered,
  until,
} from '../support/make.ts'
import { openDiary, trapWorker } from '../support/threads.ts'

const statuses = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ status }) => status)

it('takes more units at once than a function has room for arguments', async () => {
  const counters = { kzgBatches: 0, kzgItems: 0 }
  const pool = { workers: 1, attempt: () => new Promise(() => {}) }
  const batcher = new Batcher({ pool, kernel: {}, counters } as never, {} as never)
  const pending = { isAbandoned: false, unit: { bytes: new Uint8Array(1) } }
  batcher.enqueue(Array<never>(400_000).fill(pending as never))
  await Promise.resolve()
  expect(counters).toEqual({ kzgBatches: 1, kzgItems: 400_000 })
})

it('asks for the kernels of commitments with the first bare blob, and again where they did not come', async () => {
  let asked = 0
  const start = async (): Promise<never> => {
    asked++
    throw new Error('the network is away')
  }
  const causes: unknown[] = []
  const context = {
    ...{ pool: { workers: 1 }, kernel: { current: { name: 'simd128' } }, counters: {} },
    onMissing: (cause: unknown) => causes.push(cause),
  }
  const batcher = new Batcher(context as never, start)
  expect(asked).toBe(0)
  const bare = { isAbandoned: false, unit: { kind: 5, bytes: Uint8Array.of(5) } }
  for (const times of [1, 2]) {
    const outcomes = await Promise.all(batcher.enqueue([bare as never, bare as never]))
    const unavailable = { status: 'error', reason: 'setup-unavailable' }
    expect({ outcomes, asked }).toEqual({ outcomes: [unavailable, unavailable], asked: times })
    expect(causes).toEqual(Array(times).fill(new Error('the network is away')))
  }
})

describe('groups over several workers', () => {
  /** A verifier, and how often its workers did what since the last time that this was asked. */
  async function watched(
    workers: number,
    test: (verifier: Verifier, counts: () => Promise<(task: string) => number>) => Promise<void>,
  ): Promise<void> {
    const diary = openDiary()
    const workerUrl = trapWorker({ diary: diary.name })
    const verifier = await createVerifier({ workers, cache: false, workerUrl })
    const countIn =
      (entries: readonly { readonly task: string }[]) =>
      (task: string): number =>
        entries.filter((entry) => entry.task === task).length
    try {
      await test(verifier, async () => {
        // The diary comes by another way than the verdicts: an answer to a last question comes after all of it.
        await verifier.warmup()
        await until(() => countIn(diary.entries)('warmUp') >= workers)
        const count = countIn(diary.entries.splice(0))
        expect(count('warmUp')).toBe(workers)
        return count
      })
    } finally {
      diary.close()
      await verifier.dispose()
    }
  }

  it.each([1, 2, 4])('are closed by one pairing, %i workers', async (workers) => {
    await watched(workers, async (verifier, counts) => {
      const verdicts = await verifier.verifyBlobs(range(9).map((at) => makeBlob(at + 1)))
      expect(statuses(verdicts)).toEqual(Array<string>(9).fill('valid'))
      expect(verifier.stats()).toMatchObject({ kzgBatches: 1, kzgItems: 9 })
      const count = await counts()
      expect([count('collect'), count('close'), count('verify')]).toEqual(
        workers === 1 ? [0, 0, 1] : [workers, 1, 0],
      )
    })
  })

  // A defect of order 3 in a proof leaves the equation true: the points' own test alone can tell.
  it.each([2, 3, 4])('share the test of their points, %i workers', async (workers) => {
    const outside = new Uint8Array(48).fill(0x80, 0, 1) // x = 0, y = 2
    await watched(workers, async (verifier, counts) => {
      for (const bad of [[], [0], [117], [3, 60, 61]]) {
        const cells = range(120).map((at) => ({
          ...makeCell(1 + (at % 50), at),
          ...(bad.includes(at) && { proof: outside }),
        }))
        const verdicts = await verifier.verifyCells(cells)
        expect(
          verdicts.map(({ status }, at) => (status === 'valid' ? -1 : at)).filter((at) => at >= 0),
        ).toEqual(bad)
        for (const at of bad)
          expect(verdicts[at]).toMatchObject({ status: 'malformed', reason: 'proof-not-in-subgroup' })
        const count = await counts()
        expect(count('collect')).toBe(workers)
        // All of them take part in it; where it fails each group's own is made, and the guilty are looked for.
        if (bad.length === 0) expect([count('close'), count('verify')]).toEqual([workers, 0])
        else expect(count('verify')).toBeGreaterThan(0)
      }
    })
  })
})

describe.each([0, 1, 3])('the guilty, with %i workers', (workers) => {
  let verifier: Verifier
  beforeAll(async () => void (verifier = await createVerifier({ workers, cache: false })))
  afterAll(async () => await verifier.dispose())

  it('one bad blob is found in every place of 1 to 9', async () => {
    for (const count of range(9).map((at) => at + 1)) {
      for (const guilty of range(count)) {
        const items = range(count).map((at) =>
          at === guilty ? makeBadBlob(at + 1, `peer-${at}`) : makeBlob(at + 1, `peer-${at}`),
        )
        const verdicts = await verifier.verifyBlobs(items)
        expect(statuses(verdicts)).toEqual(range(count).map((at) => (at === guilty ? 'invalid' : 'valid')))
        expect(verdicts[guilty]).toMatchObject({
          stage: 'kzg',
          reason: 'proof-mismatch',
          sources: [`peer-${guilty}`],
        })
      }
    }
  })

  it('any set of bad cells is found, and no more than that', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.boolean(), { minLength: 1, maxLength: 24 }), async (bad) => {
        const items = bad.map((isBad, at) => (isBad ? makeBadCell : makeCell)((at % 5) + 1, (at * 7) % 128))
        expect(statuses(await verifier.verifyCells(items))).toEqual(
          bad.map((isBad) => (isBad ? 'invalid' : 'valid')),
        )
      }),
      { numRuns: 15 },
    )
  })

  it('a real block with two bad blobs', async () => {
    const blobs = await realBlobs()
    const verdicts = await verifier.verifyBlobs(
      blobs.map((blob, at) => (at === 1 || at === 4 ? tampered(blob) : blob)),
    )
    expect(statuses(verdicts)).toEqual(['valid', 'invalid', 'valid', 'valid', 'invalid', 'valid'])
  })

  it('malformed ones among them do not spoil the batch', async () => {
    const notOnCurve = { ...makeBlob(2), commitment: new Uint8Array(48).fill(0x80, 0, 1).fill(5, 47) }
    const verdicts = await verifier.verifyBlobs([
      makeBlob(1),
      notOnCurve,
      makeBlob(3),
      makeBadBlob(4),
      makeBlob(5),
    ])
    expect(statuses(verdicts)).toEqual(['valid', 'malformed', 'valid', 'invalid', 'valid'])
  })
})

describe('the number of workers', () => {
  it('changes no verdict', async () => {
    const items = range(14).map((at) =>
      at % 5 === 3
        ? makeBadBlob(at + 1, `peer-${at}`)
        : at % 7 === 2
          ? { ...makeBlob(at + 1), proof: '0x00' as const }
          : makeBlob(at + 1),
    )
    const answers: { verdicts: Verdict[]; stats: Stats }[] = []
    for (const workers of [0, 1, 2, 4]) {
      const verifier = await createVerifier({ workers, cache: false })
      const verdicts = await verifier.verifyBlobs(items)
      answers.push({ verdicts, stats: verifier.stats() })
      await verifier.dispose()
    }
    for (const { verdicts, stats } of answers) {
      expect(verdicts).toEqual(answers[0]?.verdicts)
      expect(stats).toMatchObject({ kzgItems: answers[0]?.stats.kzgItems, valid: answers[0]?.stats.valid })
    }
    expect(new Set(statuses(answers[0]?.verdicts ?? []))).toEqual(new Set(['valid', 'invalid', 'malformed']))
  })
})

describe.each([0, 1, 3])('without a CSPRNG, %i workers', (workers) => {
  const original = crypto.getRandomValues
  afterEach(() => void Reflect.deleteProperty(crypto, 'getRandomValues'))

  it('verdicts are the same', async () => {
    Object.defineProperty(crypto, 'getRandomValues', { configurable: true, value: undefined })
    expect(typeof crypto.getRandomValues).toBe('undefined')
    const verifier = await createVerifier({ workers, cache: false })
    const real = await realBlobs()
    const items = [...real, tampered(real[0]!), makeBlob(1), makeBadBlob(2)]
    expect(statuses(await verifier.verifyBlobs(items))).toEqual([
      ...Array<string>(6).fill('valid'),
      'invalid',
      'valid',
      'invalid',
    ])
    const cells = range(12).map((at) => (at === 7 ? makeBadCell : makeCell)(at + 1, at))
    expect(statuses(await verifier.verifyCells(cells))).toEqual(
      range(12).map((at) => (at === 7 ? 'invalid' : 'valid')),
    )
    await verifier.dispose()
    Reflect.deleteProperty(crypto, 'getRandomValues')
    expect(crypto.getRandomValues).toBe(original)
  })
})
