// `npm run bench`: sets up what is missing, the peers included, and measures them all. `npm run bench -- --help` says what
// there is to choose.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './run.mjs'
import { root, setUpOrExit } from './setup.mjs'
import { readOptions } from '../tests/bench/options.mjs'

const options = readOptions(process.argv.slice(2))
if (options !== null) {
  await setUpOrExit()
  try {
    await installPeers()
    const { bench } = await import('../tests/bench/main.mjs')
    await bench(options)
    process.exit()
  } catch (error) {
    console.error(`\nthe bench failed: ${error instanceof Error ? error.message : error}`)
    process.exit(1)
  }
}

/** The packages to be measured beside; those that are native are compiled if they come without a binary. */
async function installPeers() {
  const folder = join(root, 'tests/bench')
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules/.blobcheck-stamp')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('set-up: the packages to measure beside (tests/bench)')
  await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  writeFileSync(stamp, wanted)
}
