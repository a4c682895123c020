/**
 * The specification's functions alone, synchronous, for those who bring their own transport: pure functions over a store,
 * which is bytes. Source: specs/{altair,capella,deneb,electra,gloas}/light-client/sync-protocol.md; names are theirs.
 */
import { type Bytes, decodeHex } from '../util/hex.ts'
import { isBytes, genuineView } from '../util/bytes.ts'
import { optionsOf, refuseUnknown } from '../util/options.ts'
import { readUint64 } from '../util/uint64.ts'
import { WasmUnavailableError } from '../runtime/errors.ts'
import { lightClientWords } from '../beacon/network-words.ts'
import { type NetworkConfig, type NetworkName, resolveNetwork } from '../beacon/networks.ts'
import { chooseKernel, type KernelName } from '../runtime/kernel/kernel.ts'
import { compileKernel, readSources, type WasmSources } from '../runtime/kernel/module.ts'
import { freshSeed } from '../runtime/platform/web-apis.ts'
import { forkIndexOf } from './worker/decode.ts'
import { Undecodable } from '../beacon/answer.ts'
import { LightClientError, type LightClientReason } from './errors.ts'
import { lightClientFiles } from './worker/files.ts'
import { type Exports, instances } from './worker/module.ts'
import { readStoreView, type StoreView } from './worker/views.ts'

/** A light-client object in SSZ, with the consensus version whose containers it is written in ('altair' to 'gloas'). */
export interface VersionedObject {
  readonly version: string
  readonly ssz: Bytes
}

/** Options of `loadLightClientSpec`. */
export interface LightClientSpecOptions {
  /** Default mainnet. */
  readonly network?: NetworkName | NetworkConfig
  /** Default: the baseline, whose word is final. What a faster one refuses, the baseline decides. */
  readonly kernel?: 'auto' | KernelName
  /** The WASM modules, where they cannot be fetched from beside the package's own files. */
  readonly wasm?: WasmSources
}

/**
 * The functions of the light-client protocol (specs/altair/light-client/sync-protocol.md, with those of later forks), synchronous. What
 * is refused throws `LightClientError` with its reason. A store is bytes in a form of this package, for one network. Slots are uint64; what is
 * none, or is no bytes, is a `TypeError`.
 *
 * @example
 * ```ts
 * import { type LightClientSpec, loadLightClientSpec, type VersionedObject } from 'blobcheck/light-client'
 *
 * async function get(path: string): Promise<VersionedObject> {
 *   const url = `${beacon}/eth/v1/beacon/light_client/${path}`
 *   const answer = await fetch(url, { headers: { accept: 'application/octet-stream' } })
 *   const version = answer.headers.get('eth-consensus-version') ?? ''
 *   return { version, ssz: new Uint8Array(await answer.arrayBuffer()) }
 * }
 *
 * const spec = await loadLightClientSpec({ network: 'mainnet' })
 * const currentSlot = Math.floor((Date.now() / 1000 - 1_606_824_023) / 12)
 * let store = spec.initializeLightClientStore(header, await get(`bootstrap/${header}`))
 * store = spec.processLightClientFinalityUpdate(store, await get('finality_update'), currentSlot)
 * store = spec.processLightClientOptimisticUpdate(store, await get('optimistic_update'), currentSlot)
 * console.log(spec.view(store).finalized.slot)
 *
 * export function adopt(spec: LightClientSpec, store: Uint8Array, updates: VersionedObject[], slot: number): Uint8Array {
 *   const best = updates.reduce((best, update) => (spec.isBetterUpdate(update, best) ? update : best))
 *   spec.validateLightClientUpdate(store, best, slot) // throws LightClientError for one that is refused
 *   const next = spec.processLightClientUpdate(store, best, slot)
 *   return spec.processLightClientStoreForceUpdate(next, slot)
 * }
 * ```
 */
export interface LightClientSpec {
  /** `initialize_light_client_store`: a store from a `LightClientBootstrap` and the root of the trusted block (32 bytes). */
  initializeLightClientStore(trustedBlockRoot: Bytes, bootstrap: VersionedObject): Uint8Array
  /** `validate_light_client_update`: throws `LightClientError` where the `LightClientUpdate` is refused. */
  validateLightClientUpdate(store: Uint8Array, update: VersionedObject, currentSlot: number | bigint): void
  /** `process_light_client_update`: the store after a `LightClientUpdate`. */
  processLightClientUpdate(
    store: Uint8Array,
    update: VersionedObject,
    currentSlot: number | bigint,
  ): Uint8Array
  /** `process_light_client_finality_update`: the store after a `LightClientFinalityUpdate`. */
  processLightClientFinalityUpdate(
    store: Uint8Array,
    update: VersionedObject,
    currentSlot: number | bigint,
  ): Uint8Array
  /** `process_light_client_optimistic_update`: the store after a `LightClientOptimisticUpdate`. */
  processLightClientOptimisticUpdate(
    store: Uint8Array,
    update: VersionedObject,
    currentSlot: number | bigint,
  ): Uint8Array
  /**
   * `process_light_client_store_force_update`: the store after a forced update; an equal one where there is no best valid update, or
   * where UPDATE_TIMEOUT slots have not passed since the finalized header.
   */
  processLightClientStoreForceUpdate(store: Uint8Array, currentSlot: number | bigint): Uint8Array
  /** `is_better_update`: whether the first of two `LightClientUpdate`s is the better one. Neither is verified. */
  isBetterUpdate(newUpdate: VersionedObject, oldUpdate: VersionedObject): boolean
  /** The headers and committees that a store knows, decoded. */
  view(store: Uint8Array): StoreView
}

/**
 * Loads the functions of specs/altair/light-client/sync-protocol.md, with those of later forks, into the calling thread. Rejects with
 * `WasmUnavailableError` where the module cannot be loaded, and with `TypeError` for a network that makes no sense.
 *
 * @example
 * ```ts
 * import { loadLightClientSpec, type VersionedObject } from 'blobcheck/light-client'
 *
 * export async function finalizedSlot(root: string, bootstrap: VersionedObject, update: VersionedObject): Promise<number> {
 *   const spec = await loadLightClientSpec({ network: 'mainnet' })
 *   const store = spec.initializeLightClientStore(root, bootstrap)
 *   const currentSlot = Math.floor((Date.now() / 1000 - 1_606_824_023) / 12)
 *   return spec.view(spec.processLightClientUpdate(store, update, currentSlot)).finalized.slot
 * }
 * ```
 */
export async function loadLightClientSpec(options: LightClientSpecOptions = {}): Promise<LightClientSpec> {
  const { network, kernel = 'simd128', wasm, ...unknown } = optionsOf(options)
  refuseUnknown(unknown)
  const words = lightClientWords(resolveNetwork(network))
  const sources = readSources(wasm)
  const load = async (name: KernelName): Promise<Exports> =>
    instances.instantiate(name, await compileKernel(name, sources, lightClientFiles))
  const { name } = await chooseKernel(kernel)
  const baseline = await load('simd128')
  const fast = name === 'simd128' ? null : await load(name)
  const isSound = fast !== null && runOn(name, (exports) => exports.fused())
  if (fast !== null && !isSound && kernel !== 'auto')
    throw new WasmUnavailableError('the relaxed-simd kernel is not sound here: its own probe failed')

  /** Runs a function of the module; anything but a plain yes of the fast one is decided by the baseline. */
  function run<T>(task: (exports: Exports) => T, isFinal: (answer: T) => boolean = () => true): T {
    if (!isSound) return runOn('simd128', task)
    try {
      const answer = runOn(name, task)
      if (isFinal(answer)) return answer
    } catch {
      // The baseline throws the same, or knows better.
    }
    return runOn('simd128', task)
  }
  /** Codes become errors, and a trap does not outlive the call. */
  function runOn<T>(which: KernelName, task: (exports: Exports) => T): T {
    try {
      return instances.run(which, task)
    } catch (error) {
      if (typeof error === 'number') throw refusal(error)
      throw error instanceof Undecodable ? new TypeError(error.message) : error
    }
  }
  const refusal = (code: number): LightClientError =>
    new LightClientError(baseline.reasonName(code) as LightClientReason)
  const copied = (store: Uint8Array): Uint8Array => new Uint8Array(store)

  return {
    initializeLightClientStore: (root, { version, ssz }) =>
      run((module) =>
        copied(module.initializeStore(words, forkIndexOf(version), bytesOf(root), bytesOf(ssz))),
      ),
    validateLightClientUpdate(store, { version, ssz }, currentSlot) {
      const code = run(
        (module) =>
          module.validateUpdate(
            words,
            storeOf(store),
            forkIndexOf(version),
            bytesOf(ssz),
            readUint64(currentSlot, 'currentSlot'),
          ),
        (code) => code === 0,
      )
      if (code !== 0) throw refusal(code)
    },
    processLightClientUpdate(store, { version, ssz }, currentSlot) {
      const update = bytesOf(ssz)
      const answer = run(
        (module) =>
          module.processUpdates(
            words,
            storeOf(store),
            Uint8Array.of(forkIndexOf(version)),
            update,
            Uint32Array.of(update.length),
            readUint64(currentSlot, 'currentSlot'),
            freshSeed(),
          ),
        ([code = 0]) => code === 0,
      )
      const [code = 0] = answer
      if (code !== 0) throw refusal(code)
      return copied(answer.subarray(5))
    },
    processLightClientFinalityUpdate: (store, { version, ssz }, currentSlot) =>
      run((module) =>
        copied(
          module.processFinalityUpdate(
            words,
            storeOf(store),
            forkIndexOf(version),
            bytesOf(ssz),
            readUint64(currentSlot, 'currentSlot'),
          ),
        ),
      ),
    processLightClientOptimisticUpdate: (store, { version, ssz }, currentSlot) =>
      run((module) =>
        copied(
          module.processOptimisticUpdate(
            words,
            storeOf(store),
            forkIndexOf(version),
            bytesOf(ssz),
            readUint64(currentSlot, 'currentSlot'),
          ),
        ),
      ),
    processLightClientStoreForceUpdate: (store, currentSlot) =>
      run((module) =>
        copied(module.forceUpdate(words, storeOf(store), readUint64(currentSlot, 'currentSlot'))),
      ),
    isBetterUpdate: (a, b) =>
      run((module) =>
        module.isBetterUpdate(
          words,
          forkIndexOf(a.version),
          bytesOf(a.ssz),
          forkIndexOf(b.version),
          bytesOf(b.ssz),
        ),
      ),
    view: (store) => run((module) => readStoreView(module.storeView(words, storeOf(store)))),
  }
}

function bytesOf(value: unknown): Uint8Array {
  const bytes = typeof value === 'string' ? decodeHex(value) : value
  if (!isBytes(bytes)) throw new TypeError('bytes must be a Uint8Array or 0x hex')
  return genuineView(bytes)
}

/** What is no array of bytes would be taken for an empty one by the module, or exhaust its memory. */
function storeOf(store: unknown): Uint8Array {
  if (!isBytes(store)) throw new TypeError('a store must be a Uint8Array')
  return genuineView(store)
}
