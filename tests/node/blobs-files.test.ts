/** Files at hand by themselves, as a source of blobs: what is taken out of them, for a block or by hashes alone, and what is told of the rest. */
import type { SidecarFile } from 'blobcheck/blobs'
import { describe, expect, it } from 'vitest'
import { DisposedError } from '../../dist/runtime/errors.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import { range } from '../support/make.ts'
import {
  blob,
  column,
  commitments,
  join,
  readsBlock,
  sidecar,
  type Truth,
  verified,
} from '../support/sample-context.ts'
import { byHashes, hashes, resultIn } from '../support/searches.ts'
import { listSsz } from '../support/ssz.ts'

/** A file of sidecars of a block with so many blobs, in this order; each is true unless it is said what it is. */
const ofBlobs = (
  count: number,
  order: readonly number[],
  name = 'sidecars',
  truths: Readonly<Record<number, Truth>> = {},
): SidecarFile => ({
  ...{ name, kind: 'blob-sidecars' },
  bytes: join(order.map((index) => sidecar(index, count, truths[index]))),
})
/** A file of the first columns, so many, of a block with so many blobs each. */
const ofColumns = (...blocks: readonly (readonly [columns: number, blobs: number])[]): SidecarFile => ({
  ...{ name: 'columns', kind: 'data-column-sidecars' },
  bytes: listSsz(blocks.flatMap(([count, blobs]) => range(count).map((index) => column(index, blobs)))),
})

/** What each source gave, and what was refused or failed of it. */
const told = (name: string, gave: readonly number[], more: object = {}): object => ({
  ...{ source: name, role: 'file', requests: 0, bytes: 0, gave, refused: [], failures: [] },
  ...more,
})

describe('files, for a block whose header is known', () => {
  it('give each blob that is in one of them, and are not read once nothing is missing', async () => {
    const files = [ofBlobs(3, [2, 0], 'some'), ofBlobs(3, [1], 'other'), ofBlobs(3, [1], 'again')]
    const result = await resultIn({ files })
    expect(result).toMatchObject({
      ...{ verdict: 'complete', reason: 'verified', wanted: 3, links: verified },
      report: { via: ['files'], sources: [told('some', [0, 2]), told('other', [1])] },
    })
    expect(result.blobs.map(({ index, commitment }) => [index, commitment])).toEqual([
      ...commitments(3).entries(),
    ])
  })

  it('give blobs out of columns, and then nobody is asked for data', async () => {
    const files = [ofColumns([64, 2])]
    const nodes = { z: ({ what }: { what: string }) => (what === 'block' ? new Uint8Array(9) : 404) }
    const result = await resultIn({ files, nodes, readBlock: readsBlock(commitments(2)) })
    expect(result).toMatchObject({ verdict: 'complete', wanted: 2, report: { via: ['files'] } })
    expect(result.asked).toEqual(['block'])
  })

  it('are no reason to say that nobody has what our own workers could not look at', async () => {
    const result = await resultIn({ files: [ofBlobs(2, [0, 1], 'sidecars', { 1: 'crashing' })] })
    expect(result).toMatchObject({
      ...{ verdict: 'partial', reason: 'crashed', blobs: [{ index: 0 }] },
      detail: '1 of 2 blobs is missing; our own workers crashed',
    })
    expect(result.report.sources).toEqual([
      told('sidecars', [0], { failures: [{ kind: 'crashed', detail: 'blob-sidecar 1: worker-crashed' }] }),
    ])
  })

  it('do not keep a blob away that they do not have, where another one was lost on our own workers', async () => {
    const files = [ofBlobs(2, [0], 'sidecars', { 0: 'crashing' }), ofBlobs(2, [0], 'whole')]
    expect(await resultIn({ files })).toMatchObject({
      ...{ verdict: 'partial', reason: 'not-served', blobs: [{ index: 0 }] },
    })
    // Nor does a cache.
    const [first] = hashes(2)
    const cache = {
      get: async (hash: string) => (hash === first ? blob(0, 'crashing') : null),
      put: async () => {},
    }
    const nodes = { z: ({ what }: { what: string }) => (what === 'block' ? new Uint8Array(9) : 404) }
    const world = { nodes, readBlock: readsBlock(commitments(2)), cache }
    expect(await resultIn({ ...world, files: [ofBlobs(2, [0])] })).toMatchObject({
      ...{ verdict: 'partial', reason: 'not-served', blobs: [{ index: 0 }] },
    })
    expect(await resultIn(world)).toMatchObject({ verdict: 'missing', reason: 'crashed' })
  })
})

describe('files, for hashes of which nothing says which block it is', () => {
  it.each([1, 2])('give blobs by their sidecars: %d of them in a file', async (count) => {
    const [first, second, third] = hashes(3)
    const result = await resultIn(
      { files: [ofBlobs(3, [1, 0].slice(0, count)), ofBlobs(3, [2], 'more')] },
      byHashes([third!, second!]),
    )
    expect(result).toMatchObject({
      ...{ verdict: 'complete', reason: 'verified', wanted: 2, block: null },
      ...{ links: { ...verified, 'versioned-hash': 'verified' }, report: { via: ['files'] } },
    })
    expect(result.blobs.map(({ index, versionedHash }) => [index, versionedHash])).toEqual([
      [null, third],
      [null, second],
    ])
    expect(result.blobs.map(({ blob }) => blob[1])).toEqual([2, 1])
    expect(result.blobs.map(({ versionedHash }) => versionedHash)).not.toContain(first)
  })

  it('give what is true in them, and what is not is named', async () => {
    const odd = ofBlobs(4, [0, 1, 2, 3], 'odd', { 1: 'false', 2: 'malformed' })
    const result = await resultIn({ files: [odd] }, byHashes(hashes(3)))
    expect(result).toMatchObject({
      ...{ verdict: 'partial', reason: 'not-found', blobs: [{ versionedHash: hashes(1)[0] }] },
      detail:
        '2 of 3 blobs are missing; nothing names a block for them, and neither the cache nor a file has them',
    })
    const refused = ['proof-mismatch', 'proof-not-in-g1'].map((reason, at) => ({
      ...{ what: `blob-sidecar ${at + 1}`, reason },
    }))
    expect(result.report.sources).toEqual([told('odd', [0], { refused })])
  })

  it('are passed over where they are no list, or empty, and the next one is read', async () => {
    const cut = { ...ofBlobs(1, [0], 'cut'), bytes: sidecar(0, 1).subarray(1) }
    const files = [cut, ofBlobs(1, [], 'empty'), ofBlobs(1, [0], 'whole')]
    const { verdict, report } = await resultIn({ files }, byHashes(hashes(1)))
    expect(verdict).toBe('complete')
    const failures = [{ kind: 'malformed', detail: 'no SSZ list of sidecars' }]
    expect(report.sources).toEqual([told('cut', [], { failures }), told('empty', []), told('whole', [0])])
    // Nor does one say that anything crashed.
    expect(await resultIn({ files: [cut] }, byHashes(hashes(1)))).toMatchObject({
      ...{ verdict: 'missing', reason: 'not-found' },
    })
  })

  it.each([
    ['sidecars', ofBlobs(1, [0])],
    ['columns', ofColumns([64, 1])],
  ])('are not what fails where the verifier is gone: %s', async (_, file) => {
    const gone = new DisposedError()
    const verifying = async (): Promise<void> => await Promise.reject(gone)
    await expect(resultIn({ files: [file], verifying }, byHashes(hashes(1)))).rejects.toBe(gone)
  })

  it('give blobs out of columns, of which those that are named are rebuilt, and no others', async () => {
    const rebuilt: (readonly [columns: number, blob: number])[] = []
    const rebuild = (columns: Uint32Array, cells: Uint8Array): Uint8Array => {
      rebuilt.push([columns.length, cells[0]!])
      return blob(cells[0]!)
    }
    // Of the other block there is one column too few.
    const files = [ofColumns([64, 2], [63, 3])]
    const [, second, third] = hashes(3)
    const result = await resultIn({ files, rebuild }, byHashes([third!, second!]))
    expect(rebuilt).toEqual([[64, 1]])
    expect(result).toMatchObject({
      ...{ verdict: 'partial', reason: 'not-found', blobs: [{ index: null, versionedHash: second }] },
      ...{ links: { ...noLinks, kzg: 'verified', 'versioned-hash': 'verified' }, report: { via: ['files'] } },
    })
    expect(result.report.sources).toEqual([told('columns', [1])])
  })

  it('are no reason to say that they have nothing where our own workers crashed over them', async () => {
    const lost = {
      verdict: 'missing',
      reason: 'crashed',
      detail: '1 of 1 blobs is missing; our own workers crashed',
    }
    const crashing = ofBlobs(1, [0], 'sidecars', { 0: 'crashing' })
    expect(await resultIn({ files: [crashing] }, byHashes(hashes(1)))).toMatchObject(lost)
    for (const file of [ofColumns([64, 1]), { ...crashing, bytes: new TextEncoder().encode('[]') }])
      expect(await resultIn({ files: [file], rebuild: () => null }, byHashes(hashes(1)))).toMatchObject(lost)
  })
})
