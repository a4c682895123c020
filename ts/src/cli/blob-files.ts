/** Blobs in files: what `--reconstruct` and `--out` write. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/**
 * Writes blobs of the block in a slot, each of 131,072 bytes, as `<slot>-blob-<index>.bin`. Resolves with their paths, in the order of the blobs;
 * rejects with Node's error.
 */
export async function writeBlobFiles(
  folder: string,
  slot: number,
  blobs: readonly { readonly index: number; readonly blob: Uint8Array }[],
): Promise<string[]> {
  if (blobs.length === 0) return []
  await mkdir(folder, { recursive: true })
  return await Promise.all(
    blobs.map(async ({ index, blob }) => {
      const path = join(folder, `${slot}-blob-${index}.bin`)
      await writeFile(path, blob)
      return path
    }),
  )
}
