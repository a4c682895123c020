/** `await using`, which takes TypeScript 5.2 and `ESNext.Disposable` in the project's own lib. */
import { createVerifier } from 'blobcheck'
import { LightClient } from 'blobcheck/light-client'
import { createProver } from 'blobcheck/prover'
import { makeChain } from 'blobcheck/serve'
import { serveBeacon, serveExecution } from 'blobcheck/serve/node'

export async function all(): Promise<void> {
  await using verifier = await createVerifier()
  await using prover = await createProver()
  await using client = await LightClient.fromCheckpoint({ checkpoint: '0x00', beacon: 'https://a.example' })
  const chain = await makeChain({ slots: 8 })
  await using beacon = await serveBeacon({ chain })
  await using execution = await serveExecution({ chain })
  const disposables: AsyncDisposable[] = [verifier, prover, client, beacon, execution]
  void disposables
}
