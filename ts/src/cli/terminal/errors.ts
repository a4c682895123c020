/** Errors that keep a command from going on, on standard error, with what can be done about them. */
import { printable } from '../../util/printable.ts'
import { Lines } from './output.ts'

/** Prints an error on standard error, with what can be done about it where that is known. */
export function printError(error: Error): void {
  new Lines(process.stderr).print(`blobcheck: ${printable(messageOf(error))}`, '  ')
}

/** Its message, with what can be done about it where that is known. */
export function messageOf(error: Error): string {
  const advice = adviceFor(error)
  return advice === null ? error.message : `${error.message}; ${advice}`
}

function adviceFor(error: Error): string | null {
  if (codeOf(error) === 'EADDRINUSE') return '--port 0 takes any that is free'
  // What is published has it.
  if (error.name === 'SetupUnavailableError' && codeOf(error.cause) === 'ENOENT')
    return 'in a clone, “npm run build” makes it'
  return null
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && 'code' in error ? error.code : undefined
}
