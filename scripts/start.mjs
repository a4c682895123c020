// `npm start`: sets up what it needs itself, verifies a real block, and then sets up the rest: what `npx blobcheck sample`,
// `serve` and the other commands need. `npm start -- --tamper` spoils a byte of the block first.
import { setUpAllOrExit, setUpOrExit } from './setup.mjs'

// All modules: the workers' scripts are bundled with the glue of each.
await setUpOrExit()
const { report } = await import('./report.mjs')
process.exitCode = await report(process.argv.slice(2))
await setUpAllOrExit()
