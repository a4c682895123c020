/** What the examples of the documentation take for granted: the names that a reader fills in. */
import type { Verifier } from 'blobcheck'
import type { BlobSource } from 'blobcheck/blobs'
import type { LightClient } from 'blobcheck/light-client'
import type { Prover } from 'blobcheck/prover'
import type { Sampler } from 'blobcheck/sampler'

declare global {
  const blob: Uint8Array
  const blobs: readonly Uint8Array[]
  const cell: Uint8Array
  const cells: readonly Uint8Array[]
  const cellIndices: readonly number[]
  const commitment: Uint8Array
  const commitments: readonly Uint8Array[]
  const proof: Uint8Array
  const proofs: readonly Uint8Array[]
  const versionedHashes: readonly `0x${string}`[]
  const header: `0x${string}`
  const transaction: `0x${string}`
  const sidecar: object
  const sidecars: string
  const answerText: string
  const beacon: string
  const serializeTransaction: (transaction: object, signature?: object) => `0x${string}`
  const signal: AbortSignal
  const onProgress: (progress: object) => void
  const verifier: Verifier
  const client: LightClient
  const prover: Prover
  const sampler: Sampler
  const source: BlobSource
}
