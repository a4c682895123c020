/** Recorded answers of real networks, served over real HTTP, at the time when they were given. */
import { describe, expect, it } from 'vitest'
import type { Oracle, Told } from '../support/beacon-server.ts'
import { readTestFile, readValue } from '../support/files.ts'
import { enter, startServer } from '../support/clients.ts'
import { headerRoot, type HeaderJson } from '../support/ssz.ts'
import { toHex } from '../support/bytes.ts'

const GENESIS = { mainnet: 1606824023, sepolia: 1655733600 }

const at = (network: keyof typeof GENESIS, slot: number) => (): number =>
  (GENESIS[network] + slot * 12 + 4) * 1000

async function json(path: string): Promise<unknown> {
  return await readValue(`vectors/lightclient/${path}`)
}

interface Bootstrap {
  readonly data: { readonly header: { readonly beacon: HeaderJson } }
}

/** Answers by the last part of the path. */
const oracleOf = (answers: Readonly<Record<string, (url: URL) => Told | null>>): Oracle => {
  return (url) => {
    const name = Object.keys(answers).find((part) => url.pathname.includes(part))
    return name === undefined ? null : answers[name]!(url)
  }
}

/** The chunks of a recorded stream of updates. */
function chunksOf(stream: Uint8Array): Uint8Array[] {
  const chunks: Uint8Array[] = []
  for (let from = 0; from < stream.length;) {
    const length = 8 + Number(new DataView(stream.buffer, stream.byteOffset).getBigUint64(from, true))
    chunks.push(stream.subarray(from, from + length))
    from += length
  }
  return chunks
}

/** The root of the header that leads an SSZ bootstrap: its checkpoint. */
async function checkpointOf(bootstrap: Uint8Array): Promise<string> {
  const view = new DataView(bootstrap.buffer, bootstrap.byteOffset)
  const from = view.getUint32(0, true)
  const part = (start: number): `0x${string}` => toHex(bootstrap.subarray(from + start, from + start + 32))
  return toHex(
    await headerRoot({
      slot: view.getBigUint64(from, true).toString(),
      proposer_index: view.getBigUint64(from + 8, true).toString(),
      parent_root: part(16),
      state_root: part(48),
      body_root: part(80),
    }),
  )
}

const updatesFrom =
  (firstPeriod: number, chunks: readonly Uint8Array[]) =>
  (url: URL): Told => {
    const from = Number(url.searchParams.get('start_period')) - firstPeriod
    const count = Number(url.searchParams.get('count'))
    return { ssz: Buffer.concat(chunks.slice(Math.max(from, 0), Math.max(from + count, 0))), json: null }
  }

describe('mainnet in Capella, in JSON', () => {
  it('is followed over six periods to its head', async () => {
    const bootstrap = (await json('mainnet-capella/bootstrap.json')) as Bootstrap
    const updates = (await json('mainnet-capella/updates.json')) as unknown[]
    const finality = await json('mainnet-capella/finality.json')
    const optimistic = await json('mainnet-capella/optimistic.json')
    const server = await startServer(
      oracleOf({
        bootstrap: () => ({ ssz: null, json: bootstrap }),
        updates: ({ searchParams }) => {
          const from = Number(searchParams.get('start_period')) - 862
          return { ssz: null, json: updates.slice(from, from + Number(searchParams.get('count'))) }
        },
        finality_update: () => ({ ssz: null, json: finality }),
        optimistic_update: () => ({ ssz: null, json: optimistic }),
      }),
    )
    const client = await enter({
      checkpoint: toHex(await headerRoot(bootstrap.data.header.beacon)),
      beacon: server.url,
      now: at('mainnet', 7_109_432),
    })
    const report = await client.sync()
    expect(client.finalized).toMatchObject({
      slot: 7_109_344,
      execution: { blockNumber: 17_923_026, blobGasUsed: null },
    })
    expect(client.optimistic).toMatchObject({ slot: 7_109_431, execution: { blockNumber: 17_923_113 } })
    expect(report.participation).toEqual({ signed: 510, of: 512 })
    expect(report.endpoints).toMatchObject([{ state: 'good', failures: {} }])
  })
})

describe('mainnet in Deneb, in SSZ', () => {
  it('is followed over 46 periods in a row', async () => {
    const folder = 'vectors/lightclient/mainnet-deneb'
    const bootstrap = await readTestFile(
      `${folder}/eth_v1_beacon_light_client_bootstrap_0x2e522016a5ac7d8d57d758b633a25491a43d12750db8f417fd6cf264b7ec5.ssz`,
    )
    const stream = await readTestFile(
      `${folder}/eth_v1_beacon_light_client_updates_start_period_1347_count_46.ssz`,
    )
    const chunks = chunksOf(stream)
    expect(chunks).toHaveLength(46)
    const server = await startServer(
      oracleOf({ bootstrap: () => ({ ssz: bootstrap, json: null }), updates: updatesFrom(1347, chunks) }),
    )
    const head = 11_403_425
    const client = await enter({
      checkpoint: await checkpointOf(bootstrap),
      beacon: server.url,
      now: at('mainnet', head),
      // Fifty-three days: more than the weak-subjectivity period allows.
      allowStale: true,
    })
    const done: number[] = []
    // There is no newest update on record: the periods are all there is to follow.
    await expect(
      client.sync({ onProgress: (step) => void (step.stage === 'periods' && done.push(step.done)) }),
    ).rejects.toMatchObject({ failures: [{ kind: 'not-found' }, { kind: 'not-found' }] })
    expect(done).toEqual([0, 16, 32, 45])
    expect(Math.floor(client.finalized.slot / 8192)).toBe(1392)
    expect(client.finalized.links['sync-committee']).toBe('verified')
    expect(server.asked.filter(({ path }) => path.includes('updates'))).toHaveLength(3)
  })
})

describe('mainnet in Electra, in SSZ', () => {
  it('is entered in period 1600, and its update accepted', async () => {
    const folder = 'vectors/lightclient/mainnet-electra'
    const bootstrap = await readTestFile(`${folder}/bootstrap_period_1600.ssz`)
    const update = await readTestFile(`${folder}/update_period_1600.ssz`)
    const server = await startServer(
      oracleOf({ bootstrap: () => ({ ssz: bootstrap, json: null }), updates: updatesFrom(1600, [update]) }),
    )
    const client = await enter({
      checkpoint: await checkpointOf(bootstrap),
      beacon: server.url,
      now: at('mainnet', 1601 * 8192 - 1),
    })
    await client.sync().catch(() => {})
    // Its finalized header is the checkpoint itself; its attested one is news.
    expect(client.finalized.slot).toBe(1600 * 8192)
    expect(client.optimistic.slot).toBe(1600 * 8192 + 72)
    expect(client.report().endpoints[0]?.failures).toEqual({ 'not-found': 2 })
  })
})

describe.each(['json', 'ssz'] as const)('Sepolia in Fulu, in %s', (form) => {
  it('is entered, and its newest header accepted', async () => {
    const read = async (name: string): Promise<Told> => ({
      ssz: form === 'ssz' ? await readTestFile(`vectors/lightclient/sepolia-fulu/${name}.ssz`) : null,
      json: await json(`sepolia-fulu/${name}.json`),
      version: 'fulu',
    })
    const [bootstrap, optimistic] = [await read('bootstrap_9552074'), await read('optimistic_update_9552075')]
    const server = await startServer(
      oracleOf({ bootstrap: () => bootstrap, optimistic_update: () => optimistic }),
    )
    const client = await enter({
      network: 'sepolia',
      checkpoint: toHex(await headerRoot((bootstrap.json as Bootstrap).data.header.beacon)),
      beacon: server.url,
      now: at('sepolia', 9_552_076),
    })
    const report = await client.sync()
    expect(client.optimistic).toMatchObject({ slot: 9_552_075, links: { 'sync-committee': 'verified' } })
    expect(report.participation).toEqual({ signed: 459, of: 512 })
    // The header is the parent's child: the checkpoint can be reached from it.
    expect(client.optimistic.parent_root).toBe(client.finalized.root)
  })
})
