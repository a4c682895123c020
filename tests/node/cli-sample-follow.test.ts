/** `blobcheck sample --follow`: a line for each slot, counters that add up, and an end in good order. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type MadeChain, makeChain } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNetwork } from '../../dist/cli/options/network.js'
import { blobcheck, blobcheckHere, type Ended, jsonLines } from '../support/cli.ts'
import { startServer } from '../support/clients.ts'

let chain: MadeChain
let folder: string
let network: string
/** Of the chain as it is, and of one whose columns are withheld. */
let good: BeaconServer, withholding: BeaconServer

beforeAll(async () => {
  // Every third slot is empty, and every second block has no blobs.
  chain = await makeChain({
    ...{ slots: 40, secondsPerSlot: 1 },
    blobsPerBlock: (slot) => slot % 2,
    isMissed: (slot) => slot % 3 === 1 && slot > 70,
  })
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-'))
  network = join(folder, 'network.json')
  await writeFile(network, writeNetwork(chain.network))
  good = await serveBeacon({ chain })
  withholding = await serveBeacon({
    chain,
    faults: { rules: [{ fault: { kind: 'withhold', columns: 128 } }] },
  })
})

afterAll(async () => {
  await Promise.all([good.close(), withholding.close()])
  await rm(folder, { recursive: true })
})

/** Follows until so many lines match. */
async function follow(args: readonly string[], pattern: RegExp, count: number): Promise<Ended> {
  let seen = 0
  return await blobcheckHere(['sample', '--follow', '--columns', '4', '--network', network, ...args], {
    onLine: (line, kill) => pattern.test(line) && ++seen === count && kill('SIGINT'),
  })
}

type Counters = Record<string, number>

const countersOf = (events: readonly Record<string, unknown>[]): Counters =>
  events.find(({ event }) => event === 'counters')!['counters'] as Counters

/** The exit code where no block was unavailable, by what was counted: a slot of which nothing is known is no 0. */
const exitCodeOf = ({ unknown, missed }: Counters): number => (unknown! + missed! === 0 ? 0 : 3)

const checkpoint = (): string[] => ['--no-store', '--checkpoint', chain.checkpoint]

// Side by side: slots are what they wait for.
describe.concurrent('following', () => {
  it('tells of each slot once, in order, and counts', async () => {
    const args = [...checkpoint(), '--json', '--beacon', good.url]
    const from = Date.now()
    const { code, out } = await follow(args, /"event":"slot"/, 7)
    const events = jsonLines(out)
    for (const { at } of events) {
      expect(at).toBeGreaterThanOrEqual(from)
      expect(at).toBeLessThanOrEqual(Date.now())
    }
    const slots = events.filter(({ event }) => event === 'slot') as unknown as {
      slot: number
      outcome: string
      report: { verdict: string; links: object } | null
    }[]
    const [first] = slots
    expect(slots.map(({ slot }) => slot)).toEqual(slots.map((_, at) => first!.slot + at))
    for (const { slot, outcome } of slots) {
      const isEmpty = slot % 3 === 1
      // A block that was looked up as an ancestor, since the poll came late, has no proven blob gas: nothing is known then.
      const expected = isEmpty ? ['no-block'] : slot % 2 === 0 ? ['no-blobs', 'unknown'] : ['available']
      expect(expected).toContain(outcome)
    }
    const counters = countersOf(events)
    const { slots: total, ...others } = counters
    // A machine that stalls before the end has slots of which nobody told.
    expect(total! - others['missed']!).toBe(slots.length)
    expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(total)
    const exitCode = exitCodeOf(counters)
    expect(events.at(-1)).toMatchObject({ event: 'end', exitCode })
    expect(code).toBe(exitCode)
  })

  it('ends with 1 where a block was not available', async () => {
    const { code, out } = await follow(
      [...checkpoint(), '--beacon', withholding.url],
      /^slot \d+: unavailable/,
      1,
    )
    expect(code).toBe(1)
    // Another one may be under way.
    expect(out).toMatch(/^\d+ slots?: .*\b[1-9]\d* unavailable/m)
  })

  it('on the endpoint’s word says so in each line', async () => {
    const args = ['--trust-endpoint', '--beacon', good.url]
    const { code, out } = await follow(args, /^slot \d+ .*available, .*1 − 2/, 1)
    const lines = out.split('\n').filter((line) => line.startsWith('slot '))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatch(/^slot \d+ \[header on the endpoints’ word\]: /)
    expect(out).toContain(': this server has them')
    // What is not proven to have no blobs is unknown.
    expect([0, 3]).toContain(code)
  })

  it('ends with 3 after silence, whose slots are missed', async () => {
    const server = await serveBeacon({ chain })
    const args = ['--trust-endpoint', '--json', '--network', network, '--beacon', server.url]
    const { code, out } = await blobcheck(['sample', '--follow', '--columns', '4', ...args], {
      onLine(line, kill) {
        if (line.includes('"outcome":"available"')) void server.close()
        if (line.includes('"event":"quiet"')) kill('SIGINT')
      },
    })
    const events = jsonLines(out)
    const slots = events.filter(({ event }) => event === 'slot')
    const counters = countersOf(events)
    expect(counters['missed']).toBeGreaterThanOrEqual(2)
    expect(counters['slots']! - counters['missed']!).toBeLessThanOrEqual(slots.length)
    expect(code).toBe(3)
  })

  it('says when nothing comes, and why', async () => {
    const args = ['--trust-endpoint', '--json', '--beacon', 'http://127.0.0.1:9']
    const { code, out } = await follow(args, /"event":"quiet"/, 1)
    expect(code).toBe(3)
    const quiet = jsonLines(out).find(({ event }) => event === 'quiet')!
    expect(quiet['ms']).toBeGreaterThan(0)
    expect(quiet['trouble']).toContain('http://127.0.0.1:9: network')
  })
})

describe('following beside a liar', () => {
  it('asks another endpoint where one names a head that is still to come', async () => {
    const zeros = `0x${'00'.repeat(32)}`
    const message = { slot: String(Number.MAX_SAFE_INTEGER), proposer_index: '1', parent_root: zeros }
    const header = { message: { ...message, state_root: zeros, body_root: zeros }, signature: zeros }
    const liar = await startServer(({ pathname }) =>
      pathname.includes('/headers/') ? { ssz: null, json: { data: { header } } } : null,
    )
    const args = ['--trust-endpoint', '--json', '--beacon', liar.url, good.url]
    const { code, err, out } = await follow(args, /"event":"slot"/, 3)
    expect(err).toBe('')
    expect(liar.asked.length).toBeGreaterThan(0)
    const events = jsonLines(out)
    const slots = events.filter(({ event }) => event === 'slot')
    expect(slots.length).toBeGreaterThanOrEqual(3)
    const exitCode = exitCodeOf(countersOf(events))
    expect(events.at(-1)).toMatchObject({ event: 'end', exitCode })
    expect(code).toBe(exitCode)
    const present = (chain.now() / 1000 - chain.network.genesisTime) / 1
    for (const { slot, lastSlot } of slots) {
      expect(slot).toBe(lastSlot)
      expect(slot).toBeLessThanOrEqual(present + 1)
    }
    const one = await blobcheckHere([
      ...['sample', '--trust-endpoint', '--network', network, '--beacon', liar.url],
    ])
    expect(one.out).toContain(`ahead (a header of slot ${Number.MAX_SAFE_INTEGER}, where by the clock`)
    expect(one.out).toContain("; or this machine's clock is slow")
    expect(one.code).toBe(3)
  })
})

describe('following where a head has stopped', () => {
  /** Says for ever that a block of so many slots ago, or of the slot before where that is empty, is the head. */
  async function startFrozen(slotsAgo: number): Promise<{ url: string; slot: number }> {
    const present = Math.floor(chain.now() / 1000) - chain.network.genesisTime
    const slot = present - slotsAgo - ((present - slotsAgo) % 3 === 1 ? 1 : 0)
    const answer = await fetch(`${good.url}/eth/v1/beacon/headers/${slot}`)
    const json = (await answer.json()) as object
    const { url } = await startServer(({ pathname }) =>
      pathname.endsWith('/headers/head') ? { ssz: null, json } : null,
    )
    return { url, slot }
  }

  it('goes on with another endpoint’s, though that one is slower', async () => {
    const frozen = await startFrozen(6)
    const slow = await serveBeacon({ chain, faults: { rules: [{ fault: { kind: 'delay', ms: 50 } }] } })
    const args = ['--trust-endpoint', '--json', '--beacon', frozen.url, slow.url]
    const { out } = await follow(args, /"event":"(slot|quiet)"/, 3)
    await slow.close()
    const events = jsonLines(out)
    expect(events.filter(({ event }) => event === 'quiet' || event === 'behind')).toEqual([])
    for (const { slot } of events.filter(({ event }) => event === 'slot'))
      expect(slot).toBeGreaterThan(frozen.slot)
  })

  it('takes the newest where all are old, once, and says so', async () => {
    const older = await startFrozen(20)
    const newer = await startFrozen(10)
    const beacon = ['--beacon', older.url, newer.url]
    const { code, out } = await follow(['--trust-endpoint', '--json', ...beacon], /"event":"quiet"/, 2)
    const events = jsonLines(out)
    const slots = events.filter(({ event }) => event === 'slot')
    expect(slots.map(({ slot }) => slot)).toEqual([newer.slot])
    const behind = events.filter(({ event }) => event === 'behind')
    const named = `${older.url}: behind (a head of slot ${older.slot}, where by the clock it is slot `
    expect(behind).toEqual([expect.objectContaining({ trouble: expect.stringContaining(named) })])
    for (const { trouble } of events.filter(({ event }) => event === 'quiet'))
      expect(trouble).toMatch(/^the newest head is \d+ slots behind the clock \(the endpoints are behind, or/)
    // Its slots have passed without a word.
    expect(code).toBe(3)

    const one = await blobcheckHere(['sample', '--trust-endpoint', '--network', network, ...beacon])
    expect(one.out).toContain('slots behind the clock')
    expect(one.out).toContain(named)
  })
})
