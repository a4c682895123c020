/** What `blobcheck bench` measures: the specification's functions in the calling thread, and verifiers with workers. */
import { createVerifier, type Verifier } from '../../index.ts'
import { type KernelName, type Kzg, loadKzg, WasmUnavailableError } from '../../kzg/index.ts'
import { batchesOf, type Inputs } from './inputs.ts'
import { type Row, WrongAnswer } from './measure.ts'

/** What is measured with each kernel. */
interface Operation {
  /** The specification’s function in camelCase. */
  readonly op: string
  /** Blobs, or cells. */
  readonly n: number
  readonly title: string
  readonly ask: (kzg: Kzg, inputs: Inputs) => boolean
}

/** All whose inputs there are. */
function operationsOn(inputs: Inputs): Operation[] {
  const { cells } = inputs
  return [
    {
      op: 'verifyBlobKzgProof',
      n: 1,
      title: 'one blob',
      ask: (kzg, { blobs: b, commitments: c, proofs: p }) => kzg.verifyBlobKzgProof(b[0]!, c[0]!, p[0]!),
    },
    ...batchesOf(inputs).map(blobBatch),
    cellBatch(1, [77], 'one cell'),
    cellBatch(cells.length, [5, 21, 37, 53, 69, 85, 101, 117], `8 columns of ${cells.length} blobs`),
    cellBatch(1, upTo(128), 'all 128 cells of a blob'),
  ]
}

function blobBatch(n: number): Operation {
  return {
    op: 'verifyBlobKzgProofBatch',
    n,
    title: `${n} blobs`,
    ask: (kzg, { blobs, commitments, proofs }) =>
      kzg.verifyBlobKzgProofBatch(blobs.slice(0, n), commitments.slice(0, n), proofs.slice(0, n)),
  }
}

/** Column by column, as who has custody of them would check them. */
function cellBatch(blobCount: number, columns: readonly number[], title: string): Operation {
  const places = columns.flatMap((column) => upTo(blobCount).map((blob) => ({ blob, column })))
  return {
    op: 'verifyCellKzgProofBatch',
    n: places.length,
    title,
    ask: (kzg, { commitments, cells, cellProofs }) =>
      kzg.verifyCellKzgProofBatch(
        places.map(({ blob }) => commitments[blob]!),
        places.map(({ column }) => column),
        places.map(({ blob, column }) => cells[blob]![column]!),
        places.map(({ blob, column }) => cellProofs[blob]![column]!),
      ),
  }
}

/** A kernel, loaded for the first time: `firstMs` until its first verdict. Or why it is not sound here. */
export type Loaded =
  | { readonly kernel: KernelName; readonly kzg: Kzg; readonly firstMs: number }
  | { readonly kernel: KernelName; readonly missing: string }

export async function load(kernel: KernelName, inputs: Inputs): Promise<Loaded> {
  const [blob, commitment, proof] = [inputs.blobs[0]!, inputs.commitments[0]!, inputs.proofs[0]!]
  const begin = performance.now()
  try {
    const kzg = await loadKzg({ kernel })
    if (!kzg.verifyBlobKzgProof(blob, commitment, proof)) throw new WrongAnswer(`wrong answer: ${kernel}`)
    return { kernel, kzg, firstMs: performance.now() - begin }
  } catch (error) {
    if (!(error instanceof WasmUnavailableError)) throw error
    return { kernel, missing: error.message }
  }
}

/** What is measured of a kernel. */
export function rowsOf(kernel: KernelName, kzg: Kzg, inputs: Inputs): Row[] {
  return operationsOn(inputs).map(({ op, n, title, ask }) => ({
    op,
    n,
    title,
    impl: `blobcheck:${kernel}`,
    workers: null,
    run: () => ask(kzg, inputs),
  }))
}

const upTo = (count: number): number[] => Array.from({ length: count }, (_, at) => at)

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
