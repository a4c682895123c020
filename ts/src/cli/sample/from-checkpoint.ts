/** Headers that a light client verified. */
import { clockOf, type LightClientTerms, startLightClient } from '../light-client/terms.ts'
import type { Ground } from './ground.ts'
import type { LightClientReport } from '../../light-client/index.ts'
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
    trouble: () => troubleOf(client.report()),
    dispose: () => client.dispose(),
  }
}

/** Endpoints that are of no use at present, and why. */
function troubleOf({ endpoints }: LightClientReport): string | null {
  const told = endpoints.flatMap(({ name, state, lastFailure }) =>
    state === 'good' || lastFailure === null ? [] : [`${name}: ${lastFailure.kind} (${lastFailure.detail})`],
  )
  return told.length === 0 ? null : told.join('; ')
}
