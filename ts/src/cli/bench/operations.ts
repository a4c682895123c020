/** What `blobcheck bench` measures: the specification's functions in the calling thread, and verifiers with workers, on random data. */
import { randomFillSync } from 'node:crypto'
import { createVerifier, type Verifier } from '../../index.ts'
import { type KernelName, type Kzg, loadKzg, WasmUnavailableError } from '../../kzg/index.ts'
import { type CellsAndKzgProofs, createProver } from '../../prover/index.ts'
import { type Row, WrongAnswer } from './measure.ts'

/** Random valid data, made on the spot: what is measured must be nothing that was seen before. Blobs with what EIP-4844 sends along, and what EIP-7594 does with the first of them. */
export interface Inputs {
  readonly blobs: readonly Uint8Array[]
  readonly commitments: readonly Uint8Array[]
  readonly proofs: readonly Uint8Array[]
  /** 128 of each, for each blob that has them. */
  readonly cells: readonly (readonly Uint8Array[])[]
  readonly cellProofs: readonly (readonly Uint8Array[])[]
}

/** The batches of blobs that are measured: as far as the blobs go. */
const batchesOf = ({ blobs }: Inputs): number[] => [6, 64].filter((n) => n <= blobs.length)

/** So many blobs, the first of them with cells. */
export async function makeInputs(
  blobCount: number,
  cellBlobCount: number,
  signal: AbortSignal,
  onProgress: (done: number, total: number) => void,
): Promise<Inputs> {
  await using prover = await createProver()
  const proven: Proven[] = []
  const prove = async (at: number): Promise<Proven> => {
    const blob = randomBlob()
    const commitment = await prover.blobToKzgCommitment(blob, { signal })
    const proof = await prover.computeBlobKzgProof(blob, commitment, { signal })
    const withCells = at < cellBlobCount ? await prover.computeCellsAndKzgProofs(blob, { signal }) : null
    return { blob, commitment, proof, withCells }
  }
  let [begun, done] = [0, 0]
  const lane = async (): Promise<void> => {
    while (begun < blobCount) {
      const at = begun++
      proven[at] = await prove(at)
      onProgress(++done, blobCount)
    }
  }
  await Promise.all(Array.from({ length: Math.max(prover.workers, 1) }, lane))
  const withCells = proven.flatMap((one) => one.withCells ?? [])
  return {
    blobs: proven.map(({ blob }) => blob),
    commitments: proven.map(({ commitment }) => commitment),
    proofs: proven.map(({ proof }) => proof),
    cells: withCells.map(({ cells }) => cells),
    cellProofs: withCells.map(({ proofs }) => proofs),
  }
}

interface Proven {
  readonly blob: Uint8Array
  readonly commitment: Uint8Array
  readonly proof: Uint8Array
  readonly withCells: CellsAndKzgProofs | null
}

/** 4,096 random scalars below 2²⁵⁴, and so below the modulus. */
function randomBlob(): Uint8Array<ArrayBuffer> {
  const blob = randomFillSync(new Uint8Array(4_096 * 32))
  for (let at = 0; at < blob.length; at += 32) blob[at]! &= 0x3f
  return blob
}

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
