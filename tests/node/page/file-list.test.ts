/** Several files as one list of the source *File*: what is in it, what it is held against, and the code that finds the same. */
import { createVerifier, type Verifier } from 'blobcheck'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Anchor, anchorFor, listsCommitments } from '../../../web-demo/src/panels/file/anchor.ts'
import { ContentsError, contentsOf } from '../../../web-demo/src/panels/file/contents.ts'
import { type Gathered, listOf } from '../../../web-demo/src/panels/file/gather.ts'
import { linesOf } from '../../../web-demo/src/panels/file/lines.ts'
import { layOut } from '../../../web-demo/src/panels/file/layout.ts'
import { leftOutWords, nameOf, partsWords } from '../../../web-demo/src/panels/file/outcome.ts'
import { verifyItems } from '../../../web-demo/src/panels/file/verify.ts'
import { commitmentOf, versionedHashOf } from '../../support/blocks.ts'
import { concat, toHex } from '../../support/bytes.ts'
import type { Given } from '../../support/file-panel.ts'
import { runLines } from '../../support/lines.ts'
import { makeBlob } from '../../support/make.ts'

let verifier: Verifier
beforeAll(async () => {
  verifier = await createVerifier({ cache: false })
})
afterAll(async () => await verifier.dispose())

function gathered(files: readonly Given[], isListed = false): Gathered {
  return listOf(
    files.map(({ name, bytes }) => ({ name, found: found(bytes) })),
    isListed,
  )
}

function found(bytes: Given['bytes']): ReturnType<typeof contentsOf> | ContentsError {
  try {
    return contentsOf(new Uint8Array(Buffer.from(bytes as string)))
  } catch (error) {
    if (error instanceof ContentsError) return error
    throw error
  }
}

/** The status of each item: as the page has it, and as its code prints it. */
async function statuses(
  files: readonly Given[],
  anchor: Anchor,
): Promise<readonly [page: string[], code: string[]]> {
  const contents = gathered(files, listsCommitments(anchor.name))
  const page: string[] = []
  await verifyItems(verifier, contents, {
    anchor: anchorFor(anchor, contents.kind, true, contents.parts.length > 1),
    signal: new AbortController().signal,
    onSign: () => {},
    onVerdict: (at, { status }) => (page[at] = status),
  })
  const printed = await runLines(
    linesOf({ contents, anchor, network: 'mainnet' }),
    Object.fromEntries(files.map(({ name, bytes }) => [name, bytes])),
  )
  return [
    page,
    printed.match(/^(?:\S+ )?(?:in)?valid(?= )/gm)?.map((words) => words.replace(/.* /, '')) ?? [],
  ]
}

it('recognises bare blobs of several files among those that are named, whatever the files are called', async () => {
  const hashes = await Promise.all([3, 5, 7].map(async (c) => toHex(await versionedHashOf(commitmentOf(c)))))
  const commitments = [3, 5, 7].map((c) => toHex(commitmentOf(c)))
  const [one, two, three] = [3, 5, 7].map((c) => makeBlob(c).blob)
  const pair = [
    { name: 'a.bin', bytes: two! },
    { name: 'b.bin', bytes: one! },
  ]
  const cases: readonly (readonly [files: Given[], anchor: Anchor, expected: string[]])[] = [
    [pair, { name: 'versionedHashes', values: hashes.slice(0, 2) }, ['valid', 'valid']],
    [pair, { name: 'commitments', values: commitments.slice(0, 2) }, ['valid', 'valid']],
    [pair, { name: 'commitments', values: commitments.slice(1) }, ['valid', 'invalid']],
    [pair, { name: 'versionedHashes', values: hashes.slice(0, 1) }, ['invalid', 'valid']],
    // A file of as many blobs as are named.
    [
      [
        { name: 'a.bin', bytes: three! },
        { name: 'b.bin', bytes: concat(two!, one!) },
      ],
      { name: 'commitments', values: commitments.slice(0, 2) },
      ['invalid', 'valid', 'valid'],
    ],
    // In one file they have the places of the list.
    [
      [{ name: 'a.bin', bytes: concat(two!, one!) }],
      { name: 'commitments', values: commitments.slice(0, 2) },
      ['invalid', 'invalid'],
    ],
  ]
  for (const [files, anchor, expected] of cases)
    expect(await statuses(files, anchor)).toEqual([expected, expected])
})

const full = (c: number): Uint8Array => {
  const { blob, commitment, proof } = makeBlob(c)
  return concat(blob, commitment as Uint8Array<ArrayBuffer>, proof as Uint8Array<ArrayBuffer>)
}

/** The names of the files of a list, and of those that are left out, with why. */
function told({ parts, leftOut }: Gathered): readonly [parts: unknown[], leftOut: Record<string, string>] {
  return [parts.map(({ name }) => name), Object.fromEntries(leftOut.map(({ name, why }) => [name, why]))]
}

it('leaves out the files that bring no commitments where none are named, unless all are like that', () => {
  const [a, b] = [
    { name: 'full.bin', bytes: full(3) },
    { name: 'bare.bin', bytes: makeBlob(5).blob },
  ]
  expect(told(gathered([a, b]))).toEqual([
    ['full.bin'],
    { 'bare.bin': expect.stringMatching(/^These blobs bring no commitments.*, in any order\.$/) },
  ])
  expect(told(gathered([a, b], true))).toEqual([['full.bin', 'bare.bin'], {}])
  expect(told(gathered([b, { ...b, name: 'other.bin' }]))).toEqual([['bare.bin', 'other.bin'], {}])

  const fulu = { name: 'fulu.json', bytes: JSON.stringify({ index: '1', column: [], kzg_commitments: [] }) }
  const gloas = {
    name: 'gloas.json',
    bytes: JSON.stringify({ index: '1', column: [], beacon_block_root: '0x' }),
  }
  expect(told(gathered([gloas, fulu]))).toEqual([
    ['fulu.json'],
    { 'gloas.json': expect.stringContaining('Columns of Gloas bring no commitments') },
  ])
})

it('leaves out the files with which there are more blobs than are shown', () => {
  const blobs = (count: number): string => JSON.stringify(Array(count).fill({ blob: '0x', commitment: '0x' }))
  const files = [200, 57, 300, 56].map((count, at) => ({ name: `${at}.json`, bytes: blobs(count) }))
  const most = '256 are the most that this page shows: “npx blobcheck verify” takes more.'
  expect(told(gathered(files))).toEqual([
    ['0.json', '3.json'],
    {
      '1.json': `With the files before it there are 257 blobs; ${most}`,
      '2.json': `With the files before it there are 500 blobs; ${most}`,
    },
  ])
  expect(told(gathered(files.toReversed().slice(1)))).toEqual([
    ['1.json'],
    {
      '2.json': `It is about 300 blobs; ${most}`,
      '0.json': `With the files before it there are 257 blobs; ${most}`,
    },
  ])
})

it('takes the kind that most files have, and of several of those the first', () => {
  const transaction = { name: '0.txt', bytes: '0x03c0' }
  const [a, b] = ['a.bin', 'b.bin'].map((name) => ({ name, bytes: full(3) }))
  expect(told(gathered([transaction, a!, b!]))).toEqual([
    ['a.bin', 'b.bin'],
    {
      '0.txt': 'It holds blob transactions, and a.bin holds blobs: choose those of one kind together.',
    },
  ])
  expect(told(gathered([{ name: 'none', bytes: 'text' }, transaction, a!]))[0]).toEqual(['0.txt'])
})

/** Turns what follows it around, and breaks a line. */
const steering = 'x\u202edilav 6 fo 6 .\nb.bin'

it('lets no name of a file change what is said, in words or in code', async () => {
  const bare = { name: steering, bytes: makeBlob(5).blob }
  const contents = gathered([{ name: 'א 7 of 9.bin', bytes: full(3) }, bare])
  const plain = '\u2068x\ufffddilav 6 fo 6 .\ufffdb.bin\u2069'
  expect(leftOutWords(contents.leftOut)).toEqual([expect.stringContaining(`${plain}: These blobs`)])
  expect(partsWords(contents, [])).toEqual(['\u2068א 7 of 9.bin\u2069: 1 blob, bytes. 0 of 1 valid.'])
  const { views } = contents
  const read = { contents, views, layout: layOut(views, false), block: null }
  expect(nameOf(read, 0)).toBe(`blob 0 in \u2068א 7 of 9.bin\u2069`)
  const anchor = { name: 'commitments', values: [toHex(commitmentOf(5))] } as const
  const [page, code] = await statuses([bare], anchor)
  expect([page, code]).toEqual([['valid'], ['valid']])
  for (const files of [[bare], [bare, { ...bare, name: 'b.bin' }]])
    expect(linesOf({ contents: gathered(files, true), anchor, network: 'mainnet' })).toContain(
      '"x\\u202edilav 6 fo 6 .\\nb.bin"',
    )
})

it('lets no contents of a file change what is said of it', () => {
  const { message } = found(`{"a":${' '.repeat(64)}\u202e}`) as ContentsError
  expect(message).toMatch(/^It begins as JSON does, and is none/)
  expect(message).not.toMatch(/\u202e/)
})

it('tells files apart that are called the same, in words and in code', async () => {
  const bad = full(5)
  bad[31]! ^= 1
  const files = [
    { name: 'a.bin', bytes: full(3) },
    { name: 'a.bin', bytes: bad },
    { name: 'a.bin (2)', bytes: 'text' },
    { name: 'a.bin', bytes: 'text' },
  ]
  const contents = gathered(files)
  expect(told(contents)).toEqual([
    ['a.bin', 'a.bin (3)'],
    { 'a.bin (2)': expect.any(String), 'a.bin (4)': expect.any(String) },
  ])
  const lines = linesOf({ contents, anchor: { name: 'none', values: [] }, network: 'mainnet' })
  expect(lines).toContain('// "a.bin (3)" is another file that is called "a.bin": keep it under this name.\n')
  const printed = await runLines(lines, { 'a.bin': full(3), 'a.bin (3)': bad })
  expect(printed.match(/^.*?valid(?= )/gm)).toEqual(['a.bin valid', 'a.bin (3) invalid'])
})
