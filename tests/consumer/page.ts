/** What users write in a page: with the platform's addresses, signals, modules and bytes. */
import { createVerifier, type WasmSource } from 'blobcheck'
import { loadKzg } from 'blobcheck/kzg'
import { LightClient } from 'blobcheck/light-client'
import { createProver } from 'blobcheck/prover'
import { createBeaconApp, makeChain } from 'blobcheck/serve'

export async function verify(): Promise<void> {
  const ending = new AbortController()
  const module: WasmSource = await WebAssembly.compileStreaming(fetch('/verifier.wasm'))
  const verifier = await createVerifier({
    workerUrl: new URL('/worker.js', location.href),
    wasm: { simd128: module, 'relaxed-simd': await (await fetch('/relaxed.wasm')).arrayBuffer() },
    commitmentSetup: new Uint8Array(await (await fetch('/setup.bin')).arrayBuffer()),
  })
  const answer = await fetch('https://a.example/eth/v1/beacon/blob_sidecars/head')
  await verifier.verifyBlobSidecars(await answer.json(), { signal: ending.signal })
  await verifier.verifyBlobSidecars(await answer.text(), { signal: AbortSignal.timeout(1_000) })
  await verifier.verifyBlobSidecars(new Uint8Array(await answer.arrayBuffer()))
  // @ts-expect-error: the answer's JSON was not awaited
  await verifier.verifyBlobSidecars(answer.json())
  // @ts-expect-error: nor was the answer itself
  await verifier.verifyBlobSidecars(fetch('https://a.example').then((response) => response.json()))
  // @ts-expect-error: an answer that was not read
  await verifier.verifyBlobSidecars(answer)
  // @ts-expect-error: nor in a list
  await verifier.verifyBlobSidecars([answer])
  // @ts-expect-error: a Blob of the platform
  await verifier.verifyBlobSidecars([await answer.blob()])
  // @ts-expect-error: a signal, and not what makes one
  await verifier.verifyBlobs([], { signal: ending })
}

/** What is computed here can be handed to the platform as it is. */
export async function versionedHash(blob: Uint8Array): Promise<ArrayBuffer> {
  const prover = await createProver()
  const commitment = await prover.blobToKzgCommitment(blob)
  const { proofs } = await prover.computeCellsAndKzgProofs(blob)
  await fetch('/proof', { method: 'POST', body: proofs[0] ?? null })
  await crypto.subtle.digest('SHA-256', (await loadKzg()).computeCells(blob)[0]!)
  return await crypto.subtle.digest('SHA-256', commitment)
}

export async function follow(): Promise<Response> {
  await LightClient.fromCheckpoint({
    checkpoint: '0x00',
    beacon: [new URL('https://a.example')],
    fetch: (url, init) => fetch(url, init),
    signal: AbortSignal.timeout(60_000),
  })
  await LightClient.fromCheckpoint({ checkpoint: '0x00', beacon: 'https://a.example', fetch })
  const app = createBeaconApp({ chain: await makeChain({ slots: 8 }) })
  await LightClient.fromCheckpoint({
    checkpoint: '0x00',
    beacon: 'https://a.example',
    fetch: (url, init) => app.fetch(new Request(url, init)),
  })
  return await app.fetch(new Request('http://any/eth/v1/node/version'))
}
