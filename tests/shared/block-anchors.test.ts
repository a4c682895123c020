/** Anchors that are a whole block, or a header with its commitments: what is verified against them, and what is not. */
import {
  type AnchorOption,
  BlockMismatchError,
  createVerifier,
  DisposedError,
  type Links,
  SszError,
  type Verdict,
  type Verifier,
  WasmUnavailableError,
} from 'blobcheck'
import { loadBeacon } from 'blobcheck/beacon'
import { LightClient } from 'blobcheck/light-client'
import { createBeaconApp, type MadeChain } from 'blobcheck/serve'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { toHex } from '../support/bytes.ts'
import { throwingProxy } from '../support/hostile.ts'
import { makeBlob } from '../support/make.ts'
import { type App, ask, blobSidecars, columns, handChain, SSZ } from '../support/served.ts'

let chain: MadeChain
let app: App
let verifier: Verifier
/** The block of the head, in each form; its blobs, its sidecars and some of its columns. */
let block: { ssz: Uint8Array<ArrayBuffer>; text: string; json: any }
let items: { blob: string; commitment: string; proof: string }[]
let sidecars: Uint8Array<ArrayBuffer>
let columnsOfHead: Uint8Array<ArrayBuffer>
/** A block of another chain. */
let other: Uint8Array<ArrayBuffer>

const blocks = (id: string | number): string => `/eth/v2/beacon/blocks/${id}`

beforeAll(async () => {
  chain = await handChain({ slots: 200, blobsPerBlock: 3 })
  app = createBeaconApp({ chain })
  verifier = await createVerifier({ network: chain.network, cache: false })
  const { json } = await ask(app, blocks('head'))
  block = { ssz: (await ask(app, blocks('head'), SSZ)).bytes, text: JSON.stringify(json), json }
  const another = createBeaconApp({ chain: await handChain({ slots: 8, blobsPerBlock: 3, seed: 6 }) })
  other = (await ask(another, blocks('head'), SSZ)).bytes
  const { json: listed } = await ask(app, blobSidecars('head'))
  items = [0, 1, 2].map((at) => {
    const { blob, kzg_commitment: commitment, kzg_proof: proof } = listed['data']![at] as never
    return { blob, commitment, proof }
  })
  sidecars = (await ask(app, blobSidecars('head'), SSZ)).bytes
  columnsOfHead = (await ask(app, columns('head', '?indices=1,77'), SSZ)).bytes
})
afterAll(async () => await verifier.dispose())

const absent = {
  signature: 'absent',
  'sync-committee': 'absent',
  checkpoint: 'absent',
  'versioned-hash': 'absent',
}
const links = (inclusion: Links['inclusion'], header: Links['header'] = 'trusted'): object => ({
  ...{ status: 'valid', links: { ...absent, kzg: 'verified', inclusion, header } },
})
const notInAnchor = { status: 'invalid', stage: 'anchor', reason: 'commitment-not-in-anchor' }
const headerMismatch = { status: 'invalid', stage: 'anchor', reason: 'header-mismatch' }

/** Everything that there is of the head, against an anchor. */
async function verifyAll(anchor: AnchorOption): Promise<Verdict[][]> {
  return await Promise.all([
    verifier.verifyBlobs(items, { anchor }),
    verifier.verifyBlobSidecars(sidecars, { anchor }),
    verifier.verifyDataColumnSidecars(columnsOfHead, { anchor }),
  ])
}

describe('a block', () => {
  it('in each form shows that blobs, sidecars and columns are its own', async () => {
    for (const form of [
      block.ssz,
      toHex(block.ssz),
      block.text,
      block.json,
      block.json.data,
      block.json.data.message,
    ])
      for (const header of [undefined, chain.head.root]) {
        const verdicts = await verifyAll({ block: form, ...(header !== undefined && { header }) })
        expect(verdicts.map((list) => list.length)).toEqual([3, 3, 2])
        for (const verdict of verdicts.flat()) expect(verdict).toMatchObject(links('verified'))
      }
  })

  it('shows of bare blobs that they are its own, all of them or some', async () => {
    const anchor = { block: block.ssz, header: chain.head.root }
    const bare = items.map(({ blob }) => ({ blob }))
    const all = await verifier.verifyBlobs(bare, { anchor })
    expect(all).toMatchObject([links('verified'), links('verified'), links('verified')])
    // Which of the block's it is shows when its commitment has been computed; a versioned hash nobody named.
    const some = [
      links('verified'),
      {
        status: 'invalid',
        reason: 'commitment-mismatch',
        links: { ...absent, inclusion: 'absent', header: 'absent' },
      },
    ]
    expect(await verifier.verifyBlobs([bare[2]!, { blob: makeBlob(9).blob }], { anchor })).toMatchObject(some)
    const cheap = await verifier.verifyBlobs([bare[0]!], { anchor, mode: 'cheap' })
    expect(cheap).toMatchObject([{ status: 'unchecked', links: { inclusion: 'absent', header: 'absent' } }])
    // In another order none is what the block has in its place.
    const [first, second, third] = bare
    const swapped = await verifier.verifyBlobs([second!, first!, third!], { anchor })
    expect(swapped.map(({ status }) => status)).toEqual(['invalid', 'invalid', 'valid'])
  })

  it('shows what a light client can verify', async () => {
    const client = await LightClient.fromCheckpoint({
      network: chain.network,
      checkpoint: chain.checkpoint,
      beacon: 'http://beacon.test',
      fetch: async (url, init) => await app.fetch(new Request(url, init)),
      now: () => chain.now(),
      store: false,
    })
    try {
      await client.sync()
      const header = client.optimistic
      const { bytes } = await ask(app, blocks(header.root), SSZ)
      const { json } = await ask(app, blobSidecars(header.root))
      const { blob, kzg_commitment: commitment, kzg_proof: proof } = json['data']![2] as never
      const verdicts = await verifier.verifyBlobs([{ blob, commitment, proof }], {
        anchor: { block: bytes, header },
      })
      expect(verdicts).toMatchObject([
        {
          status: 'valid',
          links: { kzg: 'verified', inclusion: 'verified', header: 'verified', 'sync-committee': 'verified' },
        },
      ])
      // Another block, and the very header: nothing is said about the blobs.
      await expect(
        verifier.verifyBlobs(items, { anchor: { block: block.ssz, header } }),
      ).rejects.toMatchObject({
        name: 'BlockMismatchError',
        blockRoot: chain.head.root,
        headerRoot: header.root,
      })
    } finally {
      await client.dispose()
    }
  })

  it('of another root is refused, whatever form the header has', async () => {
    const { json } = await ask(app, '/eth/v1/beacon/headers/head')
    const header = json['data']!['header']!
    for (const form of [chain.head.root, header, header['message']!]) {
      const anchor = { header: form as never }
      expect(await verifier.verifyBlobs(items, { anchor: { ...anchor, block: block.ssz } })).toMatchObject([
        {},
        {},
        {},
      ])
      const refused = verifier.verifyBlobs(items, { anchor: { ...anchor, block: other } })
      await expect(refused).rejects.toBeInstanceOf(BlockMismatchError)
    }
    // One bit of its own, where nothing else notices: the graffiti.
    const altered = block.ssz.slice()
    altered[184 + 180]! ^= 1
    const anchor = { block: altered, header: chain.head.root }
    await expect(verifier.verifyBlobSidecars(sidecars, { anchor })).rejects.toBeInstanceOf(BlockMismatchError)
  })

  it('has no blobs but its own', async () => {
    const verdicts = await verifyAll({ block: other })
    expect(verdicts[0]).toMatchObject([notInAnchor, notInAnchor, notInAnchor])
    expect(verdicts[1]).toMatchObject([headerMismatch, headerMismatch, headerMismatch])
    expect(verdicts[2]).toMatchObject([headerMismatch, headerMismatch])
    const [stranger] = await verifier.verifyBlobs([makeBlob(9)], { anchor: { block: block.ssz } })
    expect(stranger).toMatchObject(notInAnchor)
    const first = { ...items[0]!, proof: items[1]!.proof }
    const [lie] = await verifier.verifyBlobs([first], { anchor: { block: block.ssz } })
    expect(lie).toMatchObject({ status: 'invalid', stage: 'kzg' })
  })

  it('that is malformed rejects the call, with the path', async () => {
    const { data } = structuredClone(block.json)
    data.message.body.graffiti = '0x00'
    const of = async (anchor: AnchorOption): Promise<unknown> =>
      await verifier.verifyBlobs(items, { anchor }).then(
        () => 'verified',
        (error: unknown) => error,
      )
    const refused = await of({ block: { data } })
    expect(refused).toBeInstanceOf(SszError)
    expect(refused).toMatchObject({ reason: 'length', path: 'body.graffiti' })
    expect(await of({ block: block.ssz.subarray(0, 300) })).toMatchObject({ name: 'SszError' })
    expect(await of({ block: new Uint8Array(11 << 20) })).toMatchObject({ reason: 'limit', path: '' })
    expect(await of({ block: ' '.repeat(40 << 20) })).toMatchObject({ reason: 'limit', path: '' })
    expect(await of({ block: { version: 'gloas', data: block.json.data } })).toMatchObject({
      reason: 'unsupported-fork',
    })
    // The worker is there for the next one.
    expect(await of({ block: block.ssz })).toBe('verified')
  })

  it('is looked at once, when the call is made', async () => {
    const mine = block.ssz.slice()
    const verdicts = verifier.verifyBlobs(items, { anchor: { block: mine, header: chain.head.root } })
    mine.fill(0)
    expect(await verdicts).toMatchObject([links('verified'), links('verified'), links('verified')])
  })

  it('serves a verifier without workers, too', async () => {
    const inline = await createVerifier({ network: chain.network, cache: false, workers: 0 })
    try {
      const anchor = { block: block.text, header: chain.head.root }
      expect(await inline.verifyBlobs(items.slice(0, 1), { anchor })).toMatchObject([links('verified')])
      await expect(inline.verifyBlobs(items, { anchor: { ...anchor, block: other } })).rejects.toBeInstanceOf(
        BlockMismatchError,
      )
    } finally {
      await inline.dispose()
    }
  })

  it('is decoded in the calling thread where its own worker cannot be had', async () => {
    const beacon = { workerUrl: new URL('./no-such-worker.js', import.meta.url) }
    const onWarning = vi.fn()
    const options = { network: chain.network, cache: false as const, workers: 1, beacon, onWarning }
    const alone = await createVerifier(options)
    try {
      const anchor = { block: block.ssz, header: chain.head.root }
      expect(await alone.verifyBlobs(items.slice(0, 1), { anchor })).toMatchObject([links('verified')])
      expect(onWarning).toHaveBeenCalledExactlyOnceWith(expect.objectContaining({ code: 'no-workers' }))
      const refused = alone.verifyBlobs(items, { anchor: { ...anchor, block: other } })
      await expect(refused).rejects.toBeInstanceOf(BlockMismatchError)
    } finally {
      await alone.dispose()
    }
  })

  it('rejects where its module cannot be had, until it can', async () => {
    const wasm = { simd128: new Uint8Array([0, 97, 115, 109]) }
    const without = await createVerifier({ network: chain.network, cache: false, beacon: { wasm } })
    try {
      for (let attempt = 0; attempt < 2; attempt++) {
        const verdicts = without.verifyBlobs(items, { anchor: { block: block.ssz } })
        await expect(verdicts).rejects.toBeInstanceOf(WasmUnavailableError)
        await expect(verdicts).rejects.toThrow(/\. Say where it is with the option beacon: \{ wasm \}$/)
      }
      expect((await without.verifyBlobs(items)).map(({ status }) => status)).toEqual([
        'valid',
        'valid',
        'valid',
      ])
    } finally {
      await without.dispose()
    }
  })

  it('is nothing to a verifier that has been disposed of meanwhile', async () => {
    const brief = await createVerifier({ network: chain.network, cache: false, workers: 1 })
    const verdicts = brief.verifyBlobs(items, { anchor: { block: block.ssz } })
    await brief.dispose()
    await expect(verdicts).rejects.toBeInstanceOf(DisposedError)
  })

  it('leaves nothing to an aborted call', async () => {
    const controller = new AbortController()
    const verdicts = verifier.verifyBlobs(items, { anchor: { block: block.ssz }, signal: controller.signal })
    controller.abort(new Error('enough'))
    await expect(verdicts).rejects.toThrow('enough')
  })
})

describe('a header with its commitments', () => {
  it('is the caller’s word for what brings no branch', async () => {
    const commitments = (await loadBeacon()).readBlock(block.ssz, { network: chain.network }).commitments
    const [blobs, sidecar, column] = await verifyAll({ header: chain.head.root, commitments })
    for (const verdict of blobs!) expect(verdict).toMatchObject(links('trusted'))
    for (const verdict of [...sidecar!, ...column!]) expect(verdict).toMatchObject(links('verified'))
    const swapped = [commitments[1]!, commitments[0]!, commitments[2]!]
    const found = await verifyAll({ header: chain.head.root, commitments: swapped })
    expect(found[2]).toMatchObject([notInAnchor, notInAnchor])
    const another = await verifyAll({ header: `0x${'11'.repeat(32)}`, commitments })
    expect(another[1]).toMatchObject([headerMismatch, headerMismatch, headerMismatch])
  })
})

describe('misuse', () => {
  it('is a TypeError', async () => {
    const cyclic: { data?: unknown } = {}
    cyclic.data = cyclic
    const anchors = [
      { block: undefined },
      { block: null },
      { block: 7 },
      { block: cyclic },
      { block: throwingProxy({}) },
      { block: block.ssz, header: 7 },
      { block: block.ssz, commitments: [] },
      { block: block.ssz, versionedHashes: [] },
      { header: chain.head.root, versionedHashes: [] },
      { header: chain.head.root, commitments: 7 },
      { block: block.ssz, headers: chain.head.root },
    ]
    for (const anchor of anchors)
      await expect(verifier.verifyBlobs(items, { anchor: anchor as never })).rejects.toBeInstanceOf(TypeError)
    for (const anchor of [{ block: block.ssz }, { header: chain.head.root, commitments: [] }]) {
      const refused = verifier.verifyBlobTransaction('0x03', { fork: 'deneb', anchor: anchor as never })
      await expect(refused).rejects.toBeInstanceOf(TypeError)
    }
    for (const beacon of [7, null, { wasm: 7 }, { workerUrl: 'https://' }])
      await expect(createVerifier({ beacon: beacon as never })).rejects.toBeInstanceOf(TypeError)
  })

  it('is a network without a preset that blocks are known of', async () => {
    const network = { ...chain.network, syncCommitteeSize: 64 }
    const gnosis = await createVerifier({ network, cache: false, workers: 0 })
    await expect(gnosis.verifyBlobs([], { anchor: { block: block.ssz } })).rejects.toBeInstanceOf(TypeError)
    await gnosis.dispose()
  })
})
