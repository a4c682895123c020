/** Rebuilt blobs as files. */
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import type { SampleReport } from '../../sampler/index.ts'

/** Writes a block's blobs, `<slot>-blob-<index>.bin`; their paths, none where there are none. */
export async function writeBlobs(folder: string | undefined, report: SampleReport | null): Promise<string[]> {
  if (folder === undefined || !report?.blobs || report.block === null) return []
  await mkdir(folder, { recursive: true })
  const { slot } = report.block
  return await Promise.all(
    report.blobs.map(async ({ index, blob }) => {
      const path = join(folder, `${slot}-blob-${index}.bin`)
      await writeFile(path, blob)
      return path
    }),
  )
}
