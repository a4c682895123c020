/** Several files as one list of the source *File*: what is in it, what it is held against, and the code that finds the same. */
import { createVerifier, type Verifier } from 'blobcheck'
import { afterAll, beforeAll, expect, it } from 'vitest'
import { type Anchor, anchorFor } from '../../../web-demo/src/panels/file/anchor.ts'
import { ContentsError, contentsOf } from '../../../web-demo/src/panels/file/contents.ts'
import { type Gathered, listOf } from '../../../web-demo/src/panels/file/gather.ts'
import { linesOf } from '../../../web-demo/src/panels/file/lines.ts'
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

function gathered(...files: readonly Given[]): Gathered {
  return listOf(files.map(({ name, bytes }) => ({ name, found: found(bytes) })))
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
  const contents = gathered(...files)
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
