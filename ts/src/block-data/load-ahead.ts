/** For processes that run for days: what a verifier loads when it is needed first, loaded before it is. */
import { internalsOf } from '../verifier/pipeline.ts'
import type { Verifier } from '../verifier/verifier.ts'

/**
 * Loads what a verifier needs for blocks and for blobs without proofs, and starts the worker that decodes blocks. Later verifiers of the process
 * find the code loaded: Node's loader keeps a load that failed, so that a module which could not be read in a moment without file descriptors
 * could never be read again. Throws `WasmUnavailableError` and `SetupUnavailableError`.
 */
export async function loadAhead(verifier: Verifier): Promise<void> {
  const { blocks, commitments, kernel } = internalsOf(verifier)
  const loadKernels = async (): Promise<void> => {
    await (await commitments.get()).load(kernel.current.name)
  }
  await Promise.all([blocks.start(), loadKernels()])
}
