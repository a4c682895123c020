/** `blobcheck blobs`: the blobs of a transaction or a block, with headers that are followed meanwhile. */
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type Chain, type FaultRule, makeChain } from 'blobcheck/serve'
import { serveBeacon, serveExecution } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNetwork } from '../../dist/cli/options/network.js'
import { keccakHex } from '../../dist/execution/keccak.js'
import { versionedHashesOf } from '../../dist/execution/transaction.js'
import { toHex } from '../support/bytes.ts'
import { blobcheckHere, type Ended, jsonLines } from '../support/cli.ts'
import { hashesAt, scratch } from '../support/proxies.ts'

const ends: (() => Promise<unknown>)[] = []
afterAll(async () => {
  for (const end of ends.reverse()) await end()
})

let chain: Chain
let folder: string
let network: string
let beacon: string
let execution: string

async function beaconOf(rules: readonly FaultRule[] = []): Promise<string> {
  const server = await serveBeacon({ chain, faults: { rules } })
  ends.push(() => server.close())
  return server.url
}

beforeAll(async () => {
  // A slot takes an hour, so that the head stays where it is. Slot 97 is empty.
  chain = await makeChain({
    ...{ slots: 100, secondsPerSlot: 3_600, blobsPerBlock: (slot) => slot % 4 },
    isMissed: (slot) => slot === 97,
  })
  folder = await scratch()
  network = join(folder, 'network.json')
  await writeFile(network, writeNetwork(chain.network))
  beacon = await beaconOf()
  const server = await serveExecution({ chain })
  ends.push(() => server.close())
  execution = server.url
})

/** The transactions of a block that have blobs, by their hashes. */
function blobTransactions(slot: number): string[] {
  const { transactions } = chain.at(slot)!.execution!
  return transactions.filter((one) => versionedHashesOf(one).length > 0).map(keccakHex)
}

const verified = (url: string = beacon): string[] => [
  ...['--network', network, '--no-store', '--beacon', url],
  ...['--checkpoint', chain.checkpoint],
]
const onTrust = (url: string = beacon): string[] => [
  ...['--network', network, '--beacon', url],
  '--trust-endpoint',
]
const blobs = async (...args: string[]): Promise<Ended> => await blobcheckHere(['blobs', ...args])

interface Found {
  readonly code: number | null
  /** What was waited for, each time that it was told. */
  readonly waiting: readonly unknown[]
  readonly result: Record<string, unknown> & {
    readonly blobs: readonly { readonly versionedHash: string; readonly file: string | null }[]
    readonly block: { readonly slot: number } | null
    readonly links: Record<string, string>
  }
}

async function found(...args: string[]): Promise<Found> {
  const { code, out } = await blobs(...args, '--json')
  const events = jsonLines(out)
  expect(events.at(-1)).toEqual({ event: 'end', exitCode: code })
  const waiting = events.flatMap(({ event, detail }) => (event === 'waiting' ? [detail] : []))
  return {
    code,
    waiting,
    result: events.find(({ event }) => event === 'result') as unknown as Found['result'],
  }
}

describe('the blobs of a transaction', () => {
  it('are found from its hash alone, and proven up to the checkpoint', async () => {
    const [hash] = blobTransactions(95)
    const { code, result } = await found(hash!, '--execution', execution, ...verified())
    expect([code, result['verdict'], result['reason']]).toEqual([0, 'complete', 'verified'])
    const { versionedHashes } = result['transaction'] as { versionedHashes: string[] }
    expect(result.blobs.map(({ versionedHash }) => versionedHash)).toEqual(versionedHashes)
    expect(result.block?.slot).toBe(95)
    expect(result.links).toMatchObject({
      ...{ kzg: 'verified', 'versioned-hash': 'verified', transaction: 'verified' },
      ...{ 'execution-block': 'verified', inclusion: 'verified', header: 'verified' },
      ...{ 'sync-committee': 'verified', checkpoint: 'verified' },
    })
  })

  it('are told of in lines, with what each party did and what it rests on', async () => {
    const [hash] = blobTransactions(95)
    const { code, out, err } = await blobs(hash!, '--execution', execution, ...verified())
    expect([code, err]).toEqual([0, ''])
    expect(out).toMatch(
      new RegExp(`^transaction ${hash}: complete, \\d of \\d blobs?: each was verified$`, 'm'),
    )
    expect(out).toMatch(/^ {2}slot 95, root 0x[0-9a-f]{64}$/m)
    expect(out).toMatch(/^ {2}execution block \d+, 0x[0-9a-f]{64}, transaction \d+ in it$/m)
    expect(out).toContain(`  ${new URL(beacon).origin} (beacon): `)
    expect(out).toContain(`  ${new URL(execution).origin} (execution): 2 requests, `)
    expect(out).toContain('the transaction’s place in its execution block; ')
    expect(out).toContain('  not verified: its proposer’s signature\n')
  })

  it('are written to files named by their versioned hashes where nobody gives the block', async () => {
    // The light client’s own header: that its execution block belongs to it needs no block.
    const slot = chain.head.slot - 1
    const [hash] = blobTransactions(slot)
    const url = await beaconOf([
      { fault: { kind: 'status', code: 404 }, routes: ['blocks', 'data_column_sidecars'] },
    ])
    const out = join(folder, 'unplaced')
    const { code, result } = await found(hash!, '--execution', execution, '--out', out, ...verified(url))
    expect([code, result['verdict']]).toEqual([0, 'complete'])
    const hashes = result.blobs.map(({ versionedHash }) => versionedHash)
    expect(hashes).not.toEqual([])
    const files = hashes.map((one) => join(out, `blob-${one}.bin`))
    expect(result.blobs.map(({ file }) => file)).toEqual(files)
    for (const [at, one] of hashes.entries()) {
      const { blob } = chain.at(slot)!.blobs[hashesAt(chain, slot).indexOf(one)]!
      expect(toHex(await readFile(files[at]!))).toBe(toHex(blob))
    }
  })

  it('of which no endpoint knows are unknown', async () => {
    const hash = `0x${'11'.repeat(32)}`
    const { code, result } = await found(hash, '--execution', execution, ...onTrust())
    expect([code, result['verdict'], result['reason']]).toEqual([3, 'unknown', 'no-transaction'])
  })
})

describe('the blobs of a block', () => {
  it('are written to files, and are those of the block', async () => {
    const out = join(folder, 'out', 'blobs')
    const { code, result } = await found('--block', '95', '--out', out, ...onTrust())
    expect([code, result['verdict'], result.links['header']]).toEqual([0, 'complete', 'trusted'])
    expect(result.blobs.map(({ versionedHash }) => versionedHash)).toEqual(hashesAt(chain, 95))
    const files = [0, 1, 2].map((index) => `95-blob-${index}.bin`)
    expect((await readdir(out)).sort()).toEqual(files)
    expect(result.blobs.map(({ file }) => file)).toEqual(files.map((name) => join(out, name)))
    for (const [index, { blob }] of chain.at(95)!.blobs.entries())
      expect(toHex(await readFile(join(out, files[index]!)))).toBe(toHex(blob))
  })

  it('are those of the newest head that there is, which is said to be old, where all of them stand still', async () => {
    const late = join(folder, 'late.json')
    await writeFile(
      late,
      writeNetwork({ ...chain.network, genesisTime: chain.network.genesisTime - 10 * 3_600 }),
    )
    const { code, out, err } = await blobs(
      ...['--network', late, '--beacon', beacon, '--trust-endpoint', '--block', 'head'],
    )
    expect([code, err]).toEqual([0, ''])
    expect(out).toContain('the newest head is 10 slots behind the clock (the endpoints are behind, or')
    expect(out).toContain(`slot ${chain.head.slot}`)
  })

  it('of the head are those of the present one, not of the checkpoint', async () => {
    const { code, result } = await found('--block', 'head', ...verified())
    expect(code).toBe(0)
    // A light client is a slot behind.
    expect(result.block!.slot).toBeGreaterThanOrEqual(chain.head.slot - 1)
  })

  it('from before the newest one that is final are found by following headers back', async () => {
    const slot = chain.finalized.slot - 25
    const { code, result } = await found('--block', String(slot), ...verified())
    expect([code, result['verdict'], result.block?.slot]).toEqual([0, 'complete', slot])
    expect(result.links['header']).toBe('verified')
  })

  it('by the hash of its execution block, or its root, are the same', async () => {
    const block = chain.at(95)!
    const { hash } = block.execution!
    const one = await found('--execution-block', hash, '--execution', execution, ...verified())
    const other = await found('--block', block.root, ...verified())
    expect([one.code, other.code]).toEqual([0, 0])
    expect(one.result.blobs.map(({ versionedHash }) => versionedHash)).toEqual(hashesAt(chain, 95))
    expect(other.result.blobs.map(({ versionedHash }) => versionedHash)).toEqual(hashesAt(chain, 95))
  })
})

describe('the exit code', () => {
  it('is 0 where a block has no blobs, and 3 where there is no block', async () => {
    expect((await found('--block', '96', ...verified())).code).toBe(0)
    const { code, result } = await found('--block', '97', ...verified())
    expect([code, result['verdict'], result['reason']]).toEqual([3, 'none', 'empty-slot'])
  })

  it('is 1 where nobody has the blobs, and 3 where nobody can be asked', async () => {
    const hiding = await beaconOf([
      { fault: { kind: 'hide-blobs' } },
      { fault: { kind: 'withhold', columns: 128 } },
    ])
    const { code, out } = await blobs('--block', '95', ...onTrust(hiding))
    expect(code).toBe(1)
    expect(out).toContain(
      'block 95: missing, 0 of 3 blobs\n  3 of 3 blobs are missing; everyone who was asked answered, and nobody has them\n',
    )
    const one = await blobs('--block', '93', ...onTrust(hiding))
    expect(one.out).toContain('  1 of 1 blobs is missing; everyone who was asked answered')
    const silent = 'http://127.0.0.1:9'
    expect((await found('--block', '95', ...onTrust(silent))).code).toBe(3)
  })

  it('is 3 at the deadline, with what was waited for', async () => {
    // Time enough for an answer on a busy machine.
    const wrong = ['--checkpoint', `0x${'22'.repeat(32)}`, '--deadline', '4', '--no-store']
    const { code, result, waiting } = await found(
      ...['--block', 'head', '--network', network, '--beacon', beacon],
      ...wrong,
    )
    expect([code, result['reason']]).toEqual([3, 'no-header'])
    // It looks five times a second, and tells of what has changed.
    expect(waiting.length).toBeGreaterThan(0)
    expect(waiting.filter((what, at) => what === waiting[at - 1])).toEqual([])
    expect(result['trouble']).toContain(
      'is the checkpoint a finalized block root of this network, and its config right?',
    )
  })

  it('is 3 where the block is further back than --history says, which nothing else explains', async () => {
    // The light client has started, and no more: it does not know yet whether its newest header is of now.
    const late = await beaconOf([
      {
        fault: { kind: 'delay', ms: 3_000 },
        routes: ['updates', 'finality_update', 'optimistic_update'],
      },
    ])
    const { code, result } = await found('--block', '40', '--history', '10', ...verified(late))
    expect([code, result['reason'], result['trouble']]).toEqual([3, 'no-header', null])
    expect(result['detail']).toBe(
      'slot 40 is more than 10 slots before the finalized header: --history says how far headers are followed back',
    )
  })

  it('is 3 at once where the slot has not come yet, and where it is interrupted', async () => {
    const { code, result } = await found('--block', '99999999', ...verified())
    expect([code, result['reason']]).toEqual([3, 'no-header'])
    const interrupted = await blobcheckHere(['blobs', '--block', '95', ...verified()], {
      onLine: (_line, kill) => kill('SIGINT'),
    })
    expect(interrupted.code).toBe(3)
    expect(interrupted.err).toContain('interrupted')
  })

  it.each([
    [['--trust-endpoint'], 'whose blobs? '],
    [['--trust-endpoint', '--block', '1', `0x${'11'.repeat(32)}`], 'whose blobs? '],
    [['--block', '1'], 'where does your trust in the chain begin?'],
    [['--trust-endpoint', `0x${'11'.repeat(32)}`], 'name one with --execution'],
    [['--trust-endpoint', '0x11'], 'It must be a hash of 0x and 64 hex digits.'],
    [['--trust-endpoint', '--block', 'newest'], 'It must be head, finalized, a slot, or a root'],
    [['--trust-endpoint', '--block', '1', '--execution', 'ws://a'], 'It must be an http(s) URL.'],
    [['--trust-endpoint', '--block', '1', '--out', ''], '--out: the name of a folder is empty'],
  ])('is 2 where the command makes no sense: %j', async (args, message) => {
    const { code, err } = await blobs('--beacon', 'http://127.0.0.1:9', ...args)
    expect(code).toBe(2)
    expect(err).toContain(message)
  })
})
