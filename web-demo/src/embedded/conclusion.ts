/** What a run found, for the verdict bar. */
import type { Verdict } from 'blobcheck'
import type { Conclusion } from '../instrument/stage.ts'
import { integer, isRefused, milliseconds } from '../shared/words.ts'

/**
 * `blobs`: the verdicts in the order of the blobs, null where the run was cancelled before. `cells`: those of all cells, none where they have not
 * been verified one by one. `isCellBroken`: whether the visitor broke one, so that not all is verified before the cells are.
 */
export function conclusionOf(
  blobs: readonly (Verdict | null)[],
  cells: readonly Verdict[],
  isCellBroken: boolean,
  ms: number,
): Conclusion {
  const valid = blobs.filter((verdict) => verdict?.status === 'valid')
  const resting = valid.some((verdict) => verdict?.links.header === 'trusted') ? 'your word' : 'nothing'
  const refused = blobs.filter(isRefused).length
  const refusedCells = cells.filter(isRefused).length
  if (refused > 0)
    return { state: 'refused', verdict: `Refused here: ${refused} of ${blobs.length} blobs`, resting }
  if (refusedCells > 0) {
    const verdict = `Refused here: ${refusedCells} of ${cells.length} cells`
    return { state: 'refused', verdict, resting }
  }
  const validCells = cells.filter(({ status }) => status === 'valid').length
  const isCellUnseen = isCellBroken && cells.length === 0
  if (valid.length < blobs.length || valid.length === 0 || validCells < cells.length || isCellUnseen)
    return { state: 'unknown', verdict: 'Not all verified', resting }
  const found = [valid.length === 1 ? '1 blob' : `${valid.length} blobs`]
  if (cells.length > 0) found.push(`${integer(cells.length)} cells`)
  return { state: 'verified', verdict: `Verified here: ${found.join(', ')}, ${milliseconds(ms)}`, resting }
}
