/** Proposers' signatures, for the verifier: a worker of the light client's module, since the verifier's own knows no G2. */
import { loadTasks, spawnWorker } from '#light-client-worker'
import { lightClientWords } from '../beacon/light-client-words.ts'
import type { VettedNetwork } from '../beacon/vetted-network.ts'
import { CRASHED } from '../runtime/errors.ts'
import { startPool } from '../runtime/pool/start.ts'
import type { WarningListener } from '../runtime/warning.ts'
import { compileKernel, type ReadSources } from '../runtime/kernel/module.ts'
import { lightClientFiles } from './worker/files.ts'
import type { LightClientApi } from './worker/protocol.ts'

export interface ProposerOptions {
  readonly network: VettedNetwork
  /** Whether in a thread of its own. */
  readonly worker: boolean
  readonly wasm?: ReadSources
  readonly workerUrl?: URL
  readonly onWarning: WarningListener | undefined
}

export interface ProposerSignatures {
  /**
   * Whether each SignedBeaconBlockHeader (208 bytes of SSZ) was signed by the validator with this key; null where two
   * workers in a row died of the question. Throws `TypeError` for what is no public key.
   */
  verify(pubkey: Uint8Array, signedHeaders: readonly Uint8Array[]): Promise<readonly boolean[] | null>
  dispose(): void
}

/**
 * Starts the worker. It computes with the baseline module, so that nobody needs to confirm what it refuses. Throws
 * `WasmUnavailableError`, and `TypeError` for a network that does not say what signatures are made under.
 */
export async function startProposerSignatures(options: ProposerOptions): Promise<ProposerSignatures> {
  const { network, worker, wasm = {}, workerUrl, onWarning } = options
  const words = lightClientWords(network)
  const { pool } = await startPool<LightClientApi>({
    host: {
      part: 'blobcheck/light-client',
      spawn: () => spawnWorker(workerUrl),
      inline: loadTasks,
    },
    workers: worker ? 1 : 0,
    orInline: true,
    kernel: 'simd128',
    compile: (name) => compileKernel(name, wasm, { ...lightClientFiles, option: 'lightClient: { wasm }' }),
    onlyBaseline: true,
    onWarning,
  })
  return {
    async verify(pubkey, signedHeaders) {
      const signed = await pool.attemptTwice((api) => api.proposer(words, pubkey, signedHeaders))
      if (signed === null) throw new TypeError('proposerKey is not a BLS public key')
      return signed === CRASHED ? null : signed
    },
    dispose: () => pool.dispose(),
  }
}
