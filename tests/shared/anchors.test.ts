/**
 * What the data is checked against. A header that the data brings along proves nothing about the chain; what was
 * verified, and what was taken on trust, is on every verdict; and a good delivery lends a bad one nothing.
 */
import {
  type AnchorOption,
  createVerifier,
  type Links,
  MemoryCache,
  networks,
  type Verdict,
  type Verifier,
} from 'blobcheck'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  invented,
  makeParts,
  makeSidecars,
  slots,
  transactionOf,
  versionedHashOf,
} from '../support/blocks.ts'
import { concat, flip, fromHex, toHex } from '../support/bytes.ts'
import { readText } from '../support/files.ts'
import { makeBlob, makeCell } from '../support/make.ts'
import {
  type BlobSidecarJson,
  blobSidecarSsz,
  dataColumnSidecarSsz,
  headerRoot,
  headerSsz,
  signedHeaderSsz,
} from '../support/ssz.ts'

/** What a list of two is not: in another order, shorter, longer, or with one entry twice. */
const otherLists = [
  <T>(list: readonly T[]) => list.toReversed(),
  <T>(list: readonly T[]) => list.slice(1),
  <T>(list: readonly T[]) => [...list, list[0]!],
  <T>(list: readonly T[]) => [list[0]!, list[0]!],
  <T>(list: readonly T[]) => [list[1]!, list[1]!],
]

const absent: Links = {
  kzg: 'absent',
  'versioned-hash': 'absent',
  inclusion: 'absent',
  header: 'absent',
  signature: 'absent',
  'sync-committee': 'absent',
  checkpoint: 'absent',
}
const valid = (links: Partial<Links>): object => ({
  status: 'valid',
  links: { ...absent, kzg: 'verified', ...links },
})
const invalid = (stage: string, reason: string): object => ({ status: 'invalid', stage, reason })
const statuses = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ status }) => status)

const deneb = await makeSidecars(slots.deneb, [1, 2, 3])
const fulu = await makeSidecars(slots.fulu, [4, 5, 6])
const { data: holesky } = JSON.parse(await readText('data/holesky_1409759_blob_sidecars.json')) as {
  data: BlobSidecarJson[]
}
const realHeader = holesky[0]!.signed_block_header

let verifier: Verifier
beforeAll(async () => {
  verifier = await createVerifier({ network: invented, cache: false })
})
afterAll(async () => await verifier.dispose())

describe('blobs and cells', () => {
  const [hash, other] = deneb.versionedHashes
  const [commitment] = deneb.commitments
  const blob = makeBlob(1)
  const cell = makeCell(1, 9)
  const verify = {
    verifyBlobs: (anchor: AnchorOption) => verifier.verifyBlobs([blob], { anchor }),
    verifyCells: (anchor: AnchorOption) => verifier.verifyCells([cell], { anchor }),
  }

  it.each(['verifyBlobs', 'verifyCells'] as const)('%s: none, hashes, commitments', async (method) => {
    expect(await verify[method]('none')).toMatchObject([valid({})])
    for (const list of [
      [hash!],
      [other!, hash!],
      [toHex(hash!)],
      [toHex(hash!).toUpperCase().replace('0X', '0x') as `0x${string}`],
    ]) {
      expect(await verify[method]({ versionedHashes: list })).toMatchObject([
        valid({ 'versioned-hash': 'verified' }),
      ])
    }
    for (const list of [[], [other!], [flip(hash!, 31)]]) {
      expect(await verify[method]({ versionedHashes: list })).toMatchObject([
        invalid('anchor', 'versioned-hash-not-in-anchor'),
      ])
    }
    for (const list of [deneb.commitments, deneb.commitments.map(toHex)]) {
      expect(await verify[method]({ commitments: list })).toMatchObject([valid({})])
    }
    for (const list of [[], deneb.commitments.slice(1), [flip(commitment!, 47)]]) {
      expect(await verify[method]({ commitments: list })).toMatchObject([
        invalid('anchor', 'commitment-not-in-anchor'),
      ])
    }
  })

  it("a blob's own versioned hash is held against its commitment", async () => {
    const verdicts = await verifier.verifyBlobs([
      { ...blob, versionedHash: hash! },
      { ...blob, versionedHash: toHex(hash!) },
      { ...blob, versionedHash: other! },
      { ...blob, versionedHash: flip(hash!, 0) },
    ])
    const mismatch = invalid('versioned-hash', 'versioned-hash-mismatch')
    expect(verdicts).toMatchObject([
      valid({ 'versioned-hash': 'verified' }),
      valid({ 'versioned-hash': 'verified' }),
      mismatch,
      mismatch,
    ])
  })
})

describe('blob sidecars', () => {
  const { block, sidecars, versionedHashes, commitments } = deneb
  const verify = (anchor: AnchorOption): Promise<Verdict[]> =>
    verifier.verifyBlobSidecars(sidecars, { anchor })

  it('without an anchor agree with themselves, and their header is absent', async () => {
    const expected = sidecars.map(() => valid({ inclusion: 'verified' }))
    expect(await verify('none')).toMatchObject(expected)
    expect(await verifier.verifyBlobSidecars(sidecars)).toMatchObject(expected)
    expect(await verifier.verifyBlobSidecars(concat(...sidecars.map(blobSidecarSsz)))).toMatchObject(expected)
  })

  it('with their header, in each of its forms, are of a block that the caller trusts', async () => {
    const { header, signed } = block
    const root = await headerRoot(header)
    const numbers = { ...header, slot: Number(header.slot), proposer_index: BigInt(header.proposer_index) }
    const bytes = [headerSsz(header), signedHeaderSsz(signed), root]
    const forms = [header, signed, { message: header }, numbers, ...bytes, ...bytes.map(toHex)] as never[]
    for (const form of forms) {
      expect(await verify({ header: form })).toMatchObject(
        sidecars.map(() => valid({ inclusion: 'verified', header: 'trusted' })),
      )
    }
  })

  it('with any other header are not of its block', async () => {
    const { header } = block
    const root = await headerRoot(header)
    const others = [
      realHeader,
      { ...header, slot: '6' },
      { ...header, proposer_index: '8' },
      ...(['parent_root', 'state_root', 'body_root'] as const).map((field) => ({
        ...header,
        [field]: toHex(flip(fromHex(header[field]), 17, 3)),
      })),
      flip(root, 0),
      flip(headerSsz(header), 111, 7),
    ] as never[]
    for (const other of others) {
      expect(await verify({ header: other })).toMatchObject(
        sidecars.map(() => invalid('anchor', 'header-mismatch')),
      )
    }
  })

  it('are held one by one against lists of hashes and commitments', async () => {
    expect(await verify({ versionedHashes: versionedHashes.slice(1).reverse() })).toMatchObject([
      invalid('anchor', 'versioned-hash-not-in-anchor'),
      valid({ inclusion: 'verified', 'versioned-hash': 'verified' }),
      valid({ inclusion: 'verified', 'versioned-hash': 'verified' }),
    ])
    expect(await verify({ commitments: [commitments[1]!] })).toMatchObject([
      invalid('anchor', 'commitment-not-in-anchor'),
      valid({ inclusion: 'verified' }),
      invalid('anchor', 'commitment-not-in-anchor'),
    ])
  })
})

describe('data column sidecars', () => {
  const { block, versionedHashes, commitments } = fulu
  const columns = [0, 64, 127].map(fulu.column)
  const verify = (anchor: AnchorOption): Promise<Verdict[]> =>
    verifier.verifyDataColumnSidecars(columns, { anchor })

  it('follow the same rules for headers', async () => {
    expect(await verify('none')).toMatchObject(columns.map(() => valid({ inclusion: 'verified' })))
    expect(await verify({ header: block.signed })).toMatchObject(
      columns.map(() => valid({ inclusion: 'verified', header: 'trusted' })),
    )
    expect(await verify({ header: realHeader })).toMatchObject(
      columns.map(() => invalid('anchor', 'header-mismatch')),
    )
    const ssz = columns.map(dataColumnSidecarSsz)
    expect(await verifier.verifyDataColumnSidecars(ssz)).toMatchObject(
      columns.map(() => valid({ inclusion: 'verified' })),
    )
  })

  it("must have the anchor's whole list, row by row", async () => {
    expect(await verify({ commitments })).toMatchObject(columns.map(() => valid({ inclusion: 'verified' })))
    expect(await verify({ versionedHashes })).toMatchObject(
      columns.map(() => valid({ inclusion: 'verified', 'versioned-hash': 'verified' })),
    )
    for (const change of otherLists) {
      expect(await verify({ commitments: change(commitments) })).toMatchObject(
        columns.map(() => invalid('anchor', 'commitment-not-in-anchor')),
      )
      expect(await verify({ versionedHashes: change(versionedHashes) })).toMatchObject(
        columns.map(() => invalid('anchor', 'versioned-hash-not-in-anchor')),
      )
    }
  })
})

describe('transactions', () => {
  it.each([
    ['cancun', 4844],
    ['osaka', 7594],
  ] as const)('of %s must have the whole list of the anchor', async (fork, rules) => {
    const parts = await makeParts([1, 2], rules)
    const bytes = transactionOf(parts)
    const verify = (anchor: AnchorOption): Promise<Verdict> =>
      verifier.verifyBlobTransaction(bytes, { fork, anchor: anchor as 'none' })
    const good = {
      ...valid({ 'versioned-hash': 'verified' }),
      blobs: [valid({ 'versioned-hash': 'verified' }), valid({ 'versioned-hash': 'verified' })],
    }
    expect(await verify('none')).toMatchObject(good)
    expect(await verify({ versionedHashes: parts.versionedHashes })).toMatchObject(good)
    expect(await verify({ commitments: parts.commitments })).toMatchObject(good)
    for (const change of otherLists) {
      expect(await verify({ versionedHashes: change(parts.versionedHashes) })).toMatchObject(
        invalid('anchor', 'versioned-hash-not-in-anchor'),
      )
      expect(await verify({ commitments: change(parts.commitments) })).toMatchObject(
        invalid('anchor', 'commitment-not-in-anchor'),
      )
    }
  })

  it('of which one blob names another hash are held against the hashes that they name, blob by blob', async () => {
    const parts = await makeParts([1, 2], 4844)
    const versionedHashes = parts.versionedHashes.with(0, flip(parts.versionedHashes[0]!, 31))
    const verdict = await verifier.verifyBlobTransaction(transactionOf({ ...parts, versionedHashes }), {
      fork: 'cancun',
      anchor: { versionedHashes },
    })
    expect(verdict.blobs).toMatchObject([
      invalid('versioned-hash', 'versioned-hash-mismatch'),
      valid({ 'versioned-hash': 'verified' }),
    ])
  })

  it('have a digest of their own, which depends on each of their blobs', async () => {
    const digests = new Set<string>()
    const kinds = [[1], [2], [1, 2], [2, 1], [1, 1]]
    for (let round = 0; round < 2; round++)
      for (const kind of kinds) {
        const verdict = await verifier.verifyBlobTransaction(transactionOf(await makeParts(kind, 4844)), {
          fork: 'cancun',
        })
        if (verdict.status !== 'valid') throw new Error(verdict.status)
        digests.add(verdict.digest)
        for (const blob of verdict.blobs) if (blob.status === 'valid') digests.add(blob.digest)
      }
    // And two blobs.
    expect(digests.size).toBe(kinds.length + 2)
  })
})

describe('a self-made header', () => {
  it('with a consistent body, commitments and blobs, verifies with no anchor only', async () => {
    // On the real network, at the real block's slot: nothing but the chain's own header tells them apart.
    const made = await makeSidecars(BigInt(realHeader.message.slot), [1, 2])
    const onHolesky = await createVerifier({ network: 'holesky', cache: false })
    try {
      expect(networks.holesky.forkEpochs.deneb).toBeLessThan(Number(realHeader.message.slot) / 32)
      const verify = (anchor: AnchorOption): Promise<Verdict[]> =>
        onHolesky.verifyBlobSidecars([...made.sidecars, holesky[0]!], { anchor })
      expect(await verify('none')).toMatchObject(
        Array(3).fill(valid({ inclusion: 'verified', header: 'absent' })),
      )
      const mismatch = invalid('anchor', 'header-mismatch')
      expect(await verify({ header: realHeader })).toMatchObject([
        mismatch,
        mismatch,
        valid({ header: 'trusted', inclusion: 'verified' }),
      ])
      const hashes = await Promise.all(
        holesky.map(({ kzg_commitment }) => versionedHashOf(fromHex(kzg_commitment))),
      )
      const stranger = invalid('anchor', 'versioned-hash-not-in-anchor')
      expect(await verify({ versionedHashes: hashes })).toMatchObject([
        stranger,
        stranger,
        valid({ inclusion: 'verified', 'versioned-hash': 'verified' }),
      ])
    } finally {
      await onHolesky.dispose()
    }
  })
})

describe('a good delivery lends a bad one nothing', () => {
  const [good] = deneb.sidecars
  const branch = good!.kzg_commitment_inclusion_proof
  /** The same blob, commitment and proof, with a branch that leads elsewhere: wrong in any one of its 17 places. */
  const spoilt = branch.map((sibling, at) => ({
    ...good!,
    kzg_commitment_inclusion_proof: branch.with(at, toHex(flip(fromHex(sibling), at))),
  }))
  const mismatch = invalid('inclusion', 'inclusion-mismatch')
  const fresh = (): Promise<Verifier> => createVerifier({ network: invented, cache: new MemoryCache() })

  it('after it, though the blob is known by then', async () => {
    const cached = await fresh()
    try {
      expect(await cached.verifyBlobSidecars([good!])).toMatchObject([{ status: 'valid', via: 'kzg' }])
      expect(await cached.verifyBlobSidecars([good!])).toMatchObject([{ status: 'valid', via: 'cache' }])
      expect(await cached.verifyBlobSidecars(spoilt)).toMatchObject(spoilt.map(() => mismatch))
      expect(await cached.verifyBlobSidecars([{ ...good!, index: '1' }])).toMatchObject([mismatch])
      expect(
        await cached.verifyBlobSidecars([good!], { anchor: { header: fulu.block.signed } }),
      ).toMatchObject([invalid('anchor', 'header-mismatch')])
      const [hash] = fulu.versionedHashes
      expect(await cached.verifyBlobs([{ ...makeBlob(1), versionedHash: hash! }])).toMatchObject([
        invalid('versioned-hash', 'versioned-hash-mismatch'),
      ])
    } finally {
      await cached.dispose()
    }
  })

  it('beside it, in one call and in several', async () => {
    const cached = await fresh()
    try {
      const verdicts = await cached.verifyBlobSidecars([good!, ...spoilt, good!])
      expect(statuses(verdicts)).toEqual(['valid', ...spoilt.map(() => 'invalid'), 'valid'])
      const calls = [good!, ...spoilt, good!].map((sidecar) => cached.verifyBlobSidecars([sidecar]))
      expect((await Promise.all(calls)).flatMap(statuses)).toEqual([
        'valid',
        ...spoilt.map(() => 'invalid'),
        'valid',
      ])
      expect(cached.stats().kzgItems).toBe(1)
    } finally {
      await cached.dispose()
    }
  })

  it('before it, and takes nothing from it either', async () => {
    const cached = await fresh()
    try {
      expect(await cached.verifyBlobSidecars(spoilt)).toMatchObject(spoilt.map(() => mismatch))
      expect(cached.stats().kzgItems).toBe(0)
      expect(await cached.verifyBlobSidecars([good!])).toMatchObject([{ status: 'valid', via: 'kzg' }])
    } finally {
      await cached.dispose()
    }
  })

  it('of a column likewise, and of the same rows in another block', async () => {
    const cached = await fresh()
    const column = fulu.column(7)
    const elsewhere = (await makeSidecars(slots.fulu, [4, 5, 6], 2)).column(7)
    const bad = {
      ...column,
      kzg_commitments_inclusion_proof: column.kzg_commitments_inclusion_proof.toReversed(),
    }
    try {
      const anchor = { header: fulu.block.signed }
      expect(await cached.verifyDataColumnSidecars([column], { anchor })).toMatchObject([
        { status: 'valid', via: 'kzg' },
      ])
      expect(await cached.verifyDataColumnSidecars([bad, elsewhere, column], { anchor })).toMatchObject([
        mismatch,
        invalid('anchor', 'header-mismatch'),
        { status: 'valid', via: 'cache' },
      ])
      // As data it is the same, and KZG need not look again.
      expect(await cached.verifyDataColumnSidecars([elsewhere])).toMatchObject([
        { status: 'valid', via: 'cache' },
      ])
    } finally {
      await cached.dispose()
    }
  })
})
