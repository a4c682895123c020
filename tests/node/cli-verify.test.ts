/** `blobcheck verify` on files that the tests make: what each is, what becomes of it, how it ends. */
import { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, it } from 'vitest'
import {
  invented,
  makeParts,
  makeSidecars,
  type MadeSidecars,
  slots,
  transactionOf,
} from '../support/blocks.ts'
import { concat, flip, inUtf16, toHex } from '../support/bytes.ts'
import { blobcheck, blobcheckHere, type Ended, jsonLines } from '../support/cli.ts'
import { readTestFile } from '../support/files.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import {
  blobSidecarSsz,
  dataColumnSidecarSsz,
  headerRoot,
  headerSsz,
  listSsz,
  signedHeaderSsz,
} from '../support/ssz.ts'

const folder = scratchFolder()
const file = folder.write

let network: string
let deneb: MadeSidecars
let fulu: MadeSidecars

beforeAll(async () => {
  network = await file('network.json', JSON.stringify({ ...invented, label: 'of the tests' }))
  deneb = await makeSidecars(slots.deneb, [1, 2])
  fulu = await makeSidecars(slots.fulu, [3, 4, 5])
})

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
    ['JSON in UTF-16', () => inUtf16(answer(deneb.sidecars)), 'blob-sidecars', 'json', false, 2],
    [
      'JSON in UTF-16 of the other byte order',
      () => inUtf16(answer(deneb.sidecars), 'utf-16be'),
      'blob-sidecars',
      'json',
      false,
      2,
    ],
    [
      'an answer that is compressed',
      () => gzipSync(JSON.stringify(deneb.sidecars)),
      'blob-sidecars',
      'json',
      false,
      2,
    ],
    ['hex behind 0X', () => toHex(blobs()[1]!).replace('0x', '0X'), 'blob-sidecars', 'ssz', true, 1],
    ['hex in UTF-16', () => inUtf16(`${toHex(blobs()[1]!)}\r\n`), 'blob-sidecars', 'ssz', true, 1],
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
    ['columns in a row', () => concat(...columns()), 'data-column-sidecars', 'ssz', false, 6],
    ['columns in a row, in hex', () => toHex(concat(...columns())), 'data-column-sidecars', 'ssz', true, 6],
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

  it('takes a blob that begins as gzip does for a blob', async () => {
    const blob = new Uint8Array(131_072)
    blob.set([0x1f, 0x8b, 8])
    const { out } = await verify('--json', await file('like-gzip', blob))
    expect(jsonLines(out)[0]).toMatchObject({ event: 'file', kind: 'blobs', form: 'ssz', items: 1 })
    // Compressed data, and zeros up to the length of a blob.
    blob.set(gzipSync('any'))
    const { out: padded } = await verify('--json', await file('padded-gzip', blob))
    expect(jsonLines(padded)[0]).toMatchObject({ event: 'file', kind: 'blobs', form: 'ssz', items: 1 })
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
      await file('utf-16.json', inUtf16(JSON.stringify(signed.message))),
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
