/** `blobcheck verify` on what is no data, or cannot be read: a sentence for each, bounded, and no escape gets through. */
import { execFileSync } from 'node:child_process'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { blobcheck, blobcheckHere, jsonLines } from '../support/cli.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { isBoundedJson } from '../../dist/beacon/json-bounds.js'
import { forkOfWrapper } from '../../dist/cli/verify/recognise.js'

const folder = scratchFolder()
const file = folder.write

describe('files that say nothing', () => {
  it.each<[name: string, content: Uint8Array | string, code: number, sentence: string]>([
    ['an empty file', '', 1, 'malformed: it is empty'],
    ['a page', '<html>Welcome</html>', 1, 'malformed: it is text, and neither JSON nor hexadecimal digits'],
    ['half of JSON', '{"data":[{"index":"0"', 1, 'malformed: its JSON cannot be read'],
    [
      'other JSON',
      '{"jsonrpc":"2.0","result":{}}',
      1,
      'malformed: it is JSON, and neither sidecars nor blobs',
    ],
    ['an empty list', '{"data":[]}', 3, 'not determined: it is an empty list'],
    [
      'what a Beacon API says where it has no answer',
      '{"code":404,"message":"Block not found"}',
      3,
      'not determined: it is what a Beacon API says where it has no answer: 404, Block not found',
    ],
    ['nested JSON', `{"data":${'['.repeat(1_000_000)}`, 3, 'not determined: its JSON is too deep'],
    [
      'JSON of very many values',
      `[${'0,'.repeat(2_000_000)}0]`,
      3,
      'not determined: its JSON is too deep, or',
    ],
    [
      'very many items',
      `[${'{"blob":0},'.repeat(20_000)}{}]`,
      3,
      'not determined: it holds more than 16384 items',
    ],
    ['noise', new Uint8Array(5_000).fill(0xa7), 1, 'malformed: its bytes are no sidecar'],
    ['gzip of nothing known', gzipSync('any'), 1, 'malformed: it is text, and neither JSON nor'],
    ['gzip that is cut', gzipSync('any').subarray(0, -1), 3, 'not determined: it begins as gzip does, and'],
    [
      'snappy',
      new Uint8Array([0xff, 6, 0, 0, 0x73, 0x4e, 0x61, 0x50, 0x70, 0x59]),
      3,
      'compressed with snappy',
    ],
  ])('%s', async (name, content, code, sentence) => {
    const ended = await blobcheckHere(['verify', await file(name, content)])
    expect(ended.out).toContain(sentence)
    expect(ended.code).toBe(code)
    expect(ended.err).toBe('')
  })

  it('a folder, a missing file: and the others are verified all the same', async () => {
    const noise = await file('noise', 'no')
    const { code, out } = await blobcheckHere([
      'verify',
      '--json',
      folder.path,
      join(folder.path, 'nowhere'),
      noise,
    ])
    expect(code).toBe(1)
    expect(jsonLines(out)).toMatchObject([
      { event: 'undetermined', file: folder.path, message: expect.stringContaining('a folder') },
      { event: 'undetermined', message: 'there is no such file' },
      { event: 'unrecognised', file: noise },
      { event: 'summary', files: 3, items: 1, malformed: 1, undetermined: 2, exitCode: 1 },
    ])
  })

  it('a hash in the place of a file: it is said which command takes one', async () => {
    const { code, out } = await blobcheckHere(['verify', `0x${'ab'.repeat(32)}`])
    expect(code).toBe(3)
    expect(out).toContain(
      'there is no such file; the blobs of a transaction’s hash are found by “blobcheck blobs”',
    )
  })

  it.skipIf(process.platform === 'win32')('what has no end is read to a limit, which is named', async () => {
    const { code, out } = await blobcheck(['verify', '/dev/zero'])
    expect(code).toBe(3)
    expect(out).toContain('not determined: it is longer than 128 MiB')
  })

  it('what gzip makes of more than that is decompressed to the limit alone', async () => {
    const bomb = await file('bomb.gz', gzipSync(new Uint8Array(2 ** 27 + 1)))
    const { code, out } = await blobcheckHere(['verify', bomb])
    expect(code).toBe(3)
    expect(out).toContain('not determined: it is longer than 128 MiB')
  })

  it('ends when it is interrupted while it waits', async () => {
    const { code, out } = await blobcheck(['verify', '--json', await file('first', '{}'), '-'], {
      input: null,
      onLine: (line, kill) => line.includes('unrecognised') && kill('SIGINT'),
    })
    expect(code).toBe(1)
    expect(jsonLines(out)).toMatchObject([
      { event: 'unrecognised' },
      { event: 'undetermined', file: '-', message: expect.stringContaining('interrupted') },
      { event: 'summary', files: 2, malformed: 1, undetermined: 1, exitCode: 1 },
    ])
  })

  it.skipIf(process.platform === 'win32')('a pipe is waited for, and may be left', async () => {
    const pipe = join(folder.path, 'pipe')
    execFileSync('mkfifo', [pipe])
    const [before, after] = [await file('before', 'no'), await file('after', '{}')]
    const left = await blobcheck(['verify', '--json', before, pipe, after], {
      // Once it waits; before that the interruption would find nothing to end.
      onLine: (line, kill) => line.includes('unrecognised') && setTimeout(() => kill('SIGINT'), 300),
    })
    expect(left).toMatchObject({ code: 1, signal: null })
    expect(jsonLines(left.out)).toMatchObject([
      { event: 'unrecognised', file: before },
      { event: 'undetermined', file: pipe, message: expect.stringContaining('interrupted') },
      { event: 'undetermined', file: after, message: expect.stringContaining('interrupted') },
      { event: 'summary', files: 3, malformed: 1, undetermined: 2 },
    ])
    const alone = await blobcheck(['verify', '--json', before, pipe], {
      async onLine(line) {
        if (!line.includes('unrecognised') || line.includes('pipe')) return
        const writer = await open(pipe, 'w')
        for (const part of ['{"a"', ':', '1}']) await writer.write(part)
        await writer.close()
      },
    })
    expect(jsonLines(alone.out)).toMatchObject([
      { event: 'unrecognised', file: before },
      { event: 'unrecognised', file: pipe, message: expect.stringContaining('it is JSON') },
      { event: 'summary', files: 2, malformed: 2, undetermined: 0 },
    ])
  })
})

describe('words of others', () => {
  it('no control character of a file or its name reaches the terminal', async () => {
    const name = 'a\u001b[2J\u009b1m\u202eb'
    const path = await file(name, '{"blob":"\\u001b[2J","index":"\\u001b[31m1","x":"\u009b"}')
    const broken = await file(`${name}2`, '{"blob"\u009b\u202e')
    for (const args of [
      [path, broken],
      ['--json', path, broken],
    ]) {
      const { code, out, err } = await blobcheckHere(['verify', ...args])
      expect(code).toBe(1)
      expect(out + err).not.toMatch(/[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202e]/)
    }
  })
})

describe('usage', () => {
  const root = `0x${'1'.repeat(64)}`
  it.each<[name: string, args: string[]]>([
    ['no file', []],
    ['an unknown kind', ['--as', 'blocks', 'x']],
    ['an unknown fork', ['--fork', 'frontier', 'x']],
    ['an unknown network', ['--network', 'rinkeby', 'x']],
    ['a header that is none', ['--header', '0x12', 'x']],
    ['versioned hashes that are none', ['--versioned-hashes', root, 'x']],
    ['two anchors', ['--header', root, '--versioned-hashes', `0x01${'1'.repeat(62)}`, 'x']],
    ['standard input twice', ['-', '-']],
    ['standard input as a header and a file', ['--header', '-', '-']],
    ['standard input as a block and a file', ['--block', '-', '-']],
    ['standard input as a header and a block', ['--header', '-', '--block', '-', 'x']],
  ])('ends with 2 for %s', async (_name, args) => {
    const { code, out, err } = await blobcheckHere(['verify', ...args])
    expect(code).toBe(2)
    expect(err).not.toBe('')
    expect(out).toBe('')
    if (args.includes('-')) expect(err).toContain('standard input can be read once')
  })

  it('ends with 2 for a header whose JSON is deeper than any, which is not parsed', async () => {
    const header = await file('deep', `{"data":${'['.repeat(20)}${']'.repeat(20)}}`)
    const { code, err } = await blobcheckHere(['verify', '--header', header, 'x'])
    expect([code, err]).toEqual([2, expect.stringContaining('its JSON is too deep') as unknown])
  })

  it('says what there is', async () => {
    const { code, out } = await blobcheckHere(['verify', '--help'])
    expect(code).toBe(0)
    for (const word of [
      '--network',
      '--as',
      '--fork',
      '--header',
      '--block',
      '--versioned-hashes',
      '--json',
      'Exit codes',
    ])
      expect(out).toContain(word)
  })
})

describe('bounds of JSON', () => {
  const bytes = (text: string): Uint8Array => new TextEncoder().encode(text)

  it('jumps over strings, whatever is in them', () => {
    const tame = ['"', '\\', '\\"', '[[[[[[[[[[[[[[[[[[[[', '\\\\', '{"', '\u009b€'].map((text) =>
      JSON.stringify(text),
    )
    for (const text of tame) expect(isBoundedJson(bytes(`{"data":[${text},${text}]}`))).toBe(true)
    // Not closed: the brackets behind belong to it.
    expect(isBoundedJson(bytes(`"\\"${'['.repeat(100)}`))).toBe(true)
    expect(isBoundedJson(bytes(`"\\\\"${'['.repeat(100)}`))).toBe(false)
    expect(isBoundedJson(bytes(`"${'\\'.repeat(101)}"${'['.repeat(100)}`))).toBe(true)
  })

  it('is quick where strings are full of quotes', () => {
    expect(isBoundedJson(bytes(`"${'\\"'.repeat(4_000_000)}`))).toBe(true)
    expect(isBoundedJson(bytes(`"${'\\'.repeat(8_000_000)}"`))).toBe(true)
  })
})

describe('wrappers', () => {
  it('never reads beyond what is there', () => {
    for (const bytes of [
      [],
      [3],
      [3, 0xff],
      [3, 0xc0],
      [3, 0xf9, 1],
      [3, 0xc1, 0xff],
      [3, 0xff, ...Array(8).fill(255)],
    ])
      expect(forkOfWrapper(Uint8Array.from(bytes as number[]))).toBe('osaka')
  })
})
