/**
 * Blobs without proofs, as nodes serve them since Fulu: held against commitments or versioned hashes, one multi-scalar multiplication for all
 * of them, whoever is false found out; stub proofs of sidecars are absent proofs, and real ones stay what they are.
 */
import {
  createVerifier,
  DisposedError,
  type NetworkConfig,
  networks,
  type Verdict,
  type Verifier,
} from 'blobcheck'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { versionedHashOf } from '../support/blocks.ts'
import { toHex } from '../support/bytes.ts'
import { readText } from '../support/files.ts'
import {
  infinity,
  makeBadBlob,
  makeBlob,
  never,
  range,
  realBlobs,
  seeded,
  tampered,
  turn,
} from '../support/make.ts'
import { readAssetBytes, readKzgModule, readVerifierModule } from '../support/modules.ts'
import type { BlobSidecarJson } from '../support/ssz.ts'
import { trapWorker, watchThreads } from '../support/threads.ts'

const real = await realBlobs()
const blobs = real.map(({ blob }) => ({ blob }))
const commitments = real.map(({ commitment }) => commitment as Uint8Array<ArrayBuffer>)
const versionedHashes = await Promise.all(commitments.map(versionedHashOf))
const bad = tampered(real[3]!)

const open: Verifier[] = []
afterEach(async () => void (await Promise.all(open.splice(0).map((verifier) => verifier.dispose()))))
const start: typeof createVerifier = async (options) => {
  const verifier = await createVerifier({ cache: false, ...options })
  open.push(verifier)
  return verifier
}

const inShort = (verdicts: readonly Verdict[]): string[] =>
  verdicts.map((verdict) => (verdict.status === 'valid' ? verdict.via : verdict.reason))
const all = (entry: string, count: number): string[] => Array<string>(count).fill(entry)
const six = all('commitment', 6)

describe.each([0, 1, 3])('with %i workers', (workers) => {
  it('verifies blobs by the commitments of the anchor, of the items, and by versioned hashes', async () => {
    const verifier = await start({ workers })
    const byAnchor = await verifier.verifyBlobs(blobs, { anchor: { commitments } })
    expect(inShort(byAnchor)).toEqual(six)
    expect(byAnchor[0]!.links).toMatchObject({ kzg: 'verified', 'versioned-hash': 'absent' })
    expect(verifier.stats()).toMatchObject({ kzgBatches: 1, kzgItems: 6, confirmations: 0 })

    const own = blobs.map((item, at) => ({ ...item, commitment: commitments[at]! }))
    expect(inShort(await verifier.verifyBlobs(own))).toEqual(six)
    const byHash = await verifier.verifyBlobs(own, { anchor: { versionedHashes } })
    expect(inShort(byHash)).toEqual(six)
    expect(byHash[0]!.links).toMatchObject({ kzg: 'verified', 'versioned-hash': 'verified' })

    const [byItem] = await verifier.verifyBlobs([{ ...own[0]!, versionedHash: versionedHashes[0]! }])
    expect(byItem!.links).toMatchObject({ kzg: 'verified', 'versioned-hash': 'verified' })

    const hashed = await verifier.verifyBlobs(blobs.slice(0, 2), {
      anchor: { versionedHashes: versionedHashes.slice(0, 2) },
    })
    expect(inShort(hashed)).toEqual(['commitment', 'commitment'])
    expect(hashed[0]!.links).toMatchObject({ kzg: 'verified', 'versioned-hash': 'verified' })
    expect(
      inShort(await verifier.verifyBlobs([{ ...blobs[0]!, versionedHash: versionedHashes[0]! }])),
    ).toEqual(['commitment'])
  })

  it('finds who is false, and condemns no neighbour', async () => {
    const verifier = await start({ workers })
    const items = [
      ...real.map(({ blob }, at) => ({ blob, source: `peer ${at}` })),
      { blob: makeBlob(7).blob },
    ]
    const list = [...commitments, makeBlob(7).commitment as Uint8Array]
    items[3] = { blob: bad.blob, source: 'peer 3' }
    items[6] = { blob: makeBadBlob(7).blob }
    const verdicts = await verifier.verifyBlobs(items, { anchor: { commitments: list } })
    const expected = six.with(3, 'commitment-mismatch').concat('commitment-mismatch')
    expect(inShort(verdicts)).toEqual(expected)
    expect(verdicts[3]).toMatchObject({
      ...{ status: 'invalid', stage: 'kzg', sources: ['peer 3'] },
      links: { kzg: 'absent', 'versioned-hash': 'absent' },
    })
    // A blob that is false beside others with proofs, good and bad.
    const mixed = await verifier.verifyBlobs([
      ...[real[0]!, tampered(real[1]!), { blob: bad.blob, commitment: commitments[3]! }],
      ...[{ blob: real[2]!.blob, commitment: commitments[2]! }],
    ])
    expect(inShort(mixed)).toEqual(['kzg', 'proof-mismatch', 'commitment-mismatch', 'commitment'])
    const hashes = [versionedHashes[0]!, versionedHashes[1]!]
    const swapped = await verifier.verifyBlobs([blobs[1]!, blobs[0]!], {
      anchor: { versionedHashes: hashes },
    })
    expect(inShort(swapped)).toEqual(all('commitment-mismatch', 2))
    expect(swapped[0]!.links).toMatchObject({ kzg: 'absent', 'versioned-hash': 'absent' })
  })

  it('refuses what is malformed, by itself', async () => {
    const verifier = await start({ workers })
    const blob = real[0]!.blob
    const large = new Uint8Array(blob).fill(0xff, 32 * 9, 32 * 9 + 32)
    const outside = new Uint8Array(48)
    ;[outside[0], outside[47]] = [0x80, 4]
    const items = [
      { blob, commitment: commitments[0]! },
      ...[
        { blob: large, commitment: commitments[0]! },
        { blob: blob.subarray(1), commitment: commitments[0]! },
      ],
      ...[
        { blob, commitment: outside },
        { blob, commitment: new Uint8Array(48) },
      ],
      ...[{ blob, commitment: commitments[0]!.subarray(1) }, { blob }],
      ...[
        { blob, versionedHash: new Uint8Array(31) },
        { blob, commitment: null },
        { commitment: commitments[0]! },
      ],
      ...[
        { blob, proof: infinity },
        { blob, commitment: commitments[0]!, versionedHash: versionedHashes[1]! },
      ],
    ]
    expect(inShort(await verifier.verifyBlobs(items as never))).toEqual([
      'commitment',
      ...['scalar-not-canonical', 'blob-length', 'commitment-not-in-subgroup', 'commitment-encoding'],
      ...['commitment-length', 'commitment-missing', 'versioned-hash-length', 'not-bytes', 'not-bytes'],
      ...['not-bytes', 'versioned-hash-mismatch'],
    ])
  })
})

describe('by an anchor’s list', () => {
  it('a blob is the entry at its place where the lists are equally long, and any entry where they are not', async () => {
    const verifier = await start({ workers: 1 })
    const some = [blobs[4]!, blobs[1]!, { blob: bad.blob }]
    for (const anchor of [{ commitments }, { versionedHashes }])
      expect(inShort(await verifier.verifyBlobs(some, { anchor }))).toEqual([
        ...['commitment', 'commitment', 'commitment-mismatch'],
      ])
    const turned = [blobs[1]!, blobs[0]!, ...blobs.slice(2)]
    expect(inShort(await verifier.verifyBlobs(turned, { anchor: { commitments } }))).toEqual([
      ...all('commitment-mismatch', 2),
      ...all('commitment', 4),
    ])
    // More blobs than entries; and no entries.
    const one = { anchor: { versionedHashes: [versionedHashes[1]!] } }
    expect(inShort(await verifier.verifyBlobs(blobs.slice(0, 2), one))).toEqual([
      ...['commitment-mismatch', 'commitment'],
    ])
    for (const [anchor, reason] of [
      [{ commitments: [] }, 'commitment-not-in-anchor'],
      [{ versionedHashes: [] }, 'versioned-hash-not-in-anchor'],
    ] as const)
      expect(inShort(await verifier.verifyBlobs([blobs[0]!], { anchor }))).toEqual([reason])
  })

  it('what an item says itself goes before its place, and must be listed', async () => {
    const verifier = await start({ workers: 1 })
    const items = [
      { ...blobs[1]!, versionedHash: versionedHashes[1]! },
      { ...blobs[0]!, commitment: commitments[0]! },
      { ...blobs[2]!, versionedHash: versionedHashes[3]! },
    ]
    for (const anchor of [
      { commitments: commitments.slice(0, 4) },
      { versionedHashes: versionedHashes.slice(0, 4) },
      { commitments: commitments.slice(1, 4) },
    ]) {
      const isShort = Object.values(anchor)[0]!.length === 3
      expect(inShort(await verifier.verifyBlobs(items, { anchor }))).toEqual([
        ...['commitment', isShort ? 'commitment-not-in-anchor' : 'commitment', 'commitment-mismatch'],
      ])
    }
    expect(
      inShort(
        await verifier.verifyBlobs([items[0]!], { anchor: { versionedHashes: [versionedHashes[0]!] } }),
      ),
    ).toEqual(['versioned-hash-not-in-anchor'])
    // The blob is one of the list, and is said to be another that is not.
    const other = { ...blobs[0]!, versionedHash: versionedHashes[1]! }
    for (const [anchor, reason] of [
      [{ commitments: [commitments[0]!, commitments[2]!] }, 'commitment-not-in-anchor'],
      [{ versionedHashes: [versionedHashes[0]!, versionedHashes[2]!] }, 'versioned-hash-not-in-anchor'],
    ] as const)
      expect(inShort(await verifier.verifyBlobs([other], { anchor }))).toEqual([reason])
  })
})

describe('the link of the versioned hash', () => {
  it('is of one that somebody named, and absent where commitments alone were', async () => {
    const verifier = await start({ workers: 1 })
    const linkOf = async (anchor: object, items = blobs.slice(0, 1)): Promise<string> => {
      const [verdict] = await verifier.verifyBlobs(items, { anchor: anchor as never })
      expect(verdict).toMatchObject({ status: 'valid' })
      return verdict!.links['versioned-hash']
    }
    for (const count of [1, 3]) {
      expect(await linkOf({ commitments: commitments.slice(0, count) })).toBe('absent')
      expect(await linkOf({ versionedHashes: versionedHashes.slice(0, count) })).toBe('verified')
      const named = [{ ...blobs[0]!, versionedHash: versionedHashes[0]! }]
      expect(await linkOf({ commitments: commitments.slice(0, count) }, named)).toBe('verified')
    }
  })
})

describe('a list that is no block’s', () => {
  it('is misuse, and accuses nobody', async () => {
    const verifier = await start({ workers: 0 })
    for (const [name, entry] of [
      ['versionedHashes', versionedHashes[0]],
      ['commitments', commitments[0]],
    ] as const) {
      const anchor = { [name]: Array(4_097).fill(entry) } as never
      const call = verifier.verifyBlobs([{ ...blobs[0]!, source: 'peer' }], { anchor })
      await expect(call).rejects.toThrow(
        new TypeError(`anchor.${name} must have 4096 entries at most, a block's`),
      )
    }
  })
})

describe('the end of a verifier', () => {
  it.each(['never', 'late', 'refused'])('ends a call whose setup comes %s', async (when) => {
    const warnings: unknown[] = []
    const points = await readAssetBytes('prover-setup.bin')
    // In a browser these are fetched as well.
    const modules = { simd128: await readVerifierModule('simd128') }
    const kzg = { wasm: { simd128: await readKzgModule('simd128') } }
    vi.stubGlobal('fetch', async () => {
      if (when === 'never') return await never()
      await turn(20)
      if (when === 'refused') throw new TypeError('offline')
      return new Response(points)
    })
    try {
      const verifier = await start({
        ...{ workers: 0, commitmentSetup: new URL('http://nowhere.example/prover-setup.bin') },
        ...{ kernel: 'simd128', wasm: modules, kzg },
        onWarning: (warning) => warnings.push(warning),
      })
      const item = { ...blobs[0]!, commitment: commitments[0]! }
      const during = verifier.verifyBlobs([item], {
        onProgress: ({ stage }) => void (stage === 'check' && verifier.dispose()),
      })
      await expect(during).rejects.toBeInstanceOf(DisposedError)
      await turn(60)
      expect(warnings).toEqual([])
    } finally {
      vi.unstubAllGlobals()
    }
  })
})

describe('the pipeline', () => {
  it('verifies a block’s blobs once, however many deliver them, and remembers them', async () => {
    const verifier = await start({ workers: 2, cache: 'auto' })
    const copies = range(20).flatMap((peer) =>
      blobs.map((item, at) => ({ ...item, commitment: commitments[at]!, source: `peer ${peer}` })),
    )
    const verdicts = await verifier.verifyBlobs(copies)
    expect(inShort(verdicts).filter((entry) => entry === 'duplicate')).toHaveLength(19 * 6)
    expect(verifier.stats()).toMatchObject({ kzgItems: 6, valid: 120 })
    expect(inShort(await verifier.verifyBlobs(copies.slice(0, 6)))).toEqual(all('cache', 6))
    // A blob that was found valid without a proof says nothing about proofs.
    expect(inShort(await verifier.verifyBlobs([{ ...real[0]!, proof: infinity }]))).toEqual([
      'proof-mismatch',
    ])
  })

  it('loses no verdict with its workers', async () => {
    const verifier = await start({ workers: 2, workerUrl: trapWorker({ poison: 77 }) })
    const items = [...range(4).map((at) => makeBlob(at + 1)), makeBlob(77)]
    const bare = items.map(({ blob, commitment }) => ({ blob, commitment }))
    expect(inShort(await verifier.verifyBlobs(bare))).toEqual([...all('commitment', 4), 'worker-crashed'])
    const threads = await watchThreads()
    const living = await start({ workers: 2 })
    const random = seeded(2)
    for (const round of range(4)) {
      const call = living.verifyBlobs([...blobs, { blob: makeBadBlob(round + 1).blob }], {
        anchor: { commitments: [...commitments, makeBlob(round + 1).commitment] },
      })
      await turn(random() * 150)
      const noticed = threads.killOne(random)
      expect(inShort(await call)).toEqual([...six, 'commitment-mismatch'])
      await noticed
    }
    threads.stop()
  })

  it('loses none with what closes a batch', async () => {
    const verifier = await start({ workers: 3, workerUrl: trapWorker({ close: true }) })
    expect(inShort(await verifier.verifyBlobs(blobs, { anchor: { commitments } }))).toEqual(six)
    expect(verifier.stats()).toMatchObject({ errors: 0 })
    expect(verifier.stats().crashes).toBeGreaterThan(0)
  })

  it('says so where the setup is not to be had, of blobs without proofs alone', async () => {
    const missing = new URL(toHex(new Uint8Array(2)), 'file:///nowhere/')
    const wrong = (await readAssetBytes('prover-setup.bin')).fill(1, 7, 8)
    const warnings: unknown[] = []
    const onWarning = (warning: unknown): number => warnings.push(warning)
    for (const commitmentSetup of [missing, wrong]) {
      const verifier = await start({ workers: 1, commitmentSetup, onWarning })
      const verdicts = await verifier.verifyBlobs([real[0]!, { ...blobs[1]!, commitment: commitments[1]! }])
      expect(inShort(verdicts)).toEqual(['kzg', 'setup-unavailable'])
      expect(verdicts[1]!.status).toBe('error')
    }
    const none = Uint8Array.of(0, 97, 115, 109)
    const without = await start({
      workers: 1,
      kzg: { wasm: { simd128: none, 'relaxed-simd': none } },
      onWarning,
    })
    const verdicts = await without.verifyBlobs([real[0]!, { ...blobs[1]!, commitment: commitments[1]! }])
    expect(inShort(verdicts)).toEqual(['kzg', 'setup-unavailable'])
    const said = (message: RegExp): object => ({
      code: 'setup-unavailable',
      message: expect.stringMatching(message),
    })
    expect(warnings).toEqual([
      said(
        /the prover's setup is not to be had: file:\/\/\/nowhere\/0x0000 could not be read: .*\. Say where it is with the option commitmentSetup$/,
      ),
      said(
        /what was given as prover-setup.bin is not Ethereum's.*\. Say where it is with the option commitmentSetup$/,
      ),
      said(
        /: the simd128 module could not be loaded: .*\. Say where it is with the option wasm, or kzg: \{ wasm \} of a verifier$/,
      ),
    ])
    // The cause is the same when it is tried again.
    await without.verifyBlobs([{ ...blobs[2]!, commitment: commitments[2]! }])
    expect(warnings).toHaveLength(3)
    const own = await readAssetBytes('prover-setup.bin')
    const verifier = await start({ workers: 1, commitmentSetup: own })
    own.fill(0)
    expect(inShort(await verifier.verifyBlobs(blobs, { anchor: { commitments } }))).toEqual(six)
    await expect(createVerifier({ commitmentSetup: 7 as never })).rejects.toThrow(TypeError)
  })

  it('takes the modules that the caller brings, and the baseline in the place of one that is not to be had', async () => {
    const none = Uint8Array.of(0, 97, 115, 109)
    for (const wasm of [{ simd128: await readKzgModule('simd128') }, { 'relaxed-simd': none }]) {
      const verifier = await start({ workers: 1, kzg: { wasm } })
      expect(inShort(await verifier.verifyBlobs(blobs, { anchor: { commitments } }))).toEqual(six)
      expect(verifier.stats()).toMatchObject({ errors: 0, crashes: 0 })
    }
  })
})

describe('sidecars', () => {
  const parse = async (): Promise<BlobSidecarJson[]> =>
    (JSON.parse(await readText('data/holesky_1409759_blob_sidecars.json')) as { data: BlobSidecarJson[] })
      .data
  /** The same block, on a network where its slot is of Fulu's time: the container is the same. */
  const inFulu: NetworkConfig = {
    ...networks.holesky,
    forkEpochs: { deneb: 0, electra: 1, fulu: 2 },
    blobSchedule: [],
  }
  const stubs = [infinity, new Uint8Array(48)].map(toHex)

  it.each(stubs)('of Fulu’s time with the stub %s lack a proof', async (kzg_proof) => {
    const verifier = await start({ workers: 1, network: inFulu })
    const data = (await parse()).map((sidecar) => ({ ...sidecar, kzg_proof }))
    const verdicts = await verifier.verifyBlobSidecars({ data })
    expect(inShort(verdicts)).toEqual(six)
    expect(verdicts[0]!.links).toMatchObject({ kzg: 'verified', inclusion: 'verified' })
    data[2] = { ...data[2]!, blob: toHex(tampered(real[2]!).blob) }
    expect(inShort(await verifier.verifyBlobSidecars({ data }))).toEqual(six.with(2, 'commitment-mismatch'))
  })

  it('of Fulu’s time with a proof are judged by it', async () => {
    const verifier = await start({ workers: 1, network: inFulu })
    const data = await parse()
    expect(inShort(await verifier.verifyBlobSidecars({ data }))).toEqual(all('kzg', 6))
    data[1] = { ...data[1]!, kzg_proof: data[0]!.kzg_proof }
    // Zeros but for one bit are no stub.
    data[4] = { ...data[4]!, kzg_proof: toHex(new Uint8Array(48).fill(1, 47)) }
    expect(inShort(await verifier.verifyBlobSidecars({ data }))).toEqual([
      ...['kzg', 'proof-mismatch', 'kzg', 'kzg', 'proof-encoding', 'kzg'],
    ])
  })

  it('of Deneb with a stub have a proof, which is false', async () => {
    const verifier = await start({ workers: 1, network: 'holesky' })
    const [first, second] = await parse()
    const data = [
      { ...first!, kzg_proof: stubs[0]! },
      { ...second!, kzg_proof: stubs[1]! },
    ]
    expect(inShort(await verifier.verifyBlobSidecars({ data }))).toEqual(['proof-mismatch', 'proof-encoding'])
  })
})
