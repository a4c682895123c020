/** All that `blobcheck bench` measures, in order: what there is, the functions with each kernel, verifiers. */
import { arch, availableParallelism, cpus, platform } from 'node:os'
import { chooseKernel, type KernelName } from '../../runtime/kernel/kernel.ts'
import { counted } from '../terminal/words.ts'
import { readVersion } from '../command.ts'
import { measureInTurns, type Plan, type Result, type Row } from './measure.ts'
import { load, type Loaded, makeInputs, Pools, rowsOf } from './operations.ts'

export { WrongAnswer } from './measure.ts'

export interface Wanted {
  readonly quick: boolean
  /** Only this one, which must be sound here. */
  readonly kernel: KernelName | undefined
  /** Of the largest verifier. */
  readonly workers: number | 'auto'
  readonly signal: AbortSignal
  readonly onProgress: (text: string) => void
}

export interface Found {
  readonly env: Environment
  readonly kernels: readonly KernelFound[]
  /** The functions with each kernel, then verifiers. */
  readonly results: readonly Result[]
}

/** Where it was measured. */
export interface Environment {
  readonly blobcheck: string
  readonly node: string
  readonly v8: string
  readonly machine: string
  readonly cpu: string
  readonly cores: number
}

/** `firstMs`: from loading it to its first verdict. `missing`: why it is not used here. */
export type KernelFound =
  | { readonly kernel: KernelName; readonly firstMs: number }
  | { readonly kernel: KernelName; readonly missing: string }

const KERNELS: readonly KernelName[] = ['relaxed-simd', 'simd128']

/** Engines compile what is hot while it runs: the first calls say little. */
const THOROUGH: Plan = { warmUp: { calls: 5, forMs: 1_000 }, turn: { calls: 3, forMs: 500 }, rounds: 4 }
const QUICK: Plan = { warmUp: { calls: 3, forMs: 200 }, turn: { calls: 3, forMs: 150 }, rounds: 2 }

/** Blobs, and how many of them have cells. */
const INPUTS = { thorough: [64, 6], quick: [6, 2] } as const

export async function measureAll({ quick, kernel, workers, signal, onProgress }: Wanted): Promise<Found> {
  // Before anything is made for it.
  if (kernel !== undefined) await chooseKernel(kernel)
  const plan = quick ? QUICK : THOROUGH
  const [blobCount, cellBlobCount] = INPUTS[quick ? 'quick' : 'thorough']
  const inputs = await makeInputs(blobCount, cellBlobCount, signal, (done, total) =>
    onProgress(`making random blobs and their proofs: ${done} of ${total}`),
  )
  const wanted = kernel === undefined ? KERNELS : [kernel]
  const loaded: Loaded[] = []
  for (const one of wanted) loaded.push(await load(one, inputs))

  const onTurn = ({ op, n, impl, workers: count }: Row): void =>
    onProgress(`measuring ${op}/${n}, ${impl}${count === null ? '' : `, ${counted(count, 'worker')}`}`)
  const rows = loaded.flatMap((one) => ('kzg' in one ? rowsOf(one.kernel, one.kzg, inputs) : []))
  const inThread = await measureInTurns(rows, plan, signal, onTurn)
  await using pools = await Pools.start(kernel ?? 'auto', workers)
  const throughPools = await measureInTurns(pools.rows(inputs), plan, signal, onTurn)
  return { env: environment(), kernels: loaded.map(kernelFound), results: [...inThread, ...throughPools] }
}

function kernelFound(one: Loaded): KernelFound {
  const { kernel } = one
  return 'missing' in one ? { kernel, missing: one.missing } : { kernel, firstMs: one.firstMs }
}

function environment(): Environment {
  return {
    blobcheck: readVersion(),
    node: process.versions.node,
    v8: process.versions.v8,
    machine: `${platform()} ${arch()}`,
    cpu: cpus()[0]?.model.trim() || 'unknown processor',
    cores: availableParallelism(),
  }
}
