/** Columns of which somebody is asked who is silent: others who work are asked for the same, and the first that is true counts. In virtual time. */
import { describe, expect, it } from 'vitest'
import { sampleColumns } from '../../dist/sampler/columns.js'
import { wholeSidecars } from '../../dist/sampler/whole/sidecars.js'
import { range } from '../support/make.ts'
import { giving, type Manner, type Node, sceneOf, type World } from '../support/sample-context.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const BLOBS = 2
const columns = (manner: Manner): Node => giving('columns', BLOBS, manner)
const honest = columns(() => 'true')
const silent: Node = () => new Promise(() => {})
/** What a node says so late, in milliseconds. */
const after =
  (ms: number, node: Node): Node =>
  async (question) => {
    await new Promise((resolve) => setTimeout(resolve, ms))
    return await node(question)
  }
/** A node that says one thing first, and another from then on. */
const then = (first: Node, next: Node): Node => {
  let asked = 0
  return (question) => (asked++ === 0 ? first : next)(question)
}

/** A sample of so many columns, the first of them of the first node, and when it was there, in milliseconds. Its deadline is after six seconds. */
async function sample(nodes: Record<string, Node>, more: World = {}, sampling = sampleColumns) {
  const time = new VirtualTime()
  time.begin()
  try {
    const deadline = new AbortController()
    const timer = setTimeout(() => deadline.abort(), 6_000)
    const { context, asked, told } = sceneOf({ sizes: [4], until: deadline.signal, ...more, nodes })
    const finding = await time.until(sampling(context))
    const ms = Math.round(performance.now())
    clearTimeout(timer)
    // Nothing is left that would wait for those who are silent, but for what the nodes of this test have still to say.
    await time.drain(60_000)
    const ofNodes = context.parts.endpoints.report().map(({ name, failures }) => ({ name, failures }))
    return { ...finding, asked: asked.map(({ node, indices }) => [node, ...indices]), told, ms, ofNodes }
  } finally {
    time.end()
  }
}

const overtaken = (ms: number): object => ({
  ...{ kind: 'timeout', detail: `no complete answer in ${ms} ms, when another endpoint had one` },
})

describe('a node that never answers', () => {
  it('costs two seconds, and is named for it, where another one has all', async () => {
    const { ms, columns: outcomes, endpoints, ...finding } = await sample({ a: silent, b: honest })
    expect(finding).toMatchObject({ verdict: 'available', confidence: { missing: 0, servers: 1 } })
    expect(finding.asked).toEqual([
      ['a', 0, 2],
      ['b', 1, 3],
      ['b', 0, 2],
    ])
    expect(ms).toBe(2_000)
    expect(endpoints).toMatchObject([
      { requests: 1, asked: [0, 2], verified: [], notDelivered: [], failures: [overtaken(2_000)] },
      { requests: 2, failures: [] },
    ])
    // It was asked before the one that had it.
    for (const { attempts, index } of outcomes)
      expect(attempts.map(({ outcome }) => outcome)).toEqual(
        index % 2 === 0 ? ['timeout', 'verified'] : ['verified'],
      )
    // What is told of each is what the report says.
    const becameOf = finding.told.flatMap((event) => (event.kind === 'column' ? [event.outcome] : []))
    expect(new Set(becameOf)).toEqual(new Set(outcomes))
    expect(finding.ofNodes).toMatchObject([{ failures: { timeout: 1 } }, { failures: {} }])
  })

  it('has its columns shared out among all who work, and have nothing to do', async () => {
    const nodes = { a: silent, b: honest, c: honest, d: after(2_900, honest), e: () => 400 }
    const { asked, ms, verdict } = await sample(nodes, { sizes: [20] })
    expect([verdict, ms]).toEqual(['available', 2_000])
    const [first, second] = [asked.slice(0, 5), asked.slice(5)]
    expect(first.map(([node]) => node)).toEqual(['a', 'b', 'c', 'd', 'e'])
    // After two seconds what was refused, and what the silent one and the slow one were asked for; none of them is asked for more.
    const shares = ['b', 'c'].map((name) =>
      second.filter(([node]) => node === name).map(({ length }) => length - 1),
    )
    expect(second.every(([node]) => node === 'b' || node === 'c')).toBe(true)
    expect(shares).toEqual([[6], [6]])
  })

  it('is one of two, of whom nobody is asked twice', async () => {
    const { asked, columns: outcomes, ms, ...finding } = await sample({ a: silent, b: silent })
    expect(asked).toHaveLength(2)
    expect(ms).toBe(6_000)
    expect(finding).toMatchObject({ verdict: 'unknown', reason: 'unreachable' })
    for (const { attempts } of outcomes) expect(attempts).toMatchObject([{ outcome: 'timeout' }])
  })

  it('leaves it unknown, where the other one lacks what it may have', async () => {
    const { asked, ...finding } = await sample({
      a: silent,
      b: columns((index) => (index === 1 ? 'true' : 'lacking')),
    })
    expect(finding).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
    // What the other one lacks of its own is not asked for at the one that is silent already.
    expect(asked.filter(([node]) => node === 'a')).toHaveLength(1)
  })

  it('leaves it unknown, where the other one gives no answer the second time, as not all answered', async () => {
    const { verdict, reason } = await sample({ a: silent, b: then(honest, () => 400) })
    expect([verdict, reason]).toEqual(['unknown', 'not-all-answered'])
  })

  it('is no reason to ask one that has lied', async () => {
    const lying = columns((index) => (index === 1 ? 'false' : 'true'))
    const { asked } = await sample({ a: silent, b: lying, c: silent }, { sizes: [3] })
    expect(asked.filter(([node]) => node === 'b')).toEqual([
      ['b', 1],
      ['b', 0, 2],
    ])
  })

  it('holds nobody up who is alone', async () => {
    const { asked, ms } = await sample({ a: silent })
    expect(asked).toHaveLength(1)
    expect(ms).toBe(6_000)
  })
})

describe('a node that answers late', () => {
  it('is waited for as long as others are slow, too', async () => {
    const { asked, ofNodes, verdict } = await sample({ a: after(2_900, honest), b: after(2_000, honest) })
    expect(verdict).toBe('available')
    expect(asked).toHaveLength(2)
    expect(ofNodes.map(({ failures }) => failures)).toEqual([{}, {}])
  })

  it('is heard where it is first all the same, and the one that was asked for the same is named for nothing', async () => {
    const { confidence, endpoints, ms, ofNodes, told, verdict } = await sample({
      ...{ a: after(2_500, honest), b: then(honest, silent) },
    })
    expect(verdict).toBe('available')
    expect(confidence).toMatchObject({ servers: 2, contested: [] })
    expect(ms).toBe(2_500)
    expect(endpoints).toMatchObject([
      { verified: [0, 2], failures: [] },
      { verified: [1, 3], failures: [], notDelivered: [] },
    ])
    expect(ofNodes.map(({ failures }) => failures)).toEqual([{}, {}])
    expect(told.filter(({ kind }) => kind === 'fetched')).toHaveLength(4)
  })

  it('is not lost where what came first was false', async () => {
    const b = then(
      honest,
      columns(() => 'false'),
    )
    const { asked, endpoints, ...finding } = await sample({ a: after(3_000, honest), b })
    expect(finding).toMatchObject({ verdict: 'available', confidence: { missing: 0, servers: 2 } })
    expect(asked).toHaveLength(3)
    expect(endpoints).toMatchObject([
      { verified: [0, 2], refused: [], failures: [] },
      { verified: [1, 3], refused: [{ index: 0 }, { index: 2 }] },
    ])
  })

  it('is not lost where the other one denies it', async () => {
    const b = columns((index) => (index % 2 === 1 ? 'true' : 'lacking'))
    const { asked, confidence, verdict } = await sample({ a: after(3_000, honest), b })
    expect(verdict).toBe('available')
    expect(confidence).toMatchObject({ missing: 0, contested: [0, 2] })
    expect(asked).toHaveLength(3)
  })

  it('has nothing verified that is there, and is named for nothing', async () => {
    // Its answer comes while that of the other one is verified.
    const verifying = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 500))
    const { confidence, endpoints, ofNodes, told, verdict } = await sample(
      { a: after(2_200, honest), b: honest },
      { verifying },
    )
    expect(verdict).toBe('available')
    expect(confidence).toMatchObject({ missing: 0, servers: 1 })
    expect(endpoints[0]).toMatchObject({
      ...{ asked: [0, 2], verified: [], notDelivered: [], refused: [], failures: [] },
      ...{ unrequested: 0, duplicates: 0 },
    })
    expect(ofNodes[0]!.failures).toEqual({})
    expect(told.filter(({ kind }) => kind === 'fetched')).toHaveLength(4)
  })

  it('denies what is there as it would have before', async () => {
    const verifying = async (): Promise<void> => await new Promise((resolve) => setTimeout(resolve, 500))
    const lacking = columns(() => 'lacking')
    const { confidence, columns: outcomes } = await sample(
      { a: after(2_200, lacking), b: honest },
      { verifying },
    )
    expect(confidence.contested.toSorted((x, y) => x - y)).toEqual([0, 2])
    expect(outcomes[0]!.attempts.map(({ outcome }) => outcome)).toEqual(['not-delivered', 'verified'])
  })
})

it('one of the blobs before Fulu is asked of another one after two seconds, as it is where one alone is asked', async () => {
  const has = giving('sidecars', 2, () => 'true')
  const { asked, ms, ...finding } = await sample({ a: silent, b: has }, {}, wholeSidecars)
  expect(finding).toMatchObject({ verdict: 'available', reason: 'complete' })
  expect(asked).toEqual([
    ['a', 0],
    ['b', 0],
    ['b', 1],
  ])
  expect(ms).toBe(2_000)
})

it('sixteen of whom one alone answers take two seconds, and two questions to it', async () => {
  const nodes = Object.fromEntries([
    ...range(15).map((at) => [`n${at}`, silent] as const),
    ['z', honest] as const,
  ])
  const { asked, ms, verdict } = await sample(nodes, { sizes: [26] })
  expect([verdict, ms]).toEqual(['available', 2_000])
  expect(asked).toHaveLength(17)
  expect(asked.filter(([node]) => node === 'z')).toHaveLength(2)
})
