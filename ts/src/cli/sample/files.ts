/** The option `--file` of `blobcheck sample`: sidecars in files, as the sampler takes them. */
import type { SidecarFile } from '../../sampler/index.ts'
import { concatAll } from '../../util/bytes.ts'
import { contentsInWords } from '../verify/contents.ts'
import { readInput } from '../verify/input.ts'
import { recognise } from '../verify/recognise.ts'
import { UndeterminedError } from '../verify/undetermined.ts'

/** What is in these files. Throws `UndeterminedError` for what cannot be read, and for what are no sidecars. */
export async function readSidecarFiles(
  paths: readonly string[],
  signal: AbortSignal,
): Promise<SidecarFile[]> {
  const files: SidecarFile[] = []
  for (const path of paths) files.push(await readSidecarFile(path, signal))
  return files
}

async function readSidecarFile(path: string, signal: AbortSignal): Promise<SidecarFile> {
  try {
    const bytes = await readInput(path, signal)
    const contents = recognise(bytes)
    if (contents.kind === null) throw new UndeterminedError(contents.message)
    const { form, isHex, items, kind } = contents
    if (kind !== 'blob-sidecars' && kind !== 'data-column-sidecars')
      throw new UndeterminedError(`it holds no sidecars (${contentsInWords(contents)})`)
    // A list, whatever it was in; what the file has as SSZ is taken as it is.
    if (form === 'json') return { name: path, kind, bytes: new TextEncoder().encode(JSON.stringify(items)) }
    if (isHex && kind === 'data-column-sidecars' && items.length > 1)
      throw new UndeterminedError('a list of columns is taken as JSON or SSZ, and not in hex')
    return { name: path, kind, bytes: isHex ? concatAll(items as Uint8Array[]) : bytes }
  } catch (error) {
    if (!(error instanceof UndeterminedError)) throw error
    throw new UndeterminedError(`${path}: ${error.message}`, { cause: error })
  }
}
