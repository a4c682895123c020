/** The result of a search for blobs, in lines for people. */
import type { BlobLinks, BlobsResult, BlobsVerdict, SourceShare } from '../../blobs/result.ts'
import { reasonsInWords } from '../../proxy/blobs/reasons-in-words.ts'
import { printable } from '../../util/printable.ts'
import type { Style, Styled } from '../terminal/output.ts'
import { counted, duration, linksInWords, size } from '../terminal/words.ts'

const styles: Readonly<Record<BlobsVerdict, Style>> = {
  ...{ complete: 'green', none: 'green' },
  ...{ partial: 'red', missing: 'red' },
  unknown: 'yellow',
}

/** `wanted`: what was asked for, in words. */
export function resultLines(wanted: string, result: BlobsResult, styled: Styled): string[] {
  const { verdict, reason, detail, block, execution, transaction, payload, report } = result
  // Of what is missing the detail says why, and who has to do with it.
  const why =
    (verdict === 'partial' || verdict === 'missing') && detail !== null ? '' : `: ${reasonsInWords[reason]}`
  const lines = [`${wanted}: ${styled(styles[verdict], inShort(result))}${why}`]
  if (detail !== null) lines.push(`  ${printable(detail)}`)
  if (block !== null) lines.push(`  slot ${block.slot}, root ${block.root}`)
  if (execution !== null) {
    const place = transaction === null ? '' : `, transaction ${transaction.index} in it`
    lines.push(`  execution block ${execution.number}, ${execution.hash}${place}`)
  }
  if (payload?.child)
    lines.push(
      `  the payload was ${payload.status === 'full' ? '' : 'not '}revealed, as the block in slot ${payload.child.slot} shows`,
    )
  for (const { index, versionedHash } of result.blobs)
    lines.push(
      `  blob${index === null ? ', its place in the block is not known' : ` ${index}`}: versioned hash ${versionedHash}`,
    )
  lines.push(...report.sources.filter(hasSomethingToSay).map(shareLine))
  for (const sentence of linksInWords(linksOf(result)))
    if (verdict !== 'unknown' || !sentence.startsWith('not ')) lines.push(`  ${sentence}`)
  lines.push(`  ${size(report.bytes)} in ${duration(report.timings.totalMs)}`)
  return lines
}

/** For example `3 of 6 blobs`. */
function inShort({ verdict, blobs, wanted }: BlobsResult): string {
  if (verdict === 'none') return 'no blobs'
  if (verdict === 'unknown' || wanted === null) return verdict
  return `${verdict}, ${blobs.length} of ${counted(wanted, 'blob')}`
}

/** Those over the execution layer are about nothing where a block was asked for. */
function linksOf({ links, execution }: BlobsResult): Partial<BlobLinks> {
  const { transaction: _, 'execution-block': __, ...others } = links
  return execution === null ? others : links
}

function hasSomethingToSay({ requests, gave, refused, failures }: SourceShare): boolean {
  return requests + gave.length + refused.length + failures.length > 0
}

function shareLine({ source, role, requests, bytes, gave, refused, failures }: SourceShare): string {
  const [firstRefused] = refused
  const lastFailure = failures.at(-1)
  const parts = [
    ...(gave.length > 0 ? [counted(gave.length, 'blob')] : []),
    ...(firstRefused
      ? [`${refused.length} refused, first: ${firstRefused.what} (${firstRefused.reason})`]
      : []),
    ...(requests > 0 ? [counted(requests, 'request')] : []),
    ...(bytes > 0 ? [size(bytes)] : []),
    ...(lastFailure
      ? [`${counted(failures.length, 'failure')}, last: ${lastFailure.kind} (${lastFailure.detail})`]
      : []),
  ]
  return `  ${printable(`${source} (${role}): ${parts.join(', ')}`)}`
}
