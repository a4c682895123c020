/** `blobcheck/inline`: the verifier in one file, which fetches no other. */
import * as inline from 'blobcheck/inline'
import * as whole from 'blobcheck'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { vouchFor } from '../../dist/verdict/provenance.js'
import { fromHex } from '../support/bytes.ts'
import { inBrowser, readText } from '../support/files.ts'
import { makeBadBlob, makeBlob, makeCell } from '../support/make.ts'
import { readVerifierModule } from '../support/modules.ts'
import { type BlobSidecarJson, headerSsz } from '../support/ssz.ts'

let verifier: whole.Verifier | undefined
afterEach(async () => {
  vi.unstubAllGlobals()
  await verifier?.dispose()
  verifier = undefined
})

/** A verifier in a host that has no other file for it. */
async function open(options: whole.VerifierOptions = {}): Promise<whole.Verifier> {
  vi.stubGlobal('fetch', () => Promise.reject(new Error('nothing is to be fetched')))
  verifier = await inline.createVerifier({ cache: false, onWarning: () => {}, ...options })
  return verifier
}

const refused = { status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' }

describe('blobcheck/inline', () => {
  it('has what blobcheck has', () => {
    expect(Object.keys(inline).sort()).toEqual(Object.keys(whole).sort())
  })

  it.each([0, ...(inBrowser ? [1, 2] : [])])(
    'verifies with %i workers, and fetches nothing',
    async (workers) => {
      const verifier = await open({ workers })
      expect([verifier.workers, verifier.kernel, verifier.kernelReason]).toEqual([
        workers,
        'simd128',
        'the only module given',
      ])
      const blobs = [makeBlob(1), makeBadBlob(2), makeBlob(3), { ...makeBlob(4), commitment: '0x12' }]
      expect(await verifier.verifyBlobs(blobs)).toMatchObject([
        { status: 'valid' },
        refused,
        { status: 'valid' },
        { status: 'malformed' },
      ])
      expect(await verifier.verifyCells([makeCell(5, 7)])).toMatchObject([{ status: 'valid' }])
      expect(await verifier.verifyBlobTransaction('0x03', { fork: 'osaka' })).toMatchObject({
        status: 'malformed',
      })
    },
  )

  it('says why there are as many workers as there are', async () => {
    const onWarning = vi.fn()
    const { workers, workersReason } = await open({ onWarning })
    if (inBrowser) return expect(workers).toBeGreaterThan(0)
    const reason = 'no worker could be started: Worker is not defined'
    expect([workers, workersReason]).toEqual([0, reason])
    // No address of a script would help.
    const message = `${reason}; the calling thread computes. Ask for no workers (workers: 0)`
    expect(onWarning).toHaveBeenCalledExactlyOnceWith({ code: 'no-workers', message })
  })

  it('names the points that it does not have, without accusing anyone', async () => {
    const verifier = await open({ workers: 0 })
    const { blob, commitment } = makeBlob(6)
    expect(await verifier.verifyBlobs([{ blob, commitment }, makeBlob(7)])).toMatchObject([
      { status: 'error', reason: 'setup-unavailable' },
      { status: 'valid' },
    ])
  })

  it.each([[null], [{ workers: -1 }], [{ worker: 2 }], [{ wasm: 7 }]])(
    'throws TypeError for options that make no sense: %j',
    async (options) => {
      await expect(inline.createVerifier(options as never)).rejects.toThrow(TypeError)
    },
  )

  it('has its own baseline where another module is given', async () => {
    const wasm = { 'relaxed-simd': await readVerifierModule('relaxed-simd') }
    const verifier = await open({ workers: 0, wasm })
    expect(await verifier.verifyBlobs([makeBlob(8), makeBadBlob(9)])).toMatchObject([
      { status: 'valid' },
      refused,
    ])
  })

  it('knows the headers of light clients, which are of another copy of the package', async () => {
    const { data } = JSON.parse(await readText('data/holesky_1409759_blob_sidecars.json')) as {
      readonly data: BlobSidecarJson[]
    }
    const header = data[0]!.signed_block_header
    const links = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' } as const
    vouchFor(header, {
      ssz: headerSsz(header.message),
      links,
      genesisValidatorsRoot: fromHex(whole.networks.holesky.signing!.genesisValidatorsRoot),
    })
    const verifier = await open({ workers: 0, network: 'holesky' })
    expect(await verifier.verifyBlobSidecars(data.slice(0, 1), { anchor: { header } })).toMatchObject([
      { status: 'valid', links },
    ])
    const elsewhere = await inline.createVerifier({ workers: 0, cache: false, network: 'sepolia' })
    await expect(elsewhere.verifyBlobSidecars(data.slice(0, 1), { anchor: { header } })).rejects.toThrow(
      /of another network/,
    )
    await elsewhere.dispose()
  })

  it('prefers the module that it is given', async () => {
    const empty = { simd128: Uint8Array.of(0, 0x61, 0x73, 0x6d) }
    await expect(inline.createVerifier({ workers: 0, wasm: empty })).rejects.toThrow(
      inline.WasmUnavailableError,
    )
  })
})
