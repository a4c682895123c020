/** What users write in Node: Buffers, files, and the addresses and signals that Node has as well. */
import { Buffer } from 'node:buffer'
import { webcrypto } from 'node:crypto'
import { readFile, writeFile } from 'node:fs/promises'
import { createServer } from 'node:http'
import { createVerifier, fromSource } from 'blobcheck'
import { loadBeacon } from 'blobcheck/beacon'
import { FileStorage, LightClient } from 'blobcheck/light-client'
import { createProver } from 'blobcheck/prover'
import { createBeaconApp, makeChain } from 'blobcheck/serve'
import { readEmbeddedSidecars, serveBeacon } from 'blobcheck/serve/node'

export async function verify(): Promise<void> {
  const file: Buffer = await readFile('sidecars.ssz')
  const verifier = await createVerifier({
    wasm: { simd128: await readFile('verifier.wasm') },
    workerUrl: new URL('./worker.js', 'file:///srv/'),
    commitmentSetup: await readFile('prover-setup.bin'),
  })
  const signal = AbortSignal.timeout(1_000)
  await verifier.verifyBlobSidecars(file, { signal })
  await verifier.verifyBlobSidecars([file, fromSource(file.subarray(1), 'file')])
  await verifier.verifyBlobs([{ blob: file, commitment: Buffer.from('00', 'hex') }], {
    anchor: { block: file, header: await readFile('header.ssz') },
  })
  await verifier.verifyBlobSidecars(JSON.parse(await readEmbeddedSidecars()))
  // @ts-expect-error: the file was not awaited
  await verifier.verifyBlobSidecars(readFile('sidecars.ssz'))
  // @ts-expect-error: a server is no sidecar, and neither is the function that makes one
  await verifier.verifyBlobSidecars([createServer])
  ;(await loadBeacon()).readBlock(file)
}

export async function prove(): Promise<ArrayBuffer> {
  const prover = await createProver()
  const commitment = await prover.blobToKzgCommitment(await readFile('blob.bin'))
  await writeFile('commitment.bin', commitment)
  return await webcrypto.subtle.digest('SHA-256', commitment)
}

export async function follow(): Promise<number> {
  await LightClient.fromCheckpoint({
    checkpoint: Buffer.alloc(32),
    beacon: new URL('http://localhost:5052'),
    store: new FileStorage('kept'),
    fetch: (url, init) => fetch(url, init),
    signal: new AbortController().signal,
  })
  const chain = await makeChain({ slots: 8 })
  const server = await serveBeacon({ chain, port: 0 })
  await server.close()
  const app = createBeaconApp({ chain })
  await LightClient.fromCheckpoint({
    checkpoint: Buffer.alloc(32),
    beacon: 'http://any',
    fetch: (url, init) => app.fetch(new Request(url, init)),
  })
  return (await app.fetch(new Request('http://any/eth/v1/node/version'))).status
}
