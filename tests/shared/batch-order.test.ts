/**
 * Fifty peers send the same six blobs at once (the case of ethrex PR 6150): each is verified once, whoever sends it and
 * in whatever order; when one is bad, everyone who sent it is named, and nobody else suffers.
 */
import { createVerifier, MemoryCache, type Verdict, type Verifier } from 'blobcheck'
import { afterEach, describe, expect, it } from 'vitest'
import {
  makeBlob,
  type MadeBlob,
  range,
  realBlobs,
  seeded,
  shuffled,
  tampered,
  turn,
} from '../support/make.ts'

const six = await realBlobs()
const sources = range(50).map((peer) => `peer-${peer}`)
const byName = (a: string, b: string): number => a.localeCompare(b)

let verifier: Verifier
afterEach(async () => await verifier.dispose())

const open = async (workers: number): Promise<Verifier> =>
  (verifier = await createVerifier({ workers, cache: new MemoryCache() }))

/** Every blob from every source, in an order of its own. */
const flood = (blobs: readonly MadeBlob[], seed: number): MadeBlob[] =>
  shuffled(
    sources.flatMap((source) => blobs.map((blob) => ({ ...blob, source }))),
    seeded(seed),
  )

const valid = (verdict: Verdict): boolean => verdict.status === 'valid'

function expectSixVerifications(of: Verifier): void {
  const stats = of.stats()
  expect(stats).toMatchObject({ items: 300, valid: 300, kzgItems: 6, invalid: 0, malformed: 0, errors: 0 })
  expect(stats.duplicates + stats.cacheHits).toBe(294)
}

describe.each([0, 2])('300 items of six blobs, %i workers', (workers) => {
  it('in one call: KZG runs for six', async () => {
    const verdicts = await (await open(workers)).verifyBlobs(flood(six, 1))
    expect(verdicts.every(valid)).toBe(true)
    expect(verdicts.filter((verdict) => verdict.status === 'valid' && verdict.via === 'kzg')).toHaveLength(6)
    expectSixVerifications(verifier)
  })

  it('in a call for each source, all at once', async () => {
    await open(workers)
    const random = seeded(2)
    const calls = sources.map((source) =>
      verifier.verifyBlobs(shuffled(six, random).map((blob) => ({ ...blob, source }))),
    )
    expect((await Promise.all(calls)).flat().every(valid)).toBe(true)
    expectSixVerifications(verifier)
  })

  it('in a call for each delivery, at random times', async () => {
    await open(workers)
    const random = seeded(3)
    const calls = flood(six, 4).map(async (item) => {
      await turn(random() * 400)
      return await verifier.verifyBlobs([item])
    })
    expect((await Promise.all(calls)).flat().every(valid)).toBe(true)
    expectSixVerifications(verifier)
  })
})

describe('a flood with one bad blob in it', () => {
  const bad = tampered(six[2]!)
  const blobs = six.map((blob, at) => (at === 2 ? bad : blob))

  it.each([0, 2])('names all who sent it and nobody else is condemned, %i workers', async (workers) => {
    await open(workers)
    const items = flood(blobs, 5)
    const verdicts = await verifier.verifyBlobs(items)
    verdicts.forEach((verdict, at) => {
      if (items[at]?.blob !== bad.blob) return expect(verdict.status).toBe('valid')
      expect(verdict).toMatchObject({ status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' })
      const named = verdict.status === 'invalid' ? [...verdict.sources] : []
      expect(named.sort(byName)).toEqual([...sources].sort(byName))
    })
    expect(verifier.stats()).toMatchObject({ kzgItems: 6, valid: 250, invalid: 50 })
  })

  it.each([0, 2])(
    'names all in calls that come at once, and each to himself, %i workers',
    async (workers) => {
      await open(workers)
      const random = seeded(6)
      const calls = sources.map(async (source) => {
        const verdicts = await verifier.verifyBlobs(
          shuffled(blobs, random).map((blob) => ({ ...blob, source })),
        )
        const refused = verdicts.flatMap((verdict) => (verdict.status === 'invalid' ? [verdict] : []))
        expect(refused).toHaveLength(1)
        expect(verdicts.filter(valid)).toHaveLength(5)
        const named = [...(refused[0]?.sources ?? [])]
        expect(named).toContain(source)
        expect(sources).toEqual(expect.arrayContaining(named))
        return named
      })
      // Whoever subscribes after the outcome, since the worker had to wait for a core, is not named to those before him.
      const [most = []] = (await Promise.all(calls)).sort((a, b) => b.length - a.length)
      expect([...most].sort(byName)).toEqual([...sources].sort(byName))
      expect(verifier.stats()).toMatchObject({ items: 300, kzgItems: 6, valid: 250, invalid: 50 })
    },
  )

  it('names each of them in some verdict, whenever they come, and never one who did not send it', async () => {
    await open(2)
    const random = seeded(7)
    const named = new Set<string>()
    const calls = flood([bad, six[0]!], 8).map(async (item) => {
      await turn(random() * 300)
      const [verdict] = await verifier.verifyBlobs([
        { ...item, source: `${item.blob === bad.blob ? 'bad' : 'good'}-${item.source}` },
      ])
      if (verdict?.status === 'invalid') verdict.sources.forEach((source) => named.add(source))
      else expect(verdict?.status).toBe('valid')
    })
    await Promise.all(calls)
    expect([...named].sort(byName)).toEqual(sources.map((source) => `bad-${source}`).sort(byName))
    // Whoever comes after the verdict is answered from memory: the same bytes are as bad the second time.
    expect(verifier.stats().kzgItems).toBe(2)
  })

  it('names whoever delivered it in a list that nobody can change: others have the same', async () => {
    await open(1)
    const calls = [...sources.slice(0, 3), undefined].map((source) =>
      verifier.verifyBlobs([
        { ...bad, ...(source !== undefined && { source }) },
        { ...bad, proof: '0x' },
      ]),
    )
    for (const verdict of (await Promise.all(calls)).flat()) {
      const named = (verdict as unknown as { sources: string[] }).sources
      expect(() => named.push('somebody else')).toThrow(TypeError)
      expect(Object.isFrozen(named)).toBe(true)
    }
  })

  it('remembers no refusal without a cache', async () => {
    verifier = await createVerifier({ workers: 1, cache: false })
    for (const source of ['a', 'b']) {
      expect(await verifier.verifyBlobs([{ ...bad, source }])).toMatchObject([
        { status: 'invalid', sources: [source] },
      ])
    }
    expect(verifier.stats().kzgItems).toBe(2)
  })

  it('does not poison the right bytes, later or meanwhile', async () => {
    await open(2)
    const meanwhile = await Promise.all([
      verifier.verifyBlobs(flood([bad], 9)),
      verifier.verifyBlobs([six[2]!]),
    ])
    expect(meanwhile[0].every(({ status }) => status === 'invalid')).toBe(true)
    expect(meanwhile[1]).toMatchObject([{ status: 'valid', via: 'kzg' }])
    expect(await verifier.verifyBlobs([six[2]!])).toMatchObject([{ status: 'valid', via: 'cache' }])
    // And the other way: the right bytes do not vouch for the wrong ones.
    const again = await verifier.verifyBlobs([{ ...bad, source: 'latecomer' }])
    expect(again).toMatchObject([{ status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' }])
    const named = again[0]?.status === 'invalid' ? again[0].sources : []
    expect([...named].sort(byName)).toEqual([...sources, 'latecomer'].sort(byName))
  })
})

it('a delivery without a name is verified and named as nobody', async () => {
  await open(1)
  const bad = tampered(makeBlob(3))
  const verdicts = await verifier.verifyBlobs([bad, { ...bad, source: 'peer' }, makeBlob(3)])
  expect(verdicts).toMatchObject([
    { status: 'invalid', sources: ['peer'] },
    { status: 'invalid', sources: ['peer'] },
    { status: 'valid' },
  ])
})
