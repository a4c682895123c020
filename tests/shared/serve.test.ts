/** What `blobcheck serve` serves is what the verifier takes for valid: in Node and in a page, through `app.fetch` alone. */
import { createVerifier, type NetworkConfig, type Verdict, type Verifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { loadProver } from 'blobcheck/prover'
import { type Chain, createBeaconApp, holeskyAsIfFulu, realChain } from 'blobcheck/serve'
import { afterEach, beforeAll, describe, expect, it } from 'vitest'
import { readText } from '../support/files.ts'
import { range } from '../support/make.ts'
import {
  type Answered,
  type App,
  ask,
  blobs,
  blobSidecars,
  columns,
  handChain,
  SSZ,
} from '../support/served.ts'

const ends: (() => Promise<void>)[] = []
afterEach(async () => void (await Promise.all(ends.splice(0).map((end) => end()))))

async function verifierOf(network: NetworkConfig): Promise<Verifier> {
  const verifier = await createVerifier({ network, workers: 1, cache: false })
  ends.push(async () => await verifier.dispose())
  return verifier
}

/** The answer as the verifier takes it: bytes of SSZ, or text of JSON. */
const bodyOf = ({ bytes }: Answered, accept: string): Uint8Array | string =>
  accept === SSZ ? bytes : new TextDecoder().decode(bytes)

const statuses = (verdicts: readonly Verdict[]): string[] => verdicts.map(({ status }) => status)

describe.each([1, 6, 21, 72])('made blocks of %i blobs', (count) => {
  let chain: Chain
  beforeAll(async () => {
    chain = await handChain({ slots: 2, blobsPerBlock: count })
  })

  it.each([SSZ, 'application/json'])('have valid columns and blobs as %s', async (accept) => {
    const app = createBeaconApp({ chain })
    const verifier = await verifierOf(chain.network)
    const anchor = { header: chain.head.root }
    const some = await ask(app, columns('head', '?indices=0,63&indices=64,127'), accept)
    const verdicts = await verifier.verifyDataColumnSidecars(bodyOf(some, accept), { anchor })
    expect(statuses(verdicts)).toEqual(range(4).map(() => 'valid'))
    expect(verdicts[0]).toMatchObject({
      links: { kzg: 'verified', inclusion: 'verified', header: 'trusted' },
    })

    // Proofs of blobs are computed as they are asked for: a few will do.
    const few = await ask(app, blobSidecars('head', `?indices=0,${count - 1}`), accept)
    const found = await verifier.verifyBlobSidecars(bodyOf(few, accept), { anchor })
    expect(statuses(found)).toEqual(range(count === 1 ? 1 : 2).map(() => 'valid'))
  })
})

describe('made blobs', () => {
  it('have the commitments, cells and proofs that a prover computes', async () => {
    const chain = await handChain({ slots: 1, blobsPerBlock: 3 })
    const prover = await loadProver()
    // The last one is farthest from those that were proved.
    const { blob, commitment } = chain.head.blobs[2]!
    expect(prover.blobToKzgCommitment(blob)).toEqual(commitment)
    const { cells, proofs } = prover.computeCellsAndKzgProofs(blob)
    const own = range(128).map((index) => chain.head.column(index))
    expect(own.map(({ column }) => column[2])).toEqual(cells)
    expect(own.map(({ kzg_proofs }) => kzg_proofs[2])).toEqual(proofs)
  })

  it('are the same for the same seed, and others for another', async () => {
    const [a, b, c] = await Promise.all([
      handChain({ slots: 2, seed: 5 }),
      handChain({ slots: 2, seed: 5 }),
      handChain({ slots: 2, seed: 6 }),
    ])
    expect(b.head.root).toBe(a.head.root)
    expect(c.head.root).not.toBe(a.head.root)
    expect(
      new Set([...a.head.blobs, ...a.at(a.head.slot - 1)!.blobs].map(({ commitment }) => `${commitment}`))
        .size,
    ).toBe(2)
  })
})

describe('made headers', () => {
  it('are signed by the proposer', async () => {
    const chain = await handChain()
    const verifier = await verifierOf(chain.network)
    const { bytes } = await ask(createBeaconApp({ chain }), columns('head', '?indices=1'), SSZ)
    const { proposerKey } = chain
    const [verdict] = await verifier.verifyDataColumnSidecars(bytes, { proposerKey })
    expect(verdict).toMatchObject({ status: 'valid', links: { signature: 'verified' } })
  })
})

describe('the real block', () => {
  let chain: Chain
  let app: App
  beforeAll(async () => {
    chain = await realChain({ sidecars: await readText('data/holesky_1409759_blob_sidecars.json') })
    app = createBeaconApp({ chain })
  })

  it('has 128 valid columns on a network that says what it is', async () => {
    expect(chain.network).toBe(holeskyAsIfFulu)
    expect(chain.network.label).toMatch(/^synthetic/)
    const verifier = await verifierOf(chain.network)
    const { bytes } = await ask(app, columns('head'), SSZ)
    const verdicts = await verifier.verifyDataColumnSidecars(bytes, { anchor: { header: chain.checkpoint } })
    expect(statuses(verdicts)).toEqual(range(128).map(() => 'valid'))
  })

  it('has none on Holesky itself, where it is of Deneb', async () => {
    const verifier = await verifierOf({
      ...holeskyAsIfFulu,
      forkEpochs: { deneb: 29_696, electra: 115_968, fulu: 165_120 },
    })
    const { bytes } = await ask(app, columns('head', '?indices=1'), SSZ)
    const verdicts = await verifier.verifyDataColumnSidecars(bytes)
    expect(verdicts).toMatchObject([{ status: 'malformed', stage: 'structure' }])
  })

  it('has the sidecars that it was made of', async () => {
    const text = await readText('data/holesky_1409759_blob_sidecars.json')
    const { json } = await ask(app, blobSidecars(chain.head.slot))
    expect(json['data']).toEqual((JSON.parse(text) as { data: unknown }).data)
    const { json: all } = await ask(app, blobs('head'))
    expect(all['data']).toEqual(chain.head.blobs.map((_, at) => json['data']![at]!['blob']))
  })
})

describe('a light client', () => {
  it('follows a made chain through the app', async () => {
    const chain = await handChain({ slots: 200 })
    const app = createBeaconApp({ chain })
    const client = await LightClient.fromCheckpoint({
      network: chain.network,
      checkpoint: chain.checkpoint,
      beacon: 'http://beacon.test',
      fetch: async (url, init) => await app.fetch(new Request(url, init)),
      now: () => chain.now(),
      store: false,
    })
    ends.push(async () => await client.dispose())
    await client.sync()
    expect(client.optimistic).toMatchObject({
      slot: chain.head.slot - 1,
      root: chain.at(chain.head.slot - 1)!.root,
    })
    expect(client.finalized.root).toBe(chain.finalized.root)
    const verifier = await verifierOf(chain.network)
    const { bytes } = await ask(app, columns(client.optimistic.slot, '?indices=7'), SSZ)
    const [verdict] = await verifier.verifyDataColumnSidecars(bytes, {
      anchor: { header: client.optimistic },
    })
    expect(verdict).toMatchObject({
      status: 'valid',
      links: { kzg: 'verified', inclusion: 'verified', header: 'verified', 'sync-committee': 'verified' },
    })
  })
})
