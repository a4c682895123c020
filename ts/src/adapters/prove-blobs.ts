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

/** One byte more than a blob has: of what is longer no more is copied. By `BLOB_BYTES` each page would load the layouts of sidecars, too. */
const TOO_LONG = 131_073
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
    isBytes(blob) ? new Uint8Array(genuineView(blob).subarray(0, TOO_LONG)) : blob,
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
 * These functions of a prover, as libraries call them. They take what is returned for bytes, and some sign an empty commitment where it is a
 * promise. So this throws `TypeError` for a prover of worker threads and for what is no prover, and a function does where it gets
 * neither bytes nor cells nor proofs. `other` takes provers of worker threads.
 */
export function computing<Name extends keyof Prover>(
  prover: Pick<Prover, Name>,
  names: readonly Name[],
  other: string,
): Pick<Prover, Name> {
  const message = `prover must be what loadProver() resolves with, since it is called synchronously: ${other} takes what createProver() resolves with`
  const { workers, dispose } = (prover ?? {}) as { readonly workers?: unknown; readonly dispose?: unknown }
  const isOfWorkers = typeof workers === 'number' && typeof dispose === 'function'
  return answering(isOfWorkers ? null : prover, names, isComputed, message)
}

const isComputed = (answer: unknown): boolean =>
  isBytes(answer) || Array.isArray((answer as { readonly proofs?: unknown } | null)?.proofs ?? answer)

/**
 * These functions of a verifier, as libraries call them. They ask whether what is returned is true, which a promise is, whatever becomes of it. So this
 * throws `TypeError` for what has no such functions, and a function does where it gets no boolean.
 */
export function deciding<
  Name extends 'verifyKzgProof' | 'verifyBlobKzgProofBatch' | 'verifyCellKzgProofBatch',
>(verifier: Pick<Kzg, Name>, names: readonly Name[]): Pick<Kzg, Name> {
  return answering(verifier, names, (answer) => typeof answer === 'boolean', NO_VERIFIER)
}

/** Functions of an object, each of which throws `TypeError` where its answer is none: it may be a promise, and nobody hears any more how that ends. */
function answering<T extends object>(
  object: T | null,
  names: readonly (keyof T)[],
  isAnswer: (answer: unknown) => boolean,
  message: string,
): T {
  const functions = names.map((name) => {
    const call: unknown = object?.[name]
    if (typeof call !== 'function') throw new TypeError(message)
    const answer = (...args: unknown[]): unknown => {
      const answer: unknown = Reflect.apply(call, object, args)
      if (isAnswer(answer)) return answer
      Promise.resolve(answer).catch(() => {})
      throw new TypeError(message)
    }
    return [name, answer] as const
  })
  return Object.fromEntries(functions) as unknown as T
}

const NO_VERIFIER = 'verifier must be what loadKzg() resolves with, since it is called synchronously'

/** Throws `TypeError` for what is no version: the wrong kind of proof is noticed late, and by others. */
export function readVersion(version: unknown): asserts version is WrapperVersion {
  if (version !== 0 && version !== 1)
    throw new TypeError('the wrapper version must be 0 (EIP-4844) or 1 (EIP-7594)')
}
