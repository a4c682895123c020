// `npm run demo`: sets up what is missing, builds the page, and runs `blobcheck demo`, with whatever options it is given.
import { buildPage, setUpAllOrExit } from './setup.mjs'

// All modules, and the prover's setup: the page proves the cells of its block when it is built.
await setUpAllOrExit()
await buildPage()
process.argv.splice(2, 0, 'demo')
await import('../dist/cli/main.js')
