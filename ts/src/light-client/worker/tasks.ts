/** What the light client's worker does, as plain functions; also what runs in the calling thread with `worker: false`. */
import { pack } from '../../util/packed.ts'
import { isTrap } from '../../runtime/kernel/module.ts'
import type { KernelName } from '../../runtime/kernel/kernel.ts'
import { holdLock } from '../../runtime/pool/hold-lock.ts'
import { decodeHeader, Undecodable } from '../../beacon/answer.ts'
import { type Exports, instances } from './module.ts'
import type { LightClientApi } from './protocol.ts'
import { readFailure, takeStep } from './steps.ts'

/** The first byte of the compressed point at infinity, which is nobody's key. */
const INFINITY = 0xc0

/** `survive`: what to do about an instance that trapped. A worker thread is replaced; the calling thread revives it. */
export function createLightClientTasks(survive: 'die' | 'revive'): LightClientApi {
  let own: { readonly kernel: KernelName; readonly module: WebAssembly.Module } | undefined

  function guard<T>(baseline: WebAssembly.Module | null, task: (exports: Exports) => T): T {
    const { kernel, module } =
      baseline === null ? (own ?? notSetUp()) : { kernel: 'simd128' as const, module: baseline }
    const exports = instances.instantiate(kernel, module)
    try {
      return task(exports)
    } catch (error) {
      if (isTrap(error) && survive === 'revive') instances.revive(kernel)
      throw error
    }
  }

  return {
    async setUp({ kernel, module }) {
      own = { kernel, module }
      return guard(null, (exports) => exports.fused())
    },

    hold: holdLock,

    ping: () => 'blobcheck/light-client',

    step: (step, terms) => guard(terms.baseline, (exports) => takeStep(exports, step, terms)),

    ancestors: (trusted, headers) =>
      guard(null, (exports) => {
        try {
          const roots = exports.parentChain(trusted, pack(headers).bytes)
          return headers.map((_, at) => roots.slice(32 * at, 32 * at + 32))
        } catch (error) {
          return readFailure(exports, error)
        }
      }),

    proposer: (network, pubkey, signedHeaders) =>
      guard(null, (exports) => {
        const isKey = exports.isPointOfG1(pubkey) && pubkey[0] !== INFINITY
        const words = network as BigUint64Array<ArrayBuffer>
        return isKey
          ? signedHeaders.map((header) => exports.verifyProposerSignature(words, pubkey, header))
          : null
      }),

    header(answer) {
      try {
        return decodeHeader(answer)
      } catch (error) {
        if (error instanceof Undecodable) return { kind: error.kind, detail: error.message }
        throw error
      }
    },
  }
}

function notSetUp(): never {
  throw new Error('the worker has not been set up')
}
