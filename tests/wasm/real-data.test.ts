/** Real chain data and its spoilt twins: accepted, or refused for the right reason, naming the right blob. */
import fc from 'fast-check'
import {
  createVerifier,
  type ForkName,
  type NetworkConfig,
  type TransactionVerdict,
  type Verdict,
  type Verifier,
  type VerifierOptions,
} from 'blobcheck'
import { KzgInputError, loadKzg } from 'blobcheck/kzg'
import { describe, expect, it } from 'vitest'
import { partsOf, versionedHashOf } from '../support/blocks.ts'
import { flip, fromHex, toHex } from '../support/bytes.ts'
import { listVectors, readTestFile, readText, readValue } from '../support/files.ts'
import { infinity, range } from '../support/make.ts'
import {
  type BlobSidecarJson,
  type DataColumnSidecarJson,
  dataColumnSidecarSsz,
  headerRoot,
  listSsz,
  type SignedHeaderJson,
} from '../support/ssz.ts'

type Hex = `0x${string}`

const readJson = async <T>(path: string): Promise<T> => await readValue<T>(`vectors/real/${path}`)

async function verifying<T>(options: VerifierOptions, task: (verifier: Verifier) => Promise<T>): Promise<T> {
  const verifier = await createVerifier({ cache: false, ...options })
  try {
    return await task(verifier)
  } finally {
    await verifier.dispose()
  }
}

/** No real network: Fulu from the first slot. For columns of devnets, and those computed from older blocks. */
const alwaysFulu = (maxBlobsPerBlock: number): NetworkConfig => ({
  genesisTime: 0,
  forkEpochs: { deneb: 0, electra: 0, fulu: 0 },
  blobSchedule: [{ epoch: 0, maxBlobsPerBlock }],
})

const statuses = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ status }) => status)
const refusal = (status: string, stage: string, reason: string): object => ({ status, stage, reason })

describe('a mainnet blob sidecar of Electra', () => {
  it('is valid, and of its own header only', async () => {
    const ssz = await readTestFile('vectors/real/mainnet_12035999_blob_sidecar_0.ssz')
    await verifying({ network: 'mainnet' }, async (verifier) => {
      expect(await verifier.verifyBlobSidecars([ssz])).toMatchObject([
        { status: 'valid', links: { kzg: 'verified', inclusion: 'verified', header: 'absent' } },
      ])
      expect(new DataView(ssz.buffer).getBigUint64(131_176, true)).toBe(12_035_999n)
      const header = ssz.slice(131_176, 131_176 + 112)
      expect(await verifier.verifyBlobSidecars(ssz, { anchor: { header } })).toMatchObject([
        { status: 'valid', links: { header: 'trusted' } },
      ])
      const parent = header.slice(16, 48)
      expect(await verifier.verifyBlobSidecars(ssz, { anchor: { header: parent } })).toMatchObject([
        refusal('invalid', 'anchor', 'header-mismatch'),
      ])
      expect(await verifier.verifyBlobSidecars([flip(ssz, 8 + 31)])).toMatchObject([
        refusal('invalid', 'kzg', 'proof-mismatch'),
      ])
    })
  })
})

describe('a devnet column of Fulu', async () => {
  const ssz = await readTestFile('vectors/real/devnet_fulu_data_column_sidecar_41.ssz')
  // Slot 20 of a devnet in Fulu from genesis, with 10 blobs: any schedule that allows these is consistent with it.
  it('is valid under a config that allows its ten blobs, and only there', async () => {
    const header = ssz.slice(20, 20 + 112)
    await verifying({ network: alwaysFulu(10) }, async (verifier) => {
      expect(await verifier.verifyDataColumnSidecars([ssz], { anchor: { header } })).toMatchObject([
        { status: 'valid', links: { kzg: 'verified', inclusion: 'verified', header: 'trusted' } },
      ])
      const spoilt = [
        flip(ssz, 356 + 31),
        flip(ssz, 0),
        flip(ssz, 356 + 10 * 2048 + 47),
        flip(ssz, ssz.length - 1),
      ]
      const verdicts = await verifier.verifyDataColumnSidecars(spoilt)
      expect(verdicts.slice(0, 3)).toMatchObject([
        refusal('invalid', 'kzg', 'proof-mismatch'),
        refusal('invalid', 'kzg', 'proof-mismatch'), // column 40: another index
        refusal('invalid', 'inclusion', 'inclusion-mismatch'), // another commitment
      ])
      expect(verdicts[3]!.status).toMatch(/^(malformed|invalid)$/) // another proof, if it is a point at all
    })
    await verifying({ network: alwaysFulu(9) }, async (verifier) => {
      expect(await verifier.verifyDataColumnSidecars([ssz])).toMatchObject([
        refusal('malformed', 'structure', 'too-many-blobs'),
      ])
    })
    await verifying({ network: 'mainnet' }, async (verifier) => {
      expect(await verifier.verifyDataColumnSidecars([ssz])).toMatchObject([
        refusal('malformed', 'structure', 'unsupported-fork'),
      ])
    })
  })
})

describe('columns computed from a real block of Deneb', () => {
  const read = async (): Promise<DataColumnSidecarJson[]> =>
    (await readJson<{ data: DataColumnSidecarJson[] }>('holesky_1409759_data_column_sidecars_sample.json'))
      .data

  it('are valid under a synthetic config, as JSON and as an SSZ list', async () => {
    const columns = await read()
    const header = columns[0]!.signed_block_header
    const commitments = columns[0]!.kzg_commitments as Hex[]
    await verifying({ network: alwaysFulu(6) }, async (verifier) => {
      const all = columns.map(() => 'valid')
      expect(
        statuses(await verifier.verifyDataColumnSidecars({ data: columns }, { anchor: { header } })),
      ).toEqual(all)
      expect(statuses(await verifier.verifyDataColumnSidecars(columns, { anchor: { commitments } }))).toEqual(
        all,
      )
      const list = listSsz(columns.map(dataColumnSidecarSsz))
      expect(statuses(await verifier.verifyDataColumnSidecars(list))).toEqual(all)
      expect(statuses(await verifier.verifyDataColumnSidecars(JSON.stringify({ data: columns })))).toEqual(
        all,
      )
      // A row of another row's cell.
      const [first] = columns
      const crossed = { ...first!, column: [first!.column[1]!, ...first!.column.slice(1)] }
      expect(await verifier.verifyDataColumnSidecars([crossed, ...columns.slice(1)])).toMatchObject([
        refusal('invalid', 'kzg', 'proof-mismatch'),
        ...columns.slice(1).map(() => ({ status: 'valid' })),
      ])
    })
    await verifying({ network: 'holesky' }, async (verifier) => {
      const refused = columns.map(() => refusal('malformed', 'structure', 'unsupported-fork'))
      expect(await verifier.verifyDataColumnSidecars(columns)).toMatchObject(refused)
    })
  })

  it('hold the cells that computeCells gives for the block', async () => {
    const { data } = JSON.parse(await readText('data/holesky_1409759_blob_sidecars.json')) as {
      data: BlobSidecarJson[]
    }
    const kzg = await loadKzg()
    const rows = data.map(({ blob }) => kzg.computeCells(blob as Hex))
    for (const { index, column } of await read()) {
      expect(rows.map((cells) => toHex(cells[Number(index)]!))).toEqual(column)
    }
  })
})

interface SepoliaBlock {
  block_root: Hex
  proposer_pubkey: Hex
  signed_block_header: SignedHeaderJson
  kzg_commitments: Hex[]
  versioned_hashes: Hex[]
  kzg_commitments_inclusion_proof: Hex[]
  kzg_commitment_inclusion_proofs: Hex[][]
}

/** Sidecars of a block, with zeros in the place of its blobs: all of them is true but the data. */
function withZeros(block: SepoliaBlock): { sidecars: BlobSidecarJson[]; column: DataColumnSidecarJson } {
  const { kzg_commitments: commitments, signed_block_header } = block
  return {
    sidecars: commitments.map((kzg_commitment, index) => ({
      index: index.toString(),
      blob: `0x${'00'.repeat(131_072)}`,
      kzg_commitment,
      kzg_proof: toHex(infinity),
      signed_block_header,
      kzg_commitment_inclusion_proof: block.kzg_commitment_inclusion_proofs[index]!,
    })),
    column: {
      index: '5',
      column: commitments.map(() => `0x${'00'.repeat(2048)}`),
      kzg_commitments: commitments,
      kzg_proofs: commitments.map(() => toHex(infinity)),
      signed_block_header,
      kzg_commitments_inclusion_proof: block.kzg_commitments_inclusion_proof,
    },
  }
}

describe('real Sepolia blocks of Fulu, whose blobs are not at hand', () => {
  it('lead from commitments to headers; what is put in the place of the blobs is found out', async () => {
    const blocks = await readJson<SepoliaBlock[]>('sepolia_fulu_headers_commitments_proofs.json')
    expect(blocks.length).toBeGreaterThan(0)
    await verifying({ network: 'sepolia' }, async (verifier) => {
      for (const block of blocks) {
        const {
          signed_block_header: signed,
          kzg_commitments: commitments,
          versioned_hashes: versionedHashes,
        } = block
        expect(toHex(await headerRoot(signed.message))).toBe(block.block_root)
        expect(
          await Promise.all(commitments.map(async (bytes) => toHex(await versionedHashOf(fromHex(bytes))))),
        ).toEqual(versionedHashes)
        const { sidecars, column } = withZeros(block)
        for (const anchor of [
          { header: signed },
          { header: block.block_root },
          { versionedHashes },
          { commitments },
        ]) {
          const links = {
            kzg: 'absent',
            inclusion: 'verified',
            header: 'header' in anchor ? 'trusted' : 'absent',
          }
          const passed = {
            status: 'unchecked',
            links: { ...links, 'versioned-hash': 'versionedHashes' in anchor ? 'verified' : 'absent' },
          }
          expect(await verifier.verifyBlobSidecars(sidecars, { anchor, mode: 'cheap' })).toMatchObject(
            sidecars.map(() => passed),
          )
          expect(await verifier.verifyDataColumnSidecars([column], { anchor, mode: 'cheap' })).toMatchObject([
            passed,
          ])
        }
        const parent = { header: signed.message.parent_root }
        const stranger = refusal('invalid', 'anchor', 'header-mismatch')
        expect(
          await verifier.verifyDataColumnSidecars([column], { anchor: parent, mode: 'cheap' }),
        ).toMatchObject([stranger])
        const untrue = (reason: string): object => refusal('invalid', 'kzg', reason)
        expect(await verifier.verifyBlobSidecars(sidecars, { anchor: { header: signed } })).toMatchObject(
          // Their proofs are the stubs that nodes serve since Fulu.
          sidecars.map(() => untrue('commitment-mismatch')),
        )
        expect(await verifier.verifyDataColumnSidecars([column])).toMatchObject([untrue('proof-mismatch')])
      }
    })
  })
})

describe('the signatures of real proposers', () => {
  it('are verified by their keys, and by nobody else’s', async () => {
    const blocks = await readJson<SepoliaBlock[]>('sepolia_fulu_headers_commitments_proofs.json')
    await verifying({ network: 'sepolia' }, async (verifier) => {
      for (const [at, block] of blocks.entries()) {
        const { sidecars, column } = withZeros(block)
        const signed = { status: 'unchecked', links: { inclusion: 'verified', signature: 'verified' } }
        const own = { proposerKey: block.proposer_pubkey, mode: 'cheap' } as const
        expect(await verifier.verifyDataColumnSidecars([column], own)).toMatchObject([signed])
        expect(await verifier.verifyBlobSidecars(sidecars, own)).toMatchObject(sidecars.map(() => signed))
        const others = { ...own, proposerKey: blocks[(at + 1) % blocks.length]!.proposer_pubkey }
        expect(await verifier.verifyDataColumnSidecars([column], others)).toMatchObject([
          refusal('invalid', 'signature', 'proposer-signature'),
        ])
      }
    })
  })
})

describe('answers of the right shape with random bytes', () => {
  it('are parsed, and refused', async () => {
    const sidecars = await readJson<{ data: BlobSidecarJson[] }>('shape_only_blob_sidecars.json')
    const columns = await readJson<{ data: DataColumnSidecarJson[] }>(
      'shape_only_data_column_sidecars_fulu.json',
    )
    const untied = refusal('invalid', 'inclusion', 'inclusion-mismatch')
    await verifying({ network: 'mainnet' }, async (verifier) => {
      expect(await verifier.verifyBlobSidecars(sidecars)).toMatchObject(sidecars.data.map(() => untied))
      expect(await verifier.verifyDataColumnSidecars(columns)).toMatchObject(columns.data.map(() => untied))
      const items = sidecars.data.map(({ blob }) => ({
        blob: blob as Hex,
        commitment: infinity,
        proof: infinity,
      }))
      const random = refusal('malformed', 'encoding', 'scalar-not-canonical')
      expect(await verifier.verifyBlobs(items)).toMatchObject(items.map(() => random))
    })
  })
})

describe('real blob transactions', async () => {
  const folders: [folder: string, fork: ForkName, others: ForkName[], timestamp: number][] = [
    ['txs-4844', 'cancun', ['fulu', 'osaka'], 1_710_338_135],
    ['txs-7594', 'osaka', ['cancun', 'prague'], 1_764_798_551],
  ]
  for (const [folder, fork, others, timestamp] of folders) {
    for (const name of await listVectors(`real/${folder}`)) {
      it(`${folder}/${name} is valid in ${fork}, and refused where its wrapper is not taken`, async () => {
        const bytes = await readTestFile(`vectors/real/${folder}/${name}`)
        const { versionedHashes } = partsOf(bytes)
        expect(versionedHashes.length).toBeGreaterThan(0)
        const link = { kzg: 'verified', 'versioned-hash': 'verified', inclusion: 'absent' }
        const valid = {
          status: 'valid',
          links: link,
          blobs: versionedHashes.map(() => ({ status: 'valid', links: link })),
        }
        await verifying({ network: 'mainnet' }, async (verifier) => {
          expect(await verifier.verifyBlobTransaction(bytes, { fork })).toMatchObject(valid)
          expect(await verifier.verifyBlobTransaction(toHex(bytes), { timestamp })).toMatchObject(valid)
          expect(
            await verifier.verifyBlobTransaction(bytes, { fork, anchor: { versionedHashes } }),
          ).toMatchObject(valid)
          for (const other of others) {
            const refused = refusal('malformed', 'structure', 'wrapper-fork')
            expect(await verifier.verifyBlobTransaction(bytes, { fork: other })).toMatchObject({
              ...refused,
              blobs: [],
            })
          }
        })
      })

      it(`${folder}/${name} is nothing once it is cut, and not valid once a bit of what is proved is flipped`, async () => {
        const bytes = await readTestFile(`vectors/real/${folder}/${name}`)
        const { versionedHashes, sidecarAt } = partsOf(bytes)
        const hashesAt = versionedHashes.map(
          (hash) => toHex(bytes.slice(0, sidecarAt)).indexOf(toHex(hash).slice(2)) / 2 - 1,
        )
        await verifying({ network: 'mainnet' }, async (verifier) => {
          const judge = async (altered: Uint8Array): Promise<TransactionVerdict> =>
            await verifier.verifyBlobTransaction(altered, { fork })
          const lengths = fc.oneof(
            fc.nat(600),
            fc.integer({ min: 1, max: bytes.length }).map((cut) => bytes.length - cut),
          )
          await fc.assert(
            fc.asyncProperty(lengths, async (length) => {
              expect((await judge(bytes.subarray(0, length))).status).toBe('malformed')
            }),
            { numRuns: 25 },
          )
          // Fees, nonce and signature are not proved by anything here: only that flipping them does not throw.
          const proved = fc.oneof(
            fc.integer({ min: sidecarAt, max: bytes.length - 1 }),
            fc.constantFrom(...hashesAt).chain((at) => fc.integer({ min: at, max: at + 31 })),
          )
          await fc.assert(
            fc.asyncProperty(proved, fc.nat(7), async (at, bit) => {
              expect((await judge(flip(bytes, at, bit))).status).toMatch(/^(invalid|malformed)$/)
            }),
            { numRuns: fork === 'osaka' ? 5 : 15 },
          )
          await fc.assert(
            fc.asyncProperty(fc.nat(sidecarAt), fc.nat(7), async (at, bit) => {
              expect((await judge(flip(bytes, at, bit))).status).toMatch(/^(valid|invalid|malformed)$/)
            }),
            { numRuns: fork === 'osaka' ? 3 : 10 },
          )
        })
      })
    }
  }

  it('the twin with a spoilt commitment: its versioned hash tells, and only its', async () => {
    const bytes = await readTestFile('vectors/real/txs-7594-invalid/commitment.rlp')
    const { commitments, versionedHashes } = partsOf(bytes)
    const right = await Promise.all(
      commitments.map(
        async (bytes, at) => toHex(await versionedHashOf(bytes)) === toHex(versionedHashes[at]!),
      ),
    )
    expect(right.filter((isRight) => !isRight)).toHaveLength(1)
    await verifying({ network: 'mainnet' }, async (verifier) => {
      const verdict = await verifier.verifyBlobTransaction(bytes, { fork: 'osaka', source: 'peer' })
      expect(verdict).toMatchObject({
        ...refusal('invalid', 'versioned-hash', 'versioned-hash-mismatch'),
        sources: ['peer'],
      })
      expect(statuses(verdict.blobs)).toEqual(right.map((isRight) => (isRight ? 'valid' : 'invalid')))
    })
  })

  it('the twin with a spoilt proof: it is a point outside the group, and only its blob is refused', async () => {
    const bytes = await readTestFile('vectors/real/txs-7594-invalid/proof.rlp')
    const { blobs, commitments, proofs } = partsOf(bytes)
    const kzg = await loadKzg({ kernel: 'simd128' })
    // By the spec's function, blob by blob.
    const expected = blobs.map((blob, at) => {
      const list = range(128).map(() => commitments[at]!)
      const own = proofs.slice(128 * at, 128 * at + 128)
      try {
        return kzg.verifyCellKzgProofBatch(list, range(128), kzg.computeCells(blob), own)
      } catch (error) {
        return error instanceof KzgInputError ? error.code : error
      }
    })
    expect(expected.filter((outcome) => outcome !== true)).toEqual(['proof-not-in-subgroup'])
    await verifying({ network: 'mainnet' }, async (verifier) => {
      const verdict = await verifier.verifyBlobTransaction(bytes, { fork: 'osaka', source: 'peer' })
      const refused = refusal('malformed', 'encoding', 'proof-not-in-subgroup')
      expect(verdict).toMatchObject({ ...refused, sources: ['peer'] })
      expect(verdict.blobs).toMatchObject(
        expected.map((outcome) => (outcome === true ? { status: 'valid' } : refused)),
      )
    })
  })
})
