/** Blob sidecars of a whole block by themselves: which of them are asked for, and what is concluded from what comes. */
import { describe, expect, it } from 'vitest'
import { wholeSidecars } from '../../dist/sampler/whole/sidecars.js'
import {
  blob,
  commitments,
  giving,
  join,
  type Manner,
  MAX_BLOBS,
  type Node,
  ofForkToCome,
  sceneOf,
  sidecar,
  verified,
  type World,
} from '../support/sample-context.ts'

const sidecars = (manner: Manner, blobs = 2): Node => giving('sidecars', blobs, manner)
const honest = (blobs: number): Node => sidecars(() => 'true', blobs)

async function fetchWhole(world: World, from?: 'archives') {
  const { context, asked } = sceneOf(world)
  const finding = await wholeSidecars(context, from)
  return { ...finding, questions: asked.map(({ indices }) => indices) }
}

describe('the sidecars of a block', () => {
  it('are asked for one first, which tells how many others there are', async () => {
    const { questions, ...finding } = await fetchWhole({ nodes: { a: honest(3) } })
    expect(questions).toEqual([[0], [1, 2]])
    expect(finding).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', via: 'blob-sidecars', columns: [], blobs: null },
      ...{ commitments: commitments(3), links: verified },
      fallback: { from: 'endpoints', sources: ['http://a'] },
      confidence: { samples: 0, missing: 0, maxError: 0, certain: true, servers: 1, independent: false },
    })
  })

  it('are asked for together where their number is proven', async () => {
    const { questions, verdict } = await fetchWhole({ nodes: { a: honest(2) }, proven: 2 })
    expect(questions).toEqual([[0, 1]])
    expect(verdict).toBe('available')
  })

  it.each([
    ['a block with one blob', 1, [[0]], 'complete'],
    ['a block with as many as there can be', MAX_BLOBS, [[0], [1, 2]], 'complete'],
    ['a block with one more than there can be', MAX_BLOBS + 1, [[0]], 'unsupported-fork'],
    ['a block that has none by its own word', 0, [[0]], 'unsupported-fork'],
  ])('of %s', async (_, count, asked, reason) => {
    const { questions, ...finding } = await fetchWhole({ nodes: { a: honest(count) } })
    expect(questions).toEqual(asked)
    expect(finding.reason).toBe(reason)
  })

  it('are in the order of the block, whatever the order in which they come', async () => {
    const backwards: Node = ({ indices }) => join(indices.map((index) => sidecar(index, 3)).reverse())
    const finding = await fetchWhole({ nodes: { a: backwards }, proven: 3, reconstruct: true })
    expect(finding.commitments).toEqual(commitments(3))
    expect(finding.blobs!.map(({ index, commitment }) => [index, commitment])).toEqual(
      [...commitments(3)].map((commitment, index) => [index, commitment]),
    )
    for (const { index, blob: given } of finding.blobs!) expect(Buffer.compare(given, blob(index))).toBe(0)
  })

  it.each([0, 1, 2])(
    'are not called verified here where a cache was trusted for number %i',
    async (known) => {
      const a = sidecars((index) => (index === known ? 'known' : 'true'), 3)
      const { confidence, links } = await fetchWhole({ nodes: { a } })
      expect(links).toEqual({ ...verified, kzg: 'trusted' })
      expect(confidence.assumption).toMatch(/^the verifier’s cache is right /)
    },
  )

  it('name each of several archives that gave some of them, once', async () => {
    const nodes = { a: honest(3), b: honest(3) }
    const { fallback, confidence } = await fetchWhole({ nodes, proven: 3 }, 'archives')
    expect(fallback).toEqual({ from: 'archives', sources: ['http://a', 'http://b'] })
    expect(confidence).toMatchObject({ servers: 2, independent: false })
  })
})

describe('what is concluded where some are missing', () => {
  const refuses: Node = () => 400
  const lacks = sidecars(() => 'lacking')
  const crashing = sidecars(() => 'crashing')
  it.each<[string, World, verdict: string, reason: string]>([
    ['nobody answered', { nodes: { a: refuses }, proven: 2 }, 'unknown', 'unreachable'],
    [
      'nobody answered, and how many there are is not known',
      { nodes: { a: refuses } },
      'unknown',
      'unreachable',
    ],
    ['our workers died of them', { nodes: { a: crashing }, proven: 2 }, 'unknown', 'crashed'],
    ['how many there are is not known', { nodes: { a: lacks } }, 'unknown', 'may-have-no-blobs'],
    ['all denied them', { nodes: { a: lacks, b: lacks }, proven: 2 }, 'unavailable', 'columns-missing'],
    [
      'all that came is false',
      { nodes: { a: sidecars(() => 'false') }, proven: 2 },
      'unavailable',
      'columns-missing',
    ],
    ['nodes may have forgotten them', { nodes: { a: lacks }, proven: 2, age: 5_000 }, 'unknown', 'expired'],
    ['not all denied them', { nodes: { a: lacks, b: refuses }, proven: 2 }, 'unknown', 'not-all-answered'],
    [
      'all denied them who serve them',
      { nodes: { a: () => 405, b: lacks }, proven: 2 },
      'unavailable',
      'columns-missing',
    ],
    ['nobody serves them', { nodes: { a: () => 405, b: () => 501 }, proven: 2 }, 'unknown', 'unreachable'],
    [
      'more were paid for than there are',
      { nodes: { a: honest(2) }, proven: 3 },
      'unavailable',
      'count-mismatch',
    ],
    [
      'fewer were paid for than there are',
      { nodes: { a: honest(3) }, proven: 2 },
      'unavailable',
      'count-mismatch',
    ],
  ])('and %s', async (_, world, verdict, reason) => {
    const finding = await fetchWhole({ ...world, reconstruct: true })
    expect(finding).toMatchObject({ verdict, reason, blobs: null, confidence: { maxError: 1 } })
  })

  it('rests on one that all denied, whatever nobody said of another one', async () => {
    const nodes = Object.fromEntries(
      ['a', 'b'].map((name) => [name, sidecars((index) => (index === 0 ? 'lacking' : 'refused'))]),
    )
    expect(await fetchWhole({ nodes, proven: 2 })).toMatchObject({
      verdict: 'unavailable',
      reason: 'columns-missing',
    })
  })

  it('does not rest on one that was denied by one, and given by another', async () => {
    const a = sidecars((index) => (index === 0 ? 'lacking' : 'refused'))
    const b = sidecars((index) => (index === 0 ? 'true' : 'refused'))
    const { questions, ...finding } = await fetchWhole({ nodes: { a, b }, proven: 2 })
    expect(questions.slice(0, 2)).toEqual([[0], [1]])
    expect(finding).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
    expect(finding.commitments).toHaveLength(1)
  })
})

describe('sidecars of a fork to come, as endpoints say,', () => {
  const ahead = ofForkToCome(honest(2))
  const failuresOf = ({ endpoints }: Awaited<ReturnType<typeof fetchWhole>>): string[][] =>
    endpoints.map(({ failures }) => failures.map(({ kind }) => kind))

  it('leave it unknown what there is, and accuse nobody', async () => {
    const finding = await fetchWhole({ nodes: { a: ahead, b: ahead } })
    expect(finding).toMatchObject({
      ...{ verdict: 'unknown', reason: 'unsupported-fork', commitments: [], confidence: { maxError: 1 } },
      detail: "heze, a fork that by the network's config has not begun in that slot",
      endpoints: [{ refused: [] }, { refused: [] }],
    })
    expect(failuresOf(finding)).toEqual([['unsupported-fork'], ['unsupported-fork']])
    // Nor does one who has none show that there is none.
    const nodes = { a: ahead, b: sidecars(() => 'lacking') }
    expect(await fetchWhole({ nodes })).toMatchObject({ verdict: 'unknown', reason: 'unsupported-fork' })
  })

  it('are none where another one gives one: who said so is named for it', async () => {
    const finding = await fetchWhole({ nodes: { a: ahead, b: honest(2) } })
    expect(finding).toMatchObject({ verdict: 'available', reason: 'complete', detail: null })
    expect(failuresOf(finding)).toEqual([['unsupported-fork', 'malformed'], []])
  })
})
