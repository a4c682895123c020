/** Blocks that anchors name, for the verifier: decoded in a worker of their own, whose script and module most pages never need. */
import { loadTasks, spawnWorker } from '#beacon-worker'
import { CRASHED, type Crashed } from '../runtime/errors.ts'
import { compileKernel, type ReadSources } from '../runtime/kernel/module.ts'
import { startPool } from '../runtime/pool/start.ts'
import type { WarningListener } from '../runtime/warning.ts'
import { beaconFiles } from './block/files.ts'
import { BlockMismatchError, SszError } from './block/errors.ts'
import type { VettedNetwork } from './vetted-network.ts'
import type { BlockAnswer, BlockApi, ReadBlock } from './worker/protocol.ts'

/** What a block reader is started with. */
export interface BlockReaderOptions {
  readonly network: VettedNetwork
  /** Whether in a thread of its own. */
  readonly worker: boolean
  readonly wasm: ReadSources
  readonly workerUrl?: URL
  /** Called when a worker crashed. */
  readonly onCrash: () => void
  readonly onWarning: WarningListener | undefined
}

/** Decodes blocks, until it is disposed of. */
export interface BlockReader {
  /**
   * What a block says, given as SSZ or text, if it is the one of the header: 112 bytes of SSZ, or the 32 bytes of its root, or null. `told`:
   * the consensus version beside it, or null.
   * Rejects with `SszError` for what is no block and with `BlockMismatchError` for another one; `CRASHED` where two workers in a row died
   * of it.
   */
  read(
    block: Uint8Array | string,
    header: Uint8Array | null,
    told: string | null,
  ): Promise<ReadBlock | Crashed>
  dispose(): void
}

/** Starts the worker; where none can be had, the calling thread does its work. Throws `WasmUnavailableError`. */
export async function startBlockReader(options: BlockReaderOptions): Promise<BlockReader> {
  const { network, worker, wasm, workerUrl, onCrash, onWarning } = options
  const { pool } = await startPool<BlockApi>({
    host: {
      part: 'blobcheck/beacon',
      spawn: () => spawnWorker(workerUrl),
      inline: loadTasks,
    },
    workers: worker ? 1 : 0,
    orInline: true,
    kernel: 'simd128',
    compile: () => compileKernel('simd128', wasm, { ...beaconFiles, option: 'beacon: { wasm }' }),
    onlyBaseline: true,
    onWarning,
  })
  pool.onCrash = onCrash
  return {
    async read(block, header, told) {
      const answer = await pool.attemptTwice(
        async (api): Promise<BlockAnswer> => await api.readBlock(network, block, header, told),
      )
      if (answer === CRASHED) return CRASHED
      if ('reason' in answer) throw new SszError(answer.reason, answer.path)
      if ('headerRoot' in answer) throw new BlockMismatchError(answer.blockRoot, answer.headerRoot)
      return answer
    },
    dispose: () => pool.dispose(),
  }
}
