/** `blobcheck sample --follow` as a process: a line for each slot, counters that add up, and an end in good order. */
import { type MadeChain, makeChain } from 'blobcheck/serve'
import { beforeAll, describe, expect, it } from 'vitest'
import { beaconOf, networkFile } from '../support/beacons.ts'
import { blobcheck, type Ended, jsonLines } from '../support/cli.ts'

let chain: MadeChain

beforeAll(async () => {
  // Every third slot is empty, and every second block has no blobs.
  chain = await makeChain({
    ...{ slots: 40, secondsPerSlot: 1 },
    blobsPerBlock: (slot) => slot % 2,
    isMissed: (slot) => slot % 3 === 1 && slot > 70,
  })
})

/** Follows until so many lines match. */
async function follow(args: readonly string[], pattern: RegExp, count: number): Promise<Ended> {
  let seen = 0
  return await blobcheck(
    ['sample', '--follow', '--columns', '4', '--network', await networkFile(chain), ...args],
    {
      onLine: (line, kill) => pattern.test(line) && ++seen === count && kill('SIGINT'),
    },
  )
}

const checkpoint = (): string[] => ['--no-store', '--checkpoint', chain.checkpoint]

describe('following', () => {
  it('tells of each slot once, in order, and counts', async () => {
    const args = [...checkpoint(), '--json', '--beacon', await beaconOf(chain)]
    const { code, out } = await follow(args, /"event":"slot"/, 7)
    const events = jsonLines(out)
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
    const { counters } = events.find(({ event }) => event === 'counters') as {
      counters: Record<string, number>
    }
    const { slots: total, ...others } = counters
    expect(total).toBe(slots.length)
    expect(Object.values(others).reduce((sum, count) => sum + count, 0)).toBe(total)
    expect(events.at(-1)).toMatchObject({ event: 'end', exitCode: 0 })
    expect(code).toBe(0)
  })

  it('ends with 1 where a block was not available', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'withhold', columns: 128 } })
    const { code, out } = await follow([...checkpoint(), '--beacon', url], /^slot \d+: unavailable/, 1)
    expect(code).toBe(1)
    expect(out).toMatch(/^\d+ slots?: .*1 unavailable/m)
  })

  it('on the endpoint’s word says so in each line', async () => {
    const args = ['--trust-endpoint', '--beacon', await beaconOf(chain)]
    const { code, out } = await follow(args, /^slot \d+ .*available, .*1 − 2/, 1)
    const lines = out.split('\n').filter((line) => line.startsWith('slot '))
    expect(lines.length).toBeGreaterThan(0)
    for (const line of lines) expect(line).toMatch(/^slot \d+ \[header on the endpoints’ word\]: /)
    expect(out).toContain(': this server has them')
    // What is not proven to have no blobs is unknown.
    expect([0, 3]).toContain(code)
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
