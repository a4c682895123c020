/** Lines that cannot be written: who is to end for it, and who is to go on. */
import type { Writable } from 'node:stream'
import { printError } from './words.ts'

/** Outputs of commands that others depend on, whatever becomes of their lines. */
const spared = new WeakSet<Writable>()

/**
 * From now on a line that cannot be written does not end the command: what it is for is not what it prints. Where there is no room, or the disk
 * fails, it says so once on its standard error, and goes on without the line; the next one may be written again. Where whoever read its lines has gone,
 * as at the end of a pipe, it ends all the same.
 */
export function goOnWithoutLines(output: Writable): void {
  spared.add(output)
}

/** Calls `end` where the standard output cannot be written, and the command is not to go on without it. */
export function watchOutput(stdout: Writable, stderr: Writable, end: () => void): void {
  let isTold = false
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    const hasReaderGone = error.code === 'EPIPE'
    const goesOn = !hasReaderGone && spared.has(stdout)
    if (!hasReaderGone && !isTold) {
      const then = goesOn ? '; lines are left out until it can be' : ''
      printError(stderr, new Error(`standard output cannot be written: ${error.message}${then}`))
    }
    isTold = true
    if (!goesOn) end()
  })
}
