/** What `blobcheck verify` says: in lines for people, or in JSON for programs. */
import { printable } from '../../util/printable.ts'
import type { Reason } from '../../verdict/reasons.ts'
import type { ExitCode } from '../command.ts'
import { jsonLine, Lines, type Output, type Styled, styleFor } from '../terminal/output.ts'
import { linksInWords } from '../terminal/words.ts'
import type { BlobsOfBlock } from './block-blobs.ts'
import { type Contents, contentsInWords } from './input.ts'
import type { Place } from './recognise.ts'
import type { Counts, ItemResult, VerifiedItem } from './verify-items.ts'

/** An item, and where it says that it belongs. */
export type Item = VerifiedItem & { readonly place: Place }

/** Where events go. Files come one after the other: what it is, its items. */
export interface VerifyPrinter {
  file(name: string, bytes: number, contents: Contents): void
  progress(done: number, total: number): void
  items(name: string, contents: Contents, items: readonly Item[]): void
  /** The file is nothing that is known here. */
  unrecognised(name: string, message: string): void
  /** It could not be read, or not be verified. */
  undetermined(name: string, message: string): void
  /** `blobs` is of `--block`, where there is one that blobs were held against. */
  end(counts: Counts, blobs: BlobsOfBlock | null, network: string, exitCode: ExitCode): void
}

/** One JSON object in a line for each event, `event` naming it. */
export function jsonVerifyPrinter(out: Output): VerifyPrinter {
  const print = (event: string, data: object): void => void out.write(jsonLine({ event, ...data }))
  return {
    file: (file, bytes, { kind, form, isHex, items }) =>
      print('file', { file, bytes, kind, form, hex: isHex, items: items.length }),
    progress: () => {},
    items: (file, { kind }, items) =>
      items.forEach(({ place, result, fork }, item) =>
        print('item', { file, item, kind, ...place, ...(fork && { fork }), ...result }),
      ),
    unrecognised: (file, message) => print('unrecognised', { file, message }),
    undetermined: (file, message) => print('undetermined', { file, message }),
    end: (counts, blobs, network, exitCode) =>
      print('summary', { ...counts, ...(blobs && { blobsOfBlock: blobs }), network, exitCode }),
  }
}

/** Lines for people: one for each item, then what the verdicts rest on, and a summary of all files. */
export function textVerifyPrinter(out: Output): VerifyPrinter {
  const lines = new Lines(out)
  const styled = styleFor(out)
  return {
    file(name, bytes, contents) {
      const size = `${bytes.toLocaleString('en-GB')} bytes`
      lines.print(`${styled('bold', nameInWords(name))}: ${contentsInWords(contents)} (${size})`, '  ')
    },
    progress: (done, total) => lines.status(`  ${done} of ${total} verified`),
    items(_name, contents, items) {
      items.forEach((item, at) => {
        lines.print(`  ${label(contents, item, at)}: ${inWords(item.result, styled)}`, '    ')
        item.result.blobs.forEach((blob, row) =>
          lines.print(`    blob ${row}: ${inWords(blob, styled)}`, '      '),
        )
      })
      printLinks(items, lines, styled)
    },
    unrecognised: (name, message) =>
      lines.print(
        `${styled('bold', nameInWords(name))}: ${styled('red', 'malformed')}: ${printable(message)}`,
        '  ',
      ),
    undetermined: (name, message) =>
      lines.print(
        `${styled('bold', nameInWords(name))}: ${styled('yellow', 'not determined')}: ${printable(message)}`,
        '  ',
      ),
    end(counts, blobs, network) {
      if (blobs !== null) lines.print(blobsInWords(blobs), '  ')
      lines.print(`${countsInWords(counts, styled)} (network: ${network})`, '  ')
    },
  }
}

/** The links of what is valid, once where all have the same, as is the rule. */
function printLinks(items: readonly Item[], lines: Lines, styled: Styled): void {
  const valid = items.filter(({ result }) => result.status === 'valid')
  const kinds = new Map(valid.map(({ result }) => [linksInWords(result.links).join('\n'), result.links]))
  for (const links of kinds.values())
    for (const sentence of linksInWords(links)) lines.print(`  ${styled('dim', sentence)}`, '    ')
}

function label({ kind }: Contents, { place: { slot, index }, fork }: Item, at: number): string {
  if (fork !== null) return `transaction, by the rules of ${fork}`
  if (kind === 'blobs') return `blob ${at}`
  if (slot === null || index === null) return `item ${at}`
  return `slot ${slot}, ${kind === 'blob-sidecars' ? 'blob' : 'column'} ${index}`
}

function inWords({ detail, status, stage, reason }: ItemResult, styled: Styled): string {
  if (status === 'valid') return styled('green', 'valid')
  if (detail !== undefined) return `${styled('yellow', 'not determined')}: ${detail}`
  const words = reason === null ? undefined : reasonsInWords[reason]
  const where = stage === null ? '' : ` at ${stage}`
  const what = styled(status === 'error' ? 'yellow' : 'red', `${status}${where}: ${reason ?? ''}`)
  return words === undefined ? what : `${what} (${words})`
}

function countsInWords({ files, items, ...counts }: Counts, styled: Styled): string {
  const styles = { valid: 'green', invalid: 'red', malformed: 'red', undetermined: 'yellow' } as const
  const parts = (Object.keys(styles) as (keyof typeof styles)[])
    .filter((name) => counts[name] > 0)
    .map((name) =>
      styled(styles[name], `${counts[name]} ${name === 'undetermined' ? 'not determined' : name}`),
    )
  const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
  return `${plural(items, 'item')} in ${plural(files, 'file')}: ${parts.join(', ')}`
}

function blobsInWords({ verified, committed }: BlobsOfBlock): string {
  const blobs = `blob${committed === 1 ? '' : 's'} that the block commits to`
  return `${verified} of the ${committed} ${blobs} ${verified === 1 ? 'is' : 'are'} here and valid`
}

function nameInWords(name: string): string {
  return name === '-' ? 'standard input' : printable(name)
}

/** Reasons in words, where the code alone leaves people wondering what to do. */
const reasonsInWords: { readonly [reason in Reason]?: string } = {
  'proof-mismatch': 'the data is not what the commitment stands for',
  'commitment-mismatch': 'the blob is not what its commitment stands for',
  'setup-unavailable': 'what commitments are computed with could not be read: try again',
  'inclusion-mismatch': 'its branch does not lead to the body root of its header',
  'proposer-signature': 'its header is not signed with the key that you named',
  'header-mismatch': 'it is of another block than the one that you named',
  'versioned-hash-mismatch': 'the commitment has another versioned hash',
  'commitment-not-in-anchor': 'its commitments are not those of the block that you named',
  'versioned-hash-not-in-anchor': 'its versioned hashes are not those that you named',
  'unsupported-fork': 'by the schedule of --network, blocks of its slot have no such sidecars',
  'too-many-blobs': 'by the schedule of --network, a block of its slot has fewer',
  'wrapper-fork': 'transactions of that fork are wrapped otherwise: see --fork',
  'not-network-form': 'it is as it is in a block: its blobs are not with it',
  'transaction-type': 'only transactions of type 3 bring blobs',
  'worker-crashed': 'nothing is known about it: try again',
}
