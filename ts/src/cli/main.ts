#!/usr/bin/env node
/** The command line, `npx blobcheck`. */
import { exitCodes } from './exit-codes.ts'
import { run } from './program.ts'
import { printError } from './terminal/errors.ts'

// Whoever reads does not find out everything. If they have gone (`| head`), there is no one left to tell, either.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') printError(new Error(`standard output cannot be written: ${error.message}`))
  process.exit(exitCodes.unknown)
})

// Complaints that nobody can read do not change what was found out.
process.stderr.on('error', () => {})

process.exitCode = await run(process.argv.slice(2))
