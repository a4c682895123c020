/** What keeps a command from going on, on standard error. */
import { Lines } from './lines.ts'
import { printable } from '../../printable.ts'

export function complain(error: Error): void {
  new Lines(process.stderr).print(`blobcheck: ${printable(error.message)}`, '  ')
}
