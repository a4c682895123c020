/** What was measured, in tables for people. */
import { printable } from '../../util/printable.ts'
import { counted } from '../terminal/words.ts'
import { Lines, type Output, type Styled, styleFor } from '../terminal/output.ts'
import { widthOfText } from '../terminal/text.ts'
import type { Found, KernelFound } from './measure-all.ts'
import type { Result } from './measure.ts'

export function benchReport(out: Output, { env, kernels, results }: Found): void {
  const lines = new Lines(out)
  const styled = styleFor(out)
  lines.print(
    `blobcheck ${env.blobcheck}, Node ${env.node}, ${counted(env.cores, 'core')} (${printable(env.cpu)})`,
    '  ',
  )
  for (const kernel of kernels) if ('missing' in kernel) lines.print(printable(kernel.missing), '  ')

  const inThread = results.filter(({ workers }) => workers === null)
  const throughPools = results.filter(({ workers }) => workers !== null)
  // Not wrapped: that would put a table's columns together.
  for (const rows of [inCallingThread(kernels, inThread), offThread(throughPools)])
    out.write(`\n${table(rows, styled).join('\n')}\n`)
  lines.print('')
  lines.print('Milliseconds, medians of wall time; in brackets, how many times as fast as one worker.', '  ')
}

/** A table's first row says what is in its columns. */
type Table = readonly (readonly string[])[]

/** A column for each kernel. */
function inCallingThread(kernels: readonly KernelFound[], results: readonly Result[]): Table {
  const sound = kernels.filter((one) => 'firstMs' in one)
  const titles = [...new Set(results.map(({ title }) => title))]
  const cell = (title: string, kernel: string): string =>
    ms(results.find((one) => one.title === title && one.impl === `blobcheck:${kernel}`)?.wallMs)
  return [
    ['in the calling thread', ...sound.map(({ kernel }) => kernel)],
    ['from loading to the first verdict', ...sound.map(({ firstMs }) => ms(firstMs))],
    ...titles.map((title) => [title, ...sound.map(({ kernel }) => cell(title, kernel))]),
  ]
}

/** A row for each number of workers. */
function offThread(results: readonly Result[]): Table {
  const counts = [...new Set(results.map(({ workers }) => workers ?? 0))]
  const titles = [...new Set(results.map(({ title }) => title))]
  const wallMs = (title: string, workers: number): number | undefined =>
    results.find((one) => one.title === title && one.workers === workers)?.wallMs
  const cell = (title: string, workers: number): string => {
    const [one, own] = [wallMs(title, 1), wallMs(title, workers)]
    const gain = one === undefined || own === undefined || workers < 2 ? '' : ` (${(one / own).toFixed(2)} ×)`
    return `${ms(own)}${gain}`
  }
  const kernel = results[0]?.impl.replace(/^blobcheck:/, '') ?? ''
  return [
    [`through a verifier, ${kernel}`, ...titles],
    ...counts.map((count) => [
      count === 0 ? 'no worker' : counted(count, 'worker'),
      ...titles.map((title) => cell(title, count)),
    ]),
  ]
}

function table(rows: Table, styled: Styled): string[] {
  const widths = (rows[0] ?? []).map((_, column) =>
    Math.max(...rows.map((row) => widthOfText(row[column] ?? ''))),
  )
  return rows.map((row, at) => {
    const cells = row.map((text, column) => {
      const room = ' '.repeat((widths[column] ?? 0) - widthOfText(text))
      return column === 0 ? `${text}${room}` : `${room}${text}`
    })
    return at === 0 ? styled('bold', cells.join('   ')) : cells.join('   ')
  })
}

/** Three digits. */
function ms(value: number | undefined): string {
  if (value === undefined) return '–'
  return value >= 100 ? value.toFixed(0) : value >= 10 ? value.toFixed(1) : value.toFixed(2)
}
