/** Bare blobs by themselves: when they are asked for, whose they are, and what is left of a finding where they do not help. */
import { describe, expect, it } from 'vitest'
import { DisposedError } from '../../dist/runtime/errors.js'
import type { Finding } from '../../dist/sampler/finding.js'
import { completeWithBlobs } from '../../dist/sampler/whole/blobs.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import { BLOB_BYTES, range, turn } from '../support/make.ts'
import {
  blob,
  commitments,
  join,
  lacking,
  MAX_BLOBS,
  type Node,
  sceneOf,
  type Truth,
  verified,
  type World,
} from '../support/sample-context.ts'
import { VirtualTime } from '../support/virtual-time.ts'

/** A node with so many bare blobs; what is said of one of them is for the verifier to find out. */
const bare =
  (count: number, first: Truth = 'true'): Node =>
  () =>
    join(range(count).map((at) => blob(at, at === 0 ? first : 'true')))
const missing: Node = () => 404

async function complete(world: World, finding: Finding = lacking({ commitments: commitments(2) })) {
  const { context, asked, timings } = sceneOf(world)
  const { endpoints } = context.parts
  const completed = await completeWithBlobs(finding, context, { from: 'archives', endpoints })
  return { ...completed, nodes: asked.map(({ node }) => node), timings }
}

describe('bare blobs', () => {
  it('that are what the commitments are of make good what is missing', async () => {
    const { nodes, ...completed } = await complete({ nodes: { a: bare(2) } })
    expect(nodes).toEqual(['a'])
    expect(completed).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', detail: null, via: 'blobs', blobs: null },
      ...{ commitments: commitments(2), links: noLinks },
      fallback: { from: 'archives', sources: ['http://a'] },
      confidence: { samples: 10, missing: 4, maxError: 0, certain: true, servers: 1, independent: false },
      endpoints: [{ endpoint: 'http://a', requests: 1, bytes: 2 * BLOB_BYTES, failures: [] }],
    })
  })

  it('are in the finding where that is asked for, each with its commitment', async () => {
    const { blobs } = await complete({ nodes: { a: bare(2) }, reconstruct: true })
    expect(blobs!.map(({ index, commitment }) => [index, commitment])).toEqual([
      [0, commitments(2)[0]],
      [1, commitments(2)[1]],
    ])
    for (const { index, blob: given } of blobs!) expect(Buffer.compare(given, blob(index))).toBe(0)
  })

  it.each([1, MAX_BLOBS])('are held against the block where it is known: %i', async (count) => {
    const block = { commitments: commitments(count) }
    expect(await complete({ nodes: { a: bare(count) }, block, proven: count }, lacking())).toMatchObject({
      ...{ verdict: 'available', commitments: commitments(count), links: verified },
    })
  })

  it('are not called verified here where a cache was trusted for one of them', async () => {
    const block = { commitments: commitments(2) }
    const { links } = await complete({ nodes: { a: bare(2, 'known') }, block }, lacking())
    expect(links).toEqual({ ...verified, kzg: 'trusted' })
    const last: Node = () => join([blob(0), blob(1, 'known')])
    expect((await complete({ nodes: { a: last }, block }, lacking())).links).toEqual(links)
  })

  it('are as well known as the columns that brought their commitments, or less well', async () => {
    const known = { ...verified, kzg: 'trusted' } as const
    for (const [links, truth, expected] of [
      [verified, 'true', verified],
      [verified, 'known', known],
      [known, 'true', known],
    ] as const) {
      const finding = lacking({ commitments: commitments(2), links })
      const completed = await complete({ nodes: { a: bare(2, truth) } }, finding)
      expect(completed).toMatchObject({ verdict: 'available', links: expected })
      expect(completed.confidence.assumption.startsWith('none: ')).toBe(expected.kzg === 'verified')
    }
  })

  it.each<[string, count: number, proven: number | null]>([
    ['commitments are not known', 0, null],
    ['there are more commitments than a block can have', MAX_BLOBS + 1, null],
    ['there are more commitments than were paid for', 2, 1],
    ['there are fewer commitments than were paid for', 2, 3],
  ])('are asked of nobody where %s', async (_, count, proven) => {
    const finding = lacking({ commitments: commitments(count) })
    const { nodes, timings, ...completed } = await complete({ nodes: { a: bare(count) }, proven }, finding)
    expect(nodes).toEqual([])
    expect(completed).toEqual(finding)
  })

  it.each<[string, Node, kind: string, bytes: number]>([
    ['sent a false one', bare(2, 'false'), 'invalid', 2],
    ['sent one that is none', bare(2, 'malformed'), 'invalid', 2],
    ['sent more than there are', bare(3), 'invalid', 3],
    ['sent fewer than there are', bare(1), 'not-found', 1],
    ['has none', missing, 'not-found', 0],
    ['sent what our workers died of', bare(2, 'crashing'), 'crashed', 2],
  ])('of another node serve where the first one %s, who is told of', async (_, bad, kind, blobs) => {
    const { nodes, ...completed } = await complete({ nodes: { a: bad, b: bare(2) } })
    expect(nodes).toEqual(['a', 'b'])
    expect(completed).toMatchObject({
      fallback: { sources: ['http://b'] },
      endpoints: [
        { endpoint: 'http://a', requests: 1, bytes: blobs * BLOB_BYTES, failures: [{ kind }] },
        { endpoint: 'http://b', requests: 1, bytes: 2 * BLOB_BYTES, failures: [] },
      ],
    })
  })
})

describe('a finding that they do not complete', () => {
  const before = lacking({ commitments: commitments(2) })

  it('is as it was, but for what was asked', async () => {
    const { nodes, timings, endpoints, ...completed } = await complete({ nodes: { a: missing } })
    expect(endpoints).toMatchObject([
      { endpoint: 'http://a', requests: 1, failures: [{ kind: 'not-found' }] },
    ])
    expect(completed).toEqual({ ...before, endpoints: undefined })
  })

  it.each<[string, World, detail: string]>([
    [
      'they cannot be verified here',
      { nodes: { a: bare(2) }, verifying: async () => await Promise.reject(new Error('no points')) },
      'no points',
    ],
    [
      'what is thrown is no error',
      { nodes: { a: bare(2) }, verifying: async () => await Promise.reject('no words' as never) },
      'no words',
    ],
  ])('says why where %s, and accuses nobody', async (_, world, words) => {
    const { endpoints, detail, verdict } = await complete(world)
    expect(detail).toBe(`whole blobs could not be verified: ${words}`)
    expect(verdict).toBe(before.verdict)
    expect(endpoints.flatMap(({ failures }) => failures)).toEqual([])
  })

  it('names whose blobs our workers died of, and counts what was asked', async () => {
    const { endpoints, detail, verdict } = await complete({ nodes: { a: bare(2, 'crashing') } })
    expect({ detail, verdict }).toEqual({ detail: null, verdict: before.verdict })
    expect(endpoints).toMatchObject([
      { endpoint: 'http://a', requests: 1, bytes: 2 * BLOB_BYTES, failures: [{ kind: 'crashed' }] },
    ])
  })

  it('counts a request that nobody answered in time', async () => {
    const deadline = new AbortController()
    const silent: Node = async () => {
      deadline.abort()
      return await new Promise(() => {})
    }
    const { endpoints } = await complete({ nodes: { a: silent }, until: deadline.signal })
    expect(endpoints).toMatchObject([{ endpoint: 'http://a', requests: 1, bytes: 0 }])
  })

  it('says nothing of the time, which ends everything that waits', async () => {
    const deadline = new AbortController()
    const verifying = async (): Promise<never> => {
      deadline.abort()
      throw new Error('called off')
    }
    const world = { nodes: { a: bare(2) }, until: deadline.signal, verifying }
    expect(await complete(world)).toMatchObject({ verdict: before.verdict, detail: null })
  })

  it('is nobody’s any more where the caller or the verifier has gone', async () => {
    const caller = new AbortController()
    const nodes = { a: bare(2) }
    const leaving = async (): Promise<void> => caller.abort(new Error('gone'))
    await expect(complete({ nodes, signal: caller.signal, verifying: leaving })).rejects.toThrow('gone')
    const disposed = new DisposedError()
    const verifying = async (): Promise<never> => await Promise.reject(disposed)
    await expect(complete({ nodes, verifying })).rejects.toBe(disposed)
  })
})

it.each([404, 200])('the time that they take is that of fetching: %i', async (status) => {
  const time = new VirtualTime()
  await time.during(async () => {
    await time.pass(50)
    const slow: Node = async (question) => {
      await turn(700)
      return status === 404 ? status : bare(2)(question)
    }
    const { timings } = await time.until(complete({ nodes: { a: slow } }))
    expect(timings).toEqual({ fetchMs: 700, verifyMs: 0 })
  })
})
