/** Parts of a verifier that no entry exports, for tests of them by themselves. The package's declarations leave out what is internal. */
import { kzgFiles } from '../../dist/kzg/files.js'
import { instantiate } from '../../dist/kzg/module.js'
import { compileKernel } from '../../dist/runtime/kernel/module.js'
import * as buffers from '../../dist/verifier/buffer-pool.js'
import * as callItems from '../../dist/verifier/call-items.js'
import * as checkItems from '../../dist/verifier/check-items.js'
import * as sidecarList from '../../dist/verifier/sidecar-list.js'
import * as takenItems from '../../dist/verifier/taken-items.js'
import type * as bufferSources from '../../ts/src/verifier/buffer-pool.ts'
import type * as callSources from '../../ts/src/verifier/call-items.ts'
import type * as listSources from '../../ts/src/verifier/sidecar-list.ts'
import type * as takenSources from '../../ts/src/verifier/taken-items.ts'

export const { BufferPool, PooledCopies } = buffers as unknown as typeof bufferSources
export const { CallItems } = callItems as unknown as typeof callSources
export const { sidecarsOf } = sidecarList as unknown as typeof listSources
export { SourcedSidecar } from '../../dist/verifier/sourced-sidecar.js'
export const { bufferPoolFor } = checkItems as unknown as {
  bufferPoolFor(pool: object): bufferSources.BufferPool
}
export const { TakenItems } = takenItems as unknown as typeof takenSources
export type BufferPool = bufferSources.BufferPool
export type CallItems = callSources.CallItems
export type ItemChunk = callSources.ItemChunk
export type TakenBuffer = takenSources.TakenBuffer
export type TakenItems = takenSources.TakenItems

/** The baseline, in this thread. */
export const startCore = async (): Promise<ReturnType<typeof instantiate>> =>
  instantiate('simd128', await compileKernel('simd128', {}, kzgFiles))
