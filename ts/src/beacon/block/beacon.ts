/** `blobcheck/beacon`: beacon blocks, decoded and hashed in the calling thread. */
import { compileKernel, readSources, type WasmSource } from '../../runtime/kernel/module.ts'
import { chooseKernel } from '../../runtime/kernel/kernel.ts'
import { optionsOf, reading, refuseUnknown } from '../../util/options.ts'
import type { NetworkConfig, NetworkName } from '../networks.ts'
import { resolveNetwork } from '../vetted-network.ts'
import { beaconFiles } from './files.ts'
import { type BlockFork, isBlockFork } from './fork.ts'
import { instantiate, run } from './module.ts'
import { type DecodedBlock, readBlock } from './read-block.ts'
import type { BlockSource } from './source.ts'

/** Options of `loadBeacon`. */
export interface BeaconOptions {
  /** The WebAssembly module, where it cannot be fetched from beside the package's own files. There is one variant of it. */
  readonly wasm?: { readonly simd128?: WasmSource }
}

/** Options of `readBlock`. */
export interface ReadBlockOptions {
  /** The network whose forks and preset apply. Default mainnet. */
  readonly network?: NetworkName | NetworkConfig
  /** The fork that the block is of, whatever the network's schedule says of its slot. */
  readonly fork?: BlockFork
}

/** Functions over beacon blocks, synchronous. */
export interface Beacon {
  /**
   * Decodes a block of Deneb, Electra, Fulu or Gloas, signed or not, and computes its `hash_tree_root` (specs/&lt;fork&gt;/beacon-chain.md,
   * ssz/simple-serialize.md). Strict: every offset, limit and bit is checked, and nothing may be left over. The fork is that of the block's
   * slot, or `fork`; an answer's `version` must agree with it. Signatures are not looked at: whoever trusts the root, trusts what is here.
   *
   * Throws `SszError` for what is malformed, `TypeError` for options that make no sense, and `WasmUnavailableError` where there is no memory for
   * the block.
   *
   * @example
   * ```ts
   * import { loadBeacon } from 'blobcheck/beacon'
   *
   * const beacon = await loadBeacon()
   * const { slot, root, commitments } = beacon.readBlock(answerText, { network: 'mainnet' })
   * console.log(slot, root === header, commitments.length)
   * ```
   */
  readBlock(block: BlockSource, options?: ReadBlockOptions): DecodedBlock
}

/**
 * Loads the module that reads beacon blocks into the calling thread: 17 kB (brotli). A block of mainnet takes some milliseconds. Rejects with
 * `WasmUnavailableError` where the module cannot be loaded.
 *
 * @example
 * ```ts
 * import { loadBeacon } from 'blobcheck/beacon'
 *
 * export async function commitmentsOf(url: string, trustedRoot: string): Promise<readonly string[]> {
 *   const answer = await fetch(`${url}/eth/v2/beacon/blocks/${trustedRoot}`, { headers: { accept: 'application/octet-stream' } })
 *   if (!answer.ok) throw new Error(`the endpoint answered ${answer.status}`)
 *   const beacon = await loadBeacon()
 *   const block = beacon.readBlock(new Uint8Array(await answer.arrayBuffer()), { network: 'mainnet' })
 *   if (block.root !== trustedRoot) throw new Error('the endpoint gave another block')
 *   return block.commitments
 * }
 * ```
 */
export async function loadBeacon(options: BeaconOptions = {}): Promise<Beacon> {
  const sources = reading(() => {
    const { wasm, ...unknown } = optionsOf(options)
    refuseUnknown(unknown)
    return readSources(wasm)
  })
  await chooseKernel('simd128')
  const exports = instantiate(await compileKernel('simd128', sources, beaconFiles))
  return {
    readBlock(block, options = {}) {
      const [vetted, fork] = reading(() => {
        const { network, fork, ...unknown } = optionsOf(options)
        refuseUnknown(unknown)
        if (fork !== undefined && !isBlockFork(fork))
          throw new TypeError("fork must be 'deneb', 'electra', 'fulu' or 'gloas'")
        return [resolveNetwork(network), fork] as const
      })
      // All of it, since there may be no memory either for what is read on the way to the module.
      return run(() => readBlock(exports, block, vetted, fork))
    },
  }
}
