/** Blobs in files: what `--reconstruct` and `--out` write, and when that is told. */
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

/** Tells the paths of files when they are written: also where they cannot be, with none of them, and then rejects with what kept them from it. */
export async function afterWriting(
  writing: Promise<readonly string[]>,
  tell: (paths: readonly string[]) => void,
): Promise<void> {
  const [written] = await Promise.allSettled([writing])
  tell(written.status === 'fulfilled' ? written.value : [])
  if (written.status === 'rejected') throw written.reason
}
