#!/usr/bin/env node
/** The command line, `npx blobcheck`. */
import { exitCodes, interruptible } from './command.ts'
import { run } from './program.ts'
import { watchOutput } from './terminal/lost-lines.ts'
import { printError } from './terminal/words.ts'

const { stdout, stderr } = process

// Whoever reads does not find out everything. If they have gone (`| head`), there is no one left to tell, either.
watchOutput(stdout, stderr, () => process.exit(exitCodes.unknown))

// Complaints that nobody can read do not change what was found out.
stderr.on('error', () => {})

process.exitCode = await interruptible(async (signal) => {
  try {
    return await run(process.argv.slice(2), {
      // Node.js opens it when it is asked for, and most commands do not read it.
      get stdin() {
        return process.stdin
      },
      stdout,
      stderr,
      signal,
    })
  } catch (error) {
    // Nothing is known to be bad, which is what Node.js's own exit code would say.
    printError(stderr, error instanceof Error ? error : new Error(String(error)))
    return exitCodes.unknown
  }
})
