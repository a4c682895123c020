// `npm start`: sets up what it needs itself, verifies a real block, and then sets up the rest: what `npx blobcheck sample`,
// `serve` and the other commands need. `npm start -- --tamper` spoils a byte of the block first.
import { setUpAllOrExit, setUpOrExit } from './setup.mjs'

await setUpOrExit(['verifier', 'beacon'])
const { report } = await import('./report.mjs')
process.exitCode = await report(process.argv.slice(2))
await setUpAllOrExit()
