/** How a thread comes by a part of its tables: it has it, or reads what is kept, or works it out, to be kept. */
import type { TableCache } from './cache.ts'
import { hashOfPart, partBytes, type TableShape } from './precompute.ts'

/**
 * Where a part of the tables in a thread comes from: it is not there yet; it was read from where tables are kept; it was
 * worked out.
 */
export type TableOrigin = 'absent' | 'kept' | 'worked-out'

/** A thread that has tables. */
export interface TableHolder {
  tableOrigin(tables: TableShape, part: number): Promise<TableOrigin>
  /** Takes a part that was kept, if it hashes to `hash`. */
  takeTable(tables: TableShape, part: number, bytes: Uint8Array<ArrayBuffer>, hash: string): Promise<boolean>
  /** Works a part out; its bytes, if they are asked for. */
  makeTable(tables: TableShape, part: number, asBytes: boolean): Promise<Uint8Array | null>
}

/** Where parts are kept, and what those of the shape must hash to. */
export interface KeptParts {
  readonly cache: TableCache
  readonly hashes: string
}

/** Sees to it that a thread has a part. Fails as the thread does, and never because of what is kept. */
export async function provide(
  holder: TableHolder,
  kept: KeptParts | null,
  tables: TableShape,
  part: number,
): Promise<TableOrigin> {
  const origin = await holder.tableOrigin(tables, part)
  if (origin !== 'absent') return origin
  if (kept === null) {
    await holder.makeTable(tables, part, false)
    return 'worked-out'
  }
  const { cache, hashes } = kept
  const bytes = await cache.read(part, partBytes(tables))
  if (bytes !== null && (await holder.takeTable(tables, part, bytes, hashOfPart(hashes, part)))) return 'kept'
  const made = await holder.makeTable(tables, part, cache.canWrite)
  // Waited for, so that no more than one part lies in memory twice.
  if (made !== null) await cache.write(part, made)
  return 'worked-out'
}
