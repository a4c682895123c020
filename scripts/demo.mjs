// `npm run demo`: sets up what is missing, builds the page, and runs `blobcheck demo`, with whatever options it is given.
import { buildPage, setUpOrExit } from './setup.mjs'

// The light client's too: the page's bundle has the verifier's way to it, though it never goes there.
await setUpOrExit(['verifier', 'beacon', 'light_client'])
await buildPage()
process.argv.splice(2, 0, 'demo')
await import('../dist/cli/main.js')
