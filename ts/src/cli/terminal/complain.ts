/** What keeps a command from going on, on standard error. */
import { Lines } from './lines.ts'
import { printable } from '../../util/printable.ts'

export function complain(error: Error): void {
  new Lines(process.stderr).print(`blobcheck: ${printable(errorInWords(error))}`, '  ')
}

/** Its message, with what can be done about it where that is known. */
export function errorInWords(error: Error): string {
  const advice = adviceOn(error)
  return advice === null ? error.message : `${error.message}; ${advice}`
}

function adviceOn(error: Error): string | null {
  if (codeOf(error) === 'EADDRINUSE') return '--port 0 takes any that is free'
  // What is published has it.
  if (error.name === 'SetupUnavailableError' && codeOf(error.cause) === 'ENOENT')
    return 'in a clone, “npm run build” makes it'
  return null
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
