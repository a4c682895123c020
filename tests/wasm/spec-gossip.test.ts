/**
 * The specs' cases of gossiped data column sidecars, in both of the verifier's modules. What a sidecar decides by itself,
 * with KZG, is decided here; the proposer's signature is the light client's module's. What needs a clock, a subnet or other
 * blocks is for whoever follows the gossip: those cases are named below, and their sidecars pass.
 */
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { lightClientWords } from '../../dist/beacon/light-client-words.js'
import { networkWords } from '../../dist/beacon/network-words.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { toHex } from '../support/bytes.ts'
import { listVectors, readTestFile, readText } from '../support/files.ts'
import { lightClientModules } from '../support/light-client.ts'
import { minimal } from '../support/minimal.ts'
import { type VerifierModule, verifierModules } from '../support/verifier-modules.ts'

const FOLDER = 'spec/minimal-fulu/networking/gossip_data_column_sidecar'

interface Message {
  readonly message: string
  readonly expected: 'valid' | 'ignore' | 'reject'
  readonly reason?: string
}

/** What a sidecar itself is refused for: the specs' reasons, and our stages. */
const OURS: Readonly<Record<string, string>> = {
  'invalid sidecar': 'structure',
  'invalid sidecar inclusion proof': 'inclusion',
  'invalid sidecar kzg proofs': 'kzg',
}
const SIGNATURE = 'invalid proposer signature on sidecar block header'

/** The other cases, without `gossip_data_column_sidecar__`, and what a verifier of sidecars lacks to decide them. */
const OTHERS: Readonly<Record<string, string>> = {
  ignore_already_seen: 'a memory of what was seen',
  ignore_future_slot: 'a clock',
  ignore_not_later_than_finalized_slot: 'the finalized checkpoint',
  ignore_parent_not_seen: 'the parent block',
  reject_non_ancestor_finalized_checkpoint: 'the chain of blocks',
  reject_parent_failed_validation: 'the parent block',
  reject_proposer_index_out_of_range: 'the validators',
  reject_slot_not_higher_than_parent: 'the parent block',
  reject_wrong_proposer_index: 'the shuffling',
  reject_wrong_subnet: 'the subnet that it came by',
}

const verifiers = await verifierModules()
const lightClients = await lightClientModules()

interface Case {
  readonly name: string
  readonly messages: readonly (Message & { readonly ssz: Uint8Array })[]
  readonly config: Record<string, unknown>
  readonly state: Uint8Array
}

const ssz = async (path: string): Promise<Uint8Array> => await readTestFile(`vectors/${path}.ssz`)

/** Without a `config.yaml` a case has the minimal preset's, with Fulu from genesis and no schedule. */
const DEFAULTS: Record<string, unknown> = {
  GENESIS_FORK_VERSION: 0x00000001,
  ...Object.fromEntries(
    ['ALTAIR', 'BELLATRIX', 'CAPELLA', 'DENEB', 'ELECTRA', 'FULU'].flatMap((fork, at) => [
      [`${fork}_FORK_EPOCH`, 0],
      [`${fork}_FORK_VERSION`, 0x01000001 + at * 0x01000000],
    ]),
  ),
}

async function readCase(name: string): Promise<Case> {
  const path = `${FOLDER}/${name}`
  const { messages } = parse(await readText(`vectors/${path}/meta.yaml`)) as { messages: Message[] }
  const hasConfig = (await listVectors(path)).includes('config.yaml')
  return {
    name: name.replace('gossip_data_column_sidecar__', ''),
    messages: await Promise.all(
      messages.map(async (message) => ({ ...message, ssz: await ssz(`${path}/${message.message}`) })),
    ),
    config: hasConfig
      ? (parse(await readText(`vectors/${path}/config.yaml`)) as Record<string, unknown>)
      : DEFAULTS,
    state: await ssz(`${path}/state`),
  }
}

/** Where the module's way ends for a sidecar: the stage that refuses it, or `valid`. */
function judge(module: VerifierModule, sidecar: Uint8Array, network: BigUint64Array): string {
  const room = new Uint8Array(sidecar.length + 32)
  const answer = module.dataColumnSidecar(sidecar, network, new Uint8Array(0), room)
  if (answer < 256) return module.reasonStage(answer)
  const units = new module.Units(1, false)
  units.push(room.subarray(0, answer / 256 + 32))
  const [verdict = 255] = units.verify(new Uint8Array(32).fill(3))
  units.free()
  return verdict === 0 ? 'valid' : module.reasonStage(verdict)
}

/** Of a BeaconState of Fulu, minimal preset: `genesis_validators_root` stands behind the genesis time, … */
const genesisValidatorsRoot = (state: Uint8Array): string => toHex(state.subarray(8, 40))
/** … and the offset of `validators`, which begin with their keys and have 121 bytes, at 4,360. */
function pubkey(state: Uint8Array, index: number): Uint8Array {
  const validators = new DataView(state.buffer, state.byteOffset).getUint32(4360, true)
  return state.slice(validators + 121 * index, validators + 121 * index + 48)
}

const cases = await Promise.all((await listVectors(FOLDER)).map(readCase))

describe('the specs’ cases of gossip', () => {
  it('has no case that is neither decided nor named', () => {
    const undecided = cases.flatMap(({ name, messages }) =>
      messages.some(
        ({ reason }) => reason !== undefined && OURS[reason] === undefined && reason !== SIGNATURE,
      )
        ? [name]
        : [],
    )
    expect(undecided.filter((name) => OTHERS[name] === undefined)).toEqual([])
    const decided = new Set(cases.flatMap(({ messages }) => messages.map(({ reason }) => reason)))
    for (const reason of [...Object.keys(OURS), SIGNATURE, undefined]) expect(decided).toContain(reason)
  })

  describe.each(verifiers)('in the module $name', ({ module }) => {
    it.each(cases)('$name', ({ messages, config, state }) => {
      const network = networkWords(resolveNetwork(minimal(config, genesisValidatorsRoot(state))))
      for (const { ssz, reason } of messages)
        expect(judge(module, ssz, network)).toBe(OURS[reason ?? ''] ?? 'valid')
    })
  })

  describe.each(lightClients)('proposers’ signatures in the module $name', ({ module }) => {
    it.each(cases)('$name', ({ messages, config, state }) => {
      const network = lightClientWords(resolveNetwork(minimal(config, genesisValidatorsRoot(state))))
      for (const { ssz, reason } of messages) {
        // Behind index and three offsets; the proposer's index is the header's second field.
        const header = ssz.slice(20, 20 + 208)
        const proposer = Number(new DataView(header.buffer).getBigUint64(8, true))
        const signed = module.verifyProposerSignature(network, pubkey(state, proposer), header)
        // Whatever else is wrong with them, proposers signed all but these.
        expect(signed).toBe(reason !== SIGNATURE)
      }
    })
  })
})
