/** What users write in any project, with or without the types of a platform. Lines that must not compile say so. */
import {
  createVerifier,
  fromSource,
  type JsonObject,
  type Reason,
  type StageProgress,
  type TraceEvent,
  type Verdict,
} from 'blobcheck'
import { toViemSidecars } from 'blobcheck/adapters/viem'
import { loadBeacon } from 'blobcheck/beacon'
import { loadKzg } from 'blobcheck/kzg'
import { LightClient } from 'blobcheck/light-client'
import { createProver, type ProverProgress } from 'blobcheck/prover'
import { type BlobCache, type BlobsReason, createBlobSource } from 'blobcheck/blobs'
import { createSampler, type SampleProgress } from 'blobcheck/sampler'
import { makeChain } from 'blobcheck/serve'

/** An answer as a generated client describes it: an interface, which has no index signature. */
interface BlobSidecar {
  index: string
  blob: string
  kzg_commitment: string
}

declare const parsed: any
declare const described: BlobSidecar
declare const asked: Promise<BlobSidecar>
declare const bytes: Uint8Array

/** A span of the verifier, in the lane of its worker. */
function laneOf({ stage, items, worker, start, end }: TraceEvent): string {
  const lane: number | null = worker
  const isKzg = stage === 'kzg' || stage === 'close'
  return `${lane} ${isKzg} ${end - start} ${items.map(({ call, item }) => `${call}.${item ?? 'all'}`).join()}`
}

/** One listener for everything that takes time. */
const listener = ({ stage, done, total }: StageProgress<string>): string => `${stage} ${done}/${total}`

export async function verify(): Promise<string[]> {
  const verifier = await createVerifier({
    network: 'mainnet',
    workers: 2,
    onWarning: ({ code }) => code,
    onTrace: laneOf,
  })
  const verdicts = await verifier.verifyBlobs([{ blob: bytes, commitment: '0x00', proof: bytes }], {
    onProgress: listener,
    mode: 'cheap',
  })
  await verifier.verifyBlobSidecars([parsed, described, bytes, '0x00', fromSource(described, 'peer 7')])
  await verifier.verifyBlobSidecars({ data: [described] })
  await verifier.verifyBlobSidecars([{ index: '0', blob: '0x00' }])
  await verifier.verifyBlobSidecars('{"data":[]}')
  await verifier.verifyDataColumnSidecars(parsed)
  // @ts-expect-error: a promise that was not awaited
  await verifier.verifyBlobSidecars(asked)
  // @ts-expect-error: a promise that was not awaited, of anything
  await verifier.verifyBlobSidecars(Promise.resolve(parsed))
  // @ts-expect-error: promises in a list
  await verifier.verifyBlobSidecars([asked])
  // @ts-expect-error: promises in an answer
  await verifier.verifyBlobSidecars({ data: [asked] })
  // @ts-expect-error: a function
  await verifier.verifyBlobSidecars([() => described])
  // @ts-expect-error: a function that is asynchronous
  await verifier.verifyDataColumnSidecars([async () => described])
  // @ts-expect-error: a class
  await verifier.verifyBlobSidecars([class {}])
  // @ts-expect-error: a list of functions in a list
  await verifier.verifyBlobSidecars([[() => described]])
  // @ts-expect-error: a map
  await verifier.verifyBlobSidecars([new Map([['index', '0']])])
  // @ts-expect-error: a promise
  fromSource(asked, 'peer 7')
  // @ts-expect-error: bytes without a view
  await verifier.verifyBlobs([], { anchor: { block: new ArrayBuffer(8) } })
  // @ts-expect-error: a view of another kind
  await verifier.verifyBlobs([], { anchor: { block: new DataView(new ArrayBuffer(8)) } })
  // @ts-expect-error: a promise for a block
  await verifier.verifyBlobs([], { anchor: { block: asked } })
  // @ts-expect-error: no such option
  await verifier.verifyBlobs([], { anchors: 'none' })
  // @ts-expect-error: an option that is there and has no value
  await createVerifier({ network: undefined })
  await verifier.dispose()
  return verdicts.map(inWords)
}

/** All verdicts but valid ones have a reason, and each status narrows. */
function inWords(verdict: Verdict): string {
  if (verdict.status === 'valid') return `${verdict.via} ${verdict.digest}`
  const reason: Reason = verdict.reason
  if (verdict.status === 'unchecked') {
    const cheap: 'cheap-mode' = verdict.reason
    return cheap
  }
  if (verdict.status === 'error') return `${verdict.reason}, try again`
  // @ts-expect-error: only valid verdicts have a digest
  void verdict.digest
  return `${verdict.stage} ${reason} ${verdict.sources.join()}`
}

export async function transaction(): Promise<Reason | null> {
  const verifier = await createVerifier()
  const verdict = await verifier.verifyBlobTransaction(bytes, { fork: 'osaka' })
  const reasons = verdict.blobs.map((blob) => (blob.status !== 'valid' ? blob.reason : null))
  return verdict.status !== 'valid' ? verdict.reason : (reasons[0] ?? null)
}

export async function prove(): Promise<Uint8Array[]> {
  const prover = await createProver({ workers: 1 })
  const onProgress = ({ stage }: ProverProgress): 'prove' | 'prepare' => stage
  const { cells, proofs } = await prover.computeCellsAndKzgProofs(bytes, { onProgress })
  await toViemSidecars(prover, [bytes, '0x00'], { onProgress: listener })
  const kzg = await loadKzg()
  return [...cells, ...proofs, ...kzg.computeCells(bytes)]
}

export async function follow(): Promise<number> {
  const client = await LightClient.fromCheckpoint({
    network: 'mainnet',
    checkpoint: '0x00',
    beacon: 'https://a.example',
  })
  await client.sync({ onProgress: listener })
  const header: JsonObject = client.finalized
  ;(await loadBeacon()).readBlock(header)
  const verifier = await createVerifier()
  const sampler = createSampler({ verifier, headers: client, beacon: ['https://a.example'] })
  await sampler.sampleBlock('head', { onProgress: listener })
  await sampler.sampleBlock('head', { onProgress: columnOf })
  const chain = await makeChain({ slots: 8, onProgress: listener })
  return chain.head.slot
}

export async function find(headers: LightClient, cache: BlobCache): Promise<BlobsReason> {
  const verifier = await createVerifier()
  const source = createBlobSource({ verifier, headers, cache, beacon: 'https://a.example' })
  const { blobs } = await source.get({ slot: 'head', onProgress: listener })
  for (const { blob, index } of blobs) await cache.put(`${index ?? 0}`, blob)
  const anchor = { executionHeader: { rlp: bytes } }
  const { links, reason } = await source.get({ transaction: '0x00', anchor })
  if (links['execution-block'] === 'absent') return reason
  // @ts-expect-error: nothing is asked for
  await source.get({})
  // @ts-expect-error: two things are asked for
  await source.get({ transaction: '0x00', slot: 5 })
  // @ts-expect-error: versioned hashes are of a block that is named
  await source.get({ versionedHashes: ['0x01'], slot: 'head' })
  // @ts-expect-error: an anchor is of an execution block
  await source.get({ slot: 5, anchor })
  await source.get({ blockHash: '0x00', anchor, deadlineMs: 5 })
  return (await source.get({ versionedHashes: ['0x01'], slot: 7 })).reason
}

function columnOf(progress: SampleProgress): number | null {
  if (progress.kind === 'fetched') return progress.column
  // @ts-expect-error: only an event that says so has a report
  void progress.report
  return progress.stage === 'report' ? progress.report.bytes : null
}
