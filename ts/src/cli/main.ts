#!/usr/bin/env node
/** The command line, `npx blobcheck`. */
import { exitCodes } from './exit-codes.ts'
import { run } from './program.ts'

// Whoever reads has gone (`| head`): there is no one left to tell, and not everything was found out.
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error
  process.exit(exitCodes.unknown)
})

process.exitCode = await run(process.argv.slice(2))
