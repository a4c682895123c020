/** A transaction's time decides which fork's rules hold, to the second; and what those rules are. */
import { createVerifier, networks, type NetworkName, type TransactionVerdict, type Verifier } from 'blobcheck'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { invented, makeParts, type Parts, transactionOf } from '../support/blocks.ts'
import { flip } from '../support/bytes.ts'
import { range } from '../support/make.ts'

/** Those whose forks came one after the other: Plåtaberget has had all of these from genesis. */
type Named = Exclude<NetworkName, 'plataberget'>

/** When the execution layer's forks were, as its clients' chain configs say: cancun, prague, osaka. */
const published: Readonly<Record<Named, readonly [number | null, number, number]>> = {
  mainnet: [1_710_338_135, 1_746_612_311, 1_764_798_551],
  sepolia: [1_706_655_072, 1_741_159_776, 1_760_427_360],
  holesky: [1_707_305_664, 1_740_434_112, 1_759_308_480],
  hoodi: [null, 1_742_999_832, 1_761_677_592], // Cancun from genesis
}

const [one, many, cells] = await Promise.all([
  makeParts([1], 4844),
  makeParts(
    range(10).map((c) => c + 1),
    4844,
  ),
  makeParts(
    range(7).map((c) => c + 1),
    7594,
  ),
])

/** The first blobs of a transaction. */
function cut(parts: Parts, count: number): Parts {
  const proofs = parts.wrapper === null ? count : 128 * count
  return {
    versionedHashes: parts.versionedHashes.slice(0, count),
    blobs: parts.blobs.slice(0, count),
    commitments: parts.commitments.slice(0, count),
    proofs: parts.proofs.slice(0, proofs),
    wrapper: parts.wrapper,
  }
}

const said = (verdict: TransactionVerdict): string =>
  verdict.status === 'valid' ? verdict.status : `${verdict.status} ${verdict.reason}`

describe.each(Object.keys(published) as Named[])('on %s', (network) => {
  let verifier: Verifier
  beforeAll(async () => {
    verifier = await createVerifier({ network, workers: 1 })
  })
  afterAll(async () => await verifier.dispose())

  it('the forks begin at the second that was published', async () => {
    const [cancun, prague, osaka] = published[network]
    const at = async (parts: Parts, timestamp: number | bigint): Promise<string> =>
      said(await verifier.verifyBlobTransaction(transactionOf(parts), { timestamp, mode: 'cheap' }))
    const seven = cut(many, 7)
    if (cancun !== null) {
      await expect(at(one, cancun - 1)).rejects.toThrow(TypeError)
      expect(await at(one, cancun)).toBe('unchecked cheap-mode')
    }
    expect(await at(seven, prague - 1)).toBe('malformed blob-count')
    expect(await at(seven, prague)).toBe('unchecked cheap-mode')
    expect(await at(seven, BigInt(osaka) - 1n)).toBe('unchecked cheap-mode')
    expect(await at(seven, osaka)).toBe('malformed wrapper-fork')
    expect(await at(cut(cells, 1), osaka - 1)).toBe('malformed wrapper-fork')
    expect(await at(cut(cells, 1), BigInt(osaka))).toBe('unchecked cheap-mode')
    expect(await at(cut(cells, 1), osaka - 0.5)).toBe('malformed wrapper-fork')
  })

  it('there are no blobs before the first slot', async () => {
    const { genesisTime } = networks[network]
    await expect(
      verifier.verifyBlobTransaction(transactionOf(one), { timestamp: genesisTime - 1 }),
    ).rejects.toThrow(TypeError)
  })
})

describe("each fork's rules", () => {
  let verifier: Verifier
  beforeAll(async () => {
    verifier = await createVerifier({ network: invented, workers: 1 })
  })
  afterAll(async () => await verifier.dispose())
  type Fork = 'deneb' | 'cancun' | 'electra' | 'prague' | 'fulu' | 'osaka'
  const judge = async (parts: Parts, fork: Fork): Promise<string> =>
    said(await verifier.verifyBlobTransaction(transactionOf(parts), { fork }))

  it.each([
    ['cancun', 6],
    ['deneb', 6],
    ['prague', 9],
    ['electra', 9],
  ] as const)('%s takes EIP-4844 wrappers of 1 to %i blobs', async (fork, most) => {
    expect(await judge(cut(many, 1), fork)).toBe('valid')
    expect(await judge(cut(many, most), fork)).toBe('valid')
    expect(await judge(cut(many, most + 1), fork)).toBe('malformed blob-count')
    expect(await judge(cut(many, 0), fork)).toBe('malformed blob-count')
    expect(await judge(cut(cells, 1), fork)).toBe('malformed wrapper-fork')
  })

  it.each(['osaka', 'fulu'] as const)('%s takes EIP-7594 wrappers of 1 to 6 blobs', async (fork) => {
    expect(await judge(cut(cells, 1), fork)).toBe('valid')
    expect(await judge(cut(cells, 6), fork)).toBe('valid')
    expect(await judge(cut(cells, 7), fork)).toBe('malformed blob-count')
    expect(await judge(cut(cells, 0), fork)).toBe('malformed blob-count')
    expect(await judge(cut(many, 1), fork)).toBe('malformed wrapper-fork')
  })

  it('counts, lengths and versions that do not fit are each refused by name', async () => {
    const two = cut(many, 2)
    const both = cut(cells, 2)
    const bad: [parts: Parts, fork: Fork, reason: string][] = [
      [{ ...two, blobs: two.blobs.slice(1) }, 'cancun', 'malformed sidecar-counts'],
      [{ ...two, commitments: two.commitments.slice(1) }, 'cancun', 'malformed sidecar-counts'],
      [{ ...two, proofs: two.proofs.slice(1) }, 'cancun', 'malformed sidecar-counts'],
      [{ ...two, versionedHashes: two.versionedHashes.slice(1) }, 'cancun', 'malformed sidecar-counts'],
      [{ ...both, proofs: both.proofs.slice(1) }, 'osaka', 'malformed sidecar-counts'],
      [{ ...both, proofs: both.proofs.slice(0, 2) }, 'osaka', 'malformed sidecar-counts'],
      [{ ...both, wrapper: Uint8Array.of(2) }, 'osaka', 'malformed wrapper-version'],
      [{ ...both, wrapper: new Uint8Array(0) }, 'osaka', 'malformed wrapper-version'],
      [
        { ...two, blobs: two.blobs.with(1, two.blobs[1]!.slice(1)) },
        'cancun',
        'malformed transaction-blob-length',
      ],
      [
        { ...two, commitments: two.commitments.with(1, two.commitments[1]!.slice(1)) },
        'cancun',
        'malformed transaction-commitment-length',
      ],
      [
        { ...two, proofs: two.proofs.with(1, two.proofs[1]!.slice(1)) },
        'cancun',
        'malformed transaction-proof-length',
      ],
      [
        { ...two, versionedHashes: two.versionedHashes.with(1, flip(two.versionedHashes[1]!, 0)) },
        'cancun',
        'invalid versioned-hash-version',
      ],
    ]
    for (const [parts, fork, reason] of bad) expect(await judge(parts, fork)).toBe(reason)
  })

  it('a bad blob is named by its place, and its neighbours are not condemned', async () => {
    for (const guilty of range(3)) {
      const three = cut(many, 3)
      const hash = flip(three.versionedHashes[guilty]!, 31)
      const strange = await verifier.verifyBlobTransaction(
        transactionOf({ ...three, versionedHashes: three.versionedHashes.with(guilty, hash) }),
        { fork: 'cancun', source: 'peer' },
      )
      expect(strange).toMatchObject({
        status: 'invalid',
        stage: 'versioned-hash',
        reason: 'versioned-hash-mismatch',
        sources: ['peer'],
      })
      expect(strange.blobs.map(({ status }) => status)).toEqual(
        range(3).map((at) => (at === guilty ? 'invalid' : 'valid')),
      )

      const blob = flip(three.blobs[guilty]!, 4095)
      const untrue = await verifier.verifyBlobTransaction(
        transactionOf({ ...three, blobs: three.blobs.with(guilty, blob) }),
        { fork: 'cancun', source: 'peer' },
      )
      expect(untrue).toMatchObject({
        status: 'invalid',
        stage: 'kzg',
        reason: 'proof-mismatch',
        sources: ['peer'],
      })
      expect(untrue.blobs.map(({ status }) => status)).toEqual(
        range(3).map((at) => (at === guilty ? 'invalid' : 'valid')),
      )

      const large = new Uint8Array(three.blobs[guilty]!).fill(0xff, 0, 32)
      const malformed = await verifier.verifyBlobTransaction(
        transactionOf({ ...three, blobs: three.blobs.with(guilty, large) }),
        { fork: 'cancun' },
      )
      expect(malformed).toMatchObject({
        status: 'malformed',
        stage: 'encoding',
        reason: 'scalar-not-canonical',
      })
      expect(malformed.blobs.map(({ status }) => status)).toEqual(
        range(3).map((at) => (at === guilty ? 'malformed' : 'valid')),
      )
    }
  })

  it('one cell proof of 384 that is another point condemns its blob alone', async () => {
    const three = cut(cells, 3)
    for (const place of [0, 127, 128, 200, 383]) {
      const proofs = three.proofs.with(place, three.commitments[0]!)
      const verdict = await verifier.verifyBlobTransaction(transactionOf({ ...three, proofs }), {
        fork: 'osaka',
      })
      expect(verdict).toMatchObject({ status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' })
      expect(verdict.blobs.map(({ status }) => status)).toEqual(
        range(3).map((at) => (at === place >> 7 ? 'invalid' : 'valid')),
      )
    }
  })
})
