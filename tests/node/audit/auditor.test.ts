/** What is found out of one server, by itself, whatever the others have. */
import { createVerifier, type Verifier } from 'blobcheck'
import { type MadeChain, makeChain } from 'blobcheck/serve'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  type AuditJob,
  type AuditorOptions,
  createAuditor,
  packJob,
  type RangeResult,
  type SlotResult,
  unpackJob,
} from '../../../dist/audit/index.js'
import { flawedApp, flawedServer, type Flaws } from '../../support/audits.ts'
import { beaconOf } from '../../support/beacons.ts'
import { freePort } from '../../support/free-port.ts'
import { later, unanswered, until } from '../../support/make.ts'

const FIRST = 64
const [EMPTY, WITHOUT_BLOBS] = [70, 71]
let chain: MadeChain
let verifier: Verifier

beforeAll(async () => {
  chain = await makeChain({
    slots: 24,
    blobsPerBlock: (slot) => (slot === WITHOUT_BLOBS ? 0 : 2),
    isMissed: (slot) => slot === EMPTY,
    signHeaders: false,
  })
  verifier = await createVerifier({ network: chain.network, cache: false, workers: 1 })
})

afterAll(async () => {
  await verifier.dispose()
})

/** A job of slots of a chain. */
function jobOf(of: MadeChain, from: number, to: number): AuditJob {
  const at = (slot: number): AuditJob['slots'][number] => ({ slot, header: of.at(slot) })
  return {
    ...{ from, to, trust: 'trusted' },
    slots: Array.from({ length: to - from + 1 }, (_, index) => at(from + index)),
    next: at(to + 1),
  }
}

async function audited(servers: readonly string[], from: number, to: number): Promise<SlotResult[]> {
  const auditor = createAuditor({
    ...{ verifier, servers, beacon: await flawedServer(chain), attempts: 2 },
    ...{ timeoutMs: 3_000, deadlineMs: 10_000 },
  })
  const seen: number[] = []
  const result = await auditor.audit(jobOf(chain, from, to), {
    signal: new AbortController().signal,
    onSlot: ({ slot }) => seen.push(slot),
  })
  expect(result).toMatchObject({ from, to })
  expect(result.slots.map(({ slot }) => slot)).toEqual(seen.toSorted((a, b) => a - b))
  return [...result.slots]
}

const serverOf = async (flaws: Flaws): Promise<string> => await flawedServer(chain, flaws)

describe('a server', () => {
  it('that has everything is complete, and is asked for no block', async () => {
    const paths: string[] = []
    const url = await serverOf({ onRequest: (path) => paths.push(path) })
    const slots = await audited([url], FIRST, 75)
    for (const slot of slots) {
      const outcome = slot.slot === EMPTY ? 'no-block' : slot.slot === WITHOUT_BLOBS ? 'no-blobs' : 'complete'
      expect(slot).toMatchObject({ outcome, header: 'trusted', root: chain.at(slot.slot)?.root ?? null })
      expect(slot.servers).toHaveLength(outcome === 'complete' ? 1 : 0)
      expect(slot.blobs).toEqual(outcome === 'complete' ? { wanted: 2, valid: 2 } : { wanted: 0, valid: 0 })
      // Columns may have been asked for beside, where the machine was busy.
      expect(slot.bytes).toBeGreaterThanOrEqual(outcome === 'complete' ? 2 * 131_072 : 0)
    }
    expect(paths).not.toEqual([])
    for (const path of paths) expect(path).toMatch(/\/(blobs|data_column_sidecars|blob_sidecars)\/0x/)
  })

  it.each<[string, Flaws, SlotResult['outcome'], object]>([
    ['lacks a block’s data', { missing: [66] }, 'missing', { lacks: [0, 1], refused: [] }],
    ['gives a blob that is not the block’s', { wrong: [66] }, 'wrong', { lacks: [0] }],
    ['gives what cannot be read', { unreadable: [66] }, 'unreadable', { lacks: [0, 1], refused: [] }],
    ['has an error of its own', { failing: [66] }, 'unknown', { lacks: [0, 1], refused: [] }],
  ])('that %s is told of it in that slot alone', async (_what, flaws, outcome, server) => {
    const slots = await audited([await serverOf(flaws)], 65, 67)
    expect(slots.map((slot) => slot.outcome)).toEqual(['complete', outcome, 'complete'])
    expect(slots[1]!.servers).toMatchObject([{ outcome, ...server }])
    const { refused, failures } = slots[1]!.servers[0]!
    expect(outcome === 'wrong' ? refused : failures).not.toEqual([])
  })

  it.each<[string, Flaws['rules'], SlotResult['outcome']]>([
    ['hides blobs', [{ fault: { kind: 'hide-blobs' } }], 'missing'],
    ['spoils all it has', [{ fault: { kind: 'corrupt', part: 'cell' } }], 'wrong'],
    ['breaks off', [{ fault: { kind: 'truncate', at: 0.5 } }], 'unreadable'],
    ['asks for patience for ever', [{ fault: { kind: 'status', code: 429 } }], 'unknown'],
    ['wants a request of another form', [{ fault: { kind: 'status', code: 400 } }], 'unknown'],
    ['does not know the key any more', [{ fault: { kind: 'status', code: 401 } }], 'unknown'],
    ['forbids it', [{ fault: { kind: 'status', code: 403 } }], 'unknown'],
    ['has no such routes', [{ fault: { kind: 'status', code: 405 } }], 'unknown'],
    ['has not made them yet', [{ fault: { kind: 'status', code: 501 } }], 'unknown'],
    [
      // As Lighthouse does where it has too few columns.
      'refuses blobs, and lacks columns,',
      [
        { fault: { kind: 'status', code: 400 }, routes: ['blobs', 'blob_sidecars'] },
        { fault: { kind: 'withhold', columns: 65 } },
      ],
      'missing',
    ],
  ])('that %s is told of it', async (_what, rules, outcome) => {
    const [slot] = await audited([await beaconOf(chain, ...rules!)], 66, 66)
    expect(slot).toMatchObject({ outcome, blobs: { wanted: 2, valid: 0 } })
  })

  it('that gives columns alone has everything', async () => {
    const url = await serverOf({
      rules: [{ fault: { kind: 'status', code: 404 }, routes: ['blobs', 'blob_sidecars'] }],
    })
    const [slot] = await audited([url], 66, 66)
    expect(slot).toMatchObject({ outcome: 'complete', servers: [{ lacks: [] }] })
  })

  it('that lacks the last blob sidecar is told of it, though such a list looks as if it were cut', async () => {
    const app = flawedApp(chain)
    const SIDECAR = 131_928
    let asked = 0
    const fetch: AuditorOptions['fetch'] = async (url, init) => {
      const response = await app(new Request(url, init as RequestInit))
      if (!url.startsWith('http://server.example')) return response
      asked++
      if (!url.includes('/blob_sidecars/')) return new Response(null, { status: 404 })
      const list = new Uint8Array(await response.arrayBuffer())
      // It begins with the index of its first entry.
      return new Response(list.slice(0, list[0] === 0 ? SIDECAR : 0), { headers: response.headers })
    }
    const terms = { servers: 'http://server.example', beacon: 'http://beacon.example', fetch }
    const auditor = createAuditor({ verifier, ...terms })
    const { slots } = await auditor.audit(jobOf(chain, 66, 66), { signal: new AbortController().signal })
    expect(slots).toMatchObject([
      { outcome: 'missing', servers: [{ outcome: 'missing', lacks: [1], refused: [] }] },
    ])
    // Bare blobs, columns in two parts, and sidecars twice: none of it again.
    expect(asked).toBeLessThan(8)
  })

  it('that is not there is unknown', async () => {
    const [slot] = await audited([`http://127.0.0.1:${await freePort()}`], 66, 66)
    expect(slot).toMatchObject({ outcome: 'unknown', servers: [{ outcome: 'unknown', lacks: [0, 1] }] })
    expect(slot!.servers[0]!.failures[0]).toMatchObject({ kind: 'network' })
  })

  it('is audited by itself: what one lacks is not what another gives', async () => {
    const urls = [await serverOf({}), await serverOf({ missing: [66] }), await serverOf({ wrong: [67] })]
    const slots = await audited(urls, 65, 67)
    expect(slots.map(({ outcome }) => outcome)).toEqual(['complete', 'missing', 'wrong'])
    expect(slots.map(({ servers }) => servers.map(({ outcome }) => outcome))).toEqual([
      ['complete', 'complete', 'complete'],
      ['complete', 'missing', 'complete'],
      ['complete', 'complete', 'wrong'],
    ])
    for (const { blobs } of slots) expect(blobs).toEqual({ wanted: 2, valid: 2 })
    expect(slots[0]!.servers.map(({ server }) => server)).toEqual(urls)
  })
})

describe('a block', () => {
  it('that no endpoint of the chain gives leaves its slot unknown, and the reason with it', async () => {
    const servers = [await serverOf({})]
    const beacon = await serverOf({
      rules: [{ fault: { kind: 'status', code: 404 }, routes: ['blocks'] }],
    })
    const auditor = createAuditor({ verifier, servers, beacon })
    const { slots } = await auditor.audit(jobOf(chain, 66, 66), { signal: new AbortController().signal })
    expect(slots).toMatchObject([
      { outcome: 'unknown', reason: 'no-block', root: chain.at(66)!.root, servers: [] },
    ])
    expect(slots[0]!.detail).toContain('404')
  })

  it('whose header is another chain’s is not given, and nothing is made up', async () => {
    const job = jobOf(chain, 66, 66)
    const root = `0x${'12'.repeat(32)}`
    const made = { ...job, slots: [{ slot: 66, header: { slot: 66, root } }] }
    const url = await serverOf({})
    const auditor = createAuditor({ verifier, servers: url, beacon: url })
    const { slots } = await auditor.audit(made, { signal: new AbortController().signal })
    expect(slots).toMatchObject([{ outcome: 'unknown', reason: 'no-block' }])
  })

  it('that two audits wait for is fetched once, and is not lost to one where the other ends', async () => {
    const { promise: isAsked, resolve: ask } = later()
    const paths: string[] = []
    const beacon = await serverOf({
      onRequest: (path) => (paths.push(path), ask()),
      rules: [{ fault: { kind: 'delay', ms: 300 }, routes: ['blocks'] }],
    })
    const auditor = createAuditor({ verifier, servers: await serverOf({}), beacon })
    const [leaving, staying, alsoLeaving] = [1, 2, 3].map(() => new AbortController())
    const audit = ({ signal }: AbortController): Promise<RangeResult> =>
      auditor.audit(jobOf(chain, 66, 66), { signal })
    const first = audit(leaving!)
    await isAsked
    const second = audit(staying!)
    const third = audit(alsoLeaving!)
    leaving!.abort(new Error('the first leaves'))
    alsoLeaving!.abort(new Error('the third leaves'))
    await expect(first).rejects.toThrow('the first leaves')
    await expect(third).rejects.toThrow('the third leaves')
    expect((await second).slots).toMatchObject([{ outcome: 'complete' }])
    expect(paths.filter((path) => path.includes('/blocks/'))).toHaveLength(1)
  })
})

describe('a chain of Gloas', () => {
  const WITHHELD = 100
  let gloas: MadeChain
  let own: Verifier

  beforeAll(async () => {
    gloas = await makeChain({
      ...{ slots: 48, blobsPerBlock: 1, gloasForkEpoch: 3, signHeaders: false },
      isPayloadWithheld: (slot) => slot === WITHHELD,
    })
    own = await createVerifier({ network: gloas.network, cache: false, workers: 1 })
  })

  afterAll(async () => {
    await own.dispose()
  })

  it('has no blobs where the payload was never revealed, and nobody is asked for them', async () => {
    const paths: string[] = []
    const servers = await flawedServer(gloas, { onRequest: (path) => paths.push(path) })
    const auditor = createAuditor({ verifier: own, servers, beacon: await flawedServer(gloas) })
    const { slots } = await auditor.audit(jobOf(gloas, 98, 102), { signal: new AbortController().signal })
    expect(slots.map(({ outcome }) => outcome)).toEqual([
      ...['complete', 'complete', 'no-blobs', 'complete', 'complete'],
    ])
    expect(slots[2]).toMatchObject({ reason: 'payload-not-revealed', servers: [], bytes: 0 })
    expect(paths.filter((path) => path.includes(gloas.at(WITHHELD)!.root))).toEqual([])
  })

  it('fetches each block once, the next one of the last slot included', async () => {
    const paths: string[] = []
    const beacon = await flawedServer(gloas, { onRequest: (path) => paths.push(path) })
    const auditor = createAuditor({ verifier: own, servers: await flawedServer(gloas), beacon })
    await auditor.audit(jobOf(gloas, 101, 102), { signal: new AbortController().signal })
    expect(paths.toSorted()).toEqual(
      [101, 102, 103].map((slot) => `/eth/v2/beacon/blocks/${gloas.at(slot)!.root}`).toSorted(),
    )
  })

  it('has blobs whose payload nobody can tell of, and the server is not to blame for that', async () => {
    const app = flawedApp(gloas)
    const last = gloas.at(102)!.root
    // The next block is not to be had.
    const fetch: AuditorOptions['fetch'] = async (url, init) =>
      url.includes('/blocks/') && !url.endsWith(last)
        ? new Response(null, { status: 404 })
        : await app(new Request(url, init as RequestInit))
    const terms = { servers: 'http://server.example', beacon: 'http://beacon.example' }
    const auditor = createAuditor({ verifier: own, ...terms, fetch })
    const { slots } = await auditor.audit(jobOf(gloas, 102, 102), { signal: new AbortController().signal })
    expect(slots).toMatchObject([
      { outcome: 'complete', servers: [{ outcome: 'complete', refused: [], failures: [] }] },
    ])
  })

  /** What is found out of the block without a payload, where the first requests for the next block fail, so many of them; and what of its data was asked for. */
  const auditedAfter = async (
    failing: number,
  ): Promise<{ readonly slot: SlotResult; readonly asked: readonly string[] }> => {
    const app = flawedApp(gloas)
    const next = gloas.at(WITHHELD + 1)!.root
    const asked: string[] = []
    let left = failing
    const fetch: AuditorOptions['fetch'] = async (url, init) => {
      if (url.startsWith('http://server.example')) asked.push(new URL(url).pathname)
      if (url.includes('/blocks/') && url.endsWith(next) && left-- > 0)
        return new Response(null, { status: 404 })
      return await app(new Request(url, init as RequestInit))
    }
    const terms = { servers: 'http://server.example', beacon: 'http://beacon.example', attempts: 3 }
    const auditor = createAuditor({ verifier: own, ...terms, fetch })
    const { signal } = new AbortController()
    const { slots } = await auditor.audit(jobOf(gloas, WITHHELD, WITHHELD), { signal })
    return { slot: slots[0]!, asked }
  }

  it('has no blobs where the payload was never revealed, though the next block came late', async () => {
    const { slot, asked } = await auditedAfter(2)
    expect(slot).toMatchObject({ outcome: 'no-blobs', reason: 'payload-not-revealed', servers: [] })
    expect(asked).toEqual([])
  })

  it('has a server asked once where only the payload is not known of', async () => {
    const { slot, asked } = await auditedAfter(Infinity)
    expect(slot).toMatchObject({ outcome: 'unknown', servers: [{ refused: [] }] })
    expect(asked.filter((path) => path.includes('/blobs/'))).toHaveLength(1)
  })
})

it('a server that is silent is given up, block by block, until it answers again', async () => {
  const app = flawedApp(chain)
  const asked = new Map<string, number>()
  let answers = false
  const fetch: AuditorOptions['fetch'] = async (url, init) => {
    if (!url.startsWith('http://server.example') || answers)
      return await app(new Request(url, init as RequestInit))
    const root = /0x[0-9a-f]{64}/.exec(url)![0]
    asked.set(root, (asked.get(root) ?? 0) + 1)
    return await unanswered(init!.signal as AbortSignal)
  }
  const terms = { servers: 'http://server.example', beacon: 'http://beacon.example', concurrency: 1 }
  const auditor = createAuditor({ verifier, ...terms, fetch, attempts: 1, timeoutMs: 25, deadlineMs: 300 })
  const outcomes: string[] = []
  const onSlot = ({ outcome }: SlotResult): void => {
    if (!['no-block', 'no-blobs'].includes(outcome)) outcomes.push(outcome)
    answers = outcomes.length === 20
  }
  await auditor.audit(jobOf(chain, FIRST, FIRST + 23), { signal: new AbortController().signal, onSlot })
  expect(outcomes).toEqual([...Array.from({ length: 20 }, () => 'unknown'), 'complete', 'unknown'])
  const times = [...asked.values()]
  // In time for one answer there is one question; before, each was put three times in each form.
  expect(Math.min(...times.slice(0, 16))).toBeGreaterThan(2)
  expect(times.slice(16, 20)).toEqual([1, 1, 1, 1])
})

describe('a job', () => {
  it('is the same after its way to another machine', () => {
    const job: AuditJob = {
      ...{
        from: 5,
        to: 7,
        trust: 'verified',
        next: { slot: 9, header: { slot: 9, root: `0x${'ab'.repeat(32)}` } },
      },
      slots: [
        { slot: 5, header: { slot: 5, root: `0x${'cd'.repeat(32)}` } },
        { slot: 6, header: null },
        { slot: 7, unknown: 'nobody knows' },
      ],
    }
    expect(unpackJob(JSON.parse(JSON.stringify(packJob(job))))).toEqual(job)
  })

  it.each([
    ['block', /\/blocks\//],
    ['data', /\/(blobs|blob_sidecars|data_column_sidecars)\//],
  ])('ends with the signal while its %s is waited for', async (_what, routes) => {
    const app = flawedApp(chain)
    const signals: AbortSignal[] = []
    const { promise: isAsked, resolve: ask } = later()
    const fetch: AuditorOptions['fetch'] = async (url, init) => {
      const request = new Request(url, init as RequestInit)
      if (!routes.test(url)) return await app(request)
      signals.push(init.signal as AbortSignal)
      ask()
      // Never answered: it ends by its signal alone.
      return await unanswered(request.signal)
    }
    const auditor = createAuditor({
      ...{ verifier, servers: 'http://server.example', beacon: 'http://beacon.example', fetch },
      // Far above the time that a test has.
      ...{ timeoutMs: 3_600_000, deadlineMs: 3_600_000 },
    })
    const controller = new AbortController()
    const end = auditor.audit(jobOf(chain, 65, 67), { signal: controller.signal })
    await Promise.race([isAsked, end])
    const reason = new Error('enough')
    controller.abort(reason)
    await expect(end).rejects.toBe(reason)
    await until(() => signals.every(({ aborted }) => aborted))
  })
})

describe('options that make no sense', () => {
  it.each([
    ['an option that is none', { more: 1 }],
    ['no servers', { servers: [] }],
    ['what is no URL', { servers: 'here' }],
    ['no concurrency', { concurrency: 0 }],
    ['half an attempt', { attempts: 0.5 }],
  ])('are a TypeError: %s', (_what, options) => {
    const url = 'http://a.example'
    expect(() => createAuditor({ verifier, beacon: url, servers: url, ...options } as never)).toThrow(
      TypeError,
    )
  })
})
