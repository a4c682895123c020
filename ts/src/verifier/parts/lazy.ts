/** What few calls of a verifier need, loaded when it is needed first: a page that verifies blobs downloads none of it. */
import type { BlockReader, BlockReaderOptions } from '../../beacon/block-reader.ts'
import type { ProposerOptions, ProposerSignatures } from '../../light-client/proposer.ts'
import { loadCode } from '../../runtime/load-code.ts'
import type { CommitmentKernels, CommitmentOptions } from '../batch/commitment-kernels.ts'
import type { TraceEvent, Tracer } from '../trace.ts'

export async function startBlockReader(options: BlockReaderOptions): Promise<BlockReader> {
  const start = await loadCode(async () => (await import('../../beacon/block-reader.ts')).startBlockReader)
  return await start(options)
}

export async function startProposerSignatures(options: ProposerOptions): Promise<ProposerSignatures> {
  const start = await loadCode(
    async () => (await import('../../light-client/proposer.ts')).startProposerSignatures,
  )
  return await start(options)
}

export async function startCommitmentKernels(options: CommitmentOptions): Promise<CommitmentKernels> {
  const start = await loadCode(
    async () => (await import('../batch/commitment-kernels.ts')).startCommitmentKernels,
  )
  return await start(options)
}

export async function startTracer(listener: (event: TraceEvent) => void): Promise<Tracer> {
  const start = await loadCode(async () => (await import('../trace.ts')).startTracer)
  return await start(listener)
}
