/** What keeps a command from going on, on standard error, with what can be done about it where that is known. */
import { Lines } from './lines.ts'
import { printable } from '../../printable.ts'

export function complain(error: Error): void {
  const advice = adviceOn(error)
  const text = advice === null ? error.message : `${error.message}; ${advice}`
  new Lines(process.stderr).print(`blobcheck: ${printable(text)}`, '  ')
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
