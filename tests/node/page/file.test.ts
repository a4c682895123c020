/** The source *File* of the demo page: files of each kind, true and spoiled, and what is no such file. */
import type {} from 'blobcheck/elements'
import type { Page } from 'playwright-core'
import { beforeAll, describe, expect, it } from 'vitest'
import { makeParts, makeSidecars, type MadeSidecars, transactionOf } from '../../support/blocks.ts'
import { concat, flip, inUtf16, toHex } from '../../support/bytes.ts'
import { copiedBy } from '../../support/copy.ts'
import {
  anchor,
  done,
  drop,
  dropZeros,
  filePanel,
  type Given,
  listed,
  openFilePanel,
  pick,
  realSidecars,
  said,
  spoiledHex,
  status,
} from '../../support/file-panel.ts'
import { countsOf, marksOf } from '../../support/instruments.ts'
import { runEachOf, runLines } from '../../support/lines.ts'
import { infinity, makeBlob, makeCell } from '../../support/make.ts'
import { hasChromium } from '../../support/site.ts'
import { type BlobSidecarJson, blobSidecarSsz, dataColumnSidecarSsz, listSsz } from '../../support/ssz.ts'

/** Mainnet: a slot of Fulu. Sepolia: a slot of Gloas. */
const slots = { fulu: 411_392n * 32n + 5n, gloas: 353_024n * 32n + 7n }
const BLOB_BYTES = 131_072

const json = (value: unknown): string => JSON.stringify(value)

describe.skipIf(!hasChromium)('the source File of the demo page', () => {
  const demo = filePanel()
  const { visit } = demo
  let real: readonly BlobSidecarJson[]
  let made: MadeSidecars

  beforeAll(async () => {
    real = await realSidecars()
    made = await makeSidecars(slots.fulu, [3, 5, 7])
  })

  it('verifies the answer of a beacon node, and finds the blob of it that is spoiled', async () => {
    const { page, complaints } = visit
    await pick(page, { name: 'answer.json', bytes: json({ data: real }) })
    expect(await status(page)).toBe(
      'answer.json: 6 blob sidecars, JSON. 6 of 6 valid by the rules of Holesky, which fit; a file does not say of which network it is.',
    )
    expect(await countsOf(page)).toMatchObject({ valid: 384, missing: 384, refused: 0, waiting: 0 })
    expect(await bar(page)).toMatch(/^Verified here: 6 blobs, 384 cells, [\d.,]+ ms resting on nothing$/)
    expect(await page.textContent('#bar-block')).toBe('Network unknown, slot 1,409,759')
    expect(await page.getAttribute('#bar-root', 'title')).toMatch(/^0x[0-9a-f]{64}$/)
    expect(await marksOf(page)).toMatchObject({ kzg: 'verified', inclusion: 'verified', header: 'unknown' })

    const bad = real.map((sidecar, at) =>
      at === 3 ? { ...sidecar, blob: spoiledHex(sidecar.blob, 999) } : sidecar,
    )
    await pick(page, { name: 'answer.json', bytes: json({ data: bad }) })
    expect(await status(page)).toContain('5 of 6 valid')
    expect(await page.textContent('#file-faults')).toContain(
      'Blob 3: Its data does not belong to its commitment',
    )
    expect(await countsOf(page)).toMatchObject({ valid: 320, refused: 64 })
    expect(await stateOf(page, 3, 63)).toBe('refused')
    expect(await bar(page)).toBe('Refused here: 1 of 6 blobs resting on nothing')
    expect(await marksOf(page)).toMatchObject({ kzg: 'broken', inclusion: 'unreached' })

    await select(page, 3, 5)
    expect(await page.textContent('#inspector-reason')).toContain('kzg: proof-mismatch')
    expect(await page.textContent('#inspector-bytes')).toMatch(/^[0-9a-f]{2} /)
    await select(page, 0, 64)
    expect(await page.textContent('#inspector-reason')).toContain('The file does not have this cell')
    expect(complaints).toEqual([])
  })

  it('verifies sidecars of blobs as SSZ, alone, in a list, and in hexadecimal digits', async () => {
    const { page } = visit
    const [first, second] = real.map(blobSidecarSsz)
    await pick(page, { name: 'one.ssz', bytes: first! })
    expect(await status(page)).toContain('1 blob sidecar, SSZ. 1 of 1 valid')
    await pick(page, { name: 'two.ssz', bytes: concat(first!, second!) })
    expect(await status(page)).toContain('2 blob sidecars, SSZ. 2 of 2 valid')
    await pick(page, {
      name: 'two.hex',
      bytes: `${toHex(concat(first!, flip(second!, 100))).replaceAll(/.{60}/g, '$&\n')}\n`,
    })
    expect(await status(page)).toContain('2 blob sidecars, SSZ in hexadecimal digits. 1 of 2 valid')
    expect(await countsOf(page)).toMatchObject({ valid: 64, refused: 64 })
  })

  it('verifies several files as one list, and names each: those that are spoiled, and those that are left out, condemn no other', async () => {
    const { page, complaints } = visit
    const [first, second, third] = real.map(blobSidecarSsz)
    const spoiledOne = { name: 'b.ssz', bytes: flip(second!, 5_000) }
    await drop(page, { name: 'a.ssz', bytes: first! }, spoiledOne)
    await said(page, '2 files: 2 blob sidecars, SSZ. 1 of 2 valid by the rules of Holesky')
    expect(await listed(page)).toEqual({
      faults: ['Blob 1 in b.ssz: Its data does not belong to its commitment (kzg: proof-mismatch).'],
      files: ['a.ssz: 1 blob sidecar, SSZ. 1 of 1 valid.', 'b.ssz: 1 blob sidecar, SSZ. 0 of 1 valid.'],
    })
    expect(await bar(page)).toBe('Refused here: 1 of 2 blobs resting on nothing')
    expect(await countsOf(page)).toMatchObject({ valid: 64, refused: 64 })
    await select(page, 1, 0)
    expect(await page.textContent('#inspector-reason')).toMatch(/^It is of blob 1 in b\.ssz\. Its data/)

    // In the order of their names, where 10 is behind 9, and in whatever form each is written.
    const pages = [
      { name: 'blob_10.json', bytes: json({ data: [real[2]] }) },
      { name: 'blob_9.hex', bytes: toHex(second!) },
      { name: 'blob_8.ssz', bytes: first! },
      { name: 'letter.txt', bytes: 'Dear reader,' },
      { name: 'column.json', bytes: json(made.column(9)) },
    ]
    await pick(page, ...pages)
    expect(await status(page)).toBe(
      '5 files: 3 blob sidecars, SSZ and SSZ in hexadecimal digits and JSON. 3 of 3 valid by the rules of Holesky, which fit; a file does not say of which network it is. Two of the files were not verified, for the reasons below.',
    )
    const found = await listed(page)
    expect(found.files.map((words) => words.replace(/:.*[.] /, ' '))).toEqual([
      'blob_8.ssz 1 of 1 valid.',
      'blob_9.hex 1 of 1 valid.',
      'blob_10.json 1 of 1 valid.',
    ])
    expect(found.faults).toEqual([
      'column.json: It holds data column sidecars, and blob_8.ssz holds blob sidecars: choose those of one kind together.',
      expect.stringMatching(/^letter\.txt: It is text that is neither JSON nor hexadecimal digits/),
    ])
    expect(await bar(page)).toBe('Not all verified resting on nothing')
    expect(await page.getAttribute('#bar', 'data-state')).toBe('unknown')

    const alike = [first!, second!, third!].map((bytes, at) => ({ name: `${at}.ssz`, bytes }))
    await pick(page, ...alike)
    expect(await bar(page)).toMatch(/^Verified here: 3 blobs, 192 cells/)
    expect(await listed(page)).toMatchObject({ faults: [], files: { length: 3 } })
    await pick(page, { name: 'x', bytes: '' }, { name: 'y', bytes: 'text' })
    expect(await status(page)).toBe('2 files: None of them can be verified.')
    expect((await listed(page)).faults).toEqual(['x: It is empty.', expect.stringMatching(/^y: It is text/)])
    expect(await bar(page)).toBe('Nothing verified resting on nothing')
    // What was said of several is gone with them.
    await pick(page, { name: 'a.ssz', bytes: first! })
    expect(await listed(page)).toEqual({ faults: [], files: [] })
    expect(complaints).toEqual([])
  })

  it('counts what came twice once, and says so', async () => {
    const { page } = visit
    await pick(page, { name: 'twice.json', bytes: json([real[0], real[0]]) })
    expect(await status(page)).toMatch(
      /^twice\.json: 2 blob sidecars, JSON\. 2 of 2 valid .* One of these 2 is a copy of another: together they are 1 blob\.$/,
    )
    expect(await bar(page)).toMatch(/^Verified here: 1 blob, 64 cells, /)
    const bad = { ...real[0]!, blob: spoiledHex(real[0]!.blob, 999) }
    const [first, second] = real
    await pick(page, { name: 'more.json', bytes: json([first, second, bad, second, first]) })
    expect(await status(page)).toContain('Two of these 5 are copies of others: together they are 3 blobs.')
    expect(await bar(page)).toBe('Refused here: 1 of 3 blobs resting on nothing')

    const column = json(made.column(9))
    await pick(page, { name: 'a.json', bytes: column }, { name: 'b.json', bytes: column })
    expect(await status(page)).toContain('One of these 2 is a copy of another: together they are 1 column.')
    expect(await bar(page)).toMatch(/^Verified here: 1 column, 3 cells, /)
    // A block may have two blobs that are alike.
    const { blob, commitment, proof } = makeBlob(3)
    const alone = concat(blob, commitment as Uint8Array, proof as Uint8Array)
    await pick(page, { name: 'blobs.bin', bytes: concat(alone, alone) })
    expect(await status(page)).toBe('blobs.bin: 2 blobs, bytes. 2 of 2 valid.')
    expect(await bar(page)).toMatch(/^Verified here: 2 blobs, 128 cells, /)
  })

  it('copies the result in words, and the code that finds it, each by a button that names it', async () => {
    const visitor = await demo.site.visitor({ permissions: ['clipboard-read', 'clipboard-write'] })
    const { page } = await openFilePanel(demo.site, visitor)
    const copied = async (name: string): Promise<string> => {
      const button = `#file-copies .copy:text-is("${name}")`
      await page.waitForSelector(button)
      const element = (await page.$(button))!
      await element.evaluate((button) => (button.id = 'copying'))
      const text = await copiedBy(page, '#copying', async () => await element.click())
      await element.evaluate((button) => button.removeAttribute('id'))
      return text
    }
    expect(await copied('Copy the result')).toBe('No file has been chosen yet.\n')

    const bad = real.map((sidecar) => ({ ...sidecar, blob: spoiledHex(sidecar.blob, 999) }))
    await pick(
      page,
      { name: 'a.ssz', bytes: blobSidecarSsz(real[0]!) },
      { name: 'b.json', bytes: json(bad) },
      { name: 'c.txt', bytes: 'Dear reader,' },
    )
    const words = (await copied('Copy the result')).split('\n')
    expect(words[0]).toBe(await status(page))
    const root = await page.getAttribute('#bar-root', 'title')
    expect(words.slice(1, 3)).toEqual([
      'Refused here: 6 of 7 blobs, resting on nothing.',
      `Network unknown, slot 1,409,759, block root ${root}.`,
    ])
    // All of them, where the page names five.
    expect(words.slice(3, 9)).toEqual(
      bad.map(
        (_, at) => `Blob ${at} in b.json: Its data does not belong to its commitment (kzg: proof-mismatch).`,
      ),
    )
    expect(words[9]).toMatch(/^c\.txt: It is text that is neither JSON/)
    expect(words.slice(10, 13)).toEqual([
      'a.ssz: 1 blob sidecar, SSZ. 1 of 1 valid.',
      'b.json: 6 blob sidecars, JSON. 0 of 6 valid.',
      'Bytes and commitment: Here blob 0 in b.json is refused, and 5 more. Its data does not belong to its commitment (kzg: proof-mismatch).',
    ])
    expect(await copied('Copy the code')).toBe(await page.textContent('#lines'))

    await pick(page, { name: 'x', bytes: '' }, { name: 'y', bytes: 'text' })
    expect(await copied('Copy the code')).toMatch(/^\/\/ Nothing that can be verified has been found/)
    await visitor.context.close()
  })

  it('holds blobs of several files against commitments in any order, and has lines that find the same', async () => {
    const { page } = visit
    const files = real
      .slice(0, 3)
      .map(({ blob }, at) => ({ name: `blob_${at}.json`, bytes: json({ data: [blob] }) }))
    const mixed = [
      { name: 'a.ssz', bytes: blobSidecarSsz(real[0]!) },
      { name: 'b.json', bytes: json(real.slice(1, 3)) },
      { name: 'c.ssz', bytes: flip(blobSidecarSsz(real[3]!), 5_000) },
    ]
    const lines: string[] = []
    await pick(page, ...mixed)
    expect(await status(page)).toContain('3 files: 4 blob sidecars, SSZ and JSON. 3 of 4 valid')
    lines.push((await page.textContent('#lines'))!)
    await pick(page, ...files)
    await anchor(
      page,
      'commitments',
      real
        .slice(0, 3)
        .map(({ kzg_commitment }) => kzg_commitment)
        .toReversed()
        .join(' '),
    )
    expect(await status(page)).toBe('3 files: 3 blobs, JSON. 3 of 3 valid.')
    lines.push((await page.textContent('#lines'))!)
    const printed = await runEachOf(
      lines,
      Object.fromEntries([...mixed, ...files].map(({ name, bytes }) => [name, bytes])),
    )
    expect(printed.map((text) => text.match(/^\S+ \w+(?= )/gm))).toEqual([
      ['a.ssz valid', 'c.ssz invalid', 'b.json valid', 'b.json valid'],
      ['blob_0.json valid', 'blob_1.json valid', 'blob_2.json valid'],
    ])
  })

  it('verifies data columns, and shows each in its own place', async () => {
    const { page } = visit
    const columns = [0, 9, 127].map((index) => made.column(index))
    await pick(page, { name: 'columns.json', bytes: json({ data: columns }) })
    expect(await status(page)).toContain('3 data column sidecars, JSON. 3 of 3 valid by the rules of Mainnet')
    expect(await countsOf(page)).toMatchObject({ valid: 9, missing: 3 * 125, waiting: 0 })
    expect(await stateOf(page, 2, 127)).toBe('valid')
    expect(await bar(page)).toMatch(/^Verified here: 3 columns, 9 cells/)
    await select(page, 1, 9)
    expect(await page.textContent('#inspector-reason')).toBe('Its proof was verified just now.')

    const bad = {
      ...columns[1]!,
      column: columns[1]!.column.map((cell, at) => (at === 1 ? spoiledHex(cell, 65) : cell)),
    }
    await pick(page, { name: 'columns.json', bytes: json([columns[0], bad]) })
    expect(await status(page)).toContain('1 of 2 valid')
    expect(await page.textContent('#file-faults')).toContain('Column 9: Its data')
    expect([await stateOf(page, 0, 9), await stateOf(page, 0, 0)]).toEqual(['refused', 'valid'])

    await pick(page, { name: 'column.ssz', bytes: dataColumnSidecarSsz(columns[1]!) })
    expect(await status(page)).toContain('1 data column sidecar, SSZ. 1 of 1 valid')
    await pick(page, { name: 'columns.ssz', bytes: listSsz(columns.map(dataColumnSidecarSsz)) })
    expect(await status(page)).toContain('3 data column sidecars, SSZ. 3 of 3 valid')
    expect(await countsOf(page)).toMatchObject({ valid: 9 })
  })

  it('asks for the commitments that blobs do not bring, and holds the blobs against them', async () => {
    const { page, complaints } = visit
    await pick(page, { name: 'blobs.json', bytes: json({ data: real.slice(0, 2).map(({ blob }) => blob) }) })
    expect(await status(page)).toContain('blobs.json: These blobs bring no commitments')
    expect(await bar(page)).toBe('Nothing verified resting on nothing')
    expect(await countsOf(page)).toMatchObject({ waiting: 128 })
    await pick(
      page,
      { name: 'blob.json', bytes: json(real[0]!.blob) },
      { name: 'letter.txt', bytes: 'Dear reader,' },
    )
    expect(await status(page)).toContain('2 files: These blobs bring no commitments')
    expect((await listed(page)).faults).toEqual([expect.stringMatching(/^letter\.txt: It is text/)])
    await pick(page, { name: 'blobs.json', bytes: json({ data: real.slice(0, 2).map(({ blob }) => blob) }) })

    const [one, two] = real.map(({ kzg_commitment }) => kzg_commitment)
    await anchor(page, 'commitments', `${one}, ${two}`)
    expect(await status(page)).toBe('blobs.json: 2 blobs, JSON. 2 of 2 valid.')
    expect(await bar(page)).toMatch(/^Verified here: 2 blobs, 128 cells, .* resting on your word$/)
    await select(page, 0, 0)
    expect(await page.textContent('#inspector-reason')).toContain('Its commitment was computed')
    await anchor(page, 'commitments', `["${two}", "${one}"]`)
    expect(await status(page)).toContain('0 of 2 valid')
    expect(await countsOf(page)).toMatchObject({ refused: 128 })
    await anchor(page, 'commitments', '0x1234')
    expect(await status(page)).toContain('A commitment is 0x and 96 digits, which “0x1234” is not.')

    const hashes = await Promise.all(made.versionedHashes.map((hash) => toHex(hash)))
    await anchor(page, 'versionedHashes', hashes.join(' '))
    await pick(page, { name: 'blobs.bin', bytes: concat(...[3, 5, 7].map((c) => makeBlob(c).blob)) })
    expect(await status(page)).toBe('blobs.bin: 3 blobs, bytes. 3 of 3 valid.')
    expect(await marksOf(page)).toMatchObject({ kzg: 'verified', 'versioned-hash': 'verified' })
    await anchor(page, 'header', `0x${'11'.repeat(32)}`)
    expect(await status(page)).toContain('These blobs bring no commitments')
    expect(complaints).toEqual([])
  })

  it('verifies blobs that bring commitment and proof, in a row or by name', async () => {
    const { page } = visit
    const [first, second] = [3, 5].map((c) => {
      const { blob, commitment, proof } = makeBlob(c)
      return concat(blob, commitment as Uint8Array, proof as Uint8Array)
    })
    await pick(page, { name: 'blobs.bin', bytes: concat(first!, second!) })
    expect(await status(page)).toBe('blobs.bin: 2 blobs, bytes. 2 of 2 valid.')
    await pick(page, { name: 'blobs.bin', bytes: concat(first!, flip(second!, BLOB_BYTES - 1)) })
    expect(await status(page)).toContain('1 of 2 valid')
    const { blob, kzg_commitment: commitment, kzg_proof: proof } = real[0]!
    await pick(page, { name: 'blob.json', bytes: json({ blob, commitment, proof }) })
    expect(await status(page)).toBe('blob.json: 1 blob, JSON. 1 of 1 valid.')
    await pick(page, {
      name: 'blob.json',
      bytes: json({ blob, kzg_commitment: commitment, kzg_proof: '0x00' }),
    })
    expect(await page.textContent('#file-faults')).toBe(
      'Blob 0: It is not built as it should be (structure: proof-length).',
    )
  })

  it('verifies blob transactions of either form, with a row for each of their blobs', async () => {
    const { page } = visit
    for (const rules of [4844, 7594] as const) {
      const parts = await makeParts([3, 5], rules)
      await pick(page, { name: 'tx.rlp', bytes: transactionOf(parts) })
      expect(await status(page)).toBe('tx.rlp: 1 blob transaction, RLP. 1 of 1 valid.')
      expect(await countsOf(page)).toMatchObject({ valid: 128, missing: 128 })
      await select(page, 1, 63)
      expect(await page.textContent('#inspector-bytes')).toMatch(/^00 00/)
      const bad = transactionOf({ ...parts, blobs: [parts.blobs[0]!, flip(parts.blobs[1]!, 31)] })
      await pick(page, { name: 'tx.hex', bytes: toHex(bad) })
      expect(await status(page)).toContain('0 of 1 valid')
      expect([await stateOf(page, 0, 0), await stateOf(page, 1, 0)]).toEqual(['valid', 'refused'])
    }
  })

  it('asks for the commitments of columns of Gloas', async () => {
    const { page } = visit
    const column = {
      index: '7',
      column: [3, 5].map((c) => toHex(makeCell(c, 7).cell as Uint8Array)),
      kzg_proofs: [toHex(infinity), toHex(infinity)],
      slot: slots.gloas.toString(),
      beacon_block_root: `0x${'22'.repeat(32)}`,
    }
    await pick(page, { name: 'gloas.json', bytes: json({ data: [column] }) })
    expect(await status(page)).toContain('Columns of Gloas bring no commitments')
    await anchor(page, 'commitments', made.commitments.slice(0, 2).map(toHex).join(' '))
    expect(await status(page)).toContain('1 data column sidecar, JSON. 1 of 1 valid by the rules of Sepolia')
    expect(await page.getAttribute('#bar-root', 'title')).toBe(column.beacon_block_root)
    await anchor(page, 'commitments', made.commitments.slice(1, 3).map(toHex).join(' '))
    expect(await status(page)).toContain('0 of 1 valid')
  })

  it('holds sidecars against a block root, and judges them by the rules of a network', async () => {
    const { page } = visit
    await pick(page, { name: 'a.json', bytes: json(real) })
    const root = (await page.getAttribute('#bar-root', 'title'))!
    await anchor(page, 'header', root)
    expect(await bar(page)).toMatch(/^Verified here.* resting on your word$/)
    expect(await marksOf(page)).toMatchObject({ header: 'trusted' })
    await anchor(page, 'header', spoiledHex(root, 20))
    expect(await bar(page)).toBe('Refused here: 6 of 6 blobs resting on nothing')
    expect(await marksOf(page)).toMatchObject({ kzg: 'unknown', header: 'broken', signature: 'unreached' })
    await anchor(page, 'commitments', real[0]!.kzg_commitment)
    expect(await status(page)).toContain('1 of 6 valid')
    expect(await page.textContent('#file-faults')).toContain(
      'Blob 1: Its commitments are not those that were named (anchor: commitment-not-in-anchor).',
    )
    expect(await marksOf(page)).toMatchObject({ kzg: 'broken', 'versioned-hash': 'unreached' })
    await anchor(page, 'versionedHashes', `0x01${'00'.repeat(31)}`)
    expect(await page.textContent('#file-faults')).toContain(
      'Blob 0: Its versioned hashes are not those that were named (anchor: versioned-hash-not-in-anchor).',
    )
    expect(await marksOf(page)).toMatchObject({ 'versioned-hash': 'broken', header: 'unreached' })
    await page.getByLabel('It must belong to').selectOption('none')
    await done(page)
    await page.getByLabel('Rules of').selectOption('mainnet')
    await done(page)
    expect(await page.textContent('#file-faults')).toContain(
      'there is nothing of this kind in its slot: it may be of another network (structure: unsupported-fork).',
    )
    expect(await status(page)).toContain('Networks that have such sidecars in its slot: Holesky')
    expect(await page.textContent('#bar-block')).toBe('Mainnet, slot 1,409,759')
    await page.getByLabel('Rules of').selectOption('holesky')
    await done(page)
    expect(await status(page)).toBe('a.json: 6 blob sidecars, JSON. 6 of 6 valid by the rules of Holesky.')
  })

  it('judges each entry of a list of transactions by the rules of its own form, and what is no transaction by none', async () => {
    const { page, complaints } = visit
    const [prague, osaka] = await Promise.all(
      ([4844, 7594] as const).map(async (rules) => toHex(transactionOf(await makeParts([3], rules)))),
    )
    const entries = [prague, null, osaka, 7, '0x03f8', {}]
    await pick(page, { name: 'txs.json', bytes: json(entries) })
    expect(await status(page)).toBe('txs.json: 6 blob transactions, JSON. 2 of 6 valid.')
    expect(await page.textContent('#file-faults')).toContain('Transaction 1: ')
    expect(await page.textContent('#file-faults')).toContain('structure: not-bytes')
    const printed = await runLines((await page.textContent('#lines'))!, { 'txs.json': json(entries) })
    expect(printed.match(/^\w+/gm), printed).toEqual([
      ...['valid', 'malformed', 'valid', 'malformed', 'malformed', 'malformed'],
    ])
    expect(complaints).toEqual([])
  })

  it('says in a sentence what a file is that it does not know', async () => {
    const { page, complaints } = visit
    const junk: readonly (Given & { readonly said: string })[] = [
      { name: 'empty', bytes: '', said: 'It is empty.' },
      { name: 'letter.txt', bytes: 'Dear reader,', said: 'neither JSON nor hexadecimal digits. Known are' },
      { name: 'other.json', bytes: '{"version":"1"}', said: 'It is JSON of something else. Known are' },
      { name: 'list.json', bytes: '{"data":[]}', said: 'It is an empty list' },
      {
        name: 'cut.json',
        bytes: json({ data: real }).slice(0, 5000),
        said: 'It begins as JSON does, and is none',
      },
      { name: 'deep.json', bytes: '['.repeat(2_000_000), said: 'more values than any list of sidecars' },
      {
        name: 'p.png',
        bytes: Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10),
        said: 'begin with 89 50 4e 47, are nothing',
      },
      {
        name: 'a.gz',
        bytes: Uint8Array.of(0x1f, 0x8b, 8, 0),
        said: 'compressed with gzip: decompress it first',
      },
      {
        name: 'hash.txt',
        bytes: `0x${'ab'.repeat(32)}\n`,
        said: 'It is 32 bytes, as a hash is: the name of a block, of a transaction or of a blob, and not its data',
      },
      { name: 'bare.txt', bytes: 'AB'.repeat(32), said: 'It is 32 bytes, as a hash is' },
      { name: 'hash.json', bytes: json(`0x${'ab'.repeat(32)}`), said: 'Live takes the root of a finalized' },
      { name: 'cut.ssz', bytes: blobSidecarSsz(real[0]!).subarray(0, 130_000), said: 'Its 130,000 bytes' },
    ]
    for (const { said, ...given } of junk) {
      await pick(page, given)
      expect(await status(page), given.name).toMatch(new RegExp(`^${given.name}: `))
      expect(await status(page)).toContain(said)
      expect(await bar(page)).toBe('Nothing verified resting on nothing')
      expect(await page.getAttribute('#bar', 'data-state')).toBe('unknown')
    }
    await dropZeros(page, 'many.bin', 257 * BLOB_BYTES)
    await said(page, 'many.bin: It is about 257 blobs; 256 are the most')
    await dropZeros(page, 'big.bin', 65_000_000)
    await said(page, 'big.bin: It has 65 MB, and 64 MB are the most')

    // Items that are none, in what looks like an answer.
    const items = [
      { ...real[0], kzg_proof: 7 },
      null,
      'text',
      { ...real[1], index: '9999999999999999999999' },
    ]
    await pick(page, { name: 'mixed.json', bytes: json(items) })
    expect(await status(page)).toContain('mixed.json: 4 blob sidecars, JSON. 0 of 4 valid')
    expect(complaints).toEqual([])
  })

  it('has lines that find the same in Node.js', async () => {
    const { page } = visit
    const bare = [3, 5].map((c) => makeBlob(c))
    const columns = [1, 2].map((index) => made.column(index))
    const twoInHex = toHex(concat(...real.slice(0, 2).map(blobSidecarSsz)))
    const files: readonly (Given & { readonly valid: number; readonly commitments?: string })[] = [
      { name: 'a.json', bytes: json({ data: real }), valid: 6 },
      { name: 'one.json', bytes: json(real[2]), valid: 1 },
      { name: 'two.ssz', bytes: concat(...real.slice(0, 2).map(blobSidecarSsz)), valid: 2 },
      { name: 'two.hex', bytes: twoInHex, valid: 2 },
      { name: 'lines.hex', bytes: `${twoInHex.replaceAll(/.{60}/g, '$&\n')}\n`, valid: 2 },
      { name: 'marked.json', bytes: `\ufeff${json({ data: real.slice(0, 2) })}`, valid: 2 },
      // As PowerShell's `>` writes what a program prints, and the same in the other order of bytes.
      { name: 'utf-16le.json', bytes: inUtf16(json(real[0]), 'utf-16le'), valid: 1 },
      {
        name: 'utf-16be.hex',
        bytes: inUtf16(twoInHex.replaceAll(/.{60}/g, '$&\r\n'), 'utf-16be'),
        valid: 2,
      },
      { name: 'column.ssz', bytes: dataColumnSidecarSsz(columns[0]!), valid: 1 },
      { name: 'columns.ssz', bytes: listSsz(columns.map(dataColumnSidecarSsz)), valid: 2 },
      // As a node answers who asks for one column.
      { name: 'list-of-one.ssz', bytes: listSsz([dataColumnSidecarSsz(columns[0]!)]), valid: 1 },
      { name: 'columns.json', bytes: json({ data: columns }), valid: 2 },
      { name: 'tx.rlp', bytes: transactionOf(await makeParts([3], 4844)), valid: 1 },
      { name: 'tx.json', bytes: json(toHex(transactionOf(await makeParts([3], 7594)))), valid: 1 },
      { name: 'old.json', bytes: json([toHex(transactionOf(await makeParts([3], 4844)))]), valid: 1 },
      {
        name: 'blob.json',
        bytes: json({
          ...real[0],
          signed_block_header: undefined,
          kzg_commitment_inclusion_proof: undefined,
        }),
        valid: 1,
      },
      {
        name: 'blobs.bin',
        bytes: concat(
          ...bare.map(({ blob, commitment, proof }) =>
            concat(blob, commitment as Uint8Array, proof as Uint8Array),
          ),
        ),
        valid: 2,
      },
      {
        name: 'blobs.json',
        bytes: json({ data: bare.map(({ blob }) => toHex(blob)) }),
        commitments: bare.map(({ commitment }) => toHex(commitment as Uint8Array)).join(' '),
        valid: 2,
      },
    ]
    const lines: string[] = []
    for (const { name, bytes, valid, commitments } of files) {
      await pick(page, { name, bytes })
      if (commitments !== undefined) await anchor(page, 'commitments', commitments)
      expect(await status(page), name).toContain(`${valid} of ${valid} valid`)
      lines.push((await page.textContent('#lines'))!)
    }
    const printed = await runEachOf(lines, Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])))
    for (const [at, { name, valid }] of files.entries())
      expect(printed[at]!.match(/^valid /gm), `${name}: ${printed[at]}`).toHaveLength(valid)
  })
})

async function bar(page: Page): Promise<string> {
  return `${await page.textContent('#bar-verdict')} ${await page.textContent('#bar-resting')}`
}

async function stateOf(page: Page, row: number, column: number): Promise<string> {
  return await page.$eval('blob-grid', (grid, [row, column]) => grid.stateOf(row!, column!), [row, column])
}

async function select(page: Page, row: number, column: number): Promise<void> {
  await page.$eval('blob-grid', (grid, [row, column]) => grid.select(row!, column!), [row, column])
}
