/**
 * How much of a call's items goes to a worker at a time. Each message costs the calling thread and the worker, and between
 * two of them the worker waits: so chunks are few and large. All are of about one size, and as many for each worker, so
 * that none has a chunk of its own while the others have nothing left to do.
 */

/**
 * The most: 128 items, or 32 blobs with what comes with them. Little enough for progress and abort to be lively, and for the
 * calling thread to have copied it in a millisecond.
 */
export const CHUNK: Readonly<Record<'items' | 'bytes', number>> = {
  items: 128,
  bytes: (4 << 20) + (256 << 10),
}

/** How many items a chunk has, of a call with so many for so many workers, if each has so many bytes: one at least. */
export function shareOf(length: number, workers: number, bytesEach: number): number {
  const each = length / workers
  const most = Math.min(CHUNK.items, CHUNK.bytes / Math.max(bytesEach, 1))
  const rounds = Math.max(Math.ceil(each / most), 1)
  return Math.max(Math.ceil(each / rounds), 1)
}
