/** What few calls of a verifier need, loaded when it is needed first: a page that verifies blobs downloads none of it. */
import type { BlockReader, BlockReaderOptions } from '../../beacon/block-reader.ts'
import type { ProposerOptions, ProposerSignatures } from '../../light-client/proposer.ts'

export async function startBlockReader(options: BlockReaderOptions): Promise<BlockReader> {
  return await (await import('../../beacon/block-reader.ts')).startBlockReader(options)
}

export async function startProposerSignatures(options: ProposerOptions): Promise<ProposerSignatures> {
  return await (await import('../../light-client/proposer.ts')).startProposerSignatures(options)
}
