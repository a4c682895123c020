/** What a blob transaction carries for each blob, computed off the calling thread, and hex as the wallets’ libraries type it. */
import { genuineView, isBytes } from '../util/bytes.ts'
import { type Bytes, encodeHex } from '../util/hex.ts'
import { notify } from '../util/notify.ts'
import { joinSignals } from '../util/signals.ts'
import type { Kzg } from '../kzg/index.ts'
import { KzgInputError } from '../kzg/input-error.ts'
import { type ProverCallOptions, readCallOptions } from '../prover/options.ts'
import type { AsyncProver } from '../prover/async-prover.ts'
import type { Prover } from '../prover/prover.ts'
import { isSynchronous } from '../prover/synchronous.ts'

/** A string of 0x and hex digits, as the wallets’ libraries type it. */
export type Hex = `0x${string}`

/** Bytes as 0x and lower-case digits; a string, which is hex already, is passed on as it is. */
export function toHex(bytes: Bytes): Hex {
  return typeof bytes === 'string' ? (bytes as Hex) : `0x${encodeHex(bytes)}`
}

/**
 * How a transaction in network form carries its blobs. In version 0 there is one proof for each blob (EIP-4844). In version 1 there are
 * 128 proofs for each, one for each of its cells (EIP-7594); networks take no other since Osaka.
 */
export type WrapperVersion = 0 | 1

/** A blob with what a transaction carries for it. */
export interface ProvedBlob {
  readonly blob: Bytes
  /** 48 bytes. */
  readonly commitment: Uint8Array
  /** One proof, or 128, of 48 bytes each. */
  readonly proofs: readonly Uint8Array[]
}

/** The functions of a prover that the adapters need: what `createProver` resolves with has them. */
export type BlobProver = Pick<
  AsyncProver,
  'blobToKzgCommitment' | 'computeBlobKzgProof' | 'computeCellsAndKzgProofs'
>

/** Steps of a blob beside its commitment: one proof, or those of proofs of cells. */
const STEPS = { 0: 1, 1: 18 } as const
/** What makes the proofs of a blob. */
const PROVES = { 0: 'computeBlobKzgProof', 1: 'computeCellsAndKzgProofs' } as const

/**
 * Proves all blobs as they are now, side by side: whoever handed them in may change them during the call. Progress is of all of them
 * together. Rejects with `TypeError` for a version that is none and for a prover that answers at once, with the signal's reason, and with
 * `KzgInputError` for what is no blob, whose `index` is its place in the list. The first blob that cannot be proved ends the others.
 */
export async function proveBlobs(
  prover: BlobProver,
  blobs: readonly Bytes[],
  version: WrapperVersion,
  options?: ProverCallOptions,
): Promise<ProvedBlob[]> {
  const { signal, onProgress } = readCallOptions(options)
  readVersion(version)
  refuseSynchronous(prover, ['blobToKzgCommitment', PROVES[version]])
  if (!Array.isArray(blobs)) throw new TypeError('blobs must be an array')
  signal?.throwIfAborted()
  const total = blobs.length * (1 + STEPS[version])
  let done = 0
  const step = (): void => {
    done++
    notify(onProgress, { stage: 'prove', done, total }, either)
  }
  const steps = (reported: number): (({ done }: { readonly done: number }) => void) => {
    return ({ done }) => {
      for (; reported < done; reported++) step()
    }
  }
  // Copies: the prover reads a blob more than once, and what is returned has it, too.
  const given = Array.from(blobs as readonly Bytes[], (blob) =>
    isBytes(blob) ? new Uint8Array(genuineView(blob)) : blob,
  )
  const end = new AbortController()
  const { either, release } = joinSignals([signal, end.signal])
  const call = { signal: either }
  /** What a prover answers later. Once one has answered at once, it is not asked for the next blob. */
  const promised = <T>(answer: Promise<T>): Promise<T> => {
    if (typeof answer?.then === 'function') return answer
    const error = new TypeError(SYNCHRONOUS)
    end.abort(error)
    throw error
  }
  return await Promise.all(
    given.map(async (blob, at) => {
      end.signal.throwIfAborted()
      try {
        const cellProofs =
          version === 1
            ? promised(prover.computeCellsAndKzgProofs(blob, { ...call, onProgress: steps(0) }))
            : null
        // If the commitment fails first, which is told, nobody waits for these.
        cellProofs?.catch(() => {})
        const commitment = await promised(prover.blobToKzgCommitment(blob, call))
        step()
        if (cellProofs !== null) return { blob, commitment, proofs: (await cellProofs).proofs }
        const proof = await prover.computeBlobKzgProof(blob, commitment, call)
        step()
        return { blob, commitment, proofs: [proof] }
      } catch (error) {
        if (!isInputError(error)) throw error
        // The prover was given one blob, and says of each that it is the first. What it says beside its place stands.
        throw new KzgInputError(error.code, at, error.field, /: (.+)/.exec(error.message)?.[1])
      }
    }),
  ).finally(() => {
    // Where one has failed, the others would be proved for nobody.
    end.abort()
    release()
  })
}

/**
 * Throws `TypeError` for what has not these functions, and where they are of `loadProver`: they would stop the page for each blob, which is not
 * what is asked for here. Anybody's may be called which answer with promises.
 */
export function refuseSynchronous(prover: BlobProver, names: readonly (keyof BlobProver)[]): void {
  for (const name of names) {
    const compute: unknown = prover?.[name]
    if (typeof compute !== 'function' || isSynchronous(compute)) throw new TypeError(SYNCHRONOUS)
  }
}

const SYNCHRONOUS =
  'prover must be what createProver() resolves with, which proves off the calling thread: what loadProver() resolves with is for the functions that make a kzg'

/** Whether an error is a `KzgInputError`, also one of another copy of this package. */
export function isInputError(error: unknown): error is KzgInputError {
  return error instanceof Error && error.name === 'KzgInputError'
}

/**
 * A prover's `blobToKzgCommitment`, which libraries call before they ask for proofs. They take what it returns for bytes, and some sign an empty
 * commitment where it is a promise. So this throws `TypeError` for a prover of worker threads and for what is no prover, and the function does
 * where it gets no bytes. `other` takes provers of worker threads.
 */
export function committing(
  prover: Pick<Prover, 'blobToKzgCommitment'> & { readonly workers?: unknown; readonly dispose?: unknown },
  other: string,
): Prover['blobToKzgCommitment'] {
  const { blobToKzgCommitment, workers, dispose } = prover ?? {}
  const isOfWorkers = typeof workers === 'number' && typeof dispose === 'function'
  if (typeof blobToKzgCommitment !== 'function' || isOfWorkers) throw new TypeError(asynchronous(other))
  return (blob) => {
    const commitment = blobToKzgCommitment(blob)
    if (isBytes(commitment)) return commitment
    return refuseLater(commitment, asynchronous(other))
  }
}

const asynchronous = (other: string): string =>
  `prover must be what loadProver() resolves with, since it is called synchronously: ${other} takes what createProver() resolves with`

/**
 * These functions of a verifier, as libraries call them. They ask whether what is returned is true, which a promise is, whatever becomes of it. So this
 * throws `TypeError` for what has no such functions, and a function does where it gets no boolean.
 */
export function deciding<
  Name extends 'verifyKzgProof' | 'verifyBlobKzgProofBatch' | 'verifyCellKzgProofBatch',
>(verifier: Pick<Kzg, Name>, names: readonly Name[]): Pick<Kzg, Name> {
  const functions = names.map((name) => {
    const verify: unknown = verifier?.[name]
    if (typeof verify !== 'function') throw new TypeError(NO_VERIFIER)
    const decide = (...args: unknown[]): boolean => {
      const answer: unknown = Reflect.apply(verify, verifier, args)
      if (typeof answer === 'boolean') return answer
      return refuseLater(answer, NO_VERIFIER)
    }
    return [name, decide] as const
  })
  return Object.fromEntries(functions) as unknown as Pick<Kzg, Name>
}

/** Throws `TypeError` for an answer that may be a promise: nobody hears any more how that ends. */
function refuseLater(answer: unknown, message: string): never {
  Promise.resolve(answer).catch(() => {})
  throw new TypeError(message)
}

const NO_VERIFIER = 'verifier must be what loadKzg() resolves with, since it is called synchronously'

/** Throws `TypeError` for what is no version: the wrong kind of proof is noticed late, and by others. */
export function readVersion(version: unknown): asserts version is WrapperVersion {
  if (version !== 0 && version !== 1)
    throw new TypeError('the wrapper version must be 0 (EIP-4844) or 1 (EIP-7594)')
}
