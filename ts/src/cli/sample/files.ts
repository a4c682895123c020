/** Files of `blobcheck sample`: sidecars at hand (`--file`), and rebuilt blobs (`--reconstruct`). */
import type { SampleReport, SidecarFile } from '../../sampler/index.ts'
import { concatAll } from '../../util/bytes.ts'
import { blobFileName, writeBlobFiles } from '../blob-files.ts'
import {
  checkPaths,
  contentsInWords,
  type InputContext,
  readInput,
  UndeterminedError,
} from '../verify/input.ts'
import { recognise } from '../verify/recognise.ts'

/**
 * What is in these files. Throws `UndeterminedError` for what cannot be read, and for what are no sidecars; and `UsageError` where standard
 * input would be read twice.
 */
export async function readSidecarFiles(
  paths: readonly string[],
  context: InputContext,
): Promise<SidecarFile[]> {
  checkPaths(paths)
  const files: SidecarFile[] = []
  for (const path of paths) files.push(...(await readSidecarFile(path, context)))
  return files
}

async function readSidecarFile(path: string, context: InputContext): Promise<SidecarFile[]> {
  try {
    const bytes = await readInput(path, context)
    const contents = recognise(bytes)
    if (contents.kind === null) throw new UndeterminedError(contents.message)
    const { form, isHex, items, kind } = contents
    if (kind !== 'blob-sidecars' && kind !== 'data-column-sidecars')
      throw new UndeterminedError(`it holds no sidecars (${contentsInWords(contents)})`)
    const fileOf = (bytes: Uint8Array): SidecarFile => ({ name: path, kind, bytes })
    // A list, whatever it was in; what the file has as SSZ is taken as it is.
    if (form === 'json') return inJson(items).map(fileOf)
    if (isHex && kind === 'data-column-sidecars' && items.length > 1)
      throw new UndeterminedError('a list of columns is taken as JSON or SSZ, and not in hex')
    return [fileOf(isHex ? concatAll(items as Uint8Array[]) : bytes)]
  } catch (error) {
    if (!(error instanceof UndeterminedError)) throw error
    throw new UndeterminedError(`${path}: ${error.message}`, { cause: error })
  }
}

/**
 * The entries of a list as JSON. Those without an index make the sampler refuse the list that they are in: they get one of their own, so that
 * it says so of the file, and uses the others.
 */
function inJson(items: readonly unknown[]): Uint8Array[] {
  const lists = [items.filter(hasIndex), items.filter((item) => !hasIndex(item))]
  return lists.filter((list) => list.length > 0).map((list) => new TextEncoder().encode(JSON.stringify(list)))
}

function hasIndex(item: unknown): boolean {
  const { index } = Object(item) as { index?: unknown }
  return typeof index === 'string' && /^[0-9]{1,4}$/.test(index)
}

/** Writes a block's blobs; their paths, none where there are none. */
export async function writeBlobs(folder: string | undefined, report: SampleReport | null): Promise<string[]> {
  if (folder === undefined || !report?.blobs || report.block === null) return []
  const { slot } = report.block
  return await writeBlobFiles(
    folder,
    report.blobs.map(({ index, blob }) => ({ name: blobFileName(slot, index), blob })),
  )
}
