/** `blobcheck sample` of blocks that are further back than a light client follows by itself. */
import { PassThrough } from 'node:stream'
import { type MadeChain, makeChain } from 'blobcheck/serve'
import { afterEach, beforeAll, describe, expect, it, vi } from 'vitest'
import { textSamplePrinter } from '../../dist/cli/sample/printers.js'
import { walkBack } from '../../dist/cli/sample/way-back.js'
import { beaconOf, folder, networkFile } from '../support/beacons.ts'
import { blobcheckHere, jsonLines } from '../support/cli.ts'
import { unanswered } from '../support/make.ts'

const OLD = 100
/** Nobody listens there. */
const DEAD = 'http://127.0.0.1:10'
/** Of the checkpoint. */
const FIRST = 64

let chain: MadeChain

beforeAll(async () => {
  // A slot takes an hour, so that the head stays where it is. The one before the old one is empty.
  chain = await makeChain({
    ...{ slots: 500, secondsPerSlot: 3_600, signHeaders: false },
    blobsPerBlock: (slot) => (slot === OLD || slot === FIRST ? 2 : 0),
    isMissed: (slot) => slot === OLD - 1,
  })
})

async function args(url: string | readonly string[], ...more: string[]): Promise<string[]> {
  const network = ['--network', await networkFile(chain), '--beacon', ...[url].flat()]
  return ['sample', ...network, '--checkpoint', chain.checkpoint, '--no-store', '--columns', '4', ...more]
}

describe('a block of long ago', () => {
  it('is sampled, with the header that its descendants prove, by its slot and by its root', async () => {
    const url = await beaconOf(chain)
    for (const id of [String(OLD), chain.at(OLD)!.root]) {
      const { code, out } = await blobcheckHere(await args(url, '--block', id, '--json'))
      expect(code).toBe(0)
      expect(jsonLines(out).find(({ event }) => event === 'report')).toMatchObject({
        ...{ verdict: 'available', block: { slot: OLD } },
        links: { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' },
      })
    }
  })

  it('is proven not to be there where its slot is empty', async () => {
    const { code, out } = await blobcheckHere(await args(await beaconOf(chain), '--block', String(OLD - 1)))
    expect(out).toContain(`block ${OLD - 1}: no block: nobody proposed a block in that slot`)
    expect(code).toBe(3)
  })

  it('is unknown where it is further back than --history says, in words for the command line', async () => {
    const url = await beaconOf(chain)
    const given = await args([DEAD, url], '--block', String(OLD), '--history', '50')
    const { code, out } = await blobcheckHere(given)
    const detail = `slot ${OLD} is more than 50 slots before the finalized header: --history says how far headers are followed back`
    expect(out).toContain(`  ${detail}\n`)
    expect(out).not.toContain('trustAncestors')
    expect(out).not.toContain('ECONNREFUSED')
    expect(code).toBe(3)
    const json = await blobcheckHere([...given, '--json'])
    expect(jsonLines(json.out).find(({ event }) => event === 'report')).toMatchObject({
      ...{ detail, trouble: null },
    })
  })

  it('is unknown where nobody gives its headers, and what each endpoint did is told', async () => {
    const gone = await beaconOf(chain, { fault: { kind: 'status', code: 404 }, routes: ['headers'] })
    const { code, out } = await blobcheckHere(await args([DEAD, gone], '--block', String(OLD), '--json'))
    expect(jsonLines(out).find(({ event }) => event === 'report')!['detail']).toContain(`${DEAD}: network (`)
    expect(code).toBe(3)
  })

  it('is the checkpoint’s own, which no endpoint is asked for, however far back it is', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'status', code: 404 }, routes: ['headers'] })
    expect(chain.at(FIRST)!.root).toBe(chain.checkpoint)
    const folderOfStore = ['--store', await folder()]
    for (const more of [
      ['--block', String(FIRST)],
      ['--block', chain.checkpoint, '--history', '10'],
      // From what was kept it goes on where it was; what it began with is the same.
      ['--block', chain.checkpoint, ...folderOfStore],
      ['--block', chain.checkpoint, ...folderOfStore],
    ]) {
      const given = await args(url, ...more, '--json')
      const { code, out } = await blobcheckHere(
        more.includes('--store') ? given.filter((one) => one !== '--no-store') : given,
      )
      expect(code).toBe(0)
      expect(jsonLines(out).find(({ event }) => event === 'report')).toMatchObject({
        ...{ verdict: 'available', block: { slot: FIRST, root: chain.checkpoint } },
        blobCount: { count: 2, by: 'proven' },
      })
    }
  })

  it('is told of while headers are followed back to it, which an interruption ends', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'delay', ms: 700 }, routes: ['headers'] })
    const { code, out } = await blobcheckHere(await args(url, '--block', String(OLD), '--json'), {
      onLine: (line, kill) => line.includes('"following-back"') && kill('SIGINT'),
    })
    const told = jsonLines(out).find(({ event }) => event === 'following-back')
    expect(told).toMatchObject({ slot: OLD, reached: expect.any(Number) })
    expect(told!['reached']).toBeGreaterThan(OLD)
    expect(jsonLines(out).slice(-2)).toMatchObject([
      { event: 'failed', error: 'AbortError' },
      { event: 'end', exitCode: 3 },
    ])
    expect(code).toBe(3)
  })
})

describe('a way back on which no header comes', () => {
  afterEach(() => {
    vi.useRealTimers()
    vi.unstubAllGlobals()
  })

  it.each([
    ['a slot', String(OLD), `, to slot ${OLD} from slot 500`],
    ['a root', `0x${'33'.repeat(32)}`, ''],
  ])('to %s is given up, with what to do', async (_, block, where) => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'setInterval', 'clearInterval'] })
    vi.stubGlobal('fetch', async (_url: unknown, { signal }: { signal: AbortSignal }) => unanswered(signal))
    const [root, word] = [`0x${'11'.repeat(32)}`, `0x${'22'.repeat(32)}`]
    const rest = { proposer_index: '1', parent_root: word, state_root: word, body_root: word }
    const newest = { slot: 500, root, ...rest, finalized: true }
    const walking = walkBack(
      { finalized: newest, optimistic: newest, first: newest } as never,
      {
        ...{ network: 'mainnet', checkpoint: root, block, history: 10_000, timeout: 10, store: false },
        ...{ allowStale: false },
        // So many that all their tries would take longer.
        beacon: Array.from({ length: 16 }, (_one, at) => `http://node-${at}.invalid`),
      },
      { followingBack: () => {} } as never,
      new AbortController().signal,
    )
    let isOver = false
    walking.then(
      () => (isOver = true),
      () => (isOver = true),
    )
    while (!isOver) await vi.advanceTimersByTimeAsync(1_000)
    const { headers, dispose } = await walking
    // Nobody is asked again.
    expect(await headers.resolve(block, {})).toEqual({
      ...{ status: 'unknown', reason: 'unreachable' },
      detail: `no header has come for 40 seconds on the way back to the block${where}: try again, or name other endpoints with --beacon`,
    })
    dispose()
  })
})

it.each(['sample', 'blobs'])('says in the help of %s which exit code an empty slot has', async (command) => {
  const { code, out } = await blobcheckHere([command, '--help'])
  expect(code).toBe(0)
  const [, text = ''] = out.split('Exit codes: ')
  expect(text.replaceAll(/\s+/g, ' ')).toContain(
    '3 unknown, also where the slot is empty or the payload was not revealed.',
  )
  // A slot of an example would soon be older than what nodes keep.
  expect(out).not.toMatch(/--block \d/)
  // It is proven that there are none there, too.
  expect(text).not.toMatch(/it is proven that there are none/)
  const empty = await blobcheckHere(
    (await args(await beaconOf(chain), '--block', String(OLD - 1)))
      .map((one) => (one === 'sample' ? command : one))
      .filter((one) => command === 'sample' || !['--columns', '4'].includes(one)),
  )
  expect(empty.code).toBe(3)
})

it('tells a log every tenth time how far headers have been followed back', () => {
  const stdout = new PassThrough()
  const printer = textSamplePrinter({ stdout, stderr: new PassThrough() }, 'checkpoint', true)
  for (let call = 1; call <= 25; call++) printer.followingBack(OLD, 1_000 - call)
  expect(String(stdout.read())).toBe(
    [
      `following headers back to slot ${OLD} …`,
      `following headers back to slot ${OLD} … slot 990`,
      `following headers back to slot ${OLD} … slot 980\n`,
    ].join('\n'),
  )
})

it.each([
  ['sample', '--trust-endpoint'],
  ['sample', '--checkpoint', `0x${'11'.repeat(32)}`, '--follow'],
  ['blobs', '--block', '3', '--trust-endpoint'],
  ['proxy', '--trust-endpoint'],
])('refuses --history with what follows no headers back: %s', async (...given) => {
  const { code, err } = await blobcheckHere([...given, '--beacon', DEAD, '--history', '10'])
  expect(err).toMatch(/'--history <slots>' cannot be used with option '--(trust-endpoint|follow)'/)
  expect(code).toBe(2)
})

it('says which chain --history is about', async () => {
  const { code, err } = await blobcheckHere(['sample', '--history', '10'])
  expect(err).toContain('--history is about a chain')
  expect(code).toBe(2)
})
