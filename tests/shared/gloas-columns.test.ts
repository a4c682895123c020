/** Data columns of Gloas, which bring no commitments: held against a block, or a header with its commitments. */
import { type AnchorOption, createVerifier, networks, type Verifier } from 'blobcheck'
import { loadBeacon } from 'blobcheck/beacon'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { sszToJson } from '../support/block-json.ts'
import type { SszType } from '../../ts/src/beacon/block/ssz-type.ts'
import { fromHex } from '../support/bytes.ts'
import { vouchFor } from '../../dist/verdict/provenance.js'
import { listVectors, readTestFile, readText } from '../support/files.ts'

/** Nobody's network: Gloas from the beginning, as the cases have random slots. */
const network = {
  ...networks.mainnet,
  forkEpochs: { deneb: 0, electra: 0, fulu: 0, gloas: 0 },
  blobSchedule: [],
}

/** The container, for JSON. */
const type: SszType = [
  'container',
  [
    ['index', ['uint', 8]],
    ['column', ['list', ['bytes', 2048], 4096]],
    ['kzg_proofs', ['list', ['bytes', 48], 4096]],
    ['slot', ['uint', 8]],
    ['beacon_block_root', ['bytes', 32]],
  ],
]

interface Case {
  readonly name: string
  readonly sidecar: Uint8Array<ArrayBuffer>
  readonly block: Uint8Array<ArrayBuffer>
  /** The answers of the specification's functions: `true`, `false` or `error`. */
  readonly answer: (name: string) => string
}

const folder = 'blocks/mainnet-gloas/networking/verify_data_column_sidecar/extra'
const cases: Case[] = []
for (const name of await listVectors(folder)) {
  const path = `vectors/${folder}/${name}`
  const meta = await readText(`${path}/meta.yaml`)
  cases.push({
    name,
    sidecar: await readTestFile(`${path}/sidecar.ssz`),
    block: await readTestFile(`${path}/block.ssz`),
    answer: (name) => new RegExp(`^${name}: (.*)$`, 'm').exec(meta)![1]!.replaceAll("'", ''),
  })
}
const good = cases.find(({ name }) => name.startsWith('valid'))!

let verifier: Verifier
beforeAll(async () => {
  verifier = await createVerifier({ network, cache: false })
})
afterAll(async () => await verifier.dispose())

const verify = async (sidecar: Uint8Array | object, anchor: AnchorOption) =>
  (await verifier.verifyDataColumnSidecars([sidecar], { anchor }))[0]!

const links = { kzg: 'verified', inclusion: 'verified', header: 'trusted' }

describe('the specification’s cases', () => {
  it('are of each kind', () => expect(cases.length).toBe(12))

  it.each(cases)('$name', async ({ sidecar, block, answer }) => {
    const verdict = await verify(sidecar, { block })
    expect(verdict.status === 'valid').toBe(answer('valid') === 'true')
    if (verdict.status === 'valid') expect(verdict.links).toMatchObject(links)
    else if (answer('verify_data_column_sidecar') === 'false') expect(verdict.status).toBe('malformed')
    else if (answer('block_root_matches') === 'false' || answer('slot_matches') === 'false')
      expect(verdict).toMatchObject({ status: 'invalid', stage: 'anchor', reason: 'header-mismatch' })
    else if (answer('verify_data_column_sidecar_kzg_proofs') === 'error')
      expect(verdict).toMatchObject({ status: 'malformed', stage: 'encoding' })
    else expect(verdict).toMatchObject({ status: 'invalid', stage: 'kzg', reason: 'proof-mismatch' })
    // As JSON it is the same.
    expect(await verify(sszToJson(type, sidecar) as object, { block })).toEqual(verdict)
  })
})

describe('a column of Gloas', () => {
  it('belongs to the commitments of its own block', async () => {
    const { sidecar, block, answer } = good
    const root = answer('block_root')
    expect(await verify(sidecar, { block, header: root })).toMatchObject({ status: 'valid', links })
    const { commitments } = (await loadBeacon()).readBlock(block, { network })
    expect(commitments).toHaveLength(3)
    const trusted = { status: 'valid', links: { ...links, inclusion: 'trusted' } }
    expect(await verify(sidecar, { header: root, commitments })).toMatchObject(trusted)
    const alone = { status: 'valid', links: { kzg: 'verified', inclusion: 'absent', header: 'absent' } }
    expect(await verify(sidecar, { commitments })).toMatchObject(alone)

    const [a, b, c] = commitments
    const swapped = await verify(sidecar, { header: root, commitments: [b!, a!, c!] })
    expect(swapped).toMatchObject({ status: 'invalid', stage: 'kzg' })
    const short = await verify(sidecar, { header: root, commitments: [a!, b!] })
    expect(short).toMatchObject({ status: 'malformed', reason: 'column-lengths' })
    // With valid proofs, and of another block.
    const other = cases.find(({ name }) => name === 'zero_root__2_blobs')!
    expect(await verify(sidecar, { header: other.answer('block_root'), commitments })).toMatchObject({
      ...{ status: 'invalid', stage: 'anchor', reason: 'header-mismatch' },
    })
  })

  it('is of the slot of its block, wherever the header comes from', async () => {
    const { block } = good
    const { commitments, root, ...read } = (await loadBeacon()).readBlock(block, { network })
    const sidecar = good.sidecar.slice()
    // The lowest byte of its slot, which comes after the index and two offsets.
    sidecar[16]! ^= 1
    // Its slot and its proposer may be any numbers of 64 bits.
    const ssz = new Uint8Array(112)
    ssz.set(block.subarray(0, 48))
    ssz.set(fromHex(read.stateRoot), 48)
    ssz.set(fromHex(read.bodyRoot), 80)
    // As a light client hands it out: what counts is what is on record of it.
    const header = { root } as unknown as Uint8Array
    const vouched = { header: 'verified', 'sync-committee': 'verified', checkpoint: 'verified' } as const
    const genesisValidatorsRoot = fromHex(network.signing!.genesisValidatorsRoot)
    vouchFor(header, { ssz, links: vouched, genesisValidatorsRoot })
    for (const anchor of [
      { header, commitments },
      { block, header },
      { header: ssz, commitments },
    ]) {
      expect(await verify(good.sidecar, anchor)).toMatchObject({
        status: 'valid',
        links: anchor.header === header ? vouched : { header: 'trusted' },
      })
      expect(await verify(sidecar, anchor)).toMatchObject({
        ...{ status: 'invalid', stage: 'anchor', reason: 'header-mismatch' },
      })
    }
    // A root does not say what slot it is of.
    expect(await verify(sidecar, { header: root, commitments })).toMatchObject({ status: 'valid' })
  })

  it('cannot be verified without a list of commitments', async () => {
    const { sidecar, answer } = good
    for (const anchor of ['none', { header: answer('block_root') }, { versionedHashes: [] }] as const)
      expect(await verify(sidecar, anchor)).toMatchObject({
        status: 'malformed',
        reason: 'commitment-missing',
      })
  })

  it('is none before Gloas, and of the wrong shape', async () => {
    const { sidecar, block } = good
    const { commitments } = (await loadBeacon()).readBlock(block, { network })
    const fulu = await createVerifier({
      network: { ...network, forkEpochs: { ...network.forkEpochs, gloas: Infinity } },
      cache: false,
      workers: 0,
    })
    const [early] = await fulu.verifyDataColumnSidecars([sidecar], { anchor: { commitments } })
    expect(early).toMatchObject({ status: 'malformed', reason: 'unsupported-fork' })
    await fulu.dispose()
    const anchor = { commitments }
    for (const length of [0, 12, 55, sidecar.length - 1, sidecar.length - 48])
      expect(await verify(sidecar.subarray(0, length), anchor)).toMatchObject({ status: 'malformed' })
    const altered = sidecar.slice()
    altered[12]! ^= 1 // the second offset
    expect(await verify(altered, anchor)).toMatchObject({ status: 'malformed', reason: 'sidecar-offsets' })
    const json = sszToJson(type, sidecar) as Record<string, unknown>
    for (const field of ['index', 'column', 'kzg_proofs', 'slot'])
      expect(await verify({ ...json, [field]: undefined }, anchor)).toMatchObject({ status: 'malformed' })
  })

  it('comes in an answer like any other', async () => {
    const { sidecar, block } = good
    const data = [sszToJson(type, sidecar), sszToJson(type, sidecar)]
    const verdicts = await verifier.verifyDataColumnSidecars(JSON.stringify({ version: 'gloas', data }), {
      anchor: { block },
    })
    expect(verdicts).toMatchObject([{ status: 'valid' }, { status: 'valid' }])
  })
})
