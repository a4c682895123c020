/** Stores of tables that tests look into, and tables that a thread is to forget. */
import { createProver, type TableStore } from 'blobcheck/prover'

/** Keeps in memory, and counts. */
export class CountingStore implements TableStore {
  readonly values = new Map<string, Uint8Array>()
  gets = 0
  sets = 0

  async get(key: string): Promise<Uint8Array | null> {
    this.gets++
    return this.values.get(key) ?? null
  }

  async set(key: string, value: Uint8Array): Promise<void> {
    this.sets++
    this.values.set(key, new Uint8Array(value))
  }
}

/** The key of a part: what is in people's stores is not to change its name unnoticed. */
export const keyOf = (part: number): string => `prover-table-${part}`

/** Has this thread's engine make the smallest tables there are, for which it forgets those that it has. */
export async function displaceTables(): Promise<void> {
  const prover = await createProver({ workers: 0, precompute: { rows: 1, width: 2 } })
  await prover.prepare()
  await prover.dispose()
}
