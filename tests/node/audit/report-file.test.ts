/** The report of an audit as its journal: what counts in it, and what is left alone. */
import { execFile } from 'node:child_process'
import { appendFile, open as openFile, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { beforeEach, describe, expect, it, vi } from 'vitest'
import type { RangeResult, SlotResult } from '../../../dist/audit/index.js'
import { type Audited, identityOf } from '../../../dist/cli/audit/identity.js'
import { ReportFile } from '../../../dist/cli/audit/report-file.js'
import { folder } from '../../support/beacons.ts'
import { jsonLines } from '../../support/cli.ts'
import { range } from '../../support/make.ts'

const audited: Audited = {
  network: 'mainnet',
  ...{ from: 100, to: 199, checkpoint: `0x${'Ab'.repeat(32)}` },
  servers: ['https://a.example/secret', 'https://b.example'],
}
const identity = identityOf(audited)
let path: string

beforeEach(async () => {
  path = join(await folder(), 'report.jsonl')
})

const open = (retry = false, all = false): Promise<ReportFile> =>
  ReportFile.open(path, identity, { all, retry })

function slotOf(slot: number, outcome: SlotResult['outcome']): SlotResult {
  return {
    ...{ slot, root: `0x${'00'.repeat(32)}`, header: 'verified', outcome, reason: null, detail: null },
    ...{ blobs: { wanted: 1, valid: outcome === 'complete' ? 1 : 0 }, servers: [], bytes: 5 },
  }
}

/** A range whose first slot has this outcome, and the others are complete. */
function rangeOf(from: number, to: number, outcome: SlotResult['outcome'] = 'complete'): RangeResult {
  const slots = Array.from({ length: to - from + 1 }, (_, at) =>
    slotOf(from + at, at === 0 ? outcome : 'complete'),
  )
  return { from, to, slots }
}

/** The counts of a server in JSON, one of which is this. */
const countsWith = (count: string): string =>
  `{"wrong":0,"missing":${count},"unreadable":0,"unknown":0,"complete":0}`

async function written(...ranges: RangeResult[]): Promise<void> {
  const report = await open()
  for (const range of ranges) await report.add(range)
  await report.close()
}

const bytes = async (): Promise<string> => await readFile(path, 'utf8')

describe('a report', () => {
  it('says which audit it is, and no URL that may have a key in it', async () => {
    await written()
    const [first] = jsonLines(await bytes())
    expect(first).toMatchObject({ event: 'audit', version: 1, from: 100, to: 199, network: 'mainnet' })
    expect(await bytes()).not.toContain('secret')
    expect(first!['servers']).toEqual([
      expect.stringMatching(/^https:\/\/a\.example [0-9a-f]{16}$/),
      expect.stringMatching(/^https:\/\/b\.example [0-9a-f]{16}$/),
    ])
  })

  it('has a line for each slot with something to say, or for each, and one for the range', async () => {
    await written(rangeOf(100, 131, 'missing'))
    expect(jsonLines(await bytes()).map(({ event, slot }) => [event, slot])).toEqual([
      ['audit', undefined],
      ['slot', 100],
      ['range', undefined],
    ])
    path = `${path}-all`
    const report = await open(false, true)
    await report.add(rangeOf(100, 131))
    await report.close()
    expect(jsonLines(await bytes()).filter(({ event }) => event === 'slot')).toHaveLength(32)
  })

  it('goes on where it ended, with what it had', async () => {
    await written(rangeOf(164, 195, 'wrong'), rangeOf(132, 163))
    const { id } = jsonLines(await bytes())[0]!
    const report = await open()
    expect(report.id).toBe(id)
    expect(['164-195', '132-163', '100-131'].map((name) => report.isDone(name))).toEqual([true, true, false])
    await report.add(rangeOf(100, 131, 'missing'))
    await report.addSummary(report.tally.summary())
    await report.close()
    const summary = jsonLines(await bytes()).at(-1)
    expect(summary).toMatchObject({
      ...{ event: 'summary', slots: 96, counts: { complete: 94, wrong: 1, missing: 1 }, bytes: 480 },
      ...{ missing: [{ from: 100, to: 100 }], wrong: [{ from: 164, to: 164 }] },
    })
    // Once more: the summary goes, and comes again.
    const again = await open()
    expect(again.tally.summary()).toMatchObject({ slots: 96, wrong: [{ from: 164, to: 164 }] })
    await again.close()
    expect(jsonLines(await bytes()).at(-1)).toMatchObject({ event: 'range' })
  })
})

describe('a process that was killed', () => {
  it('while it wrote its first line has written nothing', async () => {
    await written()
    const whole = await bytes()
    for (const length of [0, 1, 20, whole.length - 1]) {
      await writeFile(path, whole.slice(0, length))
      await (await open()).close()
      expect(jsonLines(await bytes())).toHaveLength(1)
    }
  })

  it('anywhere within a range leaves that range to be done', async () => {
    await written(rangeOf(164, 195, 'missing'))
    const before = await bytes()
    await written(rangeOf(132, 163, 'wrong'))
    const whole = await bytes()
    for (let length = before.length; length < whole.length; length += 7) {
      await writeFile(path, whole.slice(0, length))
      const report = await open()
      expect(report.isDone('132-163')).toBe(false)
      expect(report.tally.summary()).toMatchObject({ slots: 32, wrong: [] })
      await report.close()
      expect(await bytes()).toBe(before)
    }
  })
})

describe('a range', () => {
  it('that is there twice counts once', async () => {
    await written(rangeOf(164, 195, 'missing'))
    const [, ...lines] = (await bytes()).trimEnd().split('\n')
    await appendFile(path, `${lines.join('\n')}\n`)
    const report = await open()
    expect(report.tally.summary()).toMatchObject({ slots: 32, counts: { missing: 1 } })
    await report.close()
    expect(jsonLines(await bytes()).filter(({ event }) => event === 'range')).toHaveLength(1)
  })

  it('in which something is unknown is done again where that is asked for', async () => {
    await written(rangeOf(164, 195, 'unknown'), rangeOf(132, 163, 'missing'))
    const { id } = jsonLines(await bytes())[0]!
    await (await open()).close()
    expect(jsonLines(await bytes()).filter(({ event }) => event === 'range')).toHaveLength(2)
    const report = await open(true)
    expect(report.isDone('164-195')).toBe(false)
    expect(report.isDone('132-163')).toBe(true)
    // What others still have of it under the old name is not to come back.
    expect(report.id).not.toBe(id)
    await report.add(rangeOf(164, 195))
    await report.close()
    const lines = jsonLines(await bytes())
    expect(lines.map(({ event, from, slot }) => [event, from ?? slot])).toEqual([
      ...[
        ['audit', 100],
        ['slot', 132],
        ['range', 132],
        ['range', 164],
      ],
    ])
    expect(lines[0]!['id']).toBe(report.id)
  })
})

describe('two processes that write one report', () => {
  it('are told of when the other one has rewritten it, with what is not in it', async () => {
    const first = await open()
    for (const range of [rangeOf(196, 199), rangeOf(164, 195, 'unknown')]) await first.add(range)
    const second = await open(true)
    const before = await bytes()
    await expect(first.add(rangeOf(132, 163))).rejects.toThrow(
      `another process writes ${path}, or took it away; of what this one audited, slots 132–195 are not in it`,
    )
    // It sums up what it has, which is no summary of this file.
    await expect(first.addSummary(first.tally.summary())).rejects.toThrow('slots 132–195 are not in it')
    expect(await bytes()).toBe(before)
    await second.add(rangeOf(164, 195))
    await Promise.all([first.close(), second.close()])
    expect(jsonLines(await bytes()).map(({ event, from }) => [event, from])).toEqual([
      ...[
        ['audit', 100],
        ['range', 196],
        ['range', 164],
      ],
    ])
  })

  it('do not both add to it', async () => {
    const [first, second] = [await open(), await open()]
    await first.add(rangeOf(196, 199))
    const before = await bytes()
    await expect(second.add(rangeOf(196, 199))).rejects.toThrow('another process writes')
    expect(second.tally.slots).toBe(0)
    expect(await bytes()).toBe(before)
    await first.add(rangeOf(164, 195))
    await first.addSummary(first.tally.summary())
    await Promise.all([first.close(), second.close()])
    expect(jsonLines(await bytes()).map(({ event }) => event)).toEqual(['audit', 'range', 'range', 'summary'])
  })

  it('are told of when the other one has cut off a summary', async () => {
    const first = await open()
    await first.add(rangeOf(196, 199))
    await first.addSummary(first.tally.summary())
    await (await open()).close()
    await expect(first.add(rangeOf(164, 195))).rejects.toThrow('slots 164–195 are not in it')
    await first.close()
  })

  it('are told of when the other one has taken it away', async () => {
    const report = await open()
    await report.add(rangeOf(196, 199))
    await rm(path)
    await expect(report.addSummary(report.tally.summary())).rejects.toThrow('slots 196–199 are not in it')
    await report.close()
    await expect(readFile(path)).rejects.toMatchObject({ code: 'ENOENT' })
  })

  it('are told of when the other one adds to it while it is rewritten, and nothing is lost', async () => {
    await written(rangeOf(196, 199), rangeOf(164, 195, 'unknown'))
    const file = await openFile(path)
    const spy = vi.spyOn(Object.getPrototypeOf(file) as typeof file, 'datasync')
    await file.close()
    let after = ''
    spy.mockImplementationOnce(async () => {
      await appendFile(path, `{"event":"range"}\n`)
      after = await bytes()
    })
    try {
      await expect(open(true)).rejects.toThrow(`another process writes ${path}: `)
    } finally {
      spy.mockRestore()
    }
    expect(after).toContain('{"event":"range"}')
    expect(await bytes()).toBe(after)
    expect(await readdir(dirname(path))).toEqual(['report.jsonl'])
  })
})

describe('a file', () => {
  it.each([
    ['that is something else', 'hello\nworld\n'],
    ['of other JSON', '{"event":"slot","slot":5}\n'],
    ['of one line without an end', 'hello'],
    ['of another version', '{"event":"audit","version":99}\n'],
  ])('%s is refused, and left as it is', async (_what, text) => {
    await writeFile(path, text)
    await expect(open()).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining('left as it is'),
    })
    expect(await bytes()).toBe(text)
  })

  it('that cannot be read in the middle is refused, and left as it is', async () => {
    await written(rangeOf(164, 195), rangeOf(132, 163))
    const lines = (await bytes()).split('\n')
    lines[1] = lines[1]!.slice(0, 20)
    await writeFile(path, lines.join('\n'))
    await expect(open()).rejects.toThrow(/from line 2 on/)
    expect(await bytes()).toBe(lines.join('\n'))
  })

  it('with a line that is longer than any of a report is refused, and left as it is', async () => {
    await written(rangeOf(164, 195))
    const before = (await bytes()).length
    await appendFile(path, `${'x'.repeat(2 ** 24)}\n`)
    // What has as many bytes as that is a torn end.
    await (await open()).close()
    expect((await bytes()).length).toBe(before)
    await appendFile(path, `${'x'.repeat(2 ** 24 + 1)}\n`)
    await expect(open()).rejects.toThrow('line 3 is longer than 16 MiB; it is left as it is')
    expect((await bytes()).length).toBe(before + 2 ** 24 + 2)
  })

  it.runIf(process.platform !== 'win32')('that is a device or a pipe is refused, at once', async () => {
    const pipe = `${path}-pipe`
    await promisify(execFile)('mkfifo', [pipe])
    for (path of ['/dev/zero', '/dev/null', pipe])
      await expect(open()).rejects.toMatchObject({
        name: 'UsageError',
        message: expect.stringMatching(/ is no regular file, .*: --json prints the same lines$/),
      })
  })

  /** The first range of two, with something else in its line; the file is to be refused from that line on, and left as it is. */
  async function expectRefused(event: 'slot' | 'range', change: (line: string) => string): Promise<void> {
    await written(rangeOf(164, 195, 'missing'), rangeOf(132, 163))
    const lines = (await bytes()).split('\n')
    const at = lines.findIndex((line) => line.startsWith(`{"event":"${event}"`))
    const changed = change(lines[at]!)
    expect(changed).not.toBe(lines[at])
    lines[at] = changed
    await writeFile(path, lines.join('\n'))
    await expect(open()).rejects.toThrow(`from line ${at + 1} on`)
    expect(await bytes()).toBe(lines.join('\n'))
  }

  it.each([
    ...['"bad"', 'null', '-1', '0.5', '1e400', '{}'].flatMap((count) => [
      [`a count of slots that is ${count}`, '"missing":1', `"missing":${count}`],
      [`bytes that are ${count}`, '"bytes":160', `"bytes":${count}`],
      [`a first slot that is ${count}`, '"from":164', `"from":${count}`],
      [`a count of a server that is ${count}`, '"servers":{', `"servers":{"a":${countsWith(count)}`],
    ]),
    ['a count that is not there', '"missing":1', '"other":1'],
    ['servers that are none', '"servers":{}', '"servers":null'],
    ['more slots than a range has', '"from":164', '"from":163'],
    ['an end before its start', '"to":195', '"to":163'],
  ])('is refused with a range that has %s', async (_what, before, after) => {
    await expectRefused('range', (line) => line.replace(before, after))
  })

  it.each([
    ['a number that is none', '"slot":164', '"slot":"164"'],
    ['an outcome that is none', '"outcome":"missing"', '"outcome":"__proto__"'],
    ['no blobs', '"blobs":{"wanted":1,', '"blobs":{'],
    ['servers that are none', '"servers":[]', '"servers":{}'],
    ['a server that is none', '"servers":[]', '"servers":[null]'],
  ])('is refused with a slot that has %s', async (_what, before, after) => {
    await expectRefused('slot', (line) => line.replace(before, after))
  })

  it('is refused with more slots than a range has', async () => {
    await written(rangeOf(164, 195, 'missing'), rangeOf(132, 163))
    const lines = (await bytes()).split('\n')
    lines.splice(1, 0, ...range(32).map(() => lines[1]!))
    await writeFile(path, lines.join('\n'))
    await expect(open()).rejects.toThrow('from line 34 on')
  })

  it.each([
    ['a name that is none', /"id":"[^"]*"/, '"id":{"toString":1}'],
    ['a network that is none', '"network":"mainnet"', '"network":{"toString":1}'],
    ['servers that are none', /"servers":\[[^\]]*\]/, '"servers":[{"toString":1}]'],
  ])('with a first line that has %s is refused, and left as it is', async (_what, before, after) => {
    await written(rangeOf(164, 195))
    const changed = (await bytes()).replace(before, after)
    await writeFile(path, changed)
    await expect(open()).rejects.toThrow('is no report of an audit; it is left as it is')
    expect(await bytes()).toBe(changed)
  })

  it('whose servers have names of JavaScript’s own adds them up, and nothing else', async () => {
    await written(rangeOf(164, 195))
    const names = ['__proto__', 'constructor', 'toString']
    const servers = names.map((name) => `${JSON.stringify(name)}:${countsWith('3')}`)
    await writeFile(path, (await bytes()).replace('"servers":{}', `"servers":{${servers.join()}}`))
    const report = await open()
    const [from, to] = [132, 132]
    const slot: SlotResult = {
      ...slotOf(from, 'complete'),
      servers: [{ server: '__proto__', outcome: 'complete', lacks: [], refused: [], failures: [] }],
    }
    await report.add({ from, to, slots: [slot] })
    await report.close()
    expect(({} as Record<string, unknown>)['complete']).toBeUndefined()
    const summary = report.tally.summary().servers
    expect(names.map((name) => Object.getOwnPropertyDescriptor(summary, name)?.value as unknown)).toEqual([
      { ...(JSON.parse(countsWith('3')) as object), complete: 1 },
      ...[JSON.parse(countsWith('3')), JSON.parse(countsWith('3'))],
    ])
  })

  it('whose JSON is deeper than that of any line is refused', async () => {
    await written(rangeOf(164, 195), rangeOf(132, 163))
    const lines = (await bytes()).split('\n')
    lines.splice(2, 0, `{"event":"summary","counts":${'['.repeat(20)}${']'.repeat(20)}}`)
    await writeFile(path, lines.join('\n'))
    await expect(open()).rejects.toThrow(/from line 3 on/)
  })

  it.each([
    ['--from', { from: 101 }],
    ['--to', { to: 200 }],
    ['--network', { network: 'sepolia' as const }],
    ['the trust in headers', { checkpoint: `0x${'cd'.repeat(32)}` }],
    ['the servers', { servers: ['https://a.example/other', 'https://b.example'] }],
  ])('of an audit with another %s is refused, which is named', async (name, other) => {
    await written(rangeOf(164, 195))
    const before = await bytes()
    const end = ReportFile.open(path, identityOf({ ...audited, ...other }), { all: false, retry: false })
    await expect(end).rejects.toMatchObject({
      name: 'UsageError',
      message: expect.stringContaining(`${name}:`),
    })
    expect(await bytes()).toBe(before)
  })

  it('of a network of one’s own is of the same audit whether the config says what is the default or not', () => {
    const network = { genesisTime: 0, forkEpochs: { deneb: 0, electra: 0, fulu: 0 } }
    const of = (config: object): string =>
      identityOf({ ...audited, network: { ...network, ...config } }).network
    // As reports have it that were written before configs had the field.
    expect(of({})).toBe('config 0796875780d7eefe')
    expect(of({ dataRetentionEpochs: 4_096 })).toBe(of({}))
    expect(of({ dataRetentionEpochs: 4_095 })).not.toBe(of({}))
  })

  it('of the same audit is taken whatever the case of a checkpoint', async () => {
    await written(rangeOf(164, 195))
    const same = identityOf({ ...audited, checkpoint: audited.checkpoint!.toLowerCase() })
    await (await ReportFile.open(path, same, { all: false, retry: false })).close()
  })

  it('in a folder that is not there is told of', async () => {
    path = join(path, 'no', 'where')
    await expect(open()).rejects.toMatchObject({ code: 'ENOENT' })
  })
})
