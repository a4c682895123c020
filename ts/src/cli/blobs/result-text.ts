/** The result of a search for blobs, in lines for people. */
import type { BlobLinks, BlobsReason, BlobsResult, BlobsVerdict, SourceShare } from '../../blobs/result.ts'
import { printable } from '../../util/printable.ts'
import type { Style, Styled } from '../terminal/output.ts'
import { counted, duration, linksInWords, size } from '../terminal/words.ts'

const styles: Readonly<Record<BlobsVerdict, Style>> = {
  ...{ complete: 'green', none: 'green' },
  ...{ partial: 'red', missing: 'red' },
  unknown: 'yellow',
}

const reasons: Readonly<Record<BlobsReason, string>> = {
  verified: 'each was verified',
  'not-served': 'everyone who was asked answered, and nobody had what is missing',
  false: 'what was given for those that are missing is false',
  unreachable: 'not everyone who might have what is missing answered in time',
  unfinished: 'the time was up while answers were still being verified here',
  expired: 'nobody has them, and nodes need not keep data of that age; an archive may have it (--archive)',
  'no-blobs': 'it has none',
  'empty-slot': 'nobody proposed a block in that slot',
  'before-deneb': 'there were no blobs yet',
  'payload-not-revealed':
    'the next block builds on an older payload, so that this one’s is no part of the chain',
  'may-have-no-payload': 'whether the payload was revealed is not known before the next block',
  'no-header': 'it cannot be told which block that is',
  'no-block': 'no endpoint gave the block, which says what its blobs are',
  'no-transaction': 'no execution endpoint gave it',
  'not-of-the-chain': 'its execution block is not that of the beacon block at its time',
  'not-found': 'its block does not name them',
  crashed: 'our own workers crashed: try again',
  'unsupported-fork': 'it is of a fork that this version does not know',
}

/** `wanted`: what was asked for, in words. */
export function resultLines(wanted: string, result: BlobsResult, styled: Styled): string[] {
  const { verdict, reason, detail, block, execution, transaction, payload, report } = result
  // Of what is missing the detail says why, and who has to do with it.
  const why =
    (verdict === 'partial' || verdict === 'missing') && detail !== null ? '' : `: ${reasons[reason]}`
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
