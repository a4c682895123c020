/** Files at hand by themselves: when they hold all of a block's data, and what is told of those that do not. */
import type { SidecarFile } from 'blobcheck/sampler'
import { describe, expect, it } from 'vitest'
import { completeWithFiles } from '../../dist/sampler/whole/files.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import { range, turn } from '../support/make.ts'
import {
  blob,
  column,
  commitments,
  join,
  lacking,
  MAX_BLOBS,
  sceneOf,
  sidecar,
  type Truth,
  verified,
  type World,
} from '../support/sample-context.ts'
import { listSsz } from '../support/ssz.ts'
import { VirtualTime } from '../support/virtual-time.ts'

/** A file of sidecars of a block with so many blobs, in this order. */
const ofBlobs = (
  count: number,
  order: readonly number[] = range(count),
  name = 'blobs',
  truth: Truth = 'true',
): SidecarFile => ({
  ...{ name, kind: 'blob-sidecars', bytes: join(order.map((index) => sidecar(index, count, truth))) },
})
/** A file of so many columns of a block with two blobs. */
const ofColumns = (count: number): SidecarFile => ({
  ...{ name: 'columns', kind: 'data-column-sidecars' },
  bytes: listSsz(range(count).map((index) => column(index, 2))),
})

const before = lacking()
async function complete(files: readonly SidecarFile[], world: World = {}) {
  const { context, asked, timings } = sceneOf({ files, ...world })
  const completed = await completeWithFiles(before, context)
  expect(asked).toEqual([])
  return { ...completed, timings }
}

describe('files of blob sidecars', () => {
  it('are the data of the block where each of its blobs is in one of them, in any order', async () => {
    const files = [ofBlobs(3, [2, 0], 'some'), ofBlobs(3, [1], 'other'), ofBlobs(3, [1], 'again')]
    expect(await complete(files)).toMatchObject({
      ...{ verdict: 'available', reason: 'complete', detail: null, via: 'blob-sidecars', blobs: null },
      ...{ commitments: commitments(3), links: verified, endpoints: [], columns: before.columns },
      fallback: { from: 'files', sources: ['some', 'again'] },
      confidence: { samples: 10, missing: 4, maxError: 0, certain: true, servers: 0, independent: false },
    })
  })

  it.each([0, 1])('are not called verified here where a cache was trusted for blob %i', async (known) => {
    const files = [ofBlobs(2, [known], 'known', 'known'), ofBlobs(2, [1 - known], 'other')]
    const { confidence, links } = await complete(files)
    expect(links).toEqual({ ...verified, kzg: 'trusted' })
    expect(confidence.assumption).toMatch(/^the verifier’s cache is right /)
  })

  it('give the blobs where that is asked for', async () => {
    const { blobs } = await complete([ofBlobs(2, [1, 0])], { reconstruct: true })
    expect(blobs!.map(({ index, commitment }) => [index, commitment])).toEqual([
      [0, commitments(2)[0]],
      [1, commitments(2)[1]],
    ])
    for (const { index, blob: given } of blobs!) expect(Buffer.compare(given, blob(index))).toBe(0)
  })

  it.each<[string, SidecarFile, World, isWhole: boolean]>([
    ['of a block with one blob', ofBlobs(1), {}, true],
    ['of a block with as many as there can be', ofBlobs(MAX_BLOBS), {}, true],
    ['of a block with more than there can be', ofBlobs(MAX_BLOBS + 1), {}, false],
    ['of which one is missing', ofBlobs(3, [0, 2]), {}, false],
    ['that are as many as were paid for', ofBlobs(2), { proven: 2 }, true],
    ['that are more than were paid for', ofBlobs(2), { proven: 1 }, false],
    ['that are fewer than were paid for', ofBlobs(2), { proven: 3 }, false],
  ])('%s', async (_, file, world, isWhole) => {
    const { timings, ...finding } = await complete([file], world)
    if (isWhole) expect(finding).toMatchObject({ verdict: 'available', links: verified })
    else expect(finding).toEqual(before)
  })
})

describe('files of columns', () => {
  it.each<[string, number, World, isEnough: boolean]>([
    ['that are half of them', 64, {}, true],
    ['that are less than half of them', 63, {}, false],
    ['of a block with as many blobs as were paid for', 64, { proven: 2 }, true],
    ['of a block with fewer blobs than were paid for', 64, { proven: 3 }, false],
  ])('%s', async (_, count, world, isEnough) => {
    const { timings, ...finding } = await complete([ofColumns(count)], world)
    if (!isEnough) return expect(finding).toEqual(before)
    expect(finding).toMatchObject({
      ...{ verdict: 'available', reason: 'reconstructible', via: 'data-columns', blobs: null },
      ...{ commitments: commitments(2), links: verified },
      fallback: { from: 'files', sources: ['columns'] },
    })
  })

  it('are rebuilt where that is asked for, by the commitments of the block where that is known', async () => {
    const whole = await complete([ofColumns(70)], { reconstruct: true })
    expect(whole.blobs).toEqual(
      commitments(2).map((commitment, index) => ({ index, commitment, blob: Uint8Array.of(70, index) })),
    )
    const block = { commitments: commitments(1) }
    const known = await complete([ofColumns(70)], { reconstruct: true, block })
    expect(known).toMatchObject({ commitments: commitments(1), blobs: [{ index: 0 }] })
  })
})

describe('what is wrong with a file', () => {
  it.each<[Truth, object]>([
    ['false', { kind: 'invalid', detail: 'blob-sidecar 1: proof-mismatch' }],
    ['malformed', { kind: 'invalid', detail: 'blob-sidecar 1: proof-not-in-g1' }],
    ['crashing', { kind: 'crashed', detail: 'blob-sidecar 1: worker-crashed' }],
  ])('is told by its name: a sidecar is %s', async (truth, failure) => {
    const bytes = join([sidecar(0, 2), sidecar(1, 2, truth)])
    const finding = await complete([{ name: 'odd', kind: 'blob-sidecars', bytes }])
    expect(finding).toMatchObject({ verdict: before.verdict, links: noLinks, fallback: null })
    expect(finding.endpoints).toMatchObject([{ endpoint: 'odd', requests: 0, failures: [failure] }])
  })

  it('keeps nobody from using another one', async () => {
    const cut = { ...ofBlobs(2), name: 'cut', bytes: ofBlobs(2).bytes.subarray(1) }
    expect(await complete([cut, ofBlobs(2)])).toMatchObject({
      verdict: 'available',
      fallback: { sources: ['blobs'] },
      endpoints: [{ endpoint: 'cut', failures: [{ kind: 'malformed' }] }],
    })
  })
})

it.each([
  ['one that has it all', ofBlobs(1)],
  ['one that has nothing', { ...ofBlobs(1), bytes: new Uint8Array(0) }],
])('no file is read for a caller who has gone: %s', async (_, file) => {
  const signal = AbortSignal.abort(new Error('gone'))
  await expect(complete([file], { signal })).rejects.toThrow('gone')
})

it('the time that files take is that of verifying', async () => {
  const time = new VirtualTime()
  await time.during(async () => {
    await time.pass(50)
    const verifying = async (): Promise<void> => await turn(300)
    const { timings } = await time.until(complete([ofBlobs(1), ofColumns(1)], { verifying }))
    expect(timings).toEqual({ fetchMs: 0, verifyMs: 600 })
  })
})
