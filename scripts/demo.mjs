// `npm run demo`: sets up what is missing, builds the page, and runs `blobcheck demo`, with whatever options it is given.
import { buildPage, setUpOrExit } from './setup.mjs'

// All modules: the workers' scripts are bundled with the glue of each.
await setUpOrExit()
await buildPage()
process.argv.splice(2, 0, 'demo')
await import('../dist/cli/main.js')
