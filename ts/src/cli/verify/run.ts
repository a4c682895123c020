/** Files, one after the other: read, recognised, judged, told. */
import { errorInWords } from '../terminal/complain.ts'
import type { Kind } from './contents.ts'
import { placeOf } from './describe.ts'
import type { Finding } from './finding.ts'
import { readInput } from './input.ts'
import type { Judge } from './judge.ts'
import type { VerifyPrinter } from './printers.ts'
import { recognise } from './recognise.ts'
import { nothing, type Tally, withFile, withUndetermined } from './tally.ts'

const INTERRUPTED = 'interrupted, before it was found out'

/**
 * What came of all files. One that cannot be read, or not be judged, does not keep the others from being verified; those that an
 * interruption leaves are not determined. Throws for options that make no sense, whatever the file.
 */
export async function verifyFiles(
  files: readonly string[],
  as: Kind | undefined,
  judge: Judge,
  printer: VerifyPrinter,
  signal: AbortSignal,
): Promise<Tally> {
  let tally = nothing
  for (const file of files) {
    try {
      signal.throwIfAborted()
      tally = withFile(tally, await verifyFile(file, as, judge, printer, signal))
    } catch (error) {
      if (!signal.aborted && (!(error instanceof Error) || error instanceof TypeError)) throw error
      printer.undetermined(file, signal.aborted ? INTERRUPTED : errorInWords(error as Error))
      tally = withUndetermined(tally)
    }
  }
  return tally
}

async function verifyFile(
  file: string,
  as: Kind | undefined,
  judge: Judge,
  printer: VerifyPrinter,
  signal: AbortSignal,
): Promise<Finding['status'][]> {
  const bytes = await readInput(file, signal)
  const contents = recognise(bytes, as)
  if (contents.kind === null) {
    printer.unrecognised(file, contents.message)
    return ['malformed']
  }
  printer.file(file, bytes.length, contents)
  const judged = await judge.judge(contents, file, signal, (done, total) => printer.progress(done, total))
  const items = judged.map((one, at) => ({ ...one, place: placeOf(contents.kind, contents.items[at]) }))
  printer.items(file, contents, items)
  return items.map(({ finding }) => finding.status)
}
