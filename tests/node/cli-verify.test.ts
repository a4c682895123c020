/** `blobcheck verify` on files that the tests make: what each is, what becomes of it, how it ends. */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  invented,
  makeParts,
  makeSidecars,
  type MadeSidecars,
  slots,
  transactionOf,
} from '../support/blocks.ts'
import { concat, flip, toHex } from '../support/bytes.ts'
import { blobcheck, blobcheckHere, type Ended, jsonLines } from '../support/cli.ts'
import { columns as columnsOf, blobs as blobsOf, faultyApp, ask, handChain, SSZ } from '../support/served.ts'
import { writeNetwork } from '../../dist/cli/options.js'
import { readTestFile } from '../support/files.ts'
import {
  blobSidecarSsz,
  dataColumnSidecarSsz,
  headerRoot,
  headerSsz,
  listSsz,
  signedHeaderSsz,
} from '../support/ssz.ts'

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf)

/** As Windows writes text, with a byte order mark; PowerShell's `>` does. */
const utf16 = (text: string): Uint8Array => Buffer.from(`\ufeff${text}`, 'utf16le')

let folder: string
let network: string
let deneb: MadeSidecars
let fulu: MadeSidecars

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-'))
  network = await file('network.json', JSON.stringify({ ...invented, label: 'of the tests' }))
  deneb = await makeSidecars(slots.deneb, [1, 2])
  fulu = await makeSidecars(slots.fulu, [3, 4, 5])
})

afterAll(async () => await rm(folder, { recursive: true }))

async function file(name: string, content: Uint8Array | string): Promise<string> {
  const path = join(folder, name)
  await writeFile(path, content)
  return path
}

/** On the invented network. */
const verify = async (...args: string[]): Promise<Ended> =>
  await blobcheckHere(['verify', '--network', network, ...args])

const transaction = async (rules: 4844 | 7594): Promise<Uint8Array<ArrayBuffer>> =>
  transactionOf(await makeParts([6, 7], rules))

describe('kinds of files', () => {
  const blobs = (): Uint8Array<ArrayBuffer>[] => deneb.sidecars.map(blobSidecarSsz)
  const columns = (): Uint8Array<ArrayBuffer>[] =>
    [0, 40, 41, 91, 123, 127].map((index) => dataColumnSidecarSsz(fulu.column(index)))
  const answer = (data: unknown): string => JSON.stringify({ version: 'any', finalized: true, data }, null, 2)

  it.each<[name: string, make: () => unknown, kind: string, form: string, hex: boolean, items: number]>([
    ['an answer with blob sidecars', () => answer(deneb.sidecars), 'blob-sidecars', 'json', false, 2],
    ['a list of blob sidecars', () => JSON.stringify(deneb.sidecars), 'blob-sidecars', 'json', false, 2],
    [
      'one blob sidecar',
      () => `\n ${JSON.stringify(deneb.sidecars[1])}\n`,
      'blob-sidecars',
      'json',
      false,
      1,
    ],
    [
      'JSON with a byte order mark',
      () => `\ufeff${answer(deneb.sidecars)}`,
      'blob-sidecars',
      'json',
      false,
      2,
    ],
    ['hex with a byte order mark', () => `\ufeff${toHex(blobs()[1]!)}`, 'blob-sidecars', 'ssz', true, 1],
    ['JSON in UTF-16', () => utf16(answer(deneb.sidecars)), 'blob-sidecars', 'json', false, 2],
    [
      'JSON in UTF-16 of the other byte order',
      () => Buffer.from(utf16(answer(deneb.sidecars))).swap16(),
      'blob-sidecars',
      'json',
      false,
      2,
    ],
    ['hex in UTF-16', () => utf16(`${toHex(blobs()[1]!)}\r\n`), 'blob-sidecars', 'ssz', true, 1],
    ['an answer with one', () => answer(deneb.sidecars[0]), 'blob-sidecars', 'json', false, 1],
    ['a blob sidecar in SSZ', () => blobs()[1], 'blob-sidecars', 'ssz', false, 1],
    ['blob sidecars in SSZ', () => concat(...blobs()), 'blob-sidecars', 'ssz', false, 2],
    [
      'a blob sidecar in lines of hex, as xxd writes it',
      () => toHex(blobs()[1]!).slice(2).replaceAll(/.{60}/g, '$&\n'),
      'blob-sidecars',
      'ssz',
      true,
      1,
    ],
    ['a blob sidecar in hex', () => `${toHex(blobs()[1]!)}\n`, 'blob-sidecars', 'ssz', true, 1],
    ['an answer with columns', () => answer([fulu.column(7)]), 'data-column-sidecars', 'json', false, 1],
    ['columns in SSZ', () => listSsz(columns()), 'data-column-sidecars', 'ssz', false, 6],
    ['two columns in SSZ', () => listSsz(columns().slice(0, 2)), 'data-column-sidecars', 'ssz', false, 2],
    ['a list of one', () => listSsz(columns().slice(0, 1)), 'data-column-sidecars', 'ssz', false, 1],
    // Their first bytes are those of JSON, of an offset, and of nothing.
    ['column 91 in SSZ', () => columns()[3], 'data-column-sidecars', 'ssz', false, 1],
    ['column 123 in SSZ', () => columns()[4], 'data-column-sidecars', 'ssz', false, 1],
    ['column 40 in SSZ', () => columns()[1], 'data-column-sidecars', 'ssz', false, 1],
    ['column 0 in SSZ', () => columns()[0], 'data-column-sidecars', 'ssz', false, 1],
    ['a transaction of EIP-4844', () => transaction(4844), 'transaction', 'rlp', false, 1],
    ['a transaction of EIP-7594', () => transaction(7594), 'transaction', 'rlp', false, 1],
    [
      'a transaction in hex',
      async () => toHex(await transaction(7594)).slice(2),
      'transaction',
      'rlp',
      true,
      1,
    ],
  ])('finds out that it is %s', async (name, make, kind, form, hex, items) => {
    const path = await file(name, (await make()) as string)
    const { code, out, err } = await verify('--json', path)
    expect(err).toBe('')
    const events = jsonLines(out)
    expect(events[0]).toMatchObject({ event: 'file', file: path, kind, form, hex, items })
    expect(events.slice(1, -1)).toHaveLength(items)
    for (const item of events.slice(1, -1)) expect(item).toMatchObject({ event: 'item', status: 'valid' })
    expect(events.at(-1)).toEqual({
      event: 'summary',
      files: 1,
      items,
      valid: items,
      invalid: 0,
      malformed: 0,
      undetermined: 0,
      network: 'of the tests',
      exitCode: 0,
    })
    expect(code).toBe(0)
  })

  it('does not take it for bad data that nothing came', async () => {
    const { code, out } = await blobcheck(['verify', '-'])
    expect(out).toContain('standard input: not determined: nothing came')
    expect(code).toBe(3)
  })

  it('reads standard input, and says where items belong', async () => {
    const { code, out } = await blobcheck(['verify', '-n', network, '--json', '-'], {
      input: listSsz(columns()),
    })
    expect(code).toBe(0)
    const items = jsonLines(out).filter(({ event }) => event === 'item')
    expect(items.map(({ index }) => index)).toEqual(['0', '40', '41', '91', '123', '127'])
    for (const { slot, file } of items)
      expect({ slot, file }).toEqual({ slot: String(slots.fulu), file: '-' })
  })

  it('holds a transaction to the rules of its wrapper, or of the fork that is named', async () => {
    const [old, recent] = [
      await file('4844.rlp', await transaction(4844)),
      await file('7594.rlp', await transaction(7594)),
    ]
    const { code, out } = await verify('--json', old, recent)
    expect(code).toBe(0)
    expect(jsonLines(out).flatMap(({ event, fork }) => (event === 'item' ? [fork] : []))).toEqual([
      'prague',
      'osaka',
    ])
    for (const [path, fork] of [
      [old, 'osaka'],
      [recent, 'cancun'],
    ] as const) {
      const refused = await verify('--fork', fork, path)
      expect(refused.code).toBe(1)
      expect(refused.out).toContain(`by the rules of ${fork}: malformed at structure: wrapper-fork`)
    }
  })

  it('takes a kind that is named for what it is', async () => {
    const half = await file('half', blobs()[0]!.subarray(0, 1000))
    expect((await verify(half)).out).toContain('malformed: its bytes are no sidecar')
    const { code, out } = await verify('--as', 'blob-sidecars', half)
    expect(code).toBe(1)
    expect(out).toContain('item 0: malformed at structure: sidecar-length')
    const text = await file('text', 'neither this nor that')
    expect((await verify(text)).code).toBe(1)
    expect((await verify('--as', 'transaction', text)).out).toContain(
      'malformed at structure: transaction-type',
    )
  })
})

describe('verdicts', () => {
  it('names stage and reason of each item, and what the others rest on', async () => {
    const [good, bad] = deneb.sidecars.map(blobSidecarSsz)
    const path = await file('bad.ssz', concat(good!, flip(bad!, 8 + 31)))
    const { code, out } = await blobcheck(['verify', '--network', network, path])
    expect(code).toBe(1)
    expect(out).toContain(`${path}: 2 blob sidecars, SSZ (263,856 bytes)\n`)
    expect(out).toContain('  slot 5, blob 0: valid\n')
    expect(out).toContain('  slot 5, blob 1: invalid at kzg: proof-mismatch (')
    expect(out).toContain('  verified: the data’s commitment (KZG); the commitment’s place in a block')
    expect(out).toMatch(/^ {2}not verified: .*the block’s place in the chain/m)
    expect(out).toContain('2 items in 1 file: 1 valid, 1 invalid (network: of the tests)\n')
    const item = jsonLines((await verify('--json', path)).out)[2]
    expect(item).toMatchObject({
      item: 1,
      index: '1',
      status: 'invalid',
      stage: 'kzg',
      reason: 'proof-mismatch',
    })
  })

  it('judges each entry of a list, whatever stands before it', async () => {
    const blobs = deneb.sidecars.map(({ blob }) => blob)
    const lists = {
      'blob-sidecars': deneb.sidecars,
      'data-column-sidecars': [fulu.column(3), fulu.column(90)],
      blobs,
      transaction: [toHex(await transaction(4844)), toHex(await transaction(7594))],
    }
    const hashes = deneb.versionedHashes.map(toHex).join(',')
    const { blob: _, ...without } = deneb.sidecars[0]!
    for (const [kind, good] of Object.entries(lists))
      for (const list of [
        [null, 5, without, ...good],
        [...good, without, 5, null],
      ]) {
        const args = kind === 'blobs' ? ['--versioned-hashes', hashes] : []
        const path = await file('mixed.json', JSON.stringify({ data: list }))
        const { code, out, err } = await verify('--json', ...args, path)
        expect(err).toBe('')
        const events = jsonLines(out)
        expect(events[0]).toMatchObject({ event: 'file', kind, items: 5 })
        const statuses = events.filter(({ event }) => event === 'item').map(({ status }) => status)
        expect(statuses).toEqual(list.map((entry) => (good.includes(entry as never) ? 'valid' : 'malformed')))
        expect(code).toBe(1)
      }
  })

  it('names no place of what is no sidecar, though it was given as one', async () => {
    const columns = [3, 90].map((index) => dataColumnSidecarSsz(fulu.column(index)))
    const blobs = deneb.sidecars.map(blobSidecarSsz)
    for (const [as, bytes] of [
      // The second column begins behind the end.
      ['data-column-sidecars', listSsz(columns).subarray(0, columns[0]!.length)],
      ['data-column-sidecars', columns[0]!.subarray(0, 300)],
      ['blob-sidecars', concat(...blobs).subarray(0, -1)],
      ['blob-sidecars', concat(blobs[0]!, Uint8Array.of(0))],
    ] as const) {
      const path = await file('cut.ssz', bytes)
      const { code, out } = await verify('--as', as, path)
      expect(out).toMatch(/^  item 0: malformed at structure: sidecar-(length|offsets)/m)
      expect(out).not.toContain('slot')
      expect(jsonLines((await verify('--json', '--as', as, path)).out)[1]).toMatchObject({
        slot: null,
        index: null,
      })
      expect(code).toBe(1)
    }
  })

  it('says of each blob of a transaction what it is', async () => {
    const parts = await makeParts([6, 7], 4844)
    const spoilt = { ...parts, blobs: [parts.blobs[0]!, flip(parts.blobs[1]!, 31)] }
    const { code, out } = await verify(await file('spoilt.rlp', transactionOf(spoilt)))
    expect(code).toBe(1)
    expect(out).toContain('transaction, by the rules of prague: invalid at kzg: proof-mismatch')
    expect(out).toMatch(/^ {4}blob 0: valid$/m)
    expect(out).toMatch(/^ {4}blob 1: invalid at kzg: proof-mismatch/m)
  })

  it('goes by the schedule of the network that is named', async () => {
    const path = await file('column.ssz', dataColumnSidecarSsz(fulu.column(1)))
    const { code, out } = await blobcheckHere(['verify', path])
    expect(code).toBe(1)
    expect(out).toContain('malformed at structure: unsupported-fork (')
    expect(out).toContain('(network: mainnet)')
  })

  it('verifies the real block', async () => {
    const input = await readTestFile('data/holesky_1409759_blob_sidecars.json')
    const { code, out } = await blobcheck(['verify', '--network', 'holesky', '-'], { input })
    expect(code).toBe(0)
    expect(out.match(/^ {2}slot 1409759, blob \d: valid$/gm)).toHaveLength(6)
    expect(out).toContain('standard input: 6 blob sidecars, JSON')
  })
})

describe('anchors', () => {
  it('holds sidecars against a header: its root, or a file', async () => {
    const { signed } = deneb.block
    const root = toHex(await headerRoot(signed.message))
    const sidecars = await file('sidecars.json', JSON.stringify({ data: deneb.sidecars }))
    const other = await file('other.ssz', headerSsz(fulu.block.signed.message))
    const forms = [
      root,
      await file('header.ssz', headerSsz(signed.message)),
      await file('signed.ssz', signedHeaderSsz(signed)),
      await file('header.hex', toHex(headerSsz(signed.message))),
      await file('header.json', JSON.stringify(signed.message)),
      await file('marked.json', `\ufeff${JSON.stringify(signed.message)}`),
      await file('utf-16.json', utf16(JSON.stringify(signed.message))),
      await file('answer.json', JSON.stringify({ finalized: true, data: { root, header: signed } })),
    ]
    for (const header of forms) {
      const { code, out } = await verify('--header', header, sidecars)
      expect(code).toBe(0)
      expect(out).toContain('  on trust: the block’s place in the chain\n')
    }
    const { code, out } = await verify('--header', other, sidecars)
    expect(code).toBe(1)
    expect(out).toContain('invalid at anchor: header-mismatch (')
  })

  it('holds commitments against versioned hashes', async () => {
    const hashes = deneb.versionedHashes.map(toHex).join(',')
    const sidecars = await file('sidecars.json', JSON.stringify(deneb.sidecars))
    const named = await verify('--versioned-hashes', hashes, sidecars)
    expect(named.code).toBe(0)
    expect(named.out).toMatch(/^ {2}verified: .*the commitment’s versioned hash/m)
    const half = await verify('--versioned-hashes', toHex(deneb.versionedHashes[0]!), sidecars)
    expect(half.code).toBe(1)
    expect(half.out).toContain('blob 1: invalid at anchor: versioned-hash-not-in-anchor (')
  })

  it('computes the commitments of bare blobs anew, where it knows what they must be', async () => {
    const blobs = deneb.sidecars.map(({ blob }) => blob)
    const path = await file('blobs.json', JSON.stringify({ finalized: true, data: blobs }))
    const alone = await verify(path)
    expect(alone.code).toBe(3)
    expect(alone.out).toContain('not determined: bare blobs bring neither commitments nor proofs')
    const hashes = deneb.versionedHashes.map(toHex).join(',')
    expect((await verify('--versioned-hashes', hashes, path)).out).toContain('2 items in 1 file: 2 valid')
    const spoilt = [blobs[0], blobs[1]!.replace(/..$/, '05'), `0x${'ff'.repeat(131_072)}`, '0x00']
    const bad = await file('bad-blobs.json', JSON.stringify(spoilt))
    const { code, out } = await verify('--json', '--versioned-hashes', hashes, bad)
    expect(code).toBe(1)
    const items = jsonLines(out).filter(({ event }) => event === 'item')
    expect(items.map(({ status, stage, reason }) => [status, stage, reason])).toEqual([
      ['valid', null, null],
      ['invalid', 'anchor', 'versioned-hash-not-in-anchor'],
      ['malformed', 'encoding', 'scalar-not-canonical'],
      ['malformed', 'structure', 'blob-length'],
    ])
  })

  it('does not pretend that a header says anything of a transaction', async () => {
    const path = await file('any.rlp', transactionOf(await makeParts([6], 7594)))
    const { code, out } = await verify('--header', `0x${'1'.repeat(64)}`, path)
    expect(code).toBe(3)
    expect(out).toContain('nothing leads from a transaction in network form to a header')
  })
})

describe('columns of Gloas, which bring neither commitments nor a header', () => {
  let chain: Awaited<ReturnType<typeof handChain>>
  let app: ReturnType<typeof faultyApp>['app']
  let slot: string
  const paths: Record<
    'json' | 'ssz' | 'one' | 'block' | 'blockUtf16' | 'blockSsz' | 'other' | 'network',
    string
  > = { ...{ json: '', ssz: '', one: '', block: '', blockUtf16: '', blockSsz: '', other: '', network: '' } }
  const run = async (...args: string[]): Promise<Ended> =>
    await blobcheckHere(['verify', '--network', paths.network, ...args])

  beforeAll(async () => {
    chain = await handChain({ slots: 40, blobsPerBlock: 2, gloasForkEpoch: 3 })
    ;({ app } = faultyApp(chain))
    slot = String(chain.head.slot)
    const bytesOf = async (path: string, accept?: string): Promise<Uint8Array> =>
      (await ask(app, path, accept)).bytes
    const textOf = async (path: string): Promise<string> => new TextDecoder().decode(await bytesOf(path))
    paths.network = await file('gloas-network.json', writeNetwork(chain.network))
    paths.json = await file('gloas.json', await bytesOf(columnsOf('head', '?indices=3,4')))
    paths.ssz = await file('gloas.ssz', await bytesOf(columnsOf('head', '?indices=3,4'), SSZ))
    paths.one = await file('gloas-1.ssz', (await bytesOf(columnsOf('head', '?indices=3'), SSZ)).subarray(4))
    const blockOf = (id: string | number): string => `/eth/v2/beacon/blocks/${id}`
    // With the byte order mark that some editors write.
    paths.block = await file('gloas-block.json', concat(BYTE_ORDER_MARK, await bytesOf(blockOf('head'))))
    paths.blockUtf16 = await file('gloas-block-utf16.json', utf16(await textOf(blockOf('head'))))
    paths.blockSsz = await file('gloas-block.ssz', await bytesOf(blockOf('head'), SSZ))
    paths.other = await file('gloas-other.ssz', await bytesOf(blockOf(chain.head.slot - 1), SSZ))
  })

  it('cannot be judged without their block, and are not called bad', async () => {
    const as = ['--as', 'data-column-sidecars']
    const key = toHex(new Uint8Array(chain.proposerKey))
    const sets = [[], as, ['--header', chain.head.root], ['--proposer-key', key]]
    for (const path of [paths.json, paths.ssz, paths.one])
      for (const options of sets) {
        const { code, out } = await run(...options, path)
        expect(out).toMatch(/: [12] data column sidecars?, (JSON|SSZ) \(/)
        expect(out).toContain('not determined: columns of Gloas bring no commitments: say with --block')
        expect(code).toBe(3)
      }
  })

  it('are not determined beside columns of Fulu, which have their verdicts', async () => {
    // The last slot of Fulu.
    const before = String(3 * 32 - 1)
    const of = async (id: string): Promise<unknown[]> => {
      const { bytes } = await ask(app, columnsOf(id, '?indices=3,4'))
      return (JSON.parse(new TextDecoder().decode(bytes)) as { data: unknown[] }).data
    }
    const [gloas, fulu] = [await of('head'), await of(before)]
    const mixed = JSON.stringify([gloas[0], fulu[0], gloas[1], fulu[1]])
    const path = await file('of-two-forks.json', new TextEncoder().encode(mixed))
    const key = toHex(new Uint8Array(chain.proposerKey))
    for (const options of [[], ['--proposer-key', key]]) {
      const { code, out } = await run(...options, path)
      expect(out).toContain(`slot ${slot}, column 3: not determined: columns of Gloas bring no commitments`)
      expect(out).toContain(`slot ${slot}, column 4: not determined: columns of Gloas bring no commitments`)
      for (const index of [3, 4]) expect(out).toContain(`slot ${before}, column ${index}: valid`)
      expect(out).toContain('4 items in 1 file: 2 valid, 2 not determined')
      expect(code).toBe(3)
    }
    const { out } = await run('--json', path)
    const items = jsonLines(out).filter(({ event }) => event === 'item')
    expect(items.map(({ status, index }) => [status, index])).toEqual([
      ...[
        ['error', '3'],
        ['valid', '3'],
      ],
      ...[
        ['error', '4'],
        ['valid', '4'],
      ],
    ])
    expect(items[0]).toMatchObject({ reason: null, detail: expect.stringContaining('--block') })
  })

  it.each(['json', 'ssz', 'one'] as const)('are verified with their block (%s)', async (form) => {
    const columns = form === 'one' ? ['3'] : ['3', '4']
    for (const block of [paths.block, paths.blockUtf16, paths.blockSsz])
      for (const header of [[], ['--header', chain.head.root]]) {
        const { code, out } = await run('--json', '--block', block, ...header, paths[form])
        const items = jsonLines(out).filter(({ event }) => event === 'item')
        expect(items.map(({ status, slot, index }) => [status, slot, index])).toEqual(
          columns.map((index) => ['valid', slot, index]),
        )
        expect(items[0]).toMatchObject({
          links: { kzg: 'verified', inclusion: 'verified', header: 'trusted' },
        })
        expect(code).toBe(0)
      }
    const spoilt = await run('--block', paths.other, paths[form])
    expect(spoilt.out).toContain(`slot ${slot}, column 3: invalid at anchor: header-mismatch (`)
    expect(spoilt.code).toBe(1)
  })

  it('are invalid where a cell is another', async () => {
    const { bytes } = await ask(app, columnsOf('head', '?indices=3'), SSZ)
    const { code, out } = await run(
      '--block',
      paths.block,
      await file('bad-cell.ssz', flip(bytes, 4 + 56 + 31)),
    )
    expect(out).toContain(`slot ${slot}, column 3: invalid at kzg: proof-mismatch (`)
    expect(code).toBe(1)
  })

  it('have no header that a proposer could have signed', async () => {
    const { code, out } = await run(
      ...['--block', paths.block, '--proposer-key', toHex(new Uint8Array(chain.proposerKey)), paths.ssz],
    )
    expect(out).toContain('not determined: --proposer-key is about the headers')
    expect(code).toBe(3)
  })
})

describe('a block', () => {
  it('is what other sidecars and bare blobs are held against, too', async () => {
    const chain = await handChain({ blobsPerBlock: 2 })
    const { app } = faultyApp(chain)
    const networkPath = await file('block-network.json', writeNetwork(chain.network))
    const [block, other] = await Promise.all(
      [chain.head.slot, chain.head.slot - 1].map(
        async (slot) =>
          await file(`block-${slot}.ssz`, (await ask(app, `/eth/v2/beacon/blocks/${slot}`, SSZ)).bytes),
      ),
    )
    const run = async (...args: string[]): Promise<Ended> =>
      await blobcheckHere(['verify', '--network', networkPath, ...args])
    const columns = await file('of-block.ssz', (await ask(app, columnsOf('head', '?indices=1,2'), SSZ)).bytes)
    const blobs = await file('of-block.json', (await ask(app, blobsOf('head'))).bytes)
    for (const path of [columns, blobs]) {
      const { code, out } = await run('--block', block!, path)
      expect(out).toMatch(/^ {2}verified: .*the commitment’s place in a block/m)
      expect(out).toContain('2 items in 1 file: 2 valid')
      expect(code).toBe(0)
    }
    expect((await run('--block', other!, columns)).out).toContain('invalid at anchor: header-mismatch (')
    const foreign = await run('--block', other!, blobs)
    expect(foreign.out).toContain('blob 1: invalid at anchor: commitment-not-in-anchor (')
    expect(foreign.code).toBe(1)
    const transaction = await file('of-block.rlp', transactionOf(await makeParts([6], 7594)))
    expect((await run('--block', block!, transaction)).code).toBe(3)
    const empty = await file('empty.ssz', '')
    // What is no block, or another one than that of the header, is no fault of the data.
    for (const [args, sentence] of [
      [['--block', blobs], `--block ${blobs}: it is no block of --network: slot: a field is missing`],
      [['--block', columns], `--block ${columns}: it is no block of --network: `],
      [
        ['--block', empty],
        `--block ${empty}: it is no block of --network: it has too few bytes, or too many`,
      ],
      [['--block', other!, '--header', chain.head.root], `--block ${other!}: it has the root 0x`],
      [
        ['--block', join(folder, 'nowhere')],
        'nowhere: it cannot be taken for a block: there is no such file',
      ],
      [['--block', block!, '--versioned-hashes', `0x01${'1'.repeat(62)}`], 'cannot be used with'],
    ] as const) {
      const { code, err } = await run(...args, columns)
      expect(err).toContain(sentence)
      expect(code).toBe(2)
    }
  })
})

describe('how many of a block’s blobs were there', () => {
  type Summary = Record<string, unknown>
  let paths: Record<'network' | 'block' | 'blobs' | 'sidecars' | 'columns', string>
  const run = async (...args: string[]): Promise<Ended> =>
    await blobcheckHere(['verify', '--network', paths.network, ...args])
  const summaryOf = async (...args: string[]): Promise<Summary> =>
    jsonLines((await run('--json', '--block', paths.block, ...args)).out).at(-1)!

  beforeAll(async () => {
    const chain = await handChain({ blobsPerBlock: 3 })
    const { app } = faultyApp(chain)
    const answer = async (name: string, path: string): Promise<string> =>
      await file(name, (await ask(app, path, SSZ)).bytes)
    paths = {
      network: await file('count-network.json', writeNetwork(chain.network)),
      block: await answer('count-block.ssz', `/eth/v2/beacon/blocks/${chain.head.slot}`),
      blobs: await answer('count-blobs.ssz', blobsOf('head')),
      sidecars: await answer('count-sidecars.ssz', `/eth/v1/beacon/blob_sidecars/${chain.head.slot}`),
      columns: await answer('count-columns.ssz', columnsOf('head', '?indices=1')),
    }
  })

  it('is said, each blob once, in whatever form and file it comes', async () => {
    const [blobs, sidecars] = await Promise.all([readFile(paths.blobs), readFile(paths.sidecars)])
    const two = await file('two-of-three.ssz', blobs.subarray(0, 2 * 131_072))
    const { code, out } = await run('--block', paths.block, two)
    expect(out).toContain(
      '2 of the 3 blobs that the block commits to are here and valid\n2 items in 1 file: 2 valid',
    )
    expect(code).toBe(0)
    const last = await file('last-of-three.json', JSON.stringify([toHex(blobs.subarray(2 * 131_072))]))
    const [first, whole] = [
      await file('first-sidecar.ssz', sidecars.subarray(0, sidecars.length / 3)),
      paths.sidecars,
    ]
    const spoilt = await file('spoilt-blobs.ssz', flip(new Uint8Array(blobs), 31))
    const bad = await file('bad-blob.ssz', flip(new Uint8Array(blobs.subarray(0, 131_072)), 31))
    for (const [files, verified] of [
      [[two, two], 2],
      [[two, first], 2],
      [[first, last], 2],
      [[two, last], 3],
      [[whole], 3],
      [[paths.blobs, whole], 3],
      [[spoilt], 2],
      [[bad], 0],
    ] as const)
      expect((await summaryOf(...files))['blobsOfBlock']).toEqual({ verified, committed: 3 })
  })

  it('is not said of columns, nor where no block is named or nothing could be verified', async () => {
    expect(await summaryOf(paths.columns)).not.toHaveProperty('blobsOfBlock')
    expect(await summaryOf(join(folder, 'nowhere'))).not.toHaveProperty('blobsOfBlock')
    const unnamed = await run('--json', paths.sidecars)
    expect(jsonLines(unnamed.out).at(-1)).not.toHaveProperty('blobsOfBlock')
    expect((await run('--block', paths.block, paths.columns)).out).not.toContain('commits to')
  })
})

describe('the proposer’s signature', () => {
  it('is held against the key that is named, and is else nobody’s business', async () => {
    const chain = await handChain()
    const { app } = faultyApp(chain)
    const { json } = await ask(app, columnsOf('head', '?indices=3,77'))
    const path = await file('signed.json', JSON.stringify(json))
    const networkPath = await file('signed-network.json', writeNetwork(chain.network))
    const run = async (key: string | null, what = path): Promise<Ended> =>
      await blobcheckHere([
        ...['verify', '--network', networkPath, what],
        ...(key === null ? [] : ['--proposer-key', key]),
      ])
    const signed = await run(toHex(new Uint8Array(chain.proposerKey)))
    expect(signed.code).toBe(0)
    expect(signed.out).toMatch(/^  verified: .*its proposer’s signature/m)
    const unasked = await run(null)
    expect(unasked.code).toBe(0)
    expect(unasked.out).toMatch(/^  not verified: .*its proposer’s signature/m)
    // Somebody else's: a commitment is as good a point as any.
    const other = await run(fulu.column(0).kzg_commitments[0]!)
    expect(other.code).toBe(1)
    expect(other.out).toContain('invalid at signature: proposer-signature (its header is not signed with')
    for (const none of ['0x12', `0x${'ff'.repeat(48)}`]) expect((await run(none)).code).toBe(2)
    const blobs = await file('bare.json', JSON.stringify((await ask(app, blobsOf('head'))).json))
    const bare = await run(`0x${'ab'.repeat(48)}`, blobs)
    expect(bare.out).toContain('not determined: --proposer-key is about the headers')
    expect(bare.code).toBe(3)
  })
})
