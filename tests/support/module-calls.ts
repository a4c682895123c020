/** Calls of the light client's modules as tests make them, and what the answers say. */
import { lightClientWords } from '../../dist/beacon/light-client-words.js'
import { resolveNetwork } from '../../dist/beacon/vetted-network.js'
import { concat, toHex } from './bytes.ts'
import type { Module } from './light-client.ts'

export const mainnet: BigUint64Array<ArrayBuffer> = lightClientWords(resolveNetwork('mainnet'))
export const sepolia: BigUint64Array<ArrayBuffer> = lightClientWords(resolveNetwork('sepolia'))
/** A slot after everything. */
export const FAR: bigint = 2n ** 64n - 1n
const seed = new Uint8Array(32).fill(7)

/** What a call throws: a code's name, and the index beside it. */
export function thrown(module: Module, task: () => unknown): [string, number] {
  try {
    task()
  } catch (error) {
    if (typeof error !== 'number') throw error
    return [module.reasonName(error % 256), Math.floor(error / 256)]
  }
  throw new Error('nothing was thrown')
}

export interface Processed {
  reason: string
  count: number
  store: Uint8Array
}

/** An update, and the number of the fork whose container it is in. */
export interface Update {
  fork: number
  ssz: Uint8Array
}

export function processUpdates(
  module: Module,
  network: BigUint64Array,
  store: Uint8Array,
  updates: Update[],
  currentSlot = FAR,
): Processed {
  const answer = module.processUpdates(
    network,
    store,
    Uint8Array.from(updates, ({ fork }) => fork),
    concat(...updates.map(({ ssz }) => ssz)),
    Uint32Array.from(updates, ({ ssz }) => ssz.length),
    currentSlot,
    seed,
  )
  const count = new DataView(answer.buffer, answer.byteOffset).getUint32(1, true)
  return { reason: answer[0] === 0 ? '' : module.reasonName(answer[0] ?? 0), count, store: answer.slice(5) }
}

/** A header view: see crates/wasm-light-client/src/view.rs. */
export function header(view: Uint8Array, at: number): { slot: number; root: string; executionRoot: string } {
  const data = new DataView(view.buffer, view.byteOffset + at)
  return {
    slot: Number(data.getBigUint64(0, true)),
    root: toHex(view.subarray(at + 112, at + 144)),
    executionRoot: toHex(view.subarray(at + 144, at + 176)),
  }
}

/** The updates of a Beacon API stream. */
export function stream(module: Module, network: BigUint64Array, bytes: Uint8Array): Update[] {
  const updates: Update[] = []
  for (let at = 0; at < bytes.length;) {
    const length = Number(new DataView(bytes.buffer, bytes.byteOffset + at).getBigUint64(0, true))
    const fork = module.forkOfDigest(network, bytes.slice(at + 8, at + 12))
    if (fork === undefined) throw new Error('a digest of no fork')
    updates.push({ fork, ssz: bytes.slice(at + 12, at + 8 + length) })
    at += 8 + length
  }
  return updates
}

/** The root of the header that a bootstrap of Capella and later begins with. */
export const rootOf = (module: Module, bootstrap: Uint8Array): Uint8Array => {
  const at = new DataView(bootstrap.buffer, bootstrap.byteOffset).getUint32(0, true)
  return module.headerRoot(bootstrap.slice(at, at + 112))
}
