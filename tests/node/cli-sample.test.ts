/** `blobcheck sample`, on servers over real HTTP that are as good or as bad as a test wants them. */
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { networks } from 'blobcheck'
import { type FaultRule, type MadeChain, makeChain, realChain } from 'blobcheck/serve'
import { readEmbeddedSidecars } from 'blobcheck/serve/node'
import { beforeAll, describe, expect, it } from 'vitest'
import { beaconOf, fileOf, folder, networkFile } from '../support/beacons.ts'
import { blobcheck, blobcheckHere, jsonLines } from '../support/cli.ts'

type Report = Record<string, Record<string, unknown>> & { readonly columns: { readonly status: string }[] }

let chain: MadeChain

beforeAll(async () => {
  chain = await makeChain({ slots: 40, blobsPerBlock: 2 })
})

/** Sampling on the made chain, from its checkpoint. */
async function fromCheckpoint(...args: string[]): Promise<string[]> {
  const network = await networkFile(chain)
  return ['sample', '--network', network, '--checkpoint', chain.checkpoint, '--no-store', ...args]
}

/** Sampling on the made chain, on its server's word. */
async function onWord(...args: string[]): Promise<string[]> {
  return ['sample', '--network', await networkFile(chain), '--trust-endpoint', ...args]
}

function reportIn(out: string): Report {
  return jsonLines(out).find(({ event }) => event === 'report') as Report
}

describe('a block that is there', () => {
  it('is available, with all links from the checkpoint', async () => {
    const args = await fromCheckpoint('--beacon', await beaconOf(chain), await beaconOf(chain))
    const { code, out, err } = await blobcheck(args)
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toMatch(/^slot \d+: available: the sample is complete\n {2}root 0x[0-9a-f]{64}$/m)
    expect(out).toContain('  2 blobs, proven by the execution header’s blob gas\n')
    expect(out).toContain('  26 of 26 chosen columns verified, by 2 servers\n')
    expect(out).toMatch(
      /^ {2}confidence: 1 − 2⁻³[⁰¹] \(1 in [\d,]+\), if .*what it hides from others. Should one server show this client alone what it has: none$/m,
    )
    expect(out).toMatch(
      /^ {2}verified: .*the block’s place in the chain; a sync committee’s signature; the way from/m,
    )
    expect(out).toMatch(/^ {2}not verified: .*102 of 128 columns/m)
    // Nobody can erase what is in a file.
    expect(out).not.toMatch(/[\u0000-\u0009\u000b-\u001f]/)
    expect(out.match(/^column \d+: verified, http/gm)).toHaveLength(26)
  })

  it.each([
    ['--columns', '8', 8],
    ['--max-error', '1e-3', 10],
  ])('is as certain as it is told to be: %s %s', async (option, value, columns) => {
    const args = await fromCheckpoint('--json', option, value, '--beacon', await beaconOf(chain))
    const { code, out } = await blobcheckHere(args)
    expect(code).toBe(0)
    const events = jsonLines(out)
    expect(events.map(({ trust }) => trust)).toEqual(events.map(() => 'checkpoint'))
    expect(events.find(({ event }) => event === 'chosen')!['columns']).toHaveLength(columns)
    expect(reportIn(out)).toMatchObject({
      verdict: 'available',
      confidence: { samples: columns, missing: 0, servers: 1, independent: false },
      blobCount: { count: 2, by: 'proven' },
      links: { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' },
    })
    expect(events.at(-1)).toMatchObject({ event: 'end', exitCode: 0 })
  })

  it('may be named by slot, by root, or as final', async () => {
    const url = await beaconOf(chain)
    const { finalized } = chain
    const older = chain.at(chain.head.slot - 2)!
    for (const [id, slot] of [
      ['finalized', finalized.slot],
      [older.root, older.slot],
      [String(older.slot), older.slot],
    ] as const) {
      const { code, out } = await blobcheckHere(
        await fromCheckpoint('--json', '--columns', '2', '--block', id, '--beacon', url),
      )
      expect(code).toBe(0)
      expect(reportIn(out)['block']).toMatchObject({ slot })
    }
  })

  it('on the endpoint’s word says so in every line about it', async () => {
    const args = await onWord('--columns', '4', '--beacon', await beaconOf(chain))
    const { code, out } = await blobcheckHere(args)
    expect(code).toBe(0)
    const lines = out.split('\n').filter((line) => /^(slot|column|chosen)/.test(line))
    expect(lines).toHaveLength(7)
    for (const line of lines) expect(line).toContain('[header on the endpoints’ word]')
    expect(out).toContain('  on trust: the block’s place in the chain\n')
    // How many blobs the block has is known by another way.
    expect(out).toContain('  2 blobs, by the list of commitments, which belongs to the header\n')
    expect(out).toMatch(/^ {2}not verified: .*the number of blobs against the execution header’s blob gas/m)
    for (const event of jsonLines((await blobcheckHere([...args, '--json'])).out))
      expect(event['trust']).toBe('endpoint')
  })

  it('is not sampled to be written where nothing can be written', async () => {
    const file = join(await folder(), 'file')
    await writeFile(file, '')
    for (const path of [file, join(file, 'below')]) {
      const { code, out, err } = await blobcheckHere(['sample', '--reconstruct', path])
      expect(err).toContain(`--reconstruct ${path}: ${file} is no folder`)
      expect({ code, out }).toEqual({ code: 2, out: '' })
    }
  })

  it('is told of also where its blobs cannot be written in the end', async () => {
    const path = await folder()
    const beacon = await beaconOf(chain)
    const args = await fromCheckpoint('--json', '--reconstruct', path, '--beacon', beacon)
    // Folders are in the places of the files.
    const slots = Array.from({ length: 400 }, (_, slot) => slot)
    await Promise.all(slots.map((slot) => mkdir(join(path, `${slot}-blob-1.bin`))))
    const { code, out } = await blobcheckHere(args)
    expect(reportIn(out)).toMatchObject({ verdict: 'available', confidence: { certain: true } })
    expect(jsonLines(out).find(({ event }) => event === 'failed')).toMatchObject({
      message: expect.stringContaining('EISDIR'),
    })
    expect(code).toBe(3)
  })

  it('is rebuilt, and written down', async () => {
    const path = await folder()
    const args = await fromCheckpoint('--json', '--reconstruct', path, '--beacon', await beaconOf(chain))
    const { code, out } = await blobcheckHere(args)
    expect(code).toBe(0)
    const report = reportIn(out)
    expect(report).toMatchObject({ verdict: 'available', confidence: { certain: true } })
    const { slot } = report['block'] as unknown as { slot: number }
    expect((await readdir(path)).sort()).toEqual([`${slot}-blob-0.bin`, `${slot}-blob-1.bin`])
    for (const [index, { blob }] of chain.at(slot)!.blobs.entries())
      expect(Buffer.compare(await readFile(join(path, `${slot}-blob-${index}.bin`)), blob)).toBe(0)
  })

  it('without any endpoint is a recorded one, which is said', async () => {
    const { code, out, err } = await blobcheckHere(['sample'])
    expect(err).toBe('')
    expect(code).toBe(0)
    expect(out).toContain('This is a recorded block, and no endpoint of the network is asked')
    expect(out).toContain('network: synthetic: Holesky as if Fulu had begun')
    expect(out).toMatch(/^slot 1409759 .*\[recorded block\]: available: the sample is complete$/m)
    expect(out).toContain('that this server has them is shown')
  })
})

describe('a block before Fulu', () => {
  it('is verified whole, by a fallback that is named', async () => {
    const network = { ...networks.holesky, label: 'Holesky' }
    const old = await realChain({ sidecars: await readEmbeddedSidecars(), network })
    const args = ['sample', '--network', 'holesky', '--trust-endpoint', '--beacon', await beaconOf(old)]
    const { code, out } = await blobcheckHere(args)
    expect(code).toBe(0)
    expect(out).toContain('available: all blobs were verified, whole')
    expect(out).toContain('  confidence: certain, without assumptions: ')
    expect(out).toContain('  by a fallback: blob sidecars, with their proofs\n')
    expect(out).toMatch(/: 6 of 6 blobs verified, /)
  })
})

describe('a block whose columns are missing', () => {
  it('is made good by whole blobs, if that was asked for', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'withhold', columns: 65 } })
    const args = await fromCheckpoint('--fallback', 'blobs', '--beacon', url)
    const { code, out } = await blobcheckHere(args)
    expect(out).toContain('  by a fallback: whole blobs, whose commitments were computed here\n')
    expect(out).toMatch(/^slot \d+: available: all blobs were verified, whole$/m)
    expect(code).toBe(0)
  })
})

describe('a block that nodes lack', () => {
  it('is made good by an archive, which is named', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'withhold', columns: 65 } })
    const archive = await beaconOf(chain, { fault: { kind: 'status', code: 404 }, routes: ['blobs'] })
    const args = await fromCheckpoint('--archive', archive, '--beacon', url)
    const { code, out } = await blobcheckHere(args)
    expect(out).toContain(`  by a fallback: blob sidecars, with their proofs, of an archive: ${archive}\n`)
    expect(out).toContain(': that this server has them is shown, not that others can get them\n')
    expect(out).toMatch(/^slot \d+: available: all blobs were verified, whole$/m)
    expect(code).toBe(0)
  })

  it('is made good by files at hand, held against the header that the checkpoint leads to', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'withhold', columns: 65 } })
    const whole = await beaconOf(chain)
    // The head moves on meanwhile.
    const { slot } = chain.head
    const { root } = chain.at(slot - 2)!
    const answer = await (await fetch(`${whole}/eth/v1/beacon/blob_sidecars/${root}`)).text()
    const path = await fileOf('sidecars.json', answer)
    const args = await fromCheckpoint('--block', root, '--beacon', url)
    const { code, out } = await blobcheckHere([...args, '--file', path])
    expect(out).toContain(`  by a fallback: blob sidecars, with their proofs, in files at hand: ${path}\n`)
    expect(out).toContain('that others can get it is not shown')
    expect(code).toBe(0)
    // Nor does an entry that is nothing hide those beside it.
    const { data } = JSON.parse(answer) as { data: object[] }
    const holed = await fileOf('holed.json', JSON.stringify([null, ...data]))
    const beside = await blobcheckHere([...args, '--file', holed])
    expect(beside.out).toContain(`in files at hand: ${holed}\n`)
    expect(beside.out).toContain(`${holed}: 1 failure, last: malformed (JSON that is no list of sidecars)`)
    expect(beside.code).toBe(0)
    // One sidecar by itself is not all; and one of another block is none of this one.
    const [first] = data
    const one = await fileOf('one.json', JSON.stringify(first))
    const few = await blobcheckHere([...args, '--json', '--file', one])
    expect([few.code, reportIn(few.out)['fallback']]).toEqual([1, null])
    const older = await fromCheckpoint('--block', chain.at(slot - 3)!.root, '--beacon', url)
    const another = await blobcheckHere([...older, '--file', path])
    expect(another.code).toBe(1)
    expect(another.out).toContain(`${path}: 2 failures, last: invalid (blob-sidecar 1: header-mismatch)`)
  })

  it('is made good by columns of Gloas at hand, in either form', async () => {
    const gloas = await makeChain({ slots: 40, blobsPerBlock: 1, gloasForkEpoch: 3 })
    const url = await beaconOf(gloas, { fault: { kind: 'withhold', columns: 128 } })
    const whole = await beaconOf(gloas)
    const { slot } = gloas.head
    const answer = async (accept: string): Promise<Uint8Array> => {
      const path = `/eth/v1/debug/beacon/data_column_sidecars/${slot - 2}`
      return new Uint8Array(await (await fetch(`${whole}${path}`, { headers: { accept } })).arrayBuffer())
    }
    const files = [
      await fileOf('columns.json', await answer('application/json')),
      await fileOf('columns.ssz', await answer('application/octet-stream')),
    ]
    for (const path of files) {
      const { code, out, err } = await blobcheckHere([
        ...['sample', '--network', await networkFile(gloas), '--trust-endpoint', '--beacon', url],
        ...['--block', String(slot - 2), '--file', path],
      ])
      expect(err).toBe('')
      expect(out).toContain(`in files at hand: ${path}`)
      expect(out).toContain('  1 blob, by the bid in the block\n')
      expect(out).toMatch(/^ {2}not verified: .*the number of blobs by a header that is proven/m)
      expect(code).toBe(0)
    }
  })

  it('is nothing that files without sidecars could say something about', async () => {
    const args = await fromCheckpoint('--beacon', await beaconOf(chain))
    for (const [path, why] of [
      ['nowhere.json', 'there is no such file'],
      [await fileOf('text', 'hello'), 'neither JSON nor hexadecimal digits'],
      [await fileOf('blobs', JSON.stringify(['0x00'])), 'it holds no sidecars (1 bare blob, JSON)'],
    ] as const) {
      const { code, err } = await blobcheckHere([...args, '--file', path])
      expect(err).toContain(`${path}: `)
      expect(err).toContain(why)
      expect(code).toBe(3)
    }
  })
})

describe('a block that is not', () => {
  it('is unavailable where columns are withheld, and the exit code says so', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'withhold', columns: 65 } })
    const args = await fromCheckpoint('--beacon', url)
    const { code, out } = await blobcheck(args)
    expect(code).toBe(1)
    expect(out).toMatch(/: unavailable: columns of the sample are missing \(.*ask one that keeps all\)$/m)
    expect(out).toMatch(/^ {2}✗ \d+ columns missing \([\d, ]+\): not delivered by anybody: .*not-delivered/m)
    expect(out).not.toContain('confidence')
  })

  it('is given up sooner or later, as is asked for', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'withhold', columns: 128 } })
    const drawn = async (...args: string[]): Promise<number> => {
      const { code, out } = await blobcheckHere(
        await fromCheckpoint('--json', '--columns', '4', ...args, '--beacon', url),
      )
      expect(code).toBe(1)
      return Number(reportIn(out)['confidence']!['samples'])
    }
    expect(await drawn('--allow-missing', '0')).toBe(4)
    expect(await drawn('--allow-missing', '4')).toBeGreaterThan(4)
    for (const bad of ['65', '-1', 'some'])
      expect((await blobcheckHere(['sample', '--allow-missing', bad])).code).toBe(2)
  })

  it('is unavailable where nothing of it is true, and names who said it', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'corrupt', part: 'cell' } })
    const { code, out } = await blobcheckHere(
      await fromCheckpoint('--json', '--columns', '4', '--beacon', url),
    )
    expect(code).toBe(1)
    const events = jsonLines(out)
    expect(events.filter(({ event }) => event === 'refused')).not.toHaveLength(0)
    for (const event of events.filter(({ event }) => event === 'refused'))
      expect(event).toMatchObject({ endpoint: url, reason: 'proof-mismatch' })
    expect(reportIn(out).columns.every(({ status }) => status === 'missing')).toBe(true)
  })

  it('is unavailable where it is hidden that there are blobs, which the header proves', async () => {
    const url = await beaconOf(chain, { fault: { kind: 'hide-blobs' } })
    expect((await blobcheckHere(await fromCheckpoint('--columns', '4', '--beacon', url))).code).toBe(1)
    // Or the block does, where the header is on the server's word.
    const told = await blobcheckHere(await onWord('--columns', '4', '--beacon', url))
    expect(told.code).toBe(1)
    expect(told.out).toContain('  2 blobs, by the list of commitments, which belongs to the header\n')
    // Without the block nothing is proven.
    const rules: FaultRule[] = [
      { fault: { kind: 'hide-blobs' } },
      { fault: { kind: 'status', code: 404 }, routes: ['blocks'] },
    ]
    const silent = await beaconOf(chain, ...rules)
    const { code, out } = await blobcheckHere(await onWord('--columns', '4', '--beacon', silent))
    expect(code).toBe(3)
    expect(out).toContain('unknown: nothing was delivered, and whether there is anything is not proven')
  })

  it('is unknown where nobody answers, and why is said', async () => {
    const dead = 'http://127.0.0.1:9'
    const word = await blobcheckHere(await onWord('--beacon', dead))
    expect(word.code).toBe(3)
    expect(word.out).toContain('unknown: it cannot be told which block that is')
    expect(word.out).toContain(`${dead}: network`)
    const { code, out, err } = await blobcheckHere(await fromCheckpoint('--beacon', dead))
    expect(code).toBe(3)
    expect(err).toContain(`blobcheck: no beacon endpoint gave an answer that can be used: ${dead}: network`)
    expect(out).toBe('following the chain from your checkpoint …\n')
    const lines = jsonLines((await blobcheckHere(await fromCheckpoint('--json', '--beacon', dead))).out)
    expect(lines).toMatchObject([
      { event: 'failed', error: 'BeaconUnavailableError' },
      { event: 'end', exitCode: 3 },
    ])
  })

  it('is unknown where its header cannot be had from the checkpoint, and why is said', async () => {
    const args = await fromCheckpoint('--beacon', await beaconOf(chain))
    const stranger = `0x${'7'.repeat(64)}`
    for (const [id, why] of [
      [
        String(chain.head.slot + 9),
        `slot ${chain.head.slot + 9} is newer than the newest header that the light client knows, of slot ${chain.head.slot - 1}: it learns of a block from the one after it`,
      ],
      [stranger, 'no endpoint knows a block of that root'],
    ] as const) {
      const { code, out } = await blobcheckHere([...args, '--block', id])
      expect(code).toBe(3)
      expect(out).toContain(`block ${id}: unknown: it cannot be told which block that is\n  ${why}\n`)
      const { out: json } = await blobcheckHere([...args, '--json', '--block', id])
      expect(reportIn(json)).toMatchObject({ reason: 'no-header', detail: why })
    }
    // Which endpoint failed at the headers between is said, too.
    const url = await beaconOf(chain, { fault: { kind: 'status', code: 500 }, routes: ['headers'] })
    const { code, out } = await blobcheckHere(
      await fromCheckpoint('--block', String(chain.head.slot - 5), '--beacon', url),
    )
    expect(code).toBe(3)
    expect(out).toContain(
      `  no beacon endpoint gave an answer that can be used: ${url}: server-error (status 500)\n`,
    )
  })

  it('is unknown where there is none', async () => {
    const args = await fromCheckpoint('--block', '3', '--beacon', await beaconOf(chain))
    const { code, out } = await blobcheckHere(args)
    expect(code).toBe(3)
    expect(out).toContain('block 3: no block: nobody proposed a block in that slot')
  })
})

describe('an interruption', () => {
  it('ends it in good order, whatever a server does', async () => {
    const url = await beaconOf(chain, {
      fault: { kind: 'drip', bytes: 1, everyMs: 50 },
      routes: ['data_column_sidecars'],
    })
    const { code, signal, out } = await blobcheck(await onWord('--json', '--beacon', url), {
      onLine: (line, kill) => line.includes('"chosen"') && kill('SIGINT'),
    })
    expect({ code, signal }).toEqual({ code: 3, signal: null })
    expect(jsonLines(out).slice(-2)).toMatchObject([
      { event: 'failed', error: 'AbortError' },
      { event: 'end', exitCode: 3 },
    ])
  })
})

describe('usage', () => {
  const root = `0x${'1'.repeat(64)}`
  const beacon = ['--beacon', 'http://127.0.0.1:9']
  it.each<[name: string, args: string[], sentence: string]>([
    ['no checkpoint', beacon, 'where does your trust in the chain begin?'],
    ['a checkpoint without an endpoint', ['--checkpoint', root], '--checkpoint is about a chain'],
    ['following without an endpoint', ['--follow'], '--follow is about a chain'],
    ['a block without an endpoint', ['--block', '7'], '--block is about a chain'],
    ['both kinds of trust', [...beacon, '--checkpoint', root, '--trust-endpoint'], 'cannot be used with'],
    ['both kinds of target', [...beacon, '--columns', '8', '--max-error', '0.1'], 'cannot be used with'],
    ['too many columns', ['--columns', '129'], 'from 1 to 128'],
    ['no columns', ['--columns', '0'], 'from 1 to 128'],
    ['a part of a column', ['--columns', '1.5'], 'It must be an integer from 1 to 128.'],
    ['no time to answer', ['--timeout', '0'], 'It must be a number of seconds, more than 0.'],
    ['no probability', ['--max-error', '1'], 'probability'],
    ['what names no block', [...beacon, '--block', 'newest'], 'head, finalized, a slot'],
    [
      'too few columns to rebuild',
      ['--reconstruct', 'x', '--columns', '63'],
      '--reconstruct needs 64 columns',
    ],
    [
      'following from a block',
      [...beacon, '--trust-endpoint', '--follow', '--block', '7'],
      'begins at the head',
    ],
    ['an endpoint that is none', ['--beacon', 'nowhere', '--trust-endpoint'], 'Write http://nowhere, or'],
    ['an archive without an endpoint', ['--archive', 'http://127.0.0.1:9'], '--archive is about a chain'],
    ['a file without an endpoint', ['--file', 'a.json'], '--file is about a chain'],
    [
      'standard input twice',
      [...beacon, '--trust-endpoint', '--file', '-', '-'],
      'standard input can be read once',
    ],
    ['a fallback that is none', [...beacon, '--fallback', 'hope'], 'Allowed choices'],
  ])('ends with 2 for %s', async (_name, args, sentence) => {
    const { code, out, err } = await blobcheckHere(['sample', ...args])
    expect(err).toContain(sentence)
    expect(code).toBe(2)
    expect(out).toBe('')
  })

  it('says what there is', async () => {
    const { code, out } = await blobcheckHere(['sample', '--help'])
    expect(code).toBe(0)
    for (const word of [
      ...['--beacon', '--checkpoint', '--trust-endpoint', '--network', '--block', '--max-error', '--columns'],
      ...[
        '--follow',
        '--reconstruct',
        '--fallback',
        '--archive',
        '--file',
        '--json',
        '--timeout',
        '--store',
        'Exit codes',
      ],
    ])
      expect(out).toContain(word)
  })
})
