/** The same through verifiers, off the calling thread, with more and more workers. */
import { createVerifier, type Verifier } from '../../index.ts'
import type { KernelName } from '../../runtime/kernel/kernel.ts'
import { batchesOf, type Inputs } from './inputs.ts'
import type { Row } from './row.ts'

/** Verifiers without a cache: everything is verified every time. To be disposed of. */
export class Pools implements AsyncDisposable {
  readonly #verifiers: readonly Verifier[]

  private constructor(verifiers: readonly Verifier[]) {
    this.#verifiers = verifiers
  }

  /** With no worker, one, two, four … and as many as are wanted. */
  static async start(kernel: KernelName | 'auto', most: number | 'auto'): Promise<Pools> {
    const largest = await createVerifier({ kernel, workers: most, cache: false })
    const verifiers = [largest]
    try {
      for (const workers of countsBelow(largest.workers))
        verifiers.push(await createVerifier({ kernel, workers, cache: false }))
      for (const verifier of verifiers) await verifier.warmup()
    } catch (error) {
      await Promise.all(verifiers.map((verifier) => verifier.dispose()))
      throw error
    }
    return new Pools([...verifiers.slice(1), largest])
  }

  rows(inputs: Inputs): Row[] {
    const { blobs, commitments, proofs } = inputs
    const items = blobs.map((blob, at) => ({ blob, commitment: commitments[at]!, proof: proofs[at]! }))
    return batchesOf(inputs).flatMap((n) =>
      this.#verifiers.map((verifier) => {
        const { kernel, workers } = verifier
        const run = async (): Promise<boolean> =>
          (await verifier.verifyBlobs(items.slice(0, n))).every(({ status }) => status === 'valid')
        return { op: 'verifyBlobs', n, title: `${n} blobs`, impl: `blobcheck:${kernel}`, workers, run }
      }),
    )
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#verifiers.map((verifier) => verifier.dispose()))
  }
}

/** 0, 1, 2, 4 …: what there is to compare with so many workers. */
function countsBelow(most: number): number[] {
  const counts = [0]
  for (let count = 1; count < most; count *= 2) counts.push(count)
  return counts
}
