/**
 * A recorded column of a Fulu devnet, with its real header, through the sampler: a server that holds that one column of the block
 * and nothing else. The header is on trust, since nobody recorded the chain that it is of.
 */
import { createVerifier, type Verifier } from 'blobcheck'
import type { SamplerOptions, SampleReport } from 'blobcheck/sampler'
import type { LabelledNetwork } from 'blobcheck/serve'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { writeNetwork } from '../../dist/cli/options/network.js'
import { samplerOf } from '../../dist/sampler/create.js'
import { type RandomBytes, secureBytes } from '../../dist/sampler/plan.js'
import { fileOf } from '../support/beacons.ts'
import type { Oracle } from '../support/beacon-server.ts'
import { flip, toHex } from '../support/bytes.ts'
import { blobcheck, jsonLines } from '../support/cli.ts'
import { startServer } from '../support/clients.ts'
import { readTestFile } from '../support/files.ts'
import { expectSound } from '../support/samplers.ts'
import { type HeaderJson, headerRoot, listSsz } from '../support/ssz.ts'

const [SLOT, COLUMN, BLOBS] = [20, 41, 10]
/** Where the sidecar's header is, and its first cell. */
const [HEADER, CELLS] = [20, 356]

/** The devnet's own config is not recorded: Fulu from the first slot, and as many blobs as the block has. */
const network: LabelledNetwork = {
  label: 'synthetic: Fulu from the first slot',
  genesisTime: 0,
  forkEpochs: { deneb: 0, electra: 0, fulu: 0 },
  blobSchedule: [{ epoch: 0, maxBlobsPerBlock: BLOBS }],
}
const SECONDS = 12 * (SLOT + 1)

/** Chance, as it may be: the recorded column is drawn first. */
const drawsIt: RandomBytes = (bytes) => void bytes.fill(COLUMN)
/** The one after it. */
const drawsAnother: RandomBytes = (bytes) => void bytes.fill(COLUMN + 1)

describe('a recorded column of a devnet', () => {
  let verifier: Verifier
  let column: Uint8Array<ArrayBuffer>
  let header: HeaderJson
  let root: string
  beforeAll(async () => {
    verifier = await createVerifier({ network, workers: 1, cache: false })
    column = await readTestFile('vectors/real/devnet_fulu_data_column_sidecar_41.ssz')
    const view = new DataView(column.buffer, column.byteOffset)
    const rootAt = (at: number): `0x${string}` => toHex(column.subarray(HEADER + at, HEADER + at + 32))
    header = {
      slot: String(view.getBigUint64(HEADER, true)),
      proposer_index: String(view.getBigUint64(HEADER + 8, true)),
      ...{ parent_root: rootAt(16), state_root: rootAt(48), body_root: rootAt(80) },
    }
    root = toHex(await headerRoot(header))
  })
  afterAll(() => verifier.dispose())

  /** Knows the block, and the column as it is given; or has nothing. */
  const oracle =
    (held: readonly Uint8Array<ArrayBuffer>[]): Oracle =>
    ({ pathname, searchParams }) => {
      if (/\/eth\/v1\/beacon\/headers\/(head|0x[0-9a-f]{64})$/.test(pathname))
        return { ssz: null, json: { data: { root, canonical: true, header: { message: header } } } }
      if (pathname !== `/eth/v1/debug/beacon/data_column_sidecars/${root}`) return null
      const asked = searchParams.getAll('indices').map(Number)
      return { ssz: listSsz(asked.includes(COLUMN) ? held : []), json: null, version: 'fulu' }
    }

  const sample = async (
    beacon: SamplerOptions['beacon'],
    random: RandomBytes,
    options: Partial<SamplerOptions> = {},
  ): Promise<SampleReport> => {
    const found = { status: 'found', header: { root, slot: SLOT } } as const
    const headers = { resolve: () => Promise.resolve(found) }
    const now = (): number => SECONDS * 1000
    const terms = { verifier, headers, beacon, now, target: { columns: 1 }, allowMissing: 0 }
    const report = await samplerOf({ ...terms, ...options }, random).sampleBlock('head')
    expectSound(report)
    return report
  }

  it('is available where chance draws it, as far as one column says, on a header that is trusted', async () => {
    const { url } = await startServer(oracle([column]))
    expect(await sample(url, drawsIt)).toMatchObject({
      ...{ verdict: 'available', reason: 'sampled', via: 'data-columns', block: { root, slot: SLOT } },
      columns: [{ index: COLUMN, status: 'verified', source: url, added: false }],
      // Half of the columns, less one, may be all that there is.
      confidence: { samples: 1, missing: 0, maxError: 63 / 128, servers: 1, independent: false },
      blobCount: { count: BLOBS, by: 'committed' },
      links: {
        ...{ kzg: 'verified', inclusion: 'verified', header: 'trusted' },
        ...{ 'sync-committee': 'absent', checkpoint: 'absent', 'versioned-hash': 'absent' },
      },
      notVerified: [
        ...['header', 'sync-committee', 'checkpoint', 'proposer-signature'],
        ...['blob-count', 'columns-not-sampled', 'independence-of-endpoints'],
      ],
    })
  })

  it('says nothing of the others: where another one is drawn, nothing is known', async () => {
    const { url } = await startServer(oracle([column]))
    expect(await sample(url, drawsAnother)).toMatchObject({
      ...{ verdict: 'unknown', reason: 'may-have-no-blobs', commitments: [] },
      columns: [{ index: COLUMN + 1, status: 'missing', reason: 'not-delivered' }],
    })
  })

  it('is what shows that its block has blobs, of which 127 columns are denied', async () => {
    const { url } = await startServer(oracle([column]))
    const report = await sample(url, secureBytes, { target: { columns: 128 } })
    expect(report).toMatchObject({
      ...{ verdict: 'unavailable', reason: 'columns-missing', blobCount: { count: BLOBS, by: 'committed' } },
      endpoints: [{ verified: [COLUMN], refused: [], failures: [] }],
    })
    expect(report.commitments).toHaveLength(BLOBS)
    expect(report.endpoints[0]!.notDelivered).toHaveLength(127)
  })

  it('is contested where another server denies it', async () => {
    const servers = await Promise.all([oracle([]), oracle([column])].map((one) => startServer(one)))
    const [empty, holds] = servers.map(({ url }) => url)
    // Whom it is asked of first is for chance to say.
    const reports: SampleReport[] = []
    for (
      let turn = 0;
      turn < 40 && !reports.some(({ confidence }) => confidence.contested.length > 0);
      turn++
    )
      reports.push(await sample([empty!, holds!], drawsIt))
    for (const { verdict, columns } of reports) {
      expect(verdict).toBe('available')
      expect(columns).toMatchObject([{ index: COLUMN, source: holds }])
    }
    expect(reports.at(-1)!.confidence).toMatchObject({ contested: [COLUMN], independent: false })
  })

  it('with a bit of it changed is refused, and whoever sent it is named', async () => {
    for (const [at, reason] of [
      [CELLS + 31, 'proof-mismatch'],
      [CELLS + BLOBS * 2048 + 47, 'inclusion-mismatch'],
      [HEADER, 'header-mismatch'],
    ] as const) {
      const { url } = await startServer(oracle([flip(column, at)]))
      expect(await sample(url, drawsIt)).toMatchObject({
        ...{ verdict: 'unknown', links: { kzg: 'absent', inclusion: 'absent', header: 'absent' } },
        columns: [{ index: COLUMN, reason: 'false' }],
        endpoints: [{ endpoint: url, refused: [{ index: COLUMN, reason }] }],
      })
    }
  })

  it('is sampled by the command line on the server’s word', async () => {
    const { url } = await startServer(oracle([column]))
    const file = await fileOf('network.json', writeNetwork(network))
    const args = ['sample', '--network', file, '--trust-endpoint', '--beacon', url, '--now', String(SECONDS)]
    const { code, out } = await blobcheck([...args, '--columns', '128', '--json'])
    expect(code).toBe(1)
    expect(jsonLines(out).find(({ event }) => event === 'report')).toMatchObject({
      ...{ trust: 'endpoint', verdict: 'unavailable', block: { slot: SLOT, root } },
      links: { kzg: 'verified', inclusion: 'verified', header: 'trusted' },
    })
    const told = await blobcheck([...args, '--columns', '128'])
    expect(told.out).toContain(`slot ${SLOT} [header on the endpoints’ word]: unavailable: columns of the`)
    expect(told.out).toContain('  10 blobs, by the list of commitments, which belongs to the header\n')
    expect(told.out).toMatch(/: 1 of 128 columns verified, 127 not delivered/)
  })
})
