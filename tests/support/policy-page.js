/**
 * A page that verifies a blob and refuses another, and tells its parent what it came to, or what was thrown. Run by `policies.test.ts` in frames
 * with policies of their own; how many workers it asks for is in its URL (`?workers=2`), which may say nothing of that.
 */
import { createVerifier } from 'blobcheck'
import { makeBadBlob, makeBlob } from './make.ts'

// Vitest has every import() go through its runner, which this page does not have.
globalThis.__vitest_browser_runner__ ??= { wrapDynamicImport: (load) => load() }

async function outcome() {
  const workers = new URL(import.meta.url).searchParams.get('workers')
  const warnings = []
  const verifier = await createVerifier({
    cache: false,
    onWarning: (warning) => warnings.push(warning),
    ...(workers !== null && { workers: Number(workers) }),
  })
  const verdicts = await verifier.verifyBlobs([makeBlob(1), makeBadBlob(2)])
  await verifier.dispose()
  return { statuses: verdicts.map(({ status }) => status), workers: verifier.workers, warnings }
}

const answer = await outcome().catch(({ name, message }) => ({ name, message }))
parent.postMessage(answer, '*')
