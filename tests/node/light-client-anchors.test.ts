/** Older blocks tied to a trusted header, and what a header of the light client is worth as the anchor of a verification. */
import { createVerifier, type Header } from 'blobcheck'
import {
  MAX_ANCESTORS,
  MAX_FETCHED_ANCESTORS,
  MemoryStorage,
  type TrustedHeader,
} from 'blobcheck/light-client'
import { beforeAll, describe, expect, it } from 'vitest'
import { type Chain, makeChain } from '../lodestar/chain.mjs'
import { toHex } from '../support/bytes.ts'
import { startClient, startServer } from '../support/clients.ts'
import { infinity, makeBlob, makeCell } from '../support/make.ts'
import {
  type BlobSidecarJson,
  type DataColumnSidecarJson,
  type HeaderJson,
  headerRoot,
} from '../support/ssz.ts'

const CONSTANTS = [3, 4]
const commitments = CONSTANTS.map((c) => makeBlob(c).commitment as Uint8Array)
let chain: Chain
beforeAll(() => {
  chain = makeChain({ periods: 1, commitments })
})

describe('headers before the head', () => {
  it('are fetched parent by parent, and refused beyond what that gives', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url)
    await client.sync()
    const [oldest] = chain.ancestors
    const anchored = await client.headerAt(oldest!.slot)
    expect(anchored).toMatchObject({
      status: 'anchored',
      header: { root: toHex(oldest!.root), finalized: true, links: client.finalized.links },
    })
    const asked = server.asked.length
    expect(client.finalized.execution?.blobGasUsed).toBe(CONSTANTS.length * 2 ** 17)
    expect(client.optimistic.execution?.blobGasUsed).toBe(0)
    expect(anchored).toMatchObject({ header: { execution: null } })
    expect(await client.headerAt(oldest!.slot)).toEqual(anchored)
    expect(server.asked).toHaveLength(asked) // remembered
    const reasonAt = async (slot: number): Promise<unknown> => await client.headerAt(slot)
    expect(await reasonAt(chain.finalized.slot - 5)).toEqual({ status: 'unanchored', reason: 'no-block' })
    expect(await reasonAt(chain.headSlot + 9)).toEqual({ status: 'unanchored', reason: 'too-new' })
    expect(await reasonAt(oldest!.slot - 9)).toEqual({ status: 'unanchored', reason: 'unavailable' })
    await expect(client.headerAt(-1)).rejects.toBeInstanceOf(TypeError)
  })

  it('are fetched up to a limit, which is told from what is not there', async () => {
    const long = makeChain({ periods: 0, depth: MAX_FETCHED_ANCESTORS + 4 })
    const server = await startServer(long.oracle())
    const [last, beyond] = [
      long.ancestors.at(-MAX_FETCHED_ANCESTORS)!,
      long.ancestors.at(-MAX_FETCHED_ANCESTORS - 1)!,
    ]
    const at = async (slot: number): Promise<unknown> => {
      const client = await startClient(long, server.url)
      await client.sync()
      server.asked.length = 0
      return await client.headerAt(slot)
    }
    expect(await at(beyond.slot)).toEqual({ status: 'unanchored', reason: 'beyond-limit' })
    expect(server.asked).toHaveLength(MAX_FETCHED_ANCESTORS)
    expect(await at(last.slot)).toMatchObject({ status: 'anchored', header: { root: toHex(last.root) } })
    expect(server.asked).toHaveLength(MAX_FETCHED_ANCESTORS)
    // The next call goes on from where the one before it came to.
    const client = await startClient(long, server.url)
    await client.sync()
    expect(await client.headerAt(beyond.slot)).toMatchObject({ reason: 'beyond-limit' })
    server.asked.length = 0
    expect(await client.headerAt(beyond.slot)).toMatchObject({ status: 'anchored' })
    expect(server.asked).toHaveLength(1)
  })

  it.each([false, true])(
    'are led to by the checkpoint, too, however far behind it is (begun from a record: %s)',
    async (isKept) => {
      const store = new MemoryStorage()
      const server = await startServer(chain.oracle())
      if (isKept) {
        const before = await startClient(chain, server.url, { store })
        await before.sync()
        await before.dispose()
      }
      const client = await startClient(chain, server.url, { store })
      await client.sync()
      server.asked.length = 0
      const { beacon } = chain.bootstrap.header
      expect(client.finalized.slot).toBeGreaterThan(beacon.slot + MAX_FETCHED_ANCESTORS)
      const anchored = await client.headerAt(beacon.slot)
      expect(anchored).toMatchObject({
        status: 'anchored',
        header: { root: chain.checkpoint, finalized: true, links: { checkpoint: 'verified' } },
      })
      expect(server.asked).toEqual([])
      // What is before it is asked for by way of it.
      expect(await client.headerAt(beacon.slot - 1)).toMatchObject({ reason: 'unavailable' })
      expect(server.asked.map(({ path }) => path.split('/').at(-1))).toEqual([
        toHex((beacon as unknown as { parentRoot: Uint8Array }).parentRoot),
      ])
    },
  )

  it('are not taken from an endpoint that gives other ones', async () => {
    const oracle = chain.oracle()
    const liar = await startServer((url) => {
      const told = oracle(url)
      if (told === null || !url.pathname.includes('/headers/')) return told
      const json = structuredClone(told.json) as { data: { header: { message: { proposer_index: string } } } }
      json.data.header.message.proposer_index = '7'
      return { ...told, json }
    })
    const client = await startClient(chain, liar.url)
    await client.sync()
    expect(await client.headerAt(chain.finalized.slot - 1)).toEqual({
      status: 'unanchored',
      reason: 'unavailable',
    })
    expect(client.report().endpoints).toMatchObject([{ state: 'distrusted', failures: { invalid: 1 } }])
  })

  it('may be brought along, newest first, in one chain', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url)
    await client.sync()
    const headers = [...chain.ancestors]
      .reverse()
      .map(({ header: { beacon } }) => headerJson(beacon as never))
    const trusted = await client.trustAncestors(headers)
    expect(trusted?.map(({ root }) => root)).toEqual(
      [...chain.ancestors].reverse().map(({ root }) => toHex(root)),
    )
    expect(await client.trustAncestors(headers.slice(1), trusted?.[0])).toHaveLength(headers.length - 1)
    expect(await client.trustAncestors(headers.slice(1))).toBeNull() // a gap
    expect(await client.trustAncestors([{ ...headers[0]!, slot: '1' }])).toBeNull()
    expect(await client.trustAncestors(Array(MAX_ANCESTORS + 1).fill(headers[0]))).toBeNull()
    expect(await client.trustAncestors([])).toEqual([])
    for (const [none, message] of [
      [null, 'headers[1] must be a header or its root'],
      [undefined, 'headers[1] must be a header or its root'],
      [`0x${'00'.repeat(32)}`, 'headers[1] must be a whole header, not its root'],
      [{ ...headers[1], slot: '-1' }, 'headers[1].slot must be a uint64, as a decimal string or a number'],
    ] as const)
      await expect(client.trustAncestors([headers[0]!, none as HeaderJson])).rejects.toThrow(
        new TypeError(message),
      )
    await expect(client.trustAncestors(new Array<HeaderJson>(1))).rejects.toBeInstanceOf(TypeError) // a hole
  })

  it('are not taken from what only looks like a header of this client', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url)
    await client.sync()
    const { finalized } = client
    const forged: HeaderJson = {
      slot: String(finalized.slot - 3),
      proposer_index: '1',
      parent_root: `0x${'11'.repeat(32)}`,
      state_root: `0x${'22'.repeat(32)}`,
      body_root: `0x${'33'.repeat(32)}`,
    }
    const parent_root = toHex(await headerRoot(forged))
    let reads = 0
    const getters = Object.defineProperty({ ...finalized }, 'parent_root', {
      get: () => (reads++ === 0 ? finalized.parent_root : parent_root),
    })
    const proxy = new Proxy(finalized, { get: (of, key) => Reflect.get(of, key) as unknown })
    const stranger = await startClient(chain, server.url)
    await stranger.sync()
    const alike: unknown[] = [
      { ...finalized, parent_root },
      { ...finalized },
      structuredClone(finalized),
      Object.create(finalized),
      getters,
      proxy,
      stranger.finalized,
      finalized.root,
      null,
    ]
    for (const from of alike)
      for (const headers of [[forged], []])
        await expect(client.trustAncestors(headers, from as TrustedHeader)).rejects.toBeInstanceOf(TypeError)
    // Nothing of it is remembered.
    const anchored = await client.headerAt(Number(forged.slot))
    expect(anchored).toMatchObject({ status: 'anchored' })
    const real = chain.ancestors.find(({ slot }) => slot === Number(forged.slot))
    expect(anchored.status === 'anchored' && anchored.header.root).toBe(toHex(real!.root))
    expect(await client.trustAncestors([], finalized)).toEqual([])
  })
})

interface BeaconValue {
  readonly slot: number
  readonly proposerIndex: number
  readonly parentRoot: Uint8Array
  readonly stateRoot: Uint8Array
  readonly bodyRoot: Uint8Array
}

const headerJson = ({ slot, proposerIndex, parentRoot, stateRoot, bodyRoot }: BeaconValue): HeaderJson => ({
  slot: String(slot),
  proposer_index: String(proposerIndex),
  parent_root: toHex(parentRoot),
  state_root: toHex(stateRoot),
  body_root: toHex(bodyRoot),
})

describe('as the anchor of a verification', () => {
  const sidecar = (index: number): DataColumnSidecarJson => ({
    index: String(index),
    column: CONSTANTS.map((c) => toHex(makeCell(c, index).cell as Uint8Array)),
    kzg_commitments: commitments.map(toHex),
    kzg_proofs: CONSTANTS.map(() => toHex(infinity)),
    signed_block_header: {
      message: headerJson(chain.finalized.header.beacon as never),
      signature: toHex(new Uint8Array(96)),
    },
    kzg_commitments_inclusion_proof: chain.finalized.commitmentsBranch.map(toHex),
  })

  const blobSidecar = (index: number): BlobSidecarJson => {
    const { blob, commitment, proof } = makeBlob(CONSTANTS[index]!)
    return {
      index: String(index),
      blob: toHex(blob),
      kzg_commitment: toHex(commitment as Uint8Array),
      kzg_proof: toHex(proof as Uint8Array),
      signed_block_header: sidecar(0).signed_block_header,
      kzg_commitment_inclusion_proof: chain.finalized.commitmentBranch(index).map(toHex),
    }
  }

  it('a header of the light client anchors blob sidecars of its block, and of no other', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url)
    await client.sync()
    const verifier = await createVerifier({ network: chain.network, workers: 0, cache: false })
    const swapped = { ...blobSidecar(0), index: '1' }
    const sidecars = [blobSidecar(0), blobSidecar(1), swapped]
    try {
      const verdicts = await verifier.verifyBlobSidecars(sidecars, { anchor: { header: client.finalized } })
      const known = { kzg: 'verified', inclusion: 'verified', header: 'verified' }
      const links = { ...known, 'sync-committee': 'verified', checkpoint: 'verified' }
      expect(verdicts).toMatchObject([
        { status: 'valid', links },
        { status: 'valid', links },
        { status: 'invalid', stage: 'inclusion' },
      ])
      const elsewhere = await verifier.verifyBlobSidecars(sidecars.slice(0, 2), {
        anchor: { header: client.optimistic },
      })
      const refused = { status: 'invalid', reason: 'header-mismatch' }
      expect(elsewhere).toMatchObject([refused, refused])
    } finally {
      await verifier.dispose()
    }
  })

  it('a header of the light client makes links verified, and nothing that only looks like one does', async () => {
    const server = await startServer(chain.oracle())
    const client = await startClient(chain, server.url)
    const verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
    const linksFor = async (header: Header): Promise<unknown> => {
      const [verdict] = await verifier.verifyDataColumnSidecars([sidecar(5)], {
        anchor: { header },
      })
      return verdict?.status === 'valid' ? verdict.links : verdict
    }
    try {
      expect(await linksFor(client.finalized)).toMatchObject({ status: 'invalid', reason: 'header-mismatch' })
      await client.sync()
      const known = { kzg: 'verified', inclusion: 'verified', header: 'verified' }
      expect(await linksFor(client.finalized)).toMatchObject({
        ...known,
        'sync-committee': 'verified',
        checkpoint: 'verified',
      })
      const onTrust = { header: 'trusted', 'sync-committee': 'absent', checkpoint: 'absent' }
      expect(await linksFor({ ...client.finalized })).toMatchObject(onTrust)
      expect(await linksFor(structuredClone(client.finalized))).toMatchObject(onTrust)
      expect(await linksFor(Object.create(client.finalized) as TrustedHeader)).toMatchObject(onTrust)
      expect(await linksFor(client.optimistic)).toMatchObject({
        status: 'invalid',
        reason: 'header-mismatch',
      })
      const { signing: _, ...unsigned } = chain.network
      for (const network of ['sepolia', 'mainnet', unsigned] as const) {
        const stranger = await createVerifier({ network, workers: 0, cache: false })
        const anchor = { header: client.finalized }
        await expect(stranger.verifyDataColumnSidecars([sidecar(5)], { anchor })).rejects.toThrow(
          'another network',
        )
        await expect(stranger.verifyBlobSidecars([], { anchor })).rejects.toBeInstanceOf(TypeError)
        await stranger.dispose()
      }
      expect(() => Object.assign(client.finalized, { slot: 1 })).toThrow(TypeError)
      expect(() => Object.assign(client.finalized.links, { header: 'verified' })).toThrow(TypeError)
    } finally {
      await verifier.dispose()
    }
  })
})
