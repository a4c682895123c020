/**
 * The specs' light-client containers of Gloas, and of the forks that are upgraded to it: their JSON as SSZ, and what both of the light
 * client's modules read of them.
 */
import { describe, expect, it } from 'vitest'
import { lightClientWords } from '../../dist/beacon/light-client-words.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { objectSsz, type ForkIndex, type ObjectKind } from '../../dist/beacon/ssz/light-client-json.js'
import { forkOfObject } from '../../dist/light-client/worker/decode.js'
import { readUpdateView } from '../../dist/light-client/worker/views.js'
import { toHex } from '../support/bytes.ts'
import { listVectors, readTestFile, readValue } from '../support/files.ts'
import { lightClientModules } from '../support/light-client.ts'
import { minimal } from '../support/minimal.ts'
import { thrown } from '../support/module-calls.ts'

const modules = await lightClientModules()

const KINDS: Readonly<Record<string, ObjectKind>> = {
  LightClientBootstrap: 'bootstrap',
  LightClientUpdate: 'update',
  LightClientFinalityUpdate: 'finality-update',
  LightClientOptimisticUpdate: 'optimistic-update',
}
const FORKS: Readonly<Record<string, ForkIndex>> = { deneb: 2, electra: 3, gloas: 5 }
const ROOT = 'gloas-light-client'

interface Case {
  readonly path: string
  readonly preset: string
  readonly fork: ForkIndex
  readonly type: string
}

const cases: Case[] = []
for (const preset of ['mainnet', 'minimal'])
  for (const [name, fork] of Object.entries(FORKS)) {
    const folder = `${preset}-${name}`
    for (const type of await listVectors(`${ROOT}/${folder}/ssz_static`))
      for (const suite of await listVectors(`${ROOT}/${folder}/ssz_static/${type}`))
        for (const one of await listVectors(`${ROOT}/${folder}/ssz_static/${type}/${suite}`))
          cases.push({
            path: `vectors/${ROOT}/${folder}/ssz_static/${type}/${suite}/${one}`,
            preset,
            fork,
            type,
          })
  }

/** A header stands alone in no answer: an optimistic update around it does for one. */
function around(header: unknown): Record<string, unknown> {
  const sync_aggregate = { sync_committee_bits: '0x00', sync_committee_signature: `0x${'00'.repeat(96)}` }
  return { attested_header: header, sync_aggregate, signature_slot: '0' }
}

describe('the specs’ light-client containers', () => {
  it('are all there', () => {
    expect(cases).toHaveLength(10 + 20 + 101)
  })

  it('have the JSON that nodes send', async () => {
    for (const { path, fork, type } of cases) {
      const json = await readValue<Record<string, unknown>>(`${path}/value.json`)
      const ssz = await readTestFile(`${path}/serialized.ssz`)
      if (type === 'LightClientHeader') {
        const update = objectSsz('optimistic-update', fork, around(json) as never)
        // In Gloas the header is in its place; before, it stands at the end.
        const at = fork === 5 ? 0 : update.length - ssz.length
        expect(toHex(update.subarray(at, at + ssz.length)), path).toBe(toHex(ssz))
      } else {
        const kind = KINDS[type]!
        expect(toHex(objectSsz(kind, fork, json as never)), path).toBe(toHex(ssz))
      }
    }
  })

  it('are known by their length and slot where nothing names their fork', async () => {
    const seen = new Set<string>()
    for (const { path, fork, type, preset } of cases) {
      const kind = KINDS[type]
      if (kind === undefined || (preset === 'mainnet' && seen.has(type))) continue
      seen.add(type)
      const ssz = await readTestFile(`${path}/serialized.ssz`)
      const committeeSize = preset === 'mainnet' ? 512 : 32
      const forks = { ofDigest: () => null, atSlot: () => fork, committeeSize }
      expect(forkOfObject(kind, ssz, forks), path).toBe(fork)
      // Of a slot of the other fork it is an object by another config alone, and junk is none by any.
      const other = { ...forks, atSlot: () => (fork === 5 ? 4 : 5) as ForkIndex }
      expect(() => forkOfObject(kind, ssz, other), path).toThrow('not in the form that objects of its slot')
      const junk = ssz.slice(1).fill(0xff)
      expect(() => forkOfObject(kind, junk, { ...forks, atSlot: () => 5 }), path).toThrow('not as long')
    }
  })
})

describe('an object of Altair', () => {
  it('is known by its length, so that its slot is taken for no offset', async () => {
    const seen = new Set<string>()
    for (const { path, fork, type, preset } of cases) {
      const kind = KINDS[type]
      if (kind === undefined || fork === 2) continue
      const json = await readValue<any>(`${path}/value.json`)
      for (const name of ['current_sync_committee_branch', 'next_sync_committee_branch', 'finality_branch'])
        json[name] = json[name]?.slice(0, name === 'finality_branch' ? 6 : 5)
      const { beacon } = json[kind === 'bootstrap' ? 'header' : 'attested_header']
      for (const slot of [8, 112, 1700]) {
        beacon.slot = `${slot}`
        const asked: bigint[] = []
        const forks = {
          atSlot: (at: bigint) => (asked.push(at), at === BigInt(slot) ? (0 as const) : null),
          committeeSize: preset === 'mainnet' ? 512 : 32,
        }
        expect(forkOfObject(kind, objectSsz(kind, 0, json), forks), path).toBe(0)
        expect(asked, path).toEqual([BigInt(slot)])
      }
      seen.add(kind)
    }
    expect([...seen].sort()).toEqual(Object.values(KINDS).sort())
  })
})

describe.each(modules)('the specs’ light-client containers in the module $name', ({ module }) => {
  it('say what their JSON says', async () => {
    const networks = new Map([
      [
        'mainnet',
        lightClientWords(resolveNetwork({ ...minimal({}, `0x${'00'.repeat(32)}`), syncCommitteeSize: 512 })),
      ],
      ['minimal', lightClientWords(resolveNetwork(minimal({}, `0x${'00'.repeat(32)}`)))],
    ])
    const kinds = ['update', 'finality-update', 'optimistic-update']
    let read = 0
    for (const { path, fork, preset, type } of cases) {
      const number = kinds.indexOf(KINDS[type] ?? '')
      if (number < 0) continue
      const network = networks.get(preset)!
      const ssz = await readTestFile(`${path}/serialized.ssz`)
      const json = await readValue<any>(`${path}/value.json`)
      const bytes = module.updateView(network, number, fork, ssz)
      const view = readUpdateView(bytes)
      expect(new DataView(view.attested.ssz.buffer).getBigUint64(0, true).toString(), path).toBe(
        json.attested_header.beacon.slot,
      )
      const hash = json.attested_header.execution_block_hash ?? json.attested_header.execution.block_hash
      expect(toHex(bytes.subarray(176, 208)), path).toBe(hash)
      if (number < 2) {
        const place = json.finalized_header.execution_block_hash ?? json.finalized_header.execution.block_hash
        expect(toHex(bytes.subarray(416, 448)), path).toBe(place)
      }
      expect(thrown(module, () => module.updateView(network, number, fork, ssz.subarray(1)))[0]).toMatch(
        'object-',
      )
      read++
    }
    expect(read).toBe(10 + 60)
  })
})
