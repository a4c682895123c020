/**
 * The specification's functions alone, synchronous, for those who bring their own transport: pure functions over a store,
 * which is bytes. Source: specs/{altair,capella,deneb,electra,gloas}/light-client/sync-protocol.md; names are theirs.
 */
import { type Bytes, decodeHex } from '../util/hex.ts'
import { isBytes, genuineView } from '../util/bytes.ts'
import { optionsOf, reading, refuseUnknown } from '../util/options.ts'
import { readUint64 } from '../util/uint64.ts'
import { WasmUnavailableError } from '../runtime/errors.ts'
import { lightClientWords } from '../beacon/light-client-words.ts'
import type { NetworkConfig, NetworkName } from '../beacon/networks.ts'
import { resolveNetwork } from '../beacon/vetted-network.ts'
import { chooseKernel, type KernelName } from '../runtime/kernel/kernel.ts'
import { compileKernel, readSources, type WasmSources } from '../runtime/kernel/module.ts'
import { freshSeed } from '../runtime/platform/seed.ts'
import { forkIndexOf, forkOfNamed, forkOfObject, isOfOtherDate, type SlotForks } from './worker/decode.ts'
import { Undecodable } from '../beacon/answer.ts'
import type { ForkIndex, ObjectKind } from '../beacon/ssz/light-client-json.ts'
import { LightClientError, type LightClientReason } from './errors.ts'
import { lightClientFiles } from './worker/files.ts'
import { type Exports, instances } from './worker/module.ts'
import { readStoreView, type StoreView } from './worker/views.ts'

/** A light-client object in SSZ. */
export interface VersionedObject {
  /**
   * The consensus version whose containers it is written in ('altair' to 'gloas'): `Eth-Consensus-Version` of the answer, as it came. Where that cannot
   * be read, as in browsers where the server does not expose it, leave it out: null and `''` are the same. It is then read as its length and
   * its slot have it.
   */
  readonly version?: string | null | undefined
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
 * is refused throws `LightClientError` with its reason, which is `unsupported-fork` for an object of a fork that this version or the network's
 * config does not know. A store is bytes in a form of this package, for one network. Slots are uint64; what is none, or is no bytes, or a version
 * that is no text, is a `TypeError`.
 *
 * @example
 * ```ts
 * import { type LightClientSpec, loadLightClientSpec, type VersionedObject } from 'blobcheck/light-client'
 *
 * async function get(path: string): Promise<VersionedObject> {
 *   const url = `${beacon}/eth/v1/beacon/light_client/${path}`
 *   const answer = await fetch(url, { headers: { accept: 'application/octet-stream' } })
 *   const version = answer.headers.get('eth-consensus-version')
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
  const config = resolveNetwork(network)
  const words = lightClientWords(config)
  const committeeSize = config.syncCommitteeSize
  const sources = readSources(wasm)
  const load = async (name: KernelName): Promise<Exports> =>
    instances.instantiate(name, await compileKernel(name, sources, lightClientFiles))
  const { name } = await chooseKernel(kernel)
  const baseline = await load('simd128')
  const fast = name === 'simd128' ? null : await load(name)
  const isSound = fast !== null && runOn(name, (exports) => exports.fused())
  if (fast !== null && !isSound && kernel !== 'auto')
    throw new WasmUnavailableError('the relaxed-simd kernel is not sound here: its own probe failed')

  /** Runs a function of the module; anything but a result of the fast one is decided by the baseline. */
  function run<T>(task: (exports: Exports) => T): T {
    if (!isSound) return runOn('simd128', task)
    try {
      return runOn(name, task)
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
      throw typeof error === 'number' ? refusal(error) : error
    }
  }
  const refusal = (code: number): LightClientError =>
    new LightClientError(baseline.reasonName(code) as LightClientReason)
  const accept = (code: number): void => {
    if (code !== 0) throw refusal(code)
  }
  const copied = (store: Uint8Array): Uint8Array => new Uint8Array(store)
  const forks: SlotForks = {
    atSlot: (slot) => run((module) => (module.forkAtSlot(words, slot) ?? null) as ForkIndex | null),
    committeeSize,
  }

  /** An object with its fork: that which is named, or that of its slot. */
  function read(kind: ObjectKind, object: VersionedObject): ReadObject {
    const { version, ssz } = reading(() => fieldsOf(kind, object))
    try {
      if (version === '') return { ssz, fork: forkOfObject(kind, ssz, forks) }
      return { ssz, fork: forkOfNamed(kind, forkIndexOf(version), ssz, forks) }
    } catch (error) {
      if (!(error instanceof Undecodable)) throw error
      // Of a version that is named, its fork is all that was looked at.
      const isOfFork = version !== '' || error.kind === 'unsupported-fork'
      throw new LightClientError(isOfFork ? 'unsupported-fork' : 'object-length')
    }
  }

  /**
   * Runs a function of the module on an object. Its proofs of the execution layer cannot hold where by the network's config the slot of a header is on
   * the other side of Gloas than the header's form: that is less the object's fault than that of a config with another date.
   */
  function judge<T>(
    kind: ObjectKind,
    object: VersionedObject,
    task: (module: Exports, fork: ForkIndex, ssz: Uint8Array) => T,
  ): T {
    const { fork, ssz } = read(kind, object)
    try {
      return run((module) => task(module, fork, ssz))
    } catch (error) {
      const isUnproven = error instanceof LightClientError && error.reason === 'execution-mismatch'
      throw isUnproven && isOfOtherDate(kind, fork, ssz, forks)
        ? new LightClientError('unsupported-fork')
        : error
    }
  }

  return {
    initializeLightClientStore: (root, bootstrap) =>
      judge('bootstrap', bootstrap, (module, fork, ssz) =>
        copied(module.initializeStore(words, fork, bytesOf(root), ssz)),
      ),
    validateLightClientUpdate: (store, update, currentSlot) =>
      judge('update', update, (module, fork, ssz) =>
        accept(
          module.validateUpdate(words, storeOf(store), fork, ssz, readUint64(currentSlot, 'currentSlot')),
        ),
      ),
    processLightClientUpdate: (store, update, currentSlot) =>
      judge('update', update, (module, fork, ssz) => {
        const answer = module.processUpdates(
          words,
          storeOf(store),
          Uint8Array.of(fork),
          ssz,
          Uint32Array.of(ssz.length),
          readUint64(currentSlot, 'currentSlot'),
          freshSeed(),
        )
        accept(answer[0] ?? 0)
        return copied(answer.subarray(5))
      }),
    processLightClientFinalityUpdate: (store, update, currentSlot) =>
      judge('finality-update', update, (module, fork, ssz) =>
        copied(
          module.processFinalityUpdate(
            words,
            storeOf(store),
            fork,
            ssz,
            readUint64(currentSlot, 'currentSlot'),
          ),
        ),
      ),
    processLightClientOptimisticUpdate: (store, update, currentSlot) =>
      judge('optimistic-update', update, (module, fork, ssz) =>
        copied(
          module.processOptimisticUpdate(
            words,
            storeOf(store),
            fork,
            ssz,
            readUint64(currentSlot, 'currentSlot'),
          ),
        ),
      ),
    processLightClientStoreForceUpdate: (store, currentSlot) =>
      run((module) =>
        copied(module.forceUpdate(words, storeOf(store), readUint64(currentSlot, 'currentSlot'))),
      ),
    isBetterUpdate(newUpdate, oldUpdate) {
      const old = read('update', oldUpdate)
      return judge('update', newUpdate, (module, fork, ssz) =>
        module.isBetterUpdate(words, fork, ssz, old.fork, old.ssz),
      )
    },
    view: (store) => run((module) => readStoreView(module.storeView(words, storeOf(store)))),
  }
}

/** An object whose fork is known. */
interface ReadObject {
  readonly fork: ForkIndex
  readonly ssz: Uint8Array
}

/** What the caller's object has; `version` is empty where none is given. Throws `TypeError`. */
function fieldsOf(kind: ObjectKind, object: VersionedObject): { version: string; ssz: Uint8Array } {
  const name = kind === 'bootstrap' ? kind : 'update'
  const { version, ssz } = optionsOf(object, name)
  const named: unknown = version ?? ''
  if (typeof named !== 'string')
    throw new TypeError(`${name}.version must be a consensus version, as text, or left out`)
  return { version: named, ssz: bytesOf(ssz) }
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
