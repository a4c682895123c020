/** A sample of columns by itself: how far it grows, when it ends, what is told meanwhile, and what is concluded from it. */
import { describe, expect, it } from 'vitest'
import { DisposedError } from '../../dist/runtime/errors.js'
import { sampleColumns } from '../../dist/sampler/columns.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import { range, turn } from '../support/make.ts'
import {
  column,
  commitments,
  errorOf,
  giving,
  join,
  type Manner,
  MAX_BLOBS,
  type Node,
  readsBlock,
  sceneOf,
  type Truth,
  verified,
  type World,
} from '../support/sample-context.ts'
import { vouched } from '../support/sampled-chain.ts'
import { listSsz } from '../support/ssz.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const BLOBS = 2
const columns = (manner: Manner): Node => giving('columns', BLOBS, manner)
const honest = columns(() => 'true')
const without = (...missing: number[]): Node =>
  columns((index) => (missing.includes(index) ? 'lacking' : 'true'))
const only = (holds: (index: number) => boolean): Node =>
  columns((index) => (holds(index) ? 'true' : 'lacking'))
const refusing: Node = () => 400

/** What was found, asked for and told; `draws`: which columns were chosen, one draw after the other. */
async function sample(world: World) {
  const { context, asked, told } = sceneOf(world)
  const finding = await sampleColumns(context)
  const draws = told.flatMap((event) => (event.kind === 'chosen' ? [event.columns] : []))
  return { ...finding, asked, told, draws }
}

describe('a sample', () => {
  it('of which nothing is missing is what was drawn, and no more is asked for', async () => {
    const { told, draws, asked, ...finding } = await sample({ nodes: { a: honest }, sizes: [4, 6, 8] })
    expect(asked).toEqual([{ node: 'a', what: 'columns', indices: [0, 1, 2, 3] }])
    expect(draws).toEqual([[0, 1, 2, 3]])
    expect(finding).toMatchObject({
      ...{ verdict: 'available', reason: 'sampled', via: 'data-columns', fallback: null, blobs: null },
      ...{ links: verified, commitments: commitments(BLOBS) },
      confidence: { samples: 4, missing: 0, maxError: errorOf(0), certain: false },
      columns: range(4).map((index) => ({ index, added: false, status: 'verified', source: 'http://a' })),
    })
    expect(told.map(({ kind }) => kind)).toEqual([
      'chosen',
      ...range(4).map(() => 'fetched'),
      ...range(4).map(() => 'column'),
    ])
  })

  it('grows by as many as the plan wants for those that are missing, and each is told of once', async () => {
    const world = { nodes: { a: without(1, 5) }, sizes: [4, 6, 9] }
    const { told, columns: outcomes, ...finding } = await sample(world)
    expect(told.filter(({ kind }) => kind === 'chosen')).toEqual([
      { kind: 'chosen', columns: [0, 1, 2, 3], added: false },
      { kind: 'chosen', columns: [4, 5], added: true },
      { kind: 'chosen', columns: [6, 7, 8], added: true },
    ])
    const becameOf = told.flatMap((event) => (event.kind === 'column' ? [event.outcome] : []))
    expect(becameOf.map(({ index }) => index)).toEqual([0, 2, 3, 1, 4, 5, 6, 7, 8])
    expect(new Set(becameOf)).toEqual(new Set(outcomes))
    expect(outcomes.map(({ added }) => added)).toEqual(range(9).map((index) => index >= 4))
    expect(outcomes[5]).toMatchObject({ status: 'missing', reason: 'not-delivered', source: null })
    expect(finding).toMatchObject({
      verdict: 'available',
      confidence: { samples: 9, missing: 2, maxError: errorOf(2) },
    })
  })

  it('of which more is missing than is allowed grows no further', async () => {
    const a = only((index) => index === 2 || index === 3)
    const { columns: outcomes, told, ...finding } = await sample({ nodes: { a }, sizes: [4, 6] })
    expect(finding).toMatchObject({
      ...{ verdict: 'unavailable', reason: 'columns-missing' },
      confidence: { samples: 4, missing: 2, maxError: 1 },
    })
    // What is asked for beyond it is told of as it is.
    expect(outcomes.map(({ added }) => added)).toEqual(outcomes.map((_, at) => at >= 4))
    const chosen = told.flatMap((event) => (event.kind === 'chosen' ? [event.added] : []))
    expect(chosen).toEqual(chosen.map((_, at) => at > 0))
  })

  it('that all columns do not decide asks for none once all were asked for', async () => {
    const a = giving('columns', 2, (index) => (index < 64 ? 'lacking' : index < 127 ? 'true' : 'crashing'))
    const { columns: outcomes, told, ...finding } = await sample({ nodes: { a }, sizes: [4], proven: 2 })
    expect(finding).toMatchObject({ verdict: 'unknown', reason: 'crashed' })
    expect(outcomes).toHaveLength(128)
    const draws = told.flatMap((event) => (event.kind === 'chosen' ? [event.columns.length] : []))
    expect(draws.every((count) => count > 0)).toBe(true)
    expect(draws.reduce((sum, count) => sum + count, 0)).toBe(128)
  })

  it('of one column grows, too', async () => {
    const { told } = await sample({ nodes: { a: without(0) }, sizes: [1, 3] })
    expect(told.filter(({ kind }) => kind === 'chosen')).toEqual([
      { kind: 'chosen', columns: [0], added: false },
      { kind: 'chosen', columns: [1, 2], added: true },
    ])
  })

  it('grows no further once its time is over', async () => {
    const deadline = new AbortController()
    const verifying = async (): Promise<void> => deadline.abort()
    const world = { nodes: { a: without(1) }, sizes: [2, 4, 6], until: deadline.signal, verifying }
    const { draws, ...finding } = await sample(world)
    expect(draws).toEqual([[0, 1]])
    expect(finding).toMatchObject({ verdict: 'unknown', confidence: { samples: 2, missing: 1 } })
  })

  it('is not asked for anew where nobody answered at all', async () => {
    const { draws, reason } = await sample({ nodes: { a: refusing }, sizes: [2, 4, 6, 8] })
    expect(draws).toEqual([[0, 1]])
    expect(reason).toBe('unreachable')
  })

  it('grows where one column is there, although nobody said anything of the other', async () => {
    const nodes = { a: columns((index) => (index === 1 ? 'refused' : 'true')), b: refusing }
    const { draws, verdict } = await sample({ nodes, sizes: [2, 4, 6, 8] })
    expect(draws.slice(0, 2)).toEqual([
      [0, 1],
      [2, 3],
    ])
    expect(verdict).toBe('available')
  })

  it('grows where one column was denied, although nobody said anything of the other', async () => {
    const nodes = { a: refusing, b: columns((index) => (index === 0 ? 'refused' : 'lacking')) }
    const { draws, ...finding } = await sample({ nodes, sizes: [2, 4, 6, 8] })
    expect(draws).toEqual([
      [0, 1],
      [2, 3, 4, 5],
    ])
    expect(finding.columns.map(({ reason }) => reason)).toEqual([
      'unreachable',
      ...range(5).map(() => 'not-delivered'),
    ])
  })
})

describe('a sample that failed', () => {
  /** Who has the first so many of what is drawn after the sample of four, and two of that. */
  const having = (count: number): Node => only((index) => index >= 2 && index < 2 + count)
  const failed = { sizes: [4], reconstruct: true }

  it.each([
    [64, 'available', 'reconstructible', { maxError: 0, certain: true }],
    [63, 'unavailable', 'columns-missing', { maxError: 1, certain: false }],
  ] as const)(
    'accuses nobody who can rebuild the block: of %i columns',
    async (count, verdict, reason, sure) => {
      const finding = await sample({ nodes: { a: having(count) }, ...failed })
      expect(finding).toMatchObject({ verdict, reason, confidence: { samples: 4, missing: 2, ...sure } })
      expect(finding.blobs === null).toBe(verdict === 'unavailable')
    },
  )

  it('accuses nobody who can rebuild it together with others', async () => {
    const nodes = Object.fromEntries(
      ['a', 'b', 'c'].map((name, at) => [name, only((index) => index >= 4 && index % 4 === at)]),
    )
    const finding = await sample({ nodes, ...failed, proven: BLOBS })
    expect(finding).toMatchObject({
      ...{ verdict: 'available', reason: 'reconstructible' },
      confidence: { samples: 4, missing: 4, maxError: 0, servers: 3, maxErrorIfOneLies: 1 },
    })
    expect(finding.columns.length).toBeGreaterThan(64)
  })

  it('asks for no more than decides it, in few questions', async () => {
    // Where nobody has anything, 65 tell.
    const none = await sample({ nodes: { a: having(0) }, proven: BLOBS, ...failed })
    expect(none.draws.map(({ length }) => length)).toEqual([4, 61])
    const half = await sample({ nodes: { a: only((index) => index % 2 === 0) }, sizes: [4] })
    expect(half).toMatchObject({ verdict: 'available', reason: 'reconstructible' })
    expect(half.draws.map(({ length }) => length)).toEqual([4, 62, 31, 16, 15])
  })

  it('is unknown where time is over before either is known', async () => {
    const deadline = new AbortController()
    let round = 0
    const verifying = async (): Promise<void> => {
      if (++round === 2) deadline.abort()
    }
    const nodes = { a: only((index) => index % 2 === 0) }
    const { draws, ...finding } = await sample({ nodes, ...failed, until: deadline.signal, verifying })
    expect(draws).toHaveLength(2)
    expect(finding).toMatchObject({
      ...{ verdict: 'unknown', reason: 'not-all-answered' },
      confidence: { samples: 4, missing: 2, maxError: 1 },
    })
  })

  it('is nobody’s any more where the caller has gone meanwhile', async () => {
    const caller = new AbortController()
    let round = 0
    const leaving: Node = async (question) => {
      if (++round === 2) caller.abort(new Error('gone'))
      return await having(10)(question)
    }
    await expect(sample({ nodes: { a: leaving }, ...failed, signal: caller.signal })).rejects.toThrow('gone')
  })

  it('is unknown where nobody tells more, who is not asked to the end', async () => {
    const a: Node = async (question) => (question.indices.includes(0) ? await having(2)(question) : 400)
    const { draws, ...finding } = await sample({ nodes: { a }, ...failed })
    expect(draws).toHaveLength(2)
    expect(finding).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
  })

  it('asks for nothing more where not everybody denied what is missing', async () => {
    const { draws, reason } = await sample({ nodes: { a: having(2), b: refusing }, ...failed })
    expect(draws).toEqual([[0, 1, 2, 3]])
    expect(reason).toBe('not-all-answered')
  })
})

describe('half of all columns', () => {
  const half = only((index) => index % 2 === 0)
  const certain = { maxError: 0, certain: true }

  it('is enough, however many others are missing', async () => {
    expect(await sample({ nodes: { a: half }, sizes: [128] })).toMatchObject({
      ...{ verdict: 'available', reason: 'reconstructible', blobs: null },
      confidence: { ...certain, samples: 128, missing: 64 },
    })
    const less = only((index) => index % 2 === 0 && index > 0)
    expect(await sample({ nodes: { a: less }, sizes: [128], reconstruct: true })).toMatchObject({
      ...{ verdict: 'unavailable', reason: 'columns-missing', blobs: null },
      confidence: { maxError: 1, samples: 128, missing: 65 },
    })
  })

  it('is rebuilt where that is asked for, each blob of all columns that are there', async () => {
    const { blobs } = await sample({ nodes: { a: honest }, sizes: [64], reconstruct: true })
    expect(blobs).toEqual(
      commitments(BLOBS).map((commitment, index) => ({ index, commitment, blob: Uint8Array.of(64, index) })),
    )
    const few = await sample({ nodes: { a: honest }, sizes: [63], reconstruct: true })
    expect(few).toMatchObject({ verdict: 'available', reason: 'sampled', blobs: null })
    expect(few.confidence).toMatchObject({ maxError: errorOf(0), certain: false })
  })
})

describe('what is concluded', () => {
  const lacks = columns(() => 'lacking')
  it.each<[string, World, verdict: string, reason: string]>([
    ['nobody answered', { nodes: { a: refusing } }, 'unknown', 'unreachable'],
    ['our workers died of it', { nodes: { a: columns(() => 'crashing') } }, 'unknown', 'crashed'],
    ['there may be no blobs', { nodes: { a: lacks } }, 'unknown', 'may-have-no-blobs'],
    ['there are blobs', { nodes: { a: lacks }, proven: BLOBS }, 'unavailable', 'columns-missing'],
    [
      'all that came is false',
      { nodes: { a: columns(() => 'false') }, proven: 2 },
      'unavailable',
      'columns-missing',
    ],
    ['nodes may have forgotten it', { nodes: { a: lacks }, proven: BLOBS, age: 5_000 }, 'unknown', 'expired'],
    [
      'a column shows that there are blobs',
      { nodes: { a: only((index) => index === 0) }, sizes: [2] },
      'unavailable',
      'columns-missing',
    ],
    [
      'there are as many blobs as were paid for',
      { nodes: { a: honest }, proven: BLOBS },
      'available',
      'sampled',
    ],
    [
      'more blobs were paid for',
      { nodes: { a: honest }, proven: BLOBS + 1 },
      'unavailable',
      'count-mismatch',
    ],
    [
      'fewer blobs were paid for',
      { nodes: { a: honest }, proven: BLOBS - 1 },
      'unavailable',
      'count-mismatch',
    ],
  ])('where %s', async (_, world, verdict, reason) => {
    const { confidence, ...finding } = await sample(world)
    expect(finding).toMatchObject({ verdict, reason })
    expect(confidence.maxError).toBe(verdict === 'available' ? errorOf(0) : 1)
  })

  it('accuses nobody by columns that are of another number of blobs, and rebuilds nothing', async () => {
    const world = { nodes: { a: honest }, sizes: [64], proven: BLOBS + 1, reconstruct: true }
    expect(await sample(world)).toMatchObject({
      ...{ verdict: 'unavailable', reason: 'count-mismatch', blobs: null },
      confidence: { maxError: 1, certain: false },
    })
  })

  it.each([
    [64, 'unknown', 'not-all-answered'],
    [65, 'unavailable', 'columns-missing'],
  ] as const)(
    'of %i columns that everybody denies, and of 4 that one may have: %s',
    async (denied, verdict, reason) => {
      // One has 60 of the even ones, or has a false one among them. The other has none, and does not say whether it has the last of them.
      const a = columns((index) =>
        index % 2 === 1 || index >= 120 ? 'lacking' : index === 0 && denied > 64 ? 'false' : 'true',
      )
      const b = columns((index) => (index % 2 === 0 && index >= 120 ? 'refused' : 'lacking'))
      const finding = await sample({ nodes: { a, b }, sizes: [128] })
      expect(finding.confidence).toMatchObject({ samples: 128, missing: denied + 4 })
      expect(finding).toMatchObject({ verdict, reason })
    },
  )

  it('counts no column of another block against it', async () => {
    const a = columns(() => 'other')
    const finding = await sample({ nodes: { a }, proven: BLOBS })
    expect(finding).toMatchObject({
      ...{ verdict: 'unknown', reason: 'not-all-answered' },
      endpoints: [{ verified: [], notDelivered: [] }],
      columns: [{ reason: 'false', attempts: [{ outcome: 'false', reason: 'header-mismatch' }] }],
    })
    // Beside a false one of its own, or one who has none, it tells no more.
    const lacking = { a, b: lacks }
    expect(await sample({ nodes: lacking, proven: BLOBS })).toMatchObject({ reason: 'not-all-answered' })
  })

  it('says of a block that is known what it commits to, although no column came', async () => {
    const block = { commitments: commitments(1) }
    const known = await sample({ nodes: { a: lacks }, block })
    expect(known).toMatchObject({
      commitments: commitments(1),
      links: { inclusion: 'verified', kzg: 'absent' },
    })
    expect(await sample({ nodes: { a: lacks } })).toMatchObject({ commitments: [], links: noLinks })
    // Nor is a column asked, which has none from Gloas on; what it is verified by counts all the same.
    const other = { commitments: commitments(BLOBS + 1) }
    expect(await sample({ nodes: { a: honest }, block: other })).toMatchObject({
      ...other,
      links: verified,
    })
  })
})

describe('an answer for several blocks of a slot', () => {
  /** Copies of each column, in this order. */
  const copies =
    (of: (index: number) => readonly Truth[]): Node =>
    ({ indices }) =>
      listSsz(indices.flatMap((index) => of(index).map((truth) => column(index, BLOBS, truth))))

  it.each<[string, readonly Truth[]]>([
    ['first', ['true', 'other']],
    ['second', ['other', 'true']],
    ['third', ['other', 'other', 'true']],
    ['between', ['other', 'true', 'other']],
  ])('has the wanted one %s, and accuses nobody', async (_where, truths) => {
    const world = { nodes: { a: copies(() => truths), b: honest }, sizes: [4] }
    const { asked, endpoints, told, ...finding } = await sample(world)
    expect(finding).toMatchObject({
      verdict: 'available',
      confidence: { samples: 4, missing: 0, servers: 2 },
    })
    expect(asked).toHaveLength(2)
    expect(endpoints[0]).toMatchObject({ refused: [], failures: [], duplicates: 2 * (truths.length - 1) })
    expect(endpoints[0]!.verified).toHaveLength(2)
    expect(told.filter(({ kind }) => kind === 'refused')).toEqual([])
  })

  it('has no more copies looked at than three, in one batch each', async () => {
    let batches = 0
    const verifying = async (): Promise<void> => void batches++
    const nodes = { a: copies(() => ['other', 'other', 'other', 'true']) }
    const { columns: outcomes, endpoints, told } = await sample({ nodes, verifying })
    expect(batches).toBe(3)
    expect(endpoints[0]).toMatchObject({ verified: [], duplicates: 3 })
    for (const { attempts } of outcomes)
      expect(attempts).toMatchObject([{ outcome: 'false', reason: 'header-mismatch' }])
    expect(told.filter(({ kind }) => kind === 'refused')).toHaveLength(1)
  })

  it('names what is false of the wanted one, wherever it is, and goes on to who has it', async () => {
    for (const truths of [
      ['other', 'false'],
      ['false', 'other'],
    ] as const) {
      const nodes = { a: copies(() => truths), b: honest }
      const { columns: outcomes, ...finding } = await sample({ nodes, sizes: [2] })
      expect(finding).toMatchObject({ verdict: 'available', confidence: { missing: 0, servers: 1 } })
      expect(finding.endpoints[0]!.refused).toEqual([{ index: expect.any(Number), reason: 'proof-mismatch' }])
      expect(outcomes.flatMap(({ attempts }) => attempts.map(({ outcome }) => outcome)).sort()).toEqual([
        ...['false', 'verified', 'verified'],
      ])
      // It is evidence as it is alone.
      expect(await sample({ nodes: { a: copies(() => truths) }, proven: BLOBS })).toMatchObject({
        ...{ verdict: 'unavailable', reason: 'columns-missing' },
      })
    }
  })

  it('denies what it has of another block alone, where it has any of the wanted one and is complete', async () => {
    const a = columns((index) => (index < 63 ? 'true' : 'other'))
    const whole = await sample({ nodes: { a }, sizes: [128] })
    expect(whole).toMatchObject({ verdict: 'unavailable', reason: 'columns-missing' })
    // Cut off, it may have had them.
    const cut: Node = async (question) => {
      const answer = await a(question)
      return answer instanceof Uint8Array ? answer.subarray(0, -1) : answer
    }
    const unknown = await sample({ nodes: { a: cut }, sizes: [128] })
    expect(unknown).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
  })

  it('says nothing of what the next one sends, where our own workers crash on it', async () => {
    const nodes = { a: copies(() => ['false', 'crashing']), b: columns(() => 'other') }
    const { columns: outcomes } = await sample({ nodes, sizes: [2] })
    for (const { attempts } of outcomes) {
      const ofB = attempts.find(({ endpoint }) => endpoint === 'http://b')
      expect(ofB).toMatchObject({ outcome: 'false', reason: 'header-mismatch' })
    }
    expect(outcomes.some(({ attempts }) => attempts[0]?.outcome === 'crashed')).toBe(true)
  })
})

describe('columns of more blobs than there can be', () => {
  const many = MAX_BLOBS + 1
  const longer = giving('columns', many, () => 'true')
  const alone: World = {
    nodes: { a: (question) => (question.what === 'block' ? new Uint8Array(9) : longer(question)) },
    readBlock: readsBlock(commitments(many)),
  }
  const toCome = {
    ...{ verdict: 'unknown', reason: 'unsupported-fork', detail: 'a block with 4 blobs' },
    commitments: commitments(many),
  }

  it('are of a config that is too old where the block has as many, whatever others say', async () => {
    expect(await sample(alone)).toMatchObject(toCome)
    const nodes = { ...alone.nodes, b: columns(() => 'lacking') }
    expect(await sample({ ...alone, nodes })).toMatchObject(toCome)
  })

  it('say nothing of a sample that our workers died of', async () => {
    const nodes = { ...alone.nodes, b: columns(() => 'crashing') }
    const finding = await sample({ ...alone, nodes })
    expect(finding).toMatchObject({ verdict: 'unknown', reason: 'crashed', detail: null })
  })

  it('have no block looked for where its execution header tells the number: who gave them is wrong', async () => {
    const { context, asked } = sceneOf({ ...alone, proven: BLOBS })
    const { root, slot } = context.header
    const finding = await sampleColumns({ ...context, header: vouched({ root, slot }, BLOBS) })
    expect(finding).toMatchObject({ verdict: 'unknown', reason: 'unreachable', detail: null })
    expect(finding.endpoints).toMatchObject([{ failures: [{ kind: 'too-large' }] }])
    expect(asked.map(({ what }) => what)).toEqual(['columns'])
    // Nor is one where nobody gave any.
    const lacking = await sample({ nodes: { a: columns(() => 'lacking') }, proven: BLOBS })
    expect(lacking.asked.map(({ what }) => what)).not.toContain('block')
  })

  it('are nobody’s any more where the caller or the verifier has gone meanwhile', async () => {
    const caller = new AbortController()
    const leaving: Node = (question) => {
      if (question.what === 'block') caller.abort(new Error('gone'))
      return longer(question)
    }
    await expect(sample({ ...alone, nodes: { a: leaving }, signal: caller.signal })).rejects.toThrow('gone')
    const disposed = new DisposedError()
    const readBlock = async (): Promise<never> => await Promise.reject(disposed)
    await expect(sample({ ...alone, readBlock })).rejects.toBe(disposed)
  })

  it('take the time, too, in which the block is fetched', async () => {
    const time = new VirtualTime()
    await time.during(async () => {
      await time.pass(50)
      const slow: Node = async (question) => {
        if (question.what === 'block') await turn(700)
        return await alone.nodes!['a']!(question)
      }
      const { context, timings } = sceneOf({ ...alone, nodes: { a: slow } })
      expect(await time.until(sampleColumns(context))).toMatchObject(toCome)
      expect(timings).toEqual({ fetchMs: 700, verifyMs: 0 })
    })
  })
})

it.each([0, 1, 2])(
  'a sample is not called verified here whose column %i a cache was trusted for',
  async (known) => {
    const a = columns((index) => (index === known ? 'known' : 'true'))
    const { links } = await sample({ nodes: { a }, sizes: [3] })
    expect(links).toEqual({ ...verified, kzg: 'trusted' })
  },
)

describe('a column that one server has and another one denies', () => {
  it('is contested', async () => {
    const shared = await sample({ nodes: { a: without(0), b: honest }, sizes: [4] })
    expect(shared).toMatchObject({ verdict: 'available', confidence: { contested: [0], servers: 2 } })
    // Nobody denied anything of these.
    const all = await sample({ nodes: { a: honest, b: honest }, sizes: [4] })
    expect(all.confidence.contested).toEqual([])
  })

  it('is contested by one of several that denied it, whoever the others are', async () => {
    const nodes = { a: without(0), b: without(0), c: honest }
    const { confidence } = await sample({ nodes, sizes: [3] })
    expect(confidence.contested).toEqual([0])
  })
})

describe('an answer without a table of offsets', () => {
  /** Answers in the opposite order, of which it cuts the first one. */
  const backwards = (cut: (row: Uint8Array<ArrayBuffer>[]) => Uint8Array<ArrayBuffer>[]): Node => {
    let answers = 0
    return ({ what, indices }) => {
      if (what !== 'columns') return 400
      const row = [...indices].sort((a, b) => b - a).map((index) => column(index, BLOBS))
      return join(answers++ === 0 ? cut(row) : row)
    }
  }

  it('that is cut denies none of the columns before the last that is there', async () => {
    const { asked, ...finding } = await sample({
      nodes: { a: backwards((row) => row.slice(0, 2)) },
      sizes: [6],
    })
    expect(finding).toMatchObject({
      verdict: 'available',
      endpoints: [{ failures: [{ kind: 'truncated' }], notDelivered: [] }],
    })
    expect(asked.map(({ indices }) => indices)).toEqual([range(6), [0, 1, 2, 3]])
  })

  it('that has one column alone, whatever it is asked for, is not asked without end', async () => {
    const node: Node = ({ what, indices }) =>
      what === 'columns' ? join(indices.slice(0, 1).map((index) => column(index, BLOBS))) : 400
    const { asked, ...finding } = await sample({ nodes: { a: node }, sizes: [6] })
    expect(finding).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
    expect(asked.length).toBeLessThan(8)
  })
})
