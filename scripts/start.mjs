// `npm start`: sets up what is missing, then verifies a real block. `npm start -- --tamper` spoils a byte of it first.
import { setUpOrExit } from './setup.mjs'

await setUpOrExit(['blobcheck'])
const { report } = await import('./report.mjs')
process.exitCode = await report(process.argv.slice(2))
