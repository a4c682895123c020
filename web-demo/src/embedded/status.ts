/** What a run found, in the line below the controls. */
import type { Verdict } from 'blobcheck'
import { detailOf, isRefused } from '../shared/words.ts'
import type { Run } from './run.ts'

/** `cells`: the verdicts on all cells, by blob and column; none where they have not been verified one by one. */
export function statusOf({ results, cancelled }: Run, cells: readonly (readonly Verdict[])[]): string {
  const valid = results.filter((timed) => timed?.verdict.status === 'valid').length
  const lines = [`${valid} of ${results.length} blobs valid.`]
  if (cancelled) lines.unshift('Cancelled.')
  const faults = results.flatMap((timed, blob) =>
    timed === null || timed.verdict.status === 'valid' ? [] : [`Blob ${blob}: ${detailOf(timed.verdict)}.`],
  )
  for (const [blob, verdicts] of cells.entries())
    // A false cell of a false blob is no news.
    if (results[blob]?.verdict.status === 'valid')
      for (const [column, verdict] of verdicts.entries())
        if (isRefused(verdict)) faults.push(`Column ${column} of blob ${blob}: ${detailOf(verdict)}.`)
  // One of them at length: its place on the page is limited, and the cards and the grid say the rest.
  lines.push(...faults.slice(0, 1))
  if (faults.length > 1) lines.push(`${faults.length - 1} more below.`)
  return lines.join(' ')
}
