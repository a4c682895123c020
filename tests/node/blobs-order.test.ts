/** Bare blobs in whatever order and number: which one each is, at what cost, and what is there when time is up. */
import { createVerifier, type Verifier } from 'blobcheck'
import { type BlobsResult, type BlobSourceOptions, createBlobSource } from 'blobcheck/blobs'
import { type ChainBlock, createBeaconApp, type MadeChain } from 'blobcheck/serve'
import fc from 'fast-check'
import { afterAll, afterEach, beforeAll, describe, expect, it, onTestFinished, vi } from 'vitest'
import { takeBareBlobs } from '../../dist/blobs/forms/bare-blobs.js'
import { placeBlobs } from '../../dist/blobs/forms/place-blobs.js'
import { allOf, type WantedBlob } from '../../dist/blobs/wanted.js'
import { internalsOf } from '../../dist/verifier/pipeline.js'
import { CommitmentKernels } from '../../dist/verifier/batch/commitment-kernels.js'
import { CRASHED } from '../../dist/runtime/errors.js'
import { noLinks } from '../../dist/verdict/verdict.js'
import { expectTrue, hashesOf, headersFrom, quietly } from '../support/blob-sources.ts'
import { toHex } from '../support/bytes.ts'
import { range, unanswered } from '../support/make.ts'
import { SEED, timesRounds } from '../support/rounds.ts'
import { join, type Node } from '../support/sample-context.ts'
import { searchIn } from '../support/searches.ts'
import { handChain } from '../support/served.ts'
import { INSTANT, VirtualTime } from '../support/virtual-time.ts'

const COUNT = 9
const SOURCE = 'http://node.example'

let chain: MadeChain
let verifier: Verifier
let block: ChainBlock
let candidates: WantedBlob[]
beforeAll(async () => {
  chain = await handChain({ slots: 3, blobsPerBlock: COUNT })
  verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
  block = chain.head
  candidates = allOf(block.blobs.map(({ commitment }) => toHex(commitment)))
})
afterAll(async () => await verifier.dispose())
afterEach(() => void vi.restoreAllMocks())

/** The blob in a place of the block; of another place, one that is no blob of the block. */
function bytesOf(place: number): Uint8Array<ArrayBuffer> {
  const bytes = new Uint8Array(block.blobs[Math.abs(place) % COUNT]!.blob)
  if (place < 0) bytes[40]! ^= 1
  return bytes
}

/** Which places blobs have that come in this order, with guesses or none; −1 for those that are refused. */
async function placesOf(
  order: readonly number[],
  isGuessed = false,
  among: readonly WantedBlob[] = candidates,
  by: Verifier = verifier,
): Promise<(number | null)[]> {
  const blobs = order.map((place, at) => ({
    bytes: bytesOf(place),
    guess: isGuessed ? among[at] : undefined,
  }))
  const places: (number | null)[] = order.map(() => null)
  for await (const [at, { blob }] of placeBlobs(by, blobs, among, SOURCE, new AbortController().signal)) {
    expect(places[at]).toBeNull()
    places[at] = blob === null ? -1 : candidates.findIndex((one) => one.versionedHash === blob.versionedHash)
  }
  return places
}

/** How often workers compute a commitment while something is done: for a batch, or for a blob by itself. */
async function workOf(act: () => Promise<unknown>): Promise<number> {
  const attempts = vi.spyOn(CommitmentKernels.prototype, 'attempt')
  await act()
  return attempts.mock.calls.length
}

describe('which one a blob is', () => {
  it('is found out with less than a commitment for each where some are left out', async () => {
    await verifier.verifyBlobs([{ blob: bytesOf(0), commitment: candidates[0]!.commitment! }])
    for (const left of range(COUNT)) {
      const order = range(COUNT).filter((place) => place !== left)
      const work = await workOf(async () => expect(await placesOf(order)).toEqual(order))
      expect(work).toBeLessThan(COUNT)
      vi.restoreAllMocks()
    }
    const half = range(COUNT).slice(2, 7)
    // The first, the last, and the batch.
    expect(await workOf(async () => expect(await placesOf(half)).toEqual(half))).toBe(3)
  })

  it('is one batch where the guesses are right', async () => {
    const order = range(COUNT)
    expect(await workOf(async () => expect(await placesOf(order, true)).toEqual(order))).toBe(1)
  })

  it('is a commitment for each at most, and a few batches, in any other order', async () => {
    const order = range(COUNT).reverse()
    const work = await workOf(async () => expect(await placesOf(order)).toEqual(order))
    expect(work).toBeLessThanOrEqual(COUNT + 2)
  })

  it('is found out whatever comes, in whatever order, with guesses, and by hashes alone', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.integer({ min: -3, max: COUNT - 1 }), { maxLength: COUNT + 2 }),
        fc.boolean(),
        fc.boolean(),
        async (order, isGuessed, isByHash) => {
          const among = isByHash ? candidates.map((one) => ({ ...one, commitment: null })) : candidates
          const places = order.map((place) => Math.max(-1, place))
          expect(await placesOf(order, isGuessed, among)).toEqual(places)
        },
      ),
      { seed: SEED, numRuns: timesRounds(4) },
    )
  })

  it('is known of the blob of zeros, whose commitment is the point at infinity, and of the last that are blobs', async () => {
    const zeros = allOf([`0xc0${'00'.repeat(47)}`, candidates[0]!.commitment!])
    const one = new Uint8Array(131_072)
    const none = new Uint8Array(131_072).fill(0xff)
    const blobs = [one, none, new Uint8Array(5), bytesOf(0)].map((bytes) => ({ bytes, guess: undefined }))
    const placed = new Map<number, unknown>()
    for await (const [at, answer] of placeBlobs(verifier, blobs, zeros, SOURCE, new AbortController().signal))
      placed.set(at, answer)
    expect([...placed].sort(([a], [b]) => a - b).map(([, answer]) => answer)).toEqual([
      { blob: zeros[0], kzg: 'verified' },
      { blob: null, reason: 'scalar-not-canonical' },
      { blob: null, reason: 'blob-length' },
      { blob: zeros[1], kzg: 'verified' },
    ])
    expect(verifier.stats().crashes).toBe(0)
  })

  it('is found out by the baseline where the kernel was wrong about a commitment, and not known where that is, too', async () => {
    const { kernel } = internalsOf(verifier)
    const { attempt } = CommitmentKernels.prototype
    let wrong = 2
    vi.spyOn(CommitmentKernels.prototype, 'attempt').mockImplementation(async function (
      this: unknown,
      ...of
    ) {
      const answer = await attempt.apply(this as never, of)
      return answer instanceof Uint8Array && wrong-- > 0 ? (new Uint8Array(answer.length) as never) : answer
    })
    const needsConfirmation = vi.spyOn(kernel, 'needsConfirmation', 'get').mockReturnValue(true)
    expect(await placesOf([1, -2, 2])).toEqual([1, -1, 2])
    wrong = Infinity
    await expect(placesOf([1])).rejects.toMatchObject({ kind: 'crashed' })
    needsConfirmation.mockRestore()
  })

  it('is said of what is none of the block by its own commitment alone where a kernel has the last word', async () => {
    const baseline = await createVerifier({ network: chain.network, ...INSTANT })
    onTestFinished(() => baseline.dispose())
    const asked = vi.spyOn(baseline, 'verifyBlobs')
    expect(await placesOf([-2, 1, -3, 0], false, candidates.slice(0, 2), baseline)).toEqual([-1, 1, -1, 0])
    // Whether each is a blob at all, and whether those are true that have a place.
    expect(asked.mock.calls.map(([items]) => items.length)).toEqual([4, 2])
  })

  it('is said once of each, also where a guess is right that is none of the candidates', async () => {
    // As where somebody names a hash that is not of the block.
    const [first, other] = [candidates[0]!, candidates[1]!]
    const blobs = [
      { bytes: bytesOf(-1), guess: first },
      { bytes: bytesOf(1), guess: other },
    ]
    const said: [number, boolean][] = []
    for await (const [at, { blob }] of placeBlobs(
      verifier,
      blobs,
      [first],
      SOURCE,
      new AbortController().signal,
    ))
      said.push([at, blob !== null])
    expect(said.sort(([a], [b]) => a - b)).toEqual([
      [0, false],
      [1, true],
    ])
  })

  it('accuses nobody on a cache’s word alone that a blob is one of the block', async () => {
    const cache = {
      has: async (keys: readonly string[]) => keys.map(() => true),
      add: async () => {},
      clear: async () => {},
    }
    const believing = await createVerifier({ network: chain.network, workers: 0, cache })
    vi.spyOn(internalsOf(believing).kernel, 'needsConfirmation', 'get').mockReturnValue(true)
    const blobs = [1, -1, 0].map((place) => ({ bytes: bytesOf(place), guess: undefined }))
    const said: [number, string | undefined][] = []
    const { signal } = new AbortController()
    for await (const [at, { blob }] of placeBlobs(believing, blobs, candidates, SOURCE, signal))
      said.push([at, blob?.versionedHash ?? undefined])
    await believing.dispose()
    expect(said.sort(([a], [b]) => a - b)).toEqual([
      [0, candidates[1]!.versionedHash],
      [2, candidates[0]!.versionedHash],
    ])
  })

  it('is not known where no commitment can be computed: that is nobody’s fault but ours', async () => {
    const none = vi.spyOn(CommitmentKernels.prototype, 'attempt').mockResolvedValue(CRASHED as never)
    await expect(placesOf([1, 2])).rejects.toMatchObject({ kind: 'crashed' })
    none.mockRestore()
    expect(await placesOf([1, 2])).toEqual([1, 2])
  })
})

/** What a source finds whose endpoint has these blobs alone, bare and in this order, and whom it asked for blobs. */
async function get(
  by: Verifier,
  order: readonly number[],
  options: Partial<BlobSourceOptions> = {},
): Promise<{ readonly result: BlobsResult; readonly asked: readonly string[] }> {
  const app = createBeaconApp({ chain })
  const asked: string[] = []
  const source = createBlobSource({
    ...{ verifier: by, headers: headersFrom(chain), beacon: SOURCE, now: () => chain.now(), ...options },
    fetch: async (url) => {
      const { origin, pathname, searchParams } = new URL(url)
      const headers = { accept: 'application/octet-stream' }
      if (pathname.includes('/blocks/')) return (await app.fetch(new Request(url, { headers }))) as Response
      if (!pathname.includes('/beacon/blobs/')) return new Response('{}', { status: 404 })
      asked.push(origin)
      const hashes = searchParams.getAll('versioned_hashes')
      const isWanted = (place: number): boolean =>
        hashes.length === 0 || hashes.includes(hashesOf(block)[place]!)
      const body = Buffer.concat(order.filter(isWanted).map(bytesOf))
      return new Response(body, { headers: { 'content-type': headers.accept } })
    },
  })
  const result = quietly(await source.get({ slot: 'head' }))
  expectTrue(result, block)
  return { result, asked }
}

describe('an answer', () => {
  it('of all but one costs less than a commitment for each', async () => {
    const order = range(COUNT).filter((place) => place !== 6)
    const work = await workOf(async () => {
      const { result } = await get(verifier, order)
      expect(result).toMatchObject({ verdict: 'partial', reason: 'not-served', wanted: COUNT })
      expect(result.blobs.map(({ index }) => index)).toEqual(order)
    })
    expect(work).toBeLessThan(COUNT)
  })
})

describe('an answer that was asked for before it was known how many blobs its block has', () => {
  it('is false where it has more, whatever else is true in it', async () => {
    const all = candidates.slice(0, 2).map(({ commitment }) => commitment!)
    const a: Node = () => {
      search.learnCommitments(all, noLinks)
      return join(range(3).map(() => bytesOf(0)))
    }
    const selection = candidates.slice(0, 2).map((one) => one.versionedHash!)
    const { call, search } = searchIn({ verifier, nodes: { a } }, { selection, areOwnHashes: true })
    onTestFinished(() => search.release())
    await takeBareBlobs(search, call.parts.endpoints, 'beacon')
    const [{ source, ...share }] = call.shares.report() as [BlobsResult['report']['sources'][number]]
    expect(share).toMatchObject({ gave: [0], refused: [{ what: 'blobs', reason: '3 of a block with 2' }] })
    expect([...call.shares.liars]).toEqual([source])
    expect(search.missing).toMatchObject([{ index: 1 }])
  })
})

describe('an answer that takes long to verify', () => {
  const time = new VirtualTime()
  afterEach(() => time.end())

  /** A verifier that is made for virtual time, and whose calls for blobs go through this. */
  async function slowly(
    during: (call: number, signal: AbortSignal) => Promise<void>,
    act: (by: Verifier) => Promise<void>,
  ): Promise<void> {
    const by = await createVerifier({ network: chain.network, ...INSTANT })
    try {
      // What is loaded when it is wanted first takes time of another kind.
      await get(by, range(COUNT))
      const verify = by.verifyBlobs.bind(by)
      let calls = 0
      by.verifyBlobs = async (items, options) => {
        await during(calls++, options!.signal as AbortSignal)
        return await verify(items, options)
      }
      await time.during(async () => await act(by))
    } finally {
      await by.dispose()
    }
  }
  const never = (_call: number, signal: AbortSignal): Promise<void> => unanswered(signal)

  it('leaves what was found out of it by the deadline, and is no silence of who gave it', async () => {
    // Backwards, the middle one alone is where it was expected; what the others are takes more calls.
    const afterTwo = async (call: number, signal: AbortSignal): Promise<void> =>
      call < 2 ? undefined : await never(call, signal)
    await slowly(afterTwo, async (by) => {
      const { result } = await time.until(get(by, range(COUNT).reverse()))
      expect(result).toMatchObject({
        ...{ verdict: 'partial', reason: 'unfinished', wanted: COUNT, blobs: [{ index: 4 }] },
        detail: '8 of 9 blobs are missing; answers were still being verified here; the deadline was reached',
      })
    })
    await slowly(never, async (by) => {
      const { result } = await time.until(get(by, range(COUNT)))
      expect(result).toMatchObject({ verdict: 'missing', reason: 'unfinished' })
    })
  })

  it('has no other way begun beside it', async () => {
    const later = (): Promise<void> => new Promise((resolve) => setTimeout(resolve, 5_000))
    await slowly(later, async (by) => {
      const { result, asked } = await time.until(
        get(by, range(COUNT), { archives: 'http://archive.example' }),
      )
      expect(result).toMatchObject({ verdict: 'complete' })
      expect(asked).toEqual([SOURCE])
    })
  })

  it('for ever has another way begun beside it all the same', async () => {
    let calls = 0
    const first = async (call: number, signal: AbortSignal): Promise<void> => {
      if (calls++ === 0) await never(call, signal)
    }
    await slowly(first, async (by) => {
      const { result, asked } = await time.until(
        get(by, range(COUNT), { archives: 'http://archive.example' }),
      )
      expect(result).toMatchObject({ verdict: 'complete' })
      expect(asked).toEqual([SOURCE, 'http://archive.example'])
    })
  })
})
