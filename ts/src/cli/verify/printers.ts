/** What `blobcheck verify` says: in lines for people, or in JSON for programs. */
import type { ExitCode } from '../exit-codes.ts'
import { linksInWords } from '../links.ts'
import { Lines } from '../terminal/lines.ts'
import type { Output } from '../terminal/output.ts'
import { type Paint, painterFor } from '../terminal/paint.ts'
import { jsonLine } from '../terminal/json-line.ts'
import { printable } from '../../util/printable.ts'
import { type Contents, contentsInWords } from './contents.ts'
import type { Place } from './describe.ts'
import type { Finding } from './finding.ts'
import type { Judged } from './judge.ts'
import { reasonsInWords } from './reasons.ts'
import type { Tally } from './tally.ts'

/** An item, and where it says that it belongs. */
export type Item = Judged & { readonly place: Place }

/** Where events go. Files come one after the other: what it is, its items. */
export interface VerifyPrinter {
  file(name: string, bytes: number, contents: Contents): void
  progress(done: number, total: number): void
  items(name: string, contents: Contents, items: readonly Item[]): void
  /** The file is nothing that is known here. */
  unrecognised(name: string, message: string): void
  /** It could not be read, or not be judged. */
  undetermined(name: string, message: string): void
  end(tally: Tally, network: string, exitCode: ExitCode): void
}

/** One JSON object in a line for each event, `event` naming it. */
export function jsonVerifyPrinter(out: Output): VerifyPrinter {
  const print = (event: string, data: object): void => void out.write(jsonLine({ event, ...data }))
  return {
    file: (file, bytes, { kind, form, isHex, items }) =>
      print('file', { file, bytes, kind, form, hex: isHex, items: items.length }),
    progress: () => {},
    items: (file, { kind }, items) =>
      items.forEach(({ place, finding, fork }, item) =>
        print('item', { file, item, kind, ...place, ...(fork && { fork }), ...finding }),
      ),
    unrecognised: (file, message) => print('unrecognised', { file, message }),
    undetermined: (file, message) => print('undetermined', { file, message }),
    end: (tally, network, exitCode) => print('summary', { ...tally, network, exitCode }),
  }
}

/** Lines for people: one for each item, then what the verdicts rest on, and a summary of all files. */
export function textVerifyPrinter(out: Output): VerifyPrinter {
  const lines = new Lines(out)
  const paint = painterFor(out)
  return {
    file(name, bytes, contents) {
      const size = `${bytes.toLocaleString('en-GB')} bytes`
      lines.print(`${paint('bold', nameInWords(name))}: ${contentsInWords(contents)} (${size})`, '  ')
    },
    progress: (done, total) => lines.status(`  ${done} of ${total} verified`),
    items(_name, contents, items) {
      items.forEach((item, at) => {
        lines.print(`  ${label(contents, item, at)}: ${inWords(item.finding, paint)}`, '    ')
        item.finding.blobs.forEach((blob, row) =>
          lines.print(`    blob ${row}: ${inWords(blob, paint)}`, '      '),
        )
      })
      printLinks(items, lines, paint)
    },
    unrecognised: (name, message) =>
      lines.print(
        `${paint('bold', nameInWords(name))}: ${paint('red', 'malformed')}: ${printable(message)}`,
        '  ',
      ),
    undetermined: (name, message) =>
      lines.print(
        `${paint('bold', nameInWords(name))}: ${paint('yellow', 'not determined')}: ${printable(message)}`,
        '  ',
      ),
    end: (tally, network) => lines.print(`${tallyInWords(tally, paint)} (network: ${network})`, '  '),
  }
}

/** The links of what is valid, once where all have the same, as is the rule. */
function printLinks(items: readonly Item[], lines: Lines, paint: Paint): void {
  const valid = items.filter(({ finding }) => finding.status === 'valid')
  const kinds = new Map(valid.map(({ finding }) => [linksInWords(finding.links).join('\n'), finding.links]))
  for (const links of kinds.values())
    for (const sentence of linksInWords(links)) lines.print(`  ${paint('dim', sentence)}`, '    ')
}

function label({ kind }: Contents, { place: { slot, index }, fork }: Item, at: number): string {
  if (fork !== null) return `transaction, by the rules of ${fork}`
  if (kind === 'blobs') return `blob ${at}`
  if (slot === null || index === null) return `item ${at}`
  return `slot ${slot}, ${kind === 'blob-sidecars' ? 'blob' : 'column'} ${index}`
}

function inWords({ status, stage, reason }: Finding, paint: Paint): string {
  if (status === 'valid') return paint('green', 'valid')
  const words = reason === null ? undefined : reasonsInWords[reason]
  const where = stage === null ? '' : ` at ${stage}`
  const what = paint(status === 'error' ? 'yellow' : 'red', `${status}${where}: ${reason ?? ''}`)
  return words === undefined ? what : `${what} (${words})`
}

function tallyInWords({ files, items, ...counts }: Tally, paint: Paint): string {
  const styles = { valid: 'green', invalid: 'red', malformed: 'red', undetermined: 'yellow' } as const
  const parts = (Object.keys(styles) as (keyof typeof styles)[])
    .filter((name) => counts[name] > 0)
    .map((name) =>
      paint(styles[name], `${counts[name]} ${name === 'undetermined' ? 'not determined' : name}`),
    )
  const plural = (count: number, word: string): string => `${count} ${word}${count === 1 ? '' : 's'}`
  return `${plural(items, 'item')} in ${plural(files, 'file')}: ${parts.join(', ')}`
}

function nameInWords(name: string): string {
  return name === '-' ? 'standard input' : printable(name)
}
