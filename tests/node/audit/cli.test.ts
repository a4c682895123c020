/** `blobcheck audit` on one machine, against servers over real HTTP. */
import { rmSync } from 'node:fs'
import { appendFile, readFile, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { type MadeChain, makeChain } from 'blobcheck/serve'
import { beforeAll, beforeEach, describe, expect, it } from 'vitest'
import { expectEachOnce, flawedServer } from '../../support/audits.ts'
import { folder, networkFile } from '../../support/beacons.ts'
import { blobcheck, blobcheckHere, jsonLines } from '../../support/cli.ts'
import { freePort } from '../../support/free-port.ts'

/** Two jobs, of 32 slots and of 25. */
const [FROM, TO] = [92, 148]
const SLOTS = TO - FROM + 1
let chain: MadeChain
let network: string
let report: string

beforeAll(async () => {
  chain = await makeChain({
    slots: 200,
    blobsPerBlock: (slot) => (slot % 5 === 0 ? 0 : 1),
    isMissed: (slot) => slot % 11 === 0,
    signHeaders: false,
  })
})

beforeEach(async () => {
  network = await networkFile(chain)
  report = join(await folder(), 'report.jsonl')
})

/** An audit of the made chain, from its checkpoint. */
function fromCheckpoint(...args: string[]): string[] {
  const range = ['--from', String(FROM), '--to', String(TO)]
  return ['audit', '--network', network, '--checkpoint', chain.checkpoint, '--no-store', ...range, ...args]
}

function onWord(...args: string[]): string[] {
  const range = ['--from', String(FROM), '--to', String(TO)]
  return ['audit', '--network', network, '--trust-endpoint', ...range, ...args]
}

/** What the chain has in a range of slots. */
function expected(from = FROM, to = TO): Record<string, number> {
  const counts: Record<string, number> = { 'no-block': 0, 'no-blobs': 0, complete: 0 }
  for (let slot = from; slot <= to; slot++) {
    const block = chain.at(slot)
    counts[block === null ? 'no-block' : block.blobs.length === 0 ? 'no-blobs' : 'complete']!++
  }
  return counts
}

const lines = async (): Promise<Record<string, unknown>[]> => jsonLines(await readFile(report, 'utf8'))

describe('servers that have everything', () => {
  it('are complete, from a checkpoint, and the exit code is 0', async () => {
    const { code, out, err } = await blobcheck(
      fromCheckpoint('--beacon', await flawedServer(chain), '--report', report),
    )
    expect(err).toBe('')
    expect(code).toBe(0)
    const counts = expected()
    expect(out).toMatch(
      new RegExp(`^${SLOTS} of ${SLOTS} slots, headers verified from your checkpoint; `, 'm'),
    )
    for (const [outcome, count] of Object.entries(counts))
      expect(out).toMatch(new RegExp(`^  ${outcome} +${count}$`, 'm'))
    expect(out).toContain(`${counts['complete']} of ${counts['complete']} blobs verified, `)
    expect(out).not.toMatch(/^slot \d/m)
    expect(await lines()).toSatisfy((all: Record<string, unknown>[]) =>
      all.every(({ event }) => event !== 'slot'),
    )
    expect((await lines()).at(-1)).toMatchObject({ event: 'summary', slots: SLOTS, counts, missing: [] })
  })

  it('say in each line of a slot on whose word headers are', async () => {
    const { code, out } = await blobcheckHere(
      onWord('--all', '--json', '--beacon', await flawedServer(chain), '--report', report),
    )
    expect(code).toBe(0)
    expectEachOnce(jsonLines(out), FROM, TO)
    expectEachOnce(await lines(), FROM, TO)
    for (const line of jsonLines(out)) if (line['event'] === 'slot') expect(line['header']).toBe('trusted')
    expect(jsonLines(out).at(-1)).toEqual({ event: 'end', exitCode: 0 })
    const people = await blobcheckHere(onWord('--all', '--beacon', await flawedServer(chain)))
    const told = people.out.split('\n').filter((line) => /^slot \d/.test(line))
    expect(told).toHaveLength(SLOTS)
    for (const line of told) expect(line).toContain('[header on the endpoints’ word]')
  })
})

describe('what is not as it should be', () => {
  it('is a report that cannot be written: the option is named, and the exit code is 2', async () => {
    const path = join(report, 'below')
    await writeFile(report, '')
    const missing = join(dirname(report), 'nowhere', 'report.jsonl')
    for (const [wrong, why] of [
      [path, 'a part of its path is no folder'],
      [dirname(report), 'it is a folder'],
      [missing, 'the folder that it is to be in is not there'],
    ] as const) {
      const { code, err } = await blobcheckHere(
        onWord('--beacon', await flawedServer(chain), '--report', wrong),
      )
      expect(err).toContain(`--report ${wrong}: ${why}`)
      expect(code).toBe(2)
    }
  })

  it('is told of by slot and server, and the exit code is 1', async () => {
    const flawed = await flawedServer(chain, { missing: [101, 102, 103], wrong: [116], unreadable: [126] })
    const honest = await flawedServer(chain)
    const { code, out } = await blobcheckHere(
      fromCheckpoint('--beacon', honest, flawed, '--report', report, '--attempts', '1'),
    )
    expect(code).toBe(1)
    expect(out).toMatch(/^slot 116: wrong, 1 blob$/m)
    expect(out).toContain(`  ${flawed}: wrong: lacks all; blob 0 of its answer is false: commitment-mismatch`)
    expect(out).toContain('slots with something missing: 101–103\n')
    expect(out).toContain('slots with something wrong: 116\n')
    expect(out).toContain('slots with something unreadable: 126\n')
    expect(out).not.toContain('nobody')
    const { complete } = expected()
    expect(out).toContain(`${honest}: ${complete} complete\n`)
    expect(out).toContain(`${flawed}: ${complete! - 5} complete, 1 unreadable, 3 missing, 1 wrong\n`)
    expect((await lines()).filter(({ event }) => event === 'slot')).toHaveLength(5)
  })

  it('is with a server that cannot be reached that nothing is known, and the exit code is 3', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`
    const args = ['--from', '101', '--to', '104', '--attempts', '1']
    const { code, out } = await blobcheckHere(
      onWord('--beacon', await flawedServer(chain), '--archive', gone, ...args),
    )
    expect(code).toBe(3)
    expect(out).toMatch(/^slot 104.*: unknown, 1 blob$/m)
    expect(out).toContain(`  ${gone}: unknown: gave none; network (`)
    expect(out).toContain('slots with something unknown: 101–104\n')
  })

  it('is where nobody has headers that nothing is known of any slot', async () => {
    const gone = `http://127.0.0.1:${await freePort()}`
    const { code, out } = await blobcheckHere(onWord('--json', '--beacon', gone))
    expect(code).toBe(3)
    expect(jsonLines(out).find(({ event }) => event === 'summary')).toMatchObject({
      ...{ slots: SLOTS, unknown: [{ from: FROM, to: TO }] },
    })
  })

  it('are slots that are not final yet, told of in one line, and in JSON each by itself', async () => {
    const args = ['--beacon', await flawedServer(chain), '--from', String(FROM), '--to', '2000']
    const { code, out } = await blobcheckHere(fromCheckpoint(...args))
    expect(code).toBe(3)
    const told = out.split('\n').filter((line) => /^slots? \d+/.test(line))
    const [, from, final] =
      /^slots (\d+) to 2000: unknown \(it is not final yet: .*, of slot (\d+)\)$/m.exec(out) ?? []
    expect(told.slice(1)).toHaveLength(1)
    expect(Number(from)).toBe(Number(final) + 1)
    expect(out).toContain(`slots with something unknown: ${from}–2000\n`)
    const json = jsonLines((await blobcheckHere(fromCheckpoint(...args, '--from', '1990', '--json'))).out)
    expect(json.filter(({ event, outcome }) => event === 'slot' && outcome === 'unknown')).toHaveLength(11)
    const all = await blobcheckHere(fromCheckpoint(...args, '--from', '1990', '--all'))
    expect(all.out.split('\n').filter((line) => /^slot \d+: unknown \(/.test(line))).toHaveLength(11)
  })

  it('is in an archive that endpoints have what it lacks, which are not audited', async () => {
    const asked: string[] = []
    const beacon = await flawedServer(chain, { onRequest: (path) => asked.push(path) })
    const archive = await flawedServer(chain, { missing: [101] })
    const { code, out } = await blobcheckHere(
      fromCheckpoint('--json', '--beacon', beacon, '--archive', archive),
    )
    expect(code).toBe(1)
    const summary = jsonLines(out).find(({ event }) => event === 'summary')
    expect(summary).toMatchObject({ missing: [{ from: 101, to: 101 }] })
    expect(Object.keys(summary!['servers'] as object)).toEqual([archive])
    expect(asked.filter((path) => /blob|column/.test(path))).toEqual([])
  })
})

describe('a report', () => {
  it('is gone on with after its process was killed, and has each slot once', async () => {
    // Four jobs, so that some are left.
    const [from, to] = [60, 180]
    const paths: string[] = []
    const onRequest = (path: string): void => void paths.push(path)
    const beacon = await flawedServer(chain, { onRequest, missing: [101] })
    const args = fromCheckpoint(
      ...['--all', '--json', '--beacon', beacon, '--report', report],
      ...['--from', String(from), '--to', String(to)],
    )
    const killed = await blobcheck([...args, '--concurrency', '2'], {
      onLine: (line, kill) => {
        if (line.includes('"event":"range"')) kill('SIGKILL')
      },
    })
    expect(killed.signal).toBe('SIGKILL')
    const done = (await lines()).filter(({ event }) => event === 'range')
    expect(done.length).toBeGreaterThan(0)
    expect(done.length).toBeLessThan(4)
    expect(paths).not.toEqual([])
    paths.length = 0
    // As if it had been killed while it wrote.
    await appendFile(report, (await readFile(report, 'utf8')).split('\n')[1]!.slice(0, 100))

    const { code, out } = await blobcheckHere(args)
    expect(code).toBe(1)
    expectEachOnce(await lines(), from, to)
    expect(jsonLines(out)).toContainEqual({
      event: 'resumed',
      slots: 32 * done.length - (done.length > 0 ? 7 : 0),
    })
    expect((await lines()).at(-1)).toMatchObject({
      ...{ event: 'summary', slots: 121, missing: [{ from: 101, to: 101 }] },
    })
    // What was under way when it was killed is asked for again, and what was done is not.
    const again = paths
      .filter((path) => /\/(blobs|blob_sidecars|data_column_sidecars)\//.test(path))
      .map((path) => chain.byRoot(path.split('/').at(-1)!)!.slot)
    expect(again).not.toEqual([])
    const isDone = (slot: number): boolean =>
      done.some((one) => Number(one['from']) <= slot && slot <= Number(one['to']))
    expect(again.filter(isDone)).toEqual([])
  })

  it('that is whole is not audited again: nobody is asked', async () => {
    const asked: string[] = []
    const beacon = await flawedServer(chain, { missing: [101], onRequest: (path) => asked.push(path) })
    const args = fromCheckpoint('--beacon', beacon, '--report', report)
    expect((await blobcheckHere(args)).code).toBe(1)
    const before = await lines()
    expect(asked.splice(0)).not.toEqual([])
    const { code, out } = await blobcheckHere(args)
    expect(asked).toEqual([])
    expect(code).toBe(1)
    expect(out).toContain(`going on: ${SLOTS} slots done before`)
    expect(await lines()).toEqual(before)
  })

  it('has what was unknown audited again, if that is asked for', async () => {
    const flaws = { failing: [101] }
    const beacon = await flawedServer(chain, flaws)
    const args = onWord('--beacon', beacon, '--report', report, '--attempts', '1')
    expect((await blobcheckHere(args)).code).toBe(3)
    flaws.failing.length = 0
    expect((await blobcheckHere(args)).code).toBe(3)
    const { code, out } = await blobcheckHere([...args, '--retry-unknown'])
    expect(code).toBe(0)
    expect(out).toContain('going on: 25 slots done before')
    expect((await lines()).at(-1)).toMatchObject({ event: 'summary', slots: SLOTS, counts: expected() })
  })

  it('of an audit that is interrupted tells what was done, and the exit code is 3', async () => {
    const beacon = await flawedServer(chain)
    const args = onWord('--json', '--beacon', beacon, '--report', report)
    const { code, out } = await blobcheckHere([...args, '--concurrency', '1'], {
      onLine: (line, kill) => {
        if (line.includes('"event":"range"')) kill('SIGINT')
      },
    })
    expect(code).toBe(3)
    const summary = jsonLines(out).find(({ event }) => event === 'summary')
    expect(summary!['slots']).toBeLessThan(SLOTS)
    expect(jsonLines(out).at(-2)).toMatchObject({ event: 'failed', error: 'AbortError' })
    expect((await blobcheckHere(args)).code).toBe(0)
    expect((await lines()).at(-1)).toMatchObject({ slots: SLOTS, counts: expected() })
  })

  it('that is taken away ends the audit, which says what is not in it, and sums up', async () => {
    const args = onWord('--json', '--beacon', await flawedServer(chain), '--report', report)
    let isTaken = false
    const { code, out } = await blobcheckHere(args, {
      onLine: (line) => {
        if (line.includes('"event":"range"') && !isTaken) rmSync(report)
        isTaken ||= line.includes('"event":"range"')
      },
    })
    expect(code).toBe(3)
    const events = jsonLines(out)
    expect(events.filter(({ event }) => event === 'range')).toHaveLength(1)
    expect(events.at(-3)).toMatchObject({ event: 'summary' })
    expect(events.at(-3)!['slots']).toBeLessThan(SLOTS)
    expect(events.at(-2)).toMatchObject({
      ...{ event: 'failed', error: 'Error' },
      message: expect.stringContaining(`slots ${FROM}–${TO} are not in it`),
    })
  })

  it('of another audit is refused, and left as it is', async () => {
    const beacon = await flawedServer(chain)
    expect((await blobcheckHere(onWord('--beacon', beacon, '--report', report))).code).toBe(0)
    const before = await readFile(report, 'utf8')
    const { code, err } = await blobcheckHere(onWord('--beacon', beacon, '--report', report, '--to', '140'))
    expect(code).toBe(2)
    expect(err).toContain('--to: 148 then, 140 now')
    expect(await readFile(report, 'utf8')).toBe(before)
    await writeFile(report, 'my notes\n')
    expect((await blobcheckHere(onWord('--beacon', beacon, '--report', report))).code).toBe(2)
    expect(await readFile(report, 'utf8')).toBe('my notes\n')
  })
})

describe('a command line that makes no sense', () => {
  const beacon = ['--beacon', 'http://a.example']
  const range = ['--from', '1', '--to', '2']
  it.each<[string, string[], RegExp]>([
    ['no range', [...beacon, '--trust-endpoint'], /--from/],
    ['nobody to audit', [...range, '--trust-endpoint'], /who is to be audited/],
    ['no trust', [...range, ...beacon], /where does your trust in the chain begin/],
    [
      'both trusts',
      [...range, ...beacon, '--trust-endpoint', '--checkpoint', `0x${'1'.repeat(64)}`],
      /cannot be used/,
    ],
    [
      'an end before its start',
      ['--from', '2', '--to', '1', ...beacon, '--trust-endpoint'],
      /--from 2 is after/,
    ],
    [
      'numbers that are no slots',
      ['--from', '0', '--to', '1796000000', ...beacon, '--trust-endpoint'],
      /are 1796000001 slots, .*Unix times/,
    ],
    ['no slot', ['--from', 'head', '--to', '1', ...beacon, '--trust-endpoint'], /integer/],
    ['no URL', [...range, '--beacon', 'here', '--trust-endpoint'], /--beacon .*'here' .*http:\/\/here/],
    [
      'no URL of an archive',
      [...range, '--archive', 'here', '--trust-endpoint'],
      /--archive .*http:\/\/here/,
    ],
    ['a retry of nothing', [...range, ...beacon, '--trust-endpoint', '--retry-unknown'], /--report/],
    ['no Redis', [...range, ...beacon, '--trust-endpoint', '--redis', 'localhost'], /redis:\/\/localhost/],
    [
      'no database of Redis',
      [...range, ...beacon, '--trust-endpoint', '--redis', 'redis://user:secret@a.example/jobs'],
      /the number of a database after the slash, as in redis:\/\/a\.example\/1/,
    ],
  ])('is refused: %s', async (_what, args, message) => {
    const { code, err } = await blobcheckHere(['audit', ...args])
    expect(err).toMatch(message)
    expect(code).toBe(2)
  })

  it('says as a line of JSON what keeps a worker from starting, where it prints JSON', async () => {
    const args = ['audit-worker', '--redis', 'redis://127.0.0.1:1/nothing']
    const told = await blobcheckHere([...args, '--json'])
    expect([told.code, told.err]).toEqual([2, ''])
    const [failed, ...more] = jsonLines(told.out)
    expect(more).toEqual([])
    expect(failed).toEqual({
      event: 'failed',
      job: null,
      error: expect.stringContaining('the number of a database'),
    })
    const plain = await blobcheckHere(args)
    expect([plain.code, plain.out]).toEqual([2, ''])
    expect(plain.err).toContain(failed!['error'])
  })

  it('has a help that says what there is', async () => {
    for (const command of ['audit', 'audit-worker']) {
      const { code, out } = await blobcheckHere([command, '--help'])
      expect(code).toBe(0)
      expect(out).toContain('--redis')
    }
  })
})
