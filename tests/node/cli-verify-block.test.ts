/** `blobcheck verify` on what nodes serve of a block: held against the block itself, and its header against its proposer’s key. */
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeParts, makeSidecars, type MadeSidecars, slots, transactionOf } from '../support/blocks.ts'
import { concat, flip, inUtf16, toHex } from '../support/bytes.ts'
import { blobcheckHere, type Ended, jsonLines } from '../support/cli.ts'
import { scratchFolder } from '../support/scratch-folder.ts'
import { columns as columnsOf, blobs as blobsOf, faultyApp, ask, handChain, SSZ } from '../support/served.ts'
import { writeNetwork } from '../../dist/cli/options/network.js'

const BYTE_ORDER_MARK = Uint8Array.of(0xef, 0xbb, 0xbf)

const folder = scratchFolder()
const file = folder.write

let fulu: MadeSidecars

beforeAll(async () => {
  fulu = await makeSidecars(slots.fulu, [3, 4, 5])
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
    paths.blockUtf16 = await file('gloas-block-utf16.json', inUtf16(await textOf(blockOf('head'))))
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
        ['--block', join(folder.path, 'nowhere')],
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
    expect(await summaryOf(join(folder.path, 'nowhere'))).not.toHaveProperty('blobsOfBlock')
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
