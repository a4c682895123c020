/** Servers that lie, and servers that are bad: never a wrong `available`, in bounded time, and whoever did it is named. */
import type { SampleReport } from 'blobcheck/sampler'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Manner, type Oracle, plainly } from '../support/beacon-server.ts'
import { slots } from '../support/blocks.ts'
import { concat, flip } from '../support/bytes.ts'
import { startServer } from '../support/clients.ts'
import {
  all,
  type ColumnBlock,
  columnBlock,
  columnOracle,
  only,
  type Selection,
} from '../support/column-oracle.ts'
import { range, seeded, shuffled } from '../support/make.ts'
import { badManners } from '../support/manners.ts'
import { expectSound, samplerFor } from '../support/samplers.ts'
import { listSsz } from '../support/ssz.ts'

type Bytes = Uint8Array<ArrayBuffer>

let block: ColumnBlock
let other: ColumnBlock
beforeAll(async () => {
  block = await columnBlock([3, 4])
  other = await columnBlock([5, 6], slots.fulu, 2)
})

/** Indices are at the front, little-endian. */
const renamed = (column: Bytes, index: number): Bytes => {
  const copy = new Uint8Array(column)
  copy[0] = index
  return copy
}
const each =
  (change: (column: Bytes, index: number) => Bytes): Selection =>
  (asked, columns) =>
    asked.map((index) => change(columns[index]!, index))

const COLUMN = 356
const COMMITMENTS = COLUMN + 2 * 2048
const PROOFS = COMMITMENTS + 2 * 48
const BRANCH = 8 + 12 + 208

/** What is sent in the place of columns, and the reason for which it is refused. */
const lies: Readonly<Record<string, { readonly select: () => Selection; readonly reason: string }>> = {
  'a cell with a bit flipped': {
    select: () => each((column) => flip(column, COLUMN + 2047)),
    reason: 'proof-mismatch',
  },
  'a cell that is no field element': {
    select: () =>
      each((column) =>
        concat(column.subarray(0, COLUMN), new Uint8Array(32).fill(0xff), column.subarray(COLUMN + 32)),
      ),
    reason: 'scalar-not-canonical',
  },
  'a proof that is no point': {
    select: () => each((column) => flip(column, PROOFS + 47)),
    reason: 'proof-encoding',
  },
  'proofs of another cell': {
    select: () => each((column) => concat(column.subarray(0, PROOFS), column.subarray(COMMITMENTS, PROOFS))),
    reason: 'proof-mismatch',
  },
  'the column of another index': {
    select: () => (asked, columns) =>
      asked.map((index) => renamed(flip(columns[(index + 1) % 128]!, COLUMN + 31, 3), index)),
    reason: 'proof-mismatch',
  },
  'the columns of another block': {
    select: () => (asked) => all(asked, other.columns),
    reason: 'header-mismatch',
  },
  'another block’s commitments under this header': {
    select: () =>
      each((column) =>
        concat(
          column.subarray(0, COMMITMENTS),
          other.columns[0]!.subarray(COMMITMENTS, PROOFS),
          column.subarray(PROOFS),
        ),
      ),
    reason: 'inclusion-mismatch',
  },
  'a forged branch': {
    select: () => each((column) => flip(column, BRANCH + 5)),
    reason: 'inclusion-mismatch',
  },
  'a forged header': { select: () => each((column) => flip(column, 8 + 12 + 8)), reason: 'header-mismatch' },
  'a column without a blob': {
    select: () =>
      each((column) => {
        const empty = column.slice(0, COLUMN)
        for (const at of [8, 12, 16]) new DataView(empty.buffer).setUint32(at, COLUMN, true)
        return empty
      }),
    reason: 'column-empty',
  },
}

const fewTerms = { target: { columns: 6 }, allowMissing: 0, timeoutMs: 2_000 } as const

describe.each(Object.entries(lies))('%s', (_name, { select, reason }) => {
  it('is refused, and its sender named', async () => {
    const liar = await startServer(columnOracle([block], select()))
    const report = await samplerFor(block, liar.url, fewTerms).sampleBlock('head')
    expectSound(report)
    // Whether this block has blobs at all is not proven here: nobody is accused of hiding them.
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'may-have-no-blobs' })
    const [share] = report.endpoints
    expect(share).toMatchObject({ endpoint: liar.url, verified: [] })
    expect(share?.refused).toHaveLength(6)
    for (const refused of share?.refused ?? []) expect(refused.reason).toContain(reason)
    for (const column of report.columns) {
      expect(column).toMatchObject({ status: 'missing', reason: 'false', attempts: [{ outcome: 'false' }] })
    }
  })

  it('does no harm beside an honest server, who is asked for the same columns', async () => {
    const liar = await startServer(columnOracle([block], select()))
    const honest = await startServer(columnOracle([block]))
    const sampler = samplerFor(block, [liar.url, honest.url], fewTerms)
    const report = await sampler.sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'available', confidence: { samples: 6, missing: 0, servers: 1 } })
    expect(report.endpoints[0]).toMatchObject({ endpoint: liar.url, verified: [] })
    expect(report.endpoints[0]?.refused).toHaveLength(3)
    expect(report.columns.every(({ source }) => source === honest.url)).toBe(true)
    // It is not asked again while another answers.
    const again = await sampler.sampleBlock('head')
    expect(again).toMatchObject({ verdict: 'available' })
    expect(liar.asked).toHaveLength(1)
  })
})

describe('a liar among columns', () => {
  it('is found where one column alone is false', async () => {
    for (const seed of range(4)) {
      const bad = Math.floor(seeded(seed)() * 128)
      const liar = await startServer(
        columnOracle(
          [block],
          each((column, index) => (index === bad ? flip(column, COLUMN + 100) : column)),
        ),
      )
      const report = await samplerFor(block, liar.url, { target: { columns: 128 } }).sampleBlock('head')
      expectSound(report)
      expect(report.endpoints[0]?.refused).toEqual([{ index: bad, reason: 'proof-mismatch' }])
      expect(report.columns.filter(({ status }) => status === 'missing').map(({ index }) => index)).toEqual([
        bad,
      ])
      expect(report).toMatchObject({ verdict: 'available', reason: 'reconstructible' })
    }
  })

  it('gains nothing by what was not asked for, by copies, or by another order', async () => {
    const talkative: Selection = (asked, columns) => {
      const extra = range(128)
        .filter((index) => !asked.includes(index))
        .slice(0, 3)
      return [...all([...extra, ...asked].reverse(), columns), columns[asked[0]!]!]
    }
    const server = await startServer(columnOracle([block], talkative))
    const report = await samplerFor(block, server.url, fewTerms).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'available', endpoints: [{ unrequested: 3, duplicates: 1 }] })
    // Instead of what was asked for, it is nothing.
    const others: Selection = (asked, columns) =>
      all(
        range(128)
          .filter((index) => !asked.includes(index))
          .slice(0, 6),
        columns,
      )
    const evader = await startServer(columnOracle([block], others))
    const evaded = await samplerFor(block, evader.url, fewTerms).sampleBlock('head')
    expect(evaded.verdict).not.toBe('available')
    expect(evaded.endpoints[0]).toMatchObject({ verified: [], unrequested: 6 })
    expect(evaded.endpoints[0]?.notDelivered).toHaveLength(6)
  })
})

describe('a server that holds 63 columns', () => {
  const withheld = (seed: number): ((index: number) => boolean) => {
    const held = new Set(shuffled(range(128), seeded(seed)).slice(0, 63))
    return (index) => held.has(index)
  }

  it.each([
    [{ columns: 26 }, 8],
    [{ columns: 26 }, 64],
    [{ columns: 64 }, 64],
    [{ columns: 128 }, 64],
    [{ columns: 128 }, 0],
    [{ maxError: 2 ** -40 }, 8],
  ] as const)('is never enough: %j, %i may be missing', async (target, allowMissing) => {
    for (const seed of range(6)) {
      const server = await startServer(columnOracle([block], only(withheld(seed))))
      const report = await samplerFor(block, server.url, { target, allowMissing }).sampleBlock('head')
      expectSound(report)
      expect(report).toMatchObject({ verdict: 'unavailable', reason: 'columns-missing' })
      const verified = report.columns.filter(({ status }) => status === 'verified')
      expect(verified.length).toBeLessThanOrEqual(63)
      for (const { index, reason, status } of report.columns)
        expect([status, reason]).toEqual(
          withheld(seed)(index) ? ['verified', null] : ['missing', 'not-delivered'],
        )
    }
  })

  it('is not made enough by being asked twice, or by a second one with the same columns', async () => {
    const [a, b] = [
      await startServer(columnOracle([block], only(withheld(1)))),
      await startServer(columnOracle([block], only(withheld(1)))),
    ]
    for (let round = 0; round < 5; round++) {
      const report = await samplerFor(block, [a.url, b.url], { allowMissing: 64 }).sampleBlock('head')
      expectSound(report)
      expect(report.verdict).toBe('unavailable')
    }
  })

  it('with one that holds the others makes a whole', async () => {
    const [a, b] = [
      await startServer(columnOracle([block], only(withheld(1)))),
      await startServer(
        columnOracle(
          [block],
          only((index) => !withheld(1)(index)),
        ),
      ),
    ]
    const report = await samplerFor(block, [a.url, b.url]).sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'available', confidence: { missing: 0, independent: false } })
  })
})

describe('a maker of a block who published 63 columns, and shows us all of them', () => {
  it('does not make them independent by an honest server beside', async () => {
    for (const seed of range(6)) {
      const held = new Set(shuffled(range(128), seeded(seed)).slice(0, 63))
      const maker = await startServer(columnOracle([block]))
      const honest = await startServer(
        columnOracle(
          [block],
          only((index) => held.has(index)),
        ),
      )
      const report = await samplerFor(block, [maker.url, honest.url]).sampleBlock('head')
      expectSound(report)
      expect(report).toMatchObject({
        verdict: 'available',
        confidence: { missing: 0, servers: 2, independent: false },
      })
      const { assumption, contested, maxErrorIfOneLies } = report.confidence
      // What it denied, not what it was asked for: a connection may fail, and then the maker is asked instead.
      const { notDelivered } = report.endpoints[1]!
      expect(notDelivered.every((index) => !held.has(index))).toBe(true)
      expect(contested.toSorted((a, b) => a - b)).toEqual(notDelivered.toSorted((a, b) => a - b))
      expect(contested.length).toBeGreaterThan(0)
      expect(assumption).toContain('that this server has them is shown, not that others can get them')
      expect(maxErrorIfOneLies).toBeGreaterThan(0.5)
      expect(report.notVerified).toContain('independence-of-endpoints')
    }
  })
})

describe('some columns that are missing', () => {
  it('make the sample grow by the table, from columns that were not chosen before', async () => {
    let grown = 0
    for (const seed of range(12)) {
      const gone = new Set(shuffled(range(128), seeded(seed)).slice(0, 12))
      const server = await startServer(
        columnOracle(
          [block],
          only((index) => !gone.has(index)),
        ),
      )
      const sampler = samplerFor(block, server.url, { target: { columns: 16 } })
      const report = await sampler.sampleBlock('head')
      expectSound(report)
      const missing = report.columns.filter(({ status }) => status === 'missing').length
      expect(report.verdict).toBe('available')
      if (report.reason === 'sampled')
        expect(report.columns).toHaveLength([16, 20, 24, 27, 29, 32, 35, 37, 40][missing]!)
      expect(report.columns.filter(({ added }) => added)).toHaveLength(report.columns.length - 16)
      if (missing > 0) grown++
    }
    expect(grown).toBeGreaterThan(0)
  })

  it('decide at once where none may be missing', async () => {
    const server = await startServer(
      columnOracle(
        [block],
        only((index) => index > 64),
      ),
    )
    const report = await samplerFor(block, server.url, {
      target: { columns: 60 },
      allowMissing: 0,
    }).sampleBlock('head')
    expectSound(report)
    expect(report.confidence.samples).toBe(60)
    expect(report.verdict).toBe('unavailable')
    // What decides is whether half of all columns can be had.
    expect(report.columns).toHaveLength(128)
  })
})

describe('a server that', () => {
  const run = async (
    manner: Manner,
    { hangs = false, oracle = columnOracle([block]) }: { hangs?: boolean; oracle?: Oracle } = {},
  ): Promise<{ alone: SampleReport; beside: SampleReport; url: string; asked: readonly string[] }> => {
    const bad = await startServer(oracle, manner)
    const good = await startServer(columnOracle([block]))
    // Short where that is what ends it, and long where a machine that stalls must not; `Retry-After: 60` is no time in either.
    const patience = hangs ? { timeoutMs: 400, deadlineMs: 4_000 } : { timeoutMs: 6_000, deadlineMs: 6_000 }
    const terms = { target: { columns: 4 }, allowMissing: 0, ...patience } as const
    const alone = await samplerFor(block, bad.url, terms).sampleBlock('head')
    const asked = bad.asked.map(({ path }) => path)
    const beside = await samplerFor(block, [bad.url, good.url], terms).sampleBlock('head')
    expectSound(alone)
    expectSound(beside)
    expect(alone.verdict).toBe('unknown')
    expect(alone.timings.totalMs).toBeLessThan(60_000)
    expect(beside).toMatchObject({ verdict: 'available', confidence: { missing: 0 } })
    return { alone, beside, url: bad.url, asked }
  }

  it.each(
    Object.entries(badManners).filter(([name]) => !/nothing$|adds a byte|fork of the future/.test(name)),
  )('%s is named for it, and stops nobody', async (_name, { manner, kind }) => {
    const { alone, beside, url } = await run(manner, { hangs: kind === 'timeout' })
    for (const report of [alone, beside]) {
      const share = report.endpoints.find(({ endpoint }) => endpoint === url)
      expect(share?.verified).toEqual([])
      expect(share?.failures[0]?.kind).toBe(kind)
    }
    const reason = kind === 'not-found' ? 'not-delivered' : 'unreachable'
    expect(alone.reason).toBe(kind === 'not-found' ? 'may-have-no-blobs' : 'unreachable')
    for (const column of alone.columns) expect(column).toMatchObject({ status: 'missing', reason })
  })

  it('sends us elsewhere is not followed', async () => {
    const target = await startServer(columnOracle([block]))
    const redirect: Manner = (_said, request, response) =>
      void response.writeHead(307, { location: `${target.url}${request.url ?? ''}?key=secret` }).end()
    const { alone, asked } = await run(redirect)
    expect(target.asked).toEqual([])
    // The origin alone: the rest may have a key. It does not pass, and so nothing is asked twice.
    const detail = `it redirects to ${target.url}, which is not followed: give the address where it leads`
    expect(alone.endpoints[0]?.failures[0]).toMatchObject({ kind: 'refused', detail })
    expect(asked).toEqual([...new Set(asked)])
  })

  it('answers with nothing at all has delivered nothing', async () => {
    const { alone } = await run(badManners['answers with nothing']!.manner)
    // Columns were there none; but of the block, which is asked for then, that is no answer.
    expect(alone).toMatchObject({
      reason: 'may-have-no-blobs',
      endpoints: [{ failures: [{ kind: 'malformed' }] }],
    })
    expect(alone.endpoints[0]?.notDelivered).toHaveLength(4)
  })

  it.each([
    ['adds a byte to everything', 1],
    ['cuts a byte off', -1],
    ['cuts a proof off, so that the rest has the form of a column', -48],
    ['cuts all proofs of a column off', -96],
    ['cuts into the commitments', -150],
    ['cuts most of a column off', -4_000],
    ['leaves nothing of a column', -(356 + 2 * (2048 + 96))],
  ])('%s accuses nobody, and the columns before that are taken', async (_name, more) => {
    const damaging: Manner = (said, request, response) => {
      const body = said.body as Uint8Array
      const damaged = more > 0 ? concat(body, new Uint8Array(more)) : body.subarray(0, more)
      plainly({ ...said, body: said.status === undefined ? damaged : body }, request, response)
    }
    const server = await startServer(columnOracle([block]), damaging)
    const report = await samplerFor(block, server.url, fewTerms).sampleBlock('head')
    expectSound(report)
    // The same answer in JSON could not be parsed.
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
    const [share] = report.endpoints
    expect(share).toMatchObject({ refused: [], notDelivered: [], failures: [{ kind: 'malformed' }] })
    expect(share!.verified).toHaveLength(5)
    const missing = report.columns.filter(({ status }) => status === 'missing')
    expect(missing).toMatchObject([{ reason: 'unreachable', attempts: [{ outcome: 'malformed' }] }])
    // Nor is what such an answer lacks denied by it.
    const lacking = await startServer(
      columnOracle([block], (asked, columns) => all(asked.slice(1), columns)),
      damaging,
    )
    const unknown = await samplerFor(block, lacking.url, fewTerms).sampleBlock('head')
    expect(unknown).toMatchObject({ verdict: 'unknown', reason: 'not-all-answered' })
    // An honest one beside it is asked for the rest.
    const honest = await startServer(columnOracle([block]))
    const beside = await samplerFor(block, [server.url, honest.url], fewTerms).sampleBlock('head')
    expect(beside).toMatchObject({ verdict: 'available', confidence: { missing: 0, servers: 2 } })
  })

  it('says that there is nothing is not believed', async () => {
    for (const body of [new Uint8Array(0), '{"version":"fulu","data":[]}']) {
      const type = typeof body === 'string' ? 'application/json' : 'application/octet-stream'
      const { alone } = await run((_said, request, response) =>
        plainly({ headers: { 'content-type': type }, body }, request, response),
      )
      expect(alone.reason).toBe('may-have-no-blobs')
      expect(alone.endpoints[0]?.notDelivered).toHaveLength(4)
    }
  })

  it.each([203, 206])(
    'answers with status %i denies nothing by it, and what it has is taken',
    async (status) => {
      const json = '{"version":"fulu","data":[]}'
      const { alone } = await run((_said, _request, response) => {
        response.writeHead(status, { 'content-type': 'application/json' }).end(json)
      })
      expect(alone).toMatchObject({ verdict: 'unknown', reason: 'unreachable' })
      expect(alone.endpoints[0]).toMatchObject({
        ...{ notDelivered: [], refused: [] },
        failures: [{ kind: 'malformed', detail: `status ${status}, and not all of it` }],
      })
      const whole = await startServer(columnOracle([block]), (said, request, response) =>
        plainly({ ...said, status: said.status ?? status }, request, response),
      )
      const report = await samplerFor(block, whole.url, fewTerms).sampleBlock('head')
      expectSound(report)
      expect(report).toMatchObject({ verdict: 'available', endpoints: [{ failures: [] }] })
    },
  )

  it('sends lists that are none is named for it', async () => {
    const [a, b] = [block.columns[1]!, block.columns[2]!]
    const list = listSsz([a, b])
    const changed = (at: number, value: number): Bytes => {
      const copy = new Uint8Array(list)
      new DataView(copy.buffer).setUint32(at, value, true)
      return copy
    }
    const bodies = [
      list.slice(0, 3),
      changed(0, 0),
      changed(0, 7),
      changed(0, 4 * 129),
      changed(0, 2 ** 32 - 4),
      changed(4, 4),
      changed(4, 2 ** 32 - 1),
      listSsz([a.slice(0, 1000), b.slice(0, 1000)]),
    ]
    for (const body of bodies) {
      const { alone } = await run((_said, request, response) =>
        plainly({ headers: { 'content-type': 'application/octet-stream' }, body }, request, response),
      )
      expect(alone.endpoints[0]?.failures[0]?.kind).toBe('malformed')
    }
    for (const body of [
      '{"data":5}',
      '[]x',
      '{"data":[{}]}',
      `{"data":[${'{},'.repeat(8000)}{}]}`,
      '{"data":[{"index":"a"}]}',
    ]) {
      const { alone } = await run((_said, request, response) =>
        plainly({ headers: { 'content-type': 'application/json' }, body }, request, response),
      )
      expect(alone.endpoints[0]?.failures[0]?.kind, body.slice(0, 30)).toBe('malformed')
    }
  })

  it('drips until the deadline keeps nobody longer', async () => {
    const slow = await startServer(columnOracle([block]), badManners['drips for ever']!.manner)
    const sampler = samplerFor(block, slow.url, { timeoutMs: 60_000, deadlineMs: 300 })
    const report = await sampler.sampleBlock('head')
    expectSound(report)
    expect(report).toMatchObject({ verdict: 'unknown', reason: 'unreachable' })
    expect(report.columns).toHaveLength(26)
    expect(report.columns[0]).toMatchObject({
      status: 'missing',
      reason: 'unreachable',
      attempts: [{ outcome: 'timeout' }],
    })
  })

  it('fails once is asked again', async () => {
    let asked = 0
    const server = await startServer(columnOracle([block]), (said, request, response) =>
      asked++ === 0 ? void response.writeHead(503).end() : plainly(said, request, response),
    )
    const report = await samplerFor(block, server.url, { target: { columns: 3 } }).sampleBlock('head')
    expectSound(report)
    expect(report.verdict).toBe('available')
    expect(report.columns[0]?.attempts).toMatchObject([{ outcome: 'server-error' }, { outcome: 'verified' }])
  })
})
