// `npm run demo`: sets up what is missing, builds the page, and runs `blobcheck demo`, with whatever options it is given. With `--peers` the page can
// measure itself beside other libraries, which are installed then.
import { buildPage, setUpAllOrExit } from './setup.mjs'

const [node, script, ...options] = process.argv
const withPeers = options.includes('--peers')
// All modules, and the prover's setup: the page proves the cells of its block when it is built.
await setUpAllOrExit()
if (withPeers) {
  const { installPeers } = await import('../tests/bench/install.mjs')
  await installPeers()
}
await buildPage({ withPeers })
process.argv = [node, script, 'demo', ...options.filter((option) => option !== '--peers')]
await import('../dist/cli/main.js')
