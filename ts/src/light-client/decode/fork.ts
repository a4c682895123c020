/** Which fork's containers an object is written in. */
import { Undecodable } from './undecodable.ts'

/** Forks by their light-client containers, as the WASM module numbers them: 0 Altair and Bellatrix, then one by one. */
export type ForkIndex = 0 | 1 | 2 | 3 | 4

/** What the module knows of a network's forks; null for what is none of them. */
export interface Forks {
  ofDigest(digest: Uint8Array): ForkIndex | null
  atSlot(slot: bigint): ForkIndex | null
}

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
  if (fork === undefined) throw new Undecodable(`an unknown consensus version, ${version.slice(0, 32)}`)
  return fork
}

/**
 * The fork of an SSZ object that does not say: browsers hide the header where the server does not expose it. It is that
 * of the header that leads the object. From Capella on headers are of variable length, so that each kind of object
 * begins with the offset of its first one; before, with the header itself.
 */
export function forkOfObject(ssz: Uint8Array, forks: Forks): ForkIndex {
  const view = new DataView(ssz.buffer, ssz.byteOffset, ssz.byteLength)
  if (ssz.length < 8) throw new Undecodable('shorter than a slot', 'truncated')
  const offset = view.getUint32(0, true)
  const fork = forks.atSlot(view.getBigUint64(offset + 8 <= ssz.length ? offset : 0, true))
  if (fork === null) throw new Undecodable('an object of a fork without light clients, or of one yet unknown')
  return fork
}
