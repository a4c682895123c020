/** What commander writes: help, and complaints that quote the command line and what files made us say. */
import type { OutputConfiguration } from 'commander'
import { printable } from '../../util/printable.ts'

/** For each command: its lines without what steers a terminal. */
export const printed: OutputConfiguration = {
  writeOut: (text) => void process.stdout.write(printableLines(text)),
  writeErr: (text) => void process.stderr.write(printableLines(text)),
}

/** Line breaks are kept; anything else that is no character to be read is replaced. */
export function printableLines(text: string): string {
  return text.split('\n').map(printable).join('\n')
}
