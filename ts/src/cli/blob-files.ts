/** Blobs in files: what `--reconstruct` and `--out` write, and when that is told. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** A blob of 131,072 bytes, and the name that its file gets. */
export interface NamedBlob {
  readonly name: string
  readonly blob: Uint8Array
}

/** The name of the file of a block's blob, by its slot and its index in it. */
export function blobFileName(slot: number, index: number): string {
  return `${slot}-blob-${index}.bin`
}

/** Writes blobs. Resolves with the paths of their files, in the order of the blobs; rejects with Node's error. */
export async function writeBlobFiles(folder: string, blobs: readonly NamedBlob[]): Promise<string[]> {
  if (blobs.length === 0) return []
  await mkdir(folder, { recursive: true })
  return await Promise.all(
    blobs.map(async ({ name, blob }) => {
      const path = join(folder, name)
      await writeFile(path, blob)
      return path
    }),
  )
}

/** Waits until files are written, and tells their paths, of which there are none where writing failed; it rejects then with the reason. */
export async function afterWriting(
  writing: Promise<readonly string[]>,
  tell: (paths: readonly string[]) => void,
): Promise<void> {
  const [written] = await Promise.allSettled([writing])
  tell(written.status === 'fulfilled' ? written.value : [])
  if (written.status === 'rejected') throw written.reason
}
