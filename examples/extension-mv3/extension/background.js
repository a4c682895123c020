import { createVerifier } from './blobcheck.js'

// A service worker can start no workers and import nothing later: it computes itself, and has everything in one file.
let starting

chrome.runtime.onMessage.addListener(({ sidecars }, _sender, respond) => {
  verify(sidecars).then(respond, (error) => respond({ error: String(error) }))
  return true // respond is called later
})

async function verify(sidecars) {
  const verifier = await (starting ??= createVerifier({ network: 'holesky', workers: 0 }))
  const verdicts = await verifier.verifyBlobSidecars(sidecars)
  return { verdicts: verdicts.map(({ status, reason }) => ({ status, reason })) }
}
