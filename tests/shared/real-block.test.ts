/** A complete real block, in every form in which a node serves it. Every clone has it: this never skips. */
import { createVerifier, fromSource, type Verifier } from 'blobcheck'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { versionedHashOf } from '../support/blocks.ts'
import { concat, flip, fromHex, toHex } from '../support/bytes.ts'
import { readText } from '../support/files.ts'
import { range } from '../support/make.ts'
import { type BlobSidecarJson, blobSidecarSsz, headerRoot } from '../support/ssz.ts'

const text = await readText('data/holesky_1409759_blob_sidecars.json')
const answer = JSON.parse(text) as { data: BlobSidecarJson[] }
const sidecars = answer.data
const ssz = sidecars.map(blobSidecarSsz)
const header = sidecars[0]!.signed_block_header

describe.each([0, 2])('the blobs of Holesky 1409759, with %i workers', (workers) => {
  let verifier: Verifier
  beforeAll(async () => {
    verifier = await createVerifier({ network: 'holesky', workers, cache: false })
  })
  afterAll(async () => await verifier.dispose())

  const forms: [name: string, form: Parameters<Verifier['verifyBlobSidecars']>[0]][] = [
    ['the JSON answer', answer],
    ['the text of the JSON answer', text],
    ['an array of JSON sidecars', sidecars],
    ['sidecars with their sources', sidecars.map((sidecar) => fromSource(sidecar, 'peer'))],
    ['an array of SSZ sidecars', ssz],
    ['SSZ in hex', ssz.map(toHex)],
    ['an SSZ list', concat(...ssz)],
    [
      'JSON and SSZ mixed',
      [sidecars[0]!, ssz[1]!, fromSource(ssz[2]!, 'peer'), sidecars[3]!, toHex(ssz[4]!), sidecars[5]!],
    ],
  ]
  it.each(forms)('are valid as %s', async (_, form) => {
    const verdicts = await verifier.verifyBlobSidecars(form, { anchor: { header } })
    const links = { kzg: 'verified', inclusion: 'verified', header: 'trusted', 'versioned-hash': 'absent' }
    expect(verdicts).toMatchObject(range(6).map(() => ({ status: 'valid', links })))
    // The same bytes have the same identity, whatever form they come in.
    const digests = verdicts.map((verdict) => verdict.status === 'valid' && verdict.digest)
    const [first] = await verifier.verifyBlobSidecars([sidecars[0]!])
    expect(digests[0]).toBe(first?.status === 'valid' && first.digest)
    expect(new Set(digests).size).toBe(6)
  })

  it('are those of its versioned hashes', async () => {
    const versionedHashes = await Promise.all(
      sidecars.map((sidecar) => versionedHashOf(fromHex(sidecar.kzg_commitment))),
    )
    const verdicts = await verifier.verifyBlobSidecars(answer, { anchor: { versionedHashes } })
    expect(verdicts).toMatchObject(
      range(6).map(() => ({ status: 'valid', links: { 'versioned-hash': 'verified', header: 'absent' } })),
    )
  })

  it('are not what they say once a bit of one of them is flipped, wherever it is', async () => {
    // The container's parts, and what a flipped bit of each is found out by; with the header's root as the anchor.
    const root = await headerRoot(header.message)
    const parts: [part: string, at: number, found: string][] = [
      ['index', 0, 'invalid inclusion-mismatch'],
      ['blob, first element', 8 + 31, 'invalid proof-mismatch'],
      ['blob, last element', 8 + 131_071, 'invalid proof-mismatch'],
      ['commitment', 8 + 131_072 + 47, 'invalid inclusion-mismatch'],
      ['proof', 8 + 131_072 + 48, 'malformed proof-'],
      ['slot', 131_176, 'invalid header-mismatch'],
      ['proposer', 131_184, 'invalid header-mismatch'],
      ['parent root', 131_192, 'invalid header-mismatch'],
      ['state root', 131_224, 'invalid header-mismatch'],
      ['body root', 131_256, 'invalid inclusion-mismatch'],
      ['branch, first sibling', 131_384, 'invalid inclusion-mismatch'],
      ['branch, last sibling', 131_927, 'invalid inclusion-mismatch'],
    ]
    const guilty = 3
    for (const [, at, found] of parts) {
      // The flag of compression, where it is one; else the lowest bit.
      const bit = found.startsWith('malformed') ? 7 : 0
      const spoilt = ssz.with(guilty, flip(ssz[guilty]!, at, bit))
      const verdicts = await verifier.verifyBlobSidecars(spoilt, { anchor: { header: root } })
      expect(verdicts.map(({ status }) => status === 'valid')).toEqual(range(6).map((row) => row !== guilty))
      const verdict = verdicts[guilty]!
      expect(verdict.status !== 'valid' && `${verdict.status} ${verdict.reason}`).toContain(found)
    }
  })

  it('stand for their own positions only', async () => {
    const swapped = sidecars.map((sidecar, at) => ({ ...sidecar, index: ((at + 1) % 6).toString() }))
    const verdicts = await verifier.verifyBlobSidecars(swapped)
    expect(verdicts).toMatchObject(range(6).map(() => ({ status: 'invalid', stage: 'inclusion' })))
  })

  it("cannot be vouched for by the proposer's signature, which is not looked at", async () => {
    const forged = sidecars.map((sidecar) => ({
      ...sidecar,
      signed_block_header: { ...header, signature: `0x${'00'.repeat(96)}` },
    }))
    const verdicts = await verifier.verifyBlobSidecars(forged, { anchor: { header } })
    expect(verdicts).toMatchObject(range(6).map(() => ({ status: 'valid', links: { signature: 'absent' } })))
  })

  it('are of no block on a network that was not in Deneb at that slot', async () => {
    for (const network of ['mainnet', 'sepolia'] as const) {
      const elsewhere = await createVerifier({ network, workers, cache: false })
      try {
        const verdicts = await elsewhere.verifyBlobSidecars(answer)
        expect(verdicts).toMatchObject(
          range(6).map(() => ({ status: 'malformed', stage: 'structure', reason: 'unsupported-fork' })),
        )
      } finally {
        await elsewhere.dispose()
      }
    }
  })

  it('pass the cheap checks unchecked, bad blob and all', async () => {
    const verdicts = await verifier.verifyBlobSidecars(ssz.with(0, flip(ssz[0]!, 8 + 31)), {
      mode: 'cheap',
      anchor: { header },
    })
    expect(verdicts).toMatchObject(
      range(6).map(() => ({
        status: 'unchecked',
        stage: 'kzg',
        reason: 'cheap-mode',
        links: { kzg: 'absent', inclusion: 'verified' },
      })),
    )
  })
})
