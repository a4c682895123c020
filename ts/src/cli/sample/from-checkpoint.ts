/** Headers that a light client verified. */
import { clockOf, type LightClientTerms, startLightClient } from '../light-client/terms.ts'
import type { Ground } from './ground.ts'
import type { SamplePrinter } from './printer.ts'

/** Follows the chain from the checkpoint to now. Throws what `LightClient` throws. */
export async function fromCheckpoint(
  terms: LightClientTerms,
  printer: SamplePrinter,
  signal: AbortSignal,
): Promise<Ground> {
  printer.preparing('following the chain from your checkpoint')
  const client = await startLightClient(terms, signal)
  try {
    await client.sync({ signal, onProgress: (progress) => printer.syncing(progress) })
  } catch (error) {
    await client.dispose()
    throw error
  }
  return {
    headers: client,
    beacon: terms.beacon,
    network: terms.network,
    now: clockOf(terms),
    dispose: () => client.dispose(),
  }
}
