/** What a blob transaction carries for each blob, worked out off the calling thread: what all adapters' twins share. */
import type { Bytes } from '../util/hex.ts'
import { notify } from '../util/notify.ts'
import type { ProverCallOptions } from '../prover/options.ts'
import type { AsyncProver } from '../prover/async-prover.ts'

/**
 * How a transaction carries its blobs: 0 with one proof for each (EIP-4844), 1 with 128 proofs for each, one for each cell
 * (EIP-7594: what networks take since Osaka).
 */
export type WrapperVersion = 0 | 1

export interface ProvedBlob {
  readonly blob: Bytes
  /** 48 bytes. */
  readonly commitment: Uint8Array
  /** 1 or 128 of 48 bytes. */
  readonly proofs: readonly Uint8Array[]
}

/** The prover's functions that are needed. */
export type BlobProver = Pick<
  AsyncProver,
  'blobToKzgCommitment' | 'computeBlobKzgProof' | 'computeCellsAndKzgProofs'
>

/** Steps of a blob beside its commitment: one proof, or those of proofs of cells. */
const STEPS = { 0: 1, 1: 18 } as const

/** Proves all blobs, side by side. Progress is of all together. */
export async function proveBlobs(
  prover: BlobProver,
  blobs: readonly Bytes[],
  version: WrapperVersion,
  { signal, onProgress }: ProverCallOptions = {},
): Promise<ProvedBlob[]> {
  readVersion(version)
  if (!Array.isArray(blobs)) throw new TypeError('blobs must be an array')
  const total = blobs.length * (1 + STEPS[version])
  let done = 0
  const step = (): void => {
    done++
    notify(onProgress, { done, total }, signal)
  }
  const steps = (reported: number): (({ done }: { readonly done: number }) => void) => {
    return ({ done }) => {
      for (; reported < done; reported++) step()
    }
  }
  const call = signal === undefined ? {} : { signal }
  return await Promise.all(
    (blobs as readonly Bytes[]).map(async (blob) => {
      const cellProofs =
        version === 1 ? prover.computeCellsAndKzgProofs(blob, { ...call, onProgress: steps(0) }) : null
      // If the commitment fails first, which is told, nobody waits for these.
      cellProofs?.catch(() => {})
      const commitment = await prover.blobToKzgCommitment(blob, call)
      step()
      if (cellProofs !== null) return { blob, commitment, proofs: (await cellProofs).proofs }
      const proof = await prover.computeBlobKzgProof(blob, commitment, call)
      step()
      return { blob, commitment, proofs: [proof] }
    }),
  )
}

/** Throws `TypeError` for what is no version: the wrong kind of proof is noticed late, and by others. */
export function readVersion(version: unknown): asserts version is WrapperVersion {
  if (version !== 0 && version !== 1)
    throw new TypeError('the wrapper version must be 0 (EIP-4844) or 1 (EIP-7594)')
}
