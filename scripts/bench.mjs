// `npm run bench`: sets up what is missing, the peers included, and measures them all. A quick run installs no peers, and
// measures those that are there. `npm run bench -- --help` says what there is to choose.
import { needs } from '../tests/bench/operations.mjs'
import { readOptions } from '../tests/bench/options.mjs'
import { setUpAllOrExit } from './setup.mjs'

const options = readOptions(process.argv.slice(2))
if (options !== null) {
  if (options.setup) await setUpAllOrExit()
  try {
    if (options.setup) await installPackages()
    const { bench } = await import('../tests/bench/main.mjs')
    const isWhole = await bench(options)
    process.exit(isWhole ? 0 : 1)
  } catch (error) {
    console.error(`\nthe bench failed: ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  }
}

async function installPackages() {
  const { installLodestar, installPeers } = await import('../tests/bench/install.mjs')
  if (!options.quick) await installPeers()
  if (needs(options.rows).chains > 0) await installLodestar()
}
