/** What the worker that decodes blocks does, as plain functions; also what runs in the calling thread of a verifier without workers. */
import { holdLock } from '../../runtime/pool/hold-lock.ts'
import { encodeHex } from '../../util/hex.ts'
import { type Exports, instantiate, run } from '../block/module.ts'
import { readBlockParts } from '../block/read-block.ts'
import { SszError } from '../block/errors.ts'
import type { VettedNetwork } from '../vetted-network.ts'
import { POINT_BYTES, splitFixed } from '../ssz/layout.ts'
import type { BlockApi } from './protocol.ts'

/** A trap does not outlive the task that it ends, wherever that runs: see `run` of `block/module.ts`. */
export function createBlockTasks(): BlockApi {
  let exports: Exports | undefined
  return {
    async setUp({ module }) {
      exports = instantiate(module)
      return true // there is nothing in it that engines disagree about
    },

    hold: holdLock,

    ping: () => 'blobcheck/beacon',

    readBlock(network, block, header, told) {
      if (exports === undefined) throw new Error('the worker has not been set up')
      try {
        const parts = readBlockParts(exports, block, network, undefined, told)
        const blockRoot = encodeHex(parts.root)
        const headerRoot = header === null ? blockRoot : encodeHex(rootOf(exports, header))
        if (blockRoot !== headerRoot) return { blockRoot: `0x${blockRoot}`, headerRoot: `0x${headerRoot}` }
        const commitments = splitFixed(parts.commitments, POINT_BYTES)!.map(encodeHex)
        const { header: ssz, blockHash, bid } = parts
        return { header: ssz, commitments, blockHash, bid }
      } catch (error) {
        if (!(error instanceof SszError)) throw error
        if (error.reason !== 'unsupported-fork' && isOfGloas(exports, network, block, header))
          return { reason: 'unsupported-fork', path: 'slot' }
        // As data, since errors that come from a worker have lost their class.
        return { reason: error.reason, path: error.path }
      }
    },
  }
}

/**
 * Whether SSZ that cannot be read by the fork of its slot is the header's block all the same, in the container of Gloas: then the config is older
 * than the date of Gloas, and browsers hide what the answer said of its fork.
 */
function isOfGloas(
  exports: Exports,
  network: VettedNetwork,
  block: Uint8Array | string,
  header: Uint8Array | null,
): boolean {
  if (typeof block === 'string' || header === null) return false
  try {
    const { root } = readBlockParts(exports, block, network, 'gloas')
    return encodeHex(root) === encodeHex(rootOf(exports, header))
  } catch {
    return false
  }
}

/** The header's root is computed here, whoever gave it. */
const rootOf = (exports: Exports, header: Uint8Array): Uint8Array =>
  header.length === 32 ? header : run(() => exports.headerRoot(header))
