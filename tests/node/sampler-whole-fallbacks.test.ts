/** Whom a sampler turns to where data is missing: files, the nodes, archives; in which order, for what, and until when. */
import type { SidecarFile } from 'blobcheck/sampler'
import { describe, expect, it } from 'vitest'
import { DisposedError } from '../../dist/runtime/errors.js'
import type { Finding } from '../../dist/sampler/finding.js'
import { fallBack } from '../../dist/sampler/whole/fallbacks.js'
import { BLOB_BYTES, range, turn } from '../support/make.ts'
import {
  blob,
  commitments,
  giving,
  join,
  lacking,
  type Node,
  readsBlock,
  sceneOf,
  sidecar,
  type World,
} from '../support/sample-context.ts'
import { VirtualTime } from '../support/virtual-time.ts'

const nothing: Node = () => 404
/** A node that has bare blobs, or blob sidecars, or the block, and nothing else. */
const having =
  (has: 'blobs' | 'sidecars' | 'block', count = 2): Node =>
  async (question) => {
    if (question.what !== has) return 404
    if (has === 'sidecars') return await giving('sidecars', count, () => 'true')(question)
    return has === 'blobs' ? join(range(count).map((at) => blob(at))) : new Uint8Array(9)
  }
const file: SidecarFile = { name: 'file', kind: 'blob-sidecars', bytes: sidecar(0, 1) }
const readBlock = readsBlock(commitments(2))
const known = lacking({ commitments: commitments(2) })

/** What became of a finding, and who was asked for what, one after the other. */
async function fall(world: World, finding: Finding = known) {
  const { context, asked, timings } = sceneOf(world)
  const found = await fallBack(finding, context)
  return { found, asked: asked.map(({ node, what }) => `${node}: ${what}`), timings }
}

/** Everybody there is, and nobody has anything. */
const everybody: World = { nodes: { a: nothing }, archives: { old: nothing }, blobs: true }

describe('whoever may have the data', () => {
  it('is asked for it: the nodes for blobs, archives for sidecars first', async () => {
    const { found, asked } = await fall(everybody)
    expect(asked).toEqual(['a: blobs', 'a: sidecars', 'old: sidecars', 'old: blobs'])
    expect(found).toEqual({ ...known, endpoints: found.endpoints })
    expect(found.endpoints).toMatchObject([
      { endpoint: 'http://a', requests: 2, failures: [{ kind: 'not-found' }, { kind: 'not-found' }] },
      { endpoint: 'http://old', requests: 2 },
    ])
  })

  it('is asked only if the caller wants it', async () => {
    const { archives, ...withoutArchives } = everybody
    expect((await fall(withoutArchives)).asked).toEqual(['a: blobs', 'a: sidecars'])
    expect((await fall({ ...everybody, blobs: false })).asked).toEqual(['old: sidecars', 'old: blobs'])
    const { found, asked } = await fall({ nodes: { a: having('blobs') } })
    expect(asked).toEqual([])
    expect(found).toBe(known)
  })

  it.each<[string, World, Partial<Finding>]>([
    ['a file', { files: [file] }, { via: 'blob-sidecars', fallback: { from: 'files', sources: ['file'] } }],
    [
      'a node',
      { nodes: { a: having('blobs') } },
      { via: 'blobs', fallback: { from: 'endpoints', sources: ['http://a'] } },
    ],
    [
      'a node with sidecars alone',
      { nodes: { a: having('sidecars') } },
      { via: 'blob-sidecars', fallback: { from: 'endpoints', sources: ['http://a'] } },
    ],
    [
      'an archive',
      { archives: { old: having('blobs') } },
      { via: 'blobs', fallback: { from: 'archives', sources: ['http://old'] } },
    ],
  ])('is the last one who is asked, where it has the data: %s', async (_, world, expected) => {
    const { found, asked } = await fall({ ...everybody, ...world })
    expect(found).toMatchObject({ verdict: 'available', reason: 'complete', ...expected })
    const { samples, missing } = known.confidence
    expect(found).toMatchObject({ columns: known.columns, confidence: { samples, missing, certain: true } })
    const [source] = found.fallback!.sources
    if (source === 'file') expect(asked).toEqual([])
    else expect(`http://${asked.at(-1)}`).toContain(`${source}: `)
  })

  it.each([
    ['available', 'sampled'],
    ['no-blobs', 'proven-empty'],
    ['payload-not-revealed', 'payload-not-revealed'],
    ['unavailable', 'count-mismatch'],
    ['unknown', 'unsupported-fork'],
  ] as const)('is left alone where more data would say no more: %s, %s', async (verdict, reason) => {
    const finding = lacking({ verdict, reason, commitments: commitments(1) })
    const { found, asked } = await fall({ ...everybody, files: [file] }, finding)
    expect(found).toBe(finding)
    expect(asked).toEqual([])
  })

  it.each([
    ['unavailable', 'columns-missing'],
    ['unknown', 'unreachable'],
    ['unknown', 'may-have-no-blobs'],
  ] as const)('is wanted where it would say more: %s, %s', async (verdict, reason) => {
    const { asked } = await fall(everybody, lacking({ verdict, reason, commitments: commitments(1) }))
    expect(asked).toHaveLength(4)
  })

  it('is not asked once the time is over, nor named; files are read all the same', async () => {
    const until = AbortSignal.abort()
    const late = await fall({ ...everybody, until })
    expect(late.asked).toEqual([])
    expect(late.found).toBe(known)
    const { found } = await fall({ ...everybody, until, files: [file] })
    expect(found).toMatchObject({ verdict: 'available', fallback: { from: 'files' } })
  })

  it('is not named where somebody else was asked in its place', async () => {
    const archives = { one: having('sidecars', 1), other: nothing }
    const { found, asked } = await fall({ archives })
    expect(asked).toEqual(['one: sidecars'])
    expect(found.endpoints.map(({ endpoint }) => endpoint)).toEqual(['http://one'])
  })

  it('is named for each of its sidecars that is false, and for what else was wrong with it', async () => {
    const lying = giving('sidecars', 2, (index) => (index === 0 ? 'true' : 'false'))
    const { found } = await fall({ archives: { old: lying } })
    expect(found).toMatchObject({ verdict: known.verdict, fallback: null, blobs: null })
    expect(found.endpoints).toMatchObject([
      {
        ...{ endpoint: 'http://old', requests: 3, asked: [], verified: [], refused: [] },
        failures: [
          { kind: 'invalid', detail: 'blob-sidecar 1: proof-mismatch' },
          { kind: 'refused', detail: 'status 400' },
        ],
      },
    ])
    expect(found.endpoints[0]!.bytes).toBeGreaterThan(2 * BLOB_BYTES)
  })
})

describe('sidecars of blobs', () => {
  it('are asked of nodes once: of blocks before Fulu they were asked first', async () => {
    const finding = lacking({ via: 'blob-sidecars', commitments: commitments(1) })
    const { asked } = await fall({ ...everybody, block: { commitments: commitments(2) } }, finding)
    expect(asked).toEqual(['a: blobs', 'old: sidecars', 'old: blobs'])
  })

  it('are there before Gloas alone', async () => {
    const block = { commitments: commitments(2) }
    const before = await fall({ ...everybody, block })
    expect(before.asked).toContain('old: sidecars')
    const since = await fall({ ...everybody, block: { ...block, isOfGloas: true } })
    expect(since.asked).toEqual(['a: blobs', 'old: blobs'])
  })
})

describe('the block, for its commitments', () => {
  const unknown = lacking()
  const both: World = {
    nodes: { a: having('block') },
    archives: { old: having('blobs') },
    ...{ blobs: true, readBlock },
  }

  it('is asked for once, by whoever needs it first, and serves all who come after', async () => {
    const { found, asked } = await fall(both, unknown)
    expect(asked).toEqual(['a: block', 'a: blobs', 'a: sidecars', 'old: sidecars', 'old: blobs'])
    expect(found).toMatchObject({
      ...{ verdict: 'available', via: 'blobs', commitments: commitments(2) },
      links: { inclusion: 'verified' },
    })
    expect(found.endpoints[0]).toMatchObject({ endpoint: 'http://a', requests: 3 })
  })

  it('is asked for once where it cannot be had, either, and then nobody is asked for bare blobs', async () => {
    const { found, asked } = await fall({ ...both, nodes: { a: nothing } }, unknown)
    expect(asked).toEqual(['a: block', 'a: sidecars', 'old: sidecars'])
    expect(found).toMatchObject({ verdict: unknown.verdict, commitments: [] })
    // As where it cannot be read here.
    const readBlock = async (): Promise<never> => await Promise.reject(new Error('no module'))
    const unread = await fall({ ...both, readBlock }, unknown)
    expect(unread.asked).toEqual(['a: block', 'a: sidecars', 'old: sidecars'])
    expect(unread.found.detail).toBeNull()
  })

  it.each([1, 2])('is not asked for where a column told all %i of them', async (count) => {
    const finding = lacking({ commitments: commitments(count) })
    expect((await fall(both, finding)).asked).not.toContain('a: block')
  })

  it('is asked for where sidecars told some of them', async () => {
    const finding = lacking({ via: 'blob-sidecars', commitments: commitments(1) })
    const { found, asked } = await fall(both, finding)
    expect(asked).toEqual(['a: block', 'a: blobs', 'old: sidecars', 'old: blobs'])
    expect(found.commitments).toEqual(commitments(2))
  })

  it('is not asked for where it is known', async () => {
    const { found, asked } = await fall({ ...both, block: { commitments: commitments(2) } }, unknown)
    expect(asked).not.toContain('a: block')
    expect(found.verdict).toBe('available')
  })

  it('is nobody’s any more where the caller or the verifier has gone', async () => {
    const caller = new AbortController()
    const leaving: Node = () => {
      caller.abort(new Error('gone'))
      return 404
    }
    const world = { ...both, nodes: { a: leaving }, signal: caller.signal }
    await expect(fall(world, unknown)).rejects.toThrow('gone')
    const disposed = new DisposedError()
    const readBlock = async (): Promise<never> => await Promise.reject(disposed)
    await expect(fall({ ...both, readBlock }, unknown)).rejects.toBe(disposed)
  })

  it('takes time that is spent fetching, whether it comes or not', async () => {
    const time = new VirtualTime()
    for (const slow of [nothing, having('block')])
      await time.during(async () => {
        await time.pass(50)
        const nodes: World['nodes'] = {
          a: async (question) => {
            if (question.what === 'block') await turn(700)
            return await slow(question)
          },
        }
        const { timings } = await time.until(fall({ nodes, blobs: true, readBlock }, unknown))
        expect(timings).toEqual({ fetchMs: 700, verifyMs: 0 })
      })
  })
})
