/** Which fork's containers an object is written in. */
import type { NetworkConfig } from '../../networks.ts'
import { Undecodable } from './undecodable.ts'

/** Forks by their light-client containers, as the WASM module numbers them: 0 Altair and Bellatrix, then one by one. */
export type ForkIndex = 0 | 1 | 2 | 3 | 4

const FORKS: Readonly<Record<string, ForkIndex>> = {
  altair: 0,
  bellatrix: 0,
  capella: 1,
  deneb: 2,
  electra: 3,
  fulu: 4,
}

/** The fork that `Eth-Consensus-Version` or the JSON field `version` names. */
export function forkOfVersion(version: string): ForkIndex {
  const fork = Object.hasOwn(FORKS, version) ? FORKS[version] : undefined
  if (fork === undefined) throw new Undecodable(`unknown consensus version ${version.slice(0, 32)}`)
  return fork
}

/** The fork in force at a slot; for answers that do not say. */
export function forkOfSlot(slot: bigint, network: NetworkConfig): ForkIndex {
  const epoch = Number(slot / BigInt(network.slotsPerEpoch ?? 32))
  const { capella = 0, deneb, electra, fulu } = network.forkEpochs
  return epoch >= fulu ? 4 : epoch >= electra ? 3 : epoch >= deneb ? 2 : epoch >= capella ? 1 : 0
}

/**
 * The slot of the header that leads an SSZ object. From Capella on headers are of variable length, so that each kind of
 * object begins with the offset of its first one; before, with the header itself.
 */
export function leadingSlot(ssz: Uint8Array): bigint {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.byteLength)
  if (ssz.length < 8) throw new Undecodable('shorter than a slot', 'truncated')
  const offset = view.getUint32(0, true)
  return view.getBigUint64(offset + 8 <= ssz.length ? offset : 0, true)
}
