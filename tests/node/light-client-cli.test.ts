/** The command line: what it prints, how it ends. */
import { mkdir, mkdtemp, readdir, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it, onTestFinished, vi } from 'vitest'
import { writeNetwork } from '../../dist/cli/options/network.js'
import { openStore } from '../../dist/cli/options/store.js'
import { type Chain, makeChain } from '../lodestar/chain.mjs'
import { fileOf } from '../support/beacons.ts'
import { blobcheck, blobcheckHere, jsonLines } from '../support/cli.ts'
import { readValue } from '../support/files.ts'
import { startServer } from '../support/clients.ts'
import { type HeaderJson, headerRoot } from '../support/ssz.ts'
import { toHex } from '../support/bytes.ts'

afterEach(() => void vi.restoreAllMocks())

describe('the command line', () => {
  it('says what there is', async () => {
    const { code, out } = await blobcheckHere(['--help'])
    expect(code).toBe(0)
    expect(out).toContain('light-client')
    expect(out).toContain('Examples')
    const { out: help, code: helpCode } = await blobcheckHere(['light-client', '--help'])
    expect(helpCode).toBe(0)
    for (const option of [
      '--network',
      '--checkpoint',
      '--beacon',
      '--once',
      '--json',
      '--allow-stale',
      '--no-store',
    ])
      expect(help).toContain(option)
    expect((await blobcheck(['--version'])).out).toMatch(/^\d+\.\d+\.\d+\n$/)
  })

  it.each([
    ['no command', []],
    ['an unknown command', ['lightclient']],
    ['no checkpoint', ['light-client', '--beacon', 'http://127.0.0.1:1']],
    ['a checkpoint that is none', ['light-client', '-c', '0x12', '-b', 'http://127.0.0.1:1']],
    [
      'a network that is none',
      ['light-client', '-n', 'rinkeby', '-c', `0x${'1'.repeat(64)}`, '-b', 'http://a'],
    ],
    [
      'an endpoint that is none',
      ['light-client', '-c', `0x${'1'.repeat(64)}`, '-b', 'nowhere', '--no-store'],
    ],
  ])('ends with 2 for %s', async (_name, args) => {
    const { code, out, err } = await blobcheckHere(args)
    expect(code).toBe(2)
    expect(out + err).toMatch(/blobcheck/)
  })

  it.each([
    ['127.0.0.1:15052', '127.0.0.1:15052', 'Write http://127.0.0.1:15052, or the same with https.'],
    ['localhost:5052', 'localhost:5052', 'Write http://localhost:5052, or the same with https.'],
    ['user:secret@a.example', 'a.example', 'Write http://a.example, or the same with https.'],
    ['https://a,https://b', 'https://a,https://b', 'Give --beacon once for each.'],
    ['https://a/secret, https://b/secret', 'https://a/…, https://b/…', 'Give --beacon once for each.'],
    ['a,b', 'a,b', 'Give --beacon once for each.'],
    ['http://127.0.0.1:1,127.0.0.1:2', 'http://127.0.0.1:1,127.0.0.1:2', 'Give --beacon once for each.'],
    ['ftp://user:secret@a?key=secret', 'ftp://a', 'It must be an http(s) URL.'],
    ['https://user:sec/ret@a?key=secret', 'https://a', 'It must be an http(s) URL.'],
    ['https://user:secret@a', 'https://a', 'A URL with a user or password cannot be fetched.'],
    ['http://a/eth/v1', 'http://a/…', 'Give the base URL: leave /eth/v1 away, and what is behind it.'],
    [
      'https://a/secret/eth/v2/beacon?key=secret',
      'https://a/…',
      'Give the base URL: leave /eth/v2 away, and what is behind it.',
    ],
    ['a.example:80/secret', 'a.example:80/…', 'Write http://a.example:80/…, or the same with https.'],
    ['ftp://a/secret', 'ftp://a/…', 'It must be an http(s) URL.'],
    [
      'http:\\\\a\\secret\\eth\\v1',
      'http:\\\\a/…',
      'Give the base URL: leave /eth/v1 away, and what is behind it.',
    ],
    ['', '', 'It must be an http(s) URL.'],
  ])('says what is wrong with --beacon %s, and no secret of it', async (value, shown, advice) => {
    const root = `0x${'1'.repeat(64)}`
    for (const args of [
      ['light-client', '--no-store', '-c', root],
      ['sample', '--no-store', '-c', root],
      ['proxy', '--no-store', '--no-cache', '-c', root],
      ['audit', '--no-store', '--from', '1', '--to', '2', '-c', root],
    ]) {
      const { code, out, err } = await blobcheckHere([
        ...args,
        '--beacon',
        'http://127.0.0.1:1',
        '--beacon',
        value,
      ])
      expect(err).toContain(`option '-b, --beacon <url...>' argument '${shown}' is invalid. ${advice}\n`)
      expect(err + out).not.toContain('secret')
      expect(code).toBe(2)
    }
  })

  it('names --archive, too', async () => {
    const endpoints = ['--beacon', 'http://127.0.0.1:1', '--archive', 'http://127.0.0.1:1', 'a.example']
    const { code, err } = await blobcheckHere(['sample', '--trust-endpoint', ...endpoints])
    expect(err).toContain(
      "option '--archive <url...>' argument 'a.example' is invalid. Write http://a.example, or",
    )
    expect(code).toBe(2)
  })

  it('ends with 3 where no endpoint helps, and names it', async () => {
    const server = await startServer(() => null)
    const args = ['light-client', '-c', `0x${'1'.repeat(64)}`, '-b', server.url, '--no-store']
    const { code, out, err } = await blobcheckHere(args)
    expect(code).toBe(3)
    expect(err).toContain(`${server.url}: not-found`)
    expect(out).toBe('')
    const asJson = await blobcheckHere([...args, '--json'])
    expect(asJson.code).toBe(3)
    expect(JSON.parse(asJson.out)).toMatchObject({ event: 'failed', error: 'BeaconUnavailableError' })
  })
})

describe('a folder that nothing can be kept in', () => {
  it.each([
    ['light-client', ['-c', `0x${'1'.repeat(64)}`]],
    ['sample', ['-c', `0x${'1'.repeat(64)}`]],
    ['audit', ['-c', `0x${'1'.repeat(64)}`, '--from', '1', '--to', '2']],
  ])('is told of by %s, which goes on', async (command, args) => {
    const server = await startServer(() => null)
    const file = await fileOf('file', '')
    const store = join(file, 'store')
    const line = [command, ...args, '--beacon', server.url]
    const { code, err } = await blobcheckHere([...line, '--store', store])
    expect(err).toContain(`blobcheck: --store ${store}: ${file} is no folder, so that nothing is kept`)
    // The server has nothing: it was asked.
    expect(err).toContain('not-found')
    expect(code).toBe(3)
    expect((await blobcheckHere([...line, '--no-store'])).err).not.toContain('nothing is kept')
  })
})

describe('--store', () => {
  it('tells once of writes that fail, and once that they do not any more', async () => {
    const store = await mkdtemp(join(tmpdir(), 'blobcheck-'))
    onTestFinished(async () => await rm(store, { recursive: true }))
    await mkdir(join(store, 'a.bin', 'taken'), { recursive: true })
    const news: [string, boolean][] = []
    const storage = await openStore({ store }, (...one) => news.push(one))
    if (storage === false) throw new Error('there is one')
    const value = Uint8Array.of(1, 2)
    for (let time = 0; time < 2; time++) await expect(storage.set('a', value)).rejects.toThrow(/E[A-Z]+: /)
    await rm(join(store, 'a.bin'), { recursive: true })
    for (let time = 0; time < 2; time++) await storage.set('a', value)
    expect(await storage.get('a')).toEqual(value)
    await storage.delete('a')
    expect(await storage.get('a')).toBeNull()
    expect(news).toEqual([
      [
        expect.stringContaining(`--store ${store}: what was verified cannot be kept for the next start: E`),
        true,
      ],
      [`--store ${store}: what was verified is kept again`, false],
    ])
  })
})

describe('following mainnet as it was in Capella', () => {
  const genesisValidatorsRoot = '4b363db94e286120d76eb905340fdd4e54bfe9f06bf33ff6cf5ad27f511bfe95'

  const read = async <T>(name: string): Promise<T> =>
    await readValue<T>(`vectors/lightclient/mainnet-capella/${name}.json`)

  async function args(): Promise<string[]> {
    const bootstrap = await read<{ data: { header: { beacon: HeaderJson } } }>('bootstrap')
    const updates = await read<unknown[]>('updates')
    const [finality, optimistic] = [await read('finality'), await read('optimistic')]
    const server = await startServer(({ pathname, searchParams }) => {
      if (pathname.includes('bootstrap')) return { ssz: null, json: bootstrap }
      if (pathname.includes('finality')) return { ssz: null, json: finality }
      if (pathname.includes('optimistic')) return { ssz: null, json: optimistic }
      const from = Number(searchParams.get('start_period')) - 862
      return { ssz: null, json: updates.slice(from, from + Number(searchParams.get('count'))) }
    })
    const bad = await startServer(() => null)
    const checkpoint = toHex(await headerRoot(bootstrap.data.header.beacon))
    const now = String(1606824023 + 7_109_432 * 12 + 2)
    return ['light-client', '--checkpoint', checkpoint, '--beacon', server.url, bad.url, '--now', now]
  }

  it('tells people', async () => {
    const { code, out } = await blobcheckHere([...(await args()), '--no-store', '--once'])
    expect(code).toBe(0)
    expect(out).toContain('sync committee periods 5/5')
    expect(out).toMatch(
      /slot 7109431, block 17923113 .*510\/512 signed; finalized 7109344 \(87 slots before\)/,
    )
    expect(out).toMatch(/: good, .*answers used/)
    expect(out).toMatch(/not-found/)
  })

  it('says once that what it verified cannot be kept, where that shows later', async () => {
    const line = await args()
    const store = await mkdtemp(join(tmpdir(), 'blobcheck-'))
    onTestFinished(async () => await rm(store, { recursive: true }))
    const checkpoint = line[line.indexOf('--checkpoint') + 1]!
    // In the place of the record, which cannot take it then, although the folder could be written.
    const record = `${genesisValidatorsRoot.slice(0, 16)}-${checkpoint.slice(2)}.bin`
    await mkdir(join(store, record, 'taken'), { recursive: true })
    const { code, err } = await blobcheckHere([...line, '--store', store, '--once'])
    expect(code).toBe(0)
    expect(err).toMatch(
      /^blobcheck: --store \S+: what was verified cannot be kept for the next start: E[A-Z]+: [^\n]*\n$/,
    )
  })

  it('tells programs, keeps what it verified, and ends in good order when interrupted', async () => {
    const store = await mkdtemp(join(tmpdir(), 'blobcheck-'))
    const events: string[] = []
    try {
      const { code } = await blobcheck([...(await args()), '--json', '--store', store], {
        onLine(line, kill) {
          const { event } = JSON.parse(line) as { event: string }
          events.push(event)
          if (event === 'synced') kill('SIGINT')
        },
      })
      expect(code).toBe(0)
      expect(events[0]).toBe('started')
      expect(events.filter((event) => event === 'progress').length).toBeGreaterThanOrEqual(6)
      expect(events).toContain('synced')
      expect(events).not.toContain('failed')
      // The record, and the list of checkpoints that have one.
      expect(await readdir(store)).toHaveLength(2)
    } finally {
      await rm(store, { recursive: true })
    }
  })
})

async function argsFor(chain: Chain, ...urls: string[]): Promise<string[]> {
  return [
    ...['light-client', '--network', await fileOf('network.json', writeNetwork(chain.network))],
    ...['--checkpoint', chain.checkpoint, '--beacon', ...urls, '--no-store'],
    ...['--now', String(chain.now() / 1000)],
  ]
}

describe('a node that stands still', () => {
  const behind =
    /^the newest header is (\d+) slots behind the clock: the endpoints are behind, or this machine's clock is fast$/

  it('is not in step with the chain, however true what it says', async () => {
    const chain = makeChain({ periods: 1 })
    const [, last] = chain.updates
    const { attestedHeader, syncAggregate, signatureSlot } = last!
    const optimistic = { attestedHeader, syncAggregate, signatureSlot }
    const server = await startServer(chain.oracle({ finality: last, optimistic }))
    const args = [...(await argsFor(chain, server.url)), '--once']
    const { code, out } = await blobcheckHere(args)
    const slots = chain.headSlot - attestedHeader.beacon.slot
    expect(out.split('\n').flatMap((line) => behind.exec(line)?.[1] ?? [])).toEqual([String(slots)])
    expect(out).not.toContain('in step')
    expect(code).toBe(3)
    const asJson = await blobcheckHere([...args, '--json'])
    expect(jsonLines(asJson.out)).toContainEqual({
      event: 'behind',
      message: expect.stringContaining(`${slots} slots behind the clock`) as unknown,
    })
    expect(asJson.code).toBe(3)
    const honest = await startServer(chain.oracle())
    const inStep = await blobcheckHere([...(await argsFor(chain, honest.url)), '--once'])
    expect([inStep.code, inStep.out]).toEqual([
      0,
      expect.stringContaining('in step with the chain') as unknown,
    ])
    expect(inStep.out).not.toMatch(/behind/)
  })

  it('is told of once while it does, and again when it does again', async () => {
    const chain = makeChain({ periods: 0, secondsPerSlot: 1 })
    const newer = chain.block(chain.headSlot + 38, chain.stateOf(chain.headSlot + 38, chain.finalized))
    const { update } = chain.sign(newer, null, [])
    let tell = chain.oracle()
    const server = await startServer((url) => tell(url))
    const { now } = Date
    let passedMs = 0
    vi.spyOn(Date, 'now').mockImplementation(() => now() + passedMs)
    const told: string[] = []
    const { code } = await blobcheckHere(await argsFor(chain, server.url), {
      onLine(line, kill) {
        if (!/in step|behind/.test(line)) return
        told.push(behind.test(line) ? 'behind' : line)
        if (told.length === 4) kill('SIGINT')
        else if (told.length === 2) tell = chain.oracle({ optimistic: update })
        else passedMs += 40_000
      },
    })
    expect(told).toEqual(['in step with the chain', 'behind', 'in step with the chain', 'behind'])
    expect(code).toBe(0)
  })
})

describe('endpoints that contradict each other, all signed', () => {
  it('are named once for each slot: of a block that is final, too, and of one that comes later', async () => {
    const chain = makeChain({ periods: 0, secondsPerSlot: 1 })
    const { finalized, finality, headSlot } = chain
    const twin = chain.block(finalized.slot, undefined, { parentRoot: new Uint8Array(32).fill(9) })
    // Of another slot than the one by which the other block is final: about that slot nobody disagrees.
    const attestedSlot = finality.attestedHeader.beacon.slot - 1
    const other = chain.sign(chain.block(attestedSlot, chain.stateOf(attestedSlot, twin)), twin, [9])
    const newest = (parentRoot: number): object => {
      const state = chain.stateOf(headSlot + 2, finalized)
      const block = chain.block(headSlot + 2, state, { parentRoot: new Uint8Array(32).fill(parentRoot) })
      return chain.sign(block, null, []).update
    }
    const heads = [newest(1), newest(2)]
    let isLater = false
    const [one, two] = await Promise.all(
      [finality, other].map(async (finality, at) => {
        const [early, late] = [{ finality }, { finality, optimistic: heads[at] }].map((lies) =>
          chain.oracle(lies),
        )
        return await startServer((url) => (isLater ? late! : early!)(url))
      }),
    )
    const args = await argsFor(chain, one!.url, two!.url)
    const named = (out: string): string[] => out.split('\n').filter((line) => line.includes('disagree'))
    const once = await blobcheckHere([...args, '--once'])
    expect(once.code).toBe(3)
    expect(named(once.out)).toHaveLength(1)
    for (const part of [
      `slot ${finalized.slot},`,
      one!.url,
      two!.url,
      toHex(finalized.root),
      toHex(twin.root),
    ])
      expect(named(once.out)[0]).toContain(part)
    const asJson = await blobcheckHere([...args, '--once', '--json'])
    const events = jsonLines(asJson.out).filter(({ event }) => event === 'disagreement')
    expect(events).toMatchObject([{ slot: finalized.slot, answers: [{}, {}] }])
    const { out } = await blobcheckHere(args, {
      onLine(line, kill) {
        if (!line.includes('disagree')) return
        if (isLater) kill('SIGINT')
        isLater = true
      },
    })
    expect(named(out).map((line) => /slot (\d+)/.exec(line)?.[1])).toEqual([
      String(finalized.slot),
      String(headSlot + 2),
    ])
  })
})

describe('https to an endpoint that speaks no TLS', () => {
  const checkpoint = ['--checkpoint', `0x${'1'.repeat(64)}`, '--no-store']
  it.each([
    ['light-client', '--once', ...checkpoint],
    ['sample', ...checkpoint],
    ['sample', '--trust-endpoint'],
    ['blobs', '--block', 'head', '--deadline', '4', ...checkpoint],
    ['blobs', '--block', 'head', '--deadline', '1', '--trust-endpoint'],
    ['audit', '--from', '1', '--to', '1', ...checkpoint],
  ])('is said to be that: %s %s', async (...command) => {
    const server = await startServer(() => null)
    const { code, out, err } = await blobcheckHere([
      ...command,
      ...['--beacon', server.url.replace('http:', 'https:')],
    ])
    expect([code, out + err]).toEqual([
      3,
      expect.stringContaining('network (no TLS is spoken there: write http://)') as unknown,
    ])
    expect(out + err).not.toContain('SSL')
  })

  it('is said of an execution node, too, whose URL has no path', async () => {
    const server = await startServer(() => null)
    const execution = ['--execution', server.url.replace('http:', 'https:')]
    const { out, err } = await blobcheckHere([
      ...['blobs', `0x${'1'.repeat(64)}`, '--deadline', '4', '--trust-endpoint', '--beacon', server.url],
      ...execution,
    ])
    expect(out + err).toContain('network (no TLS is spoken there: write http://)')
  })
})
