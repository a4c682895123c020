// The packages to be measured beside; those that are native are compiled if they come without a binary.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from '../../scripts/install.mjs'
import { npm } from '../../scripts/run.mjs'
import { root } from '../../scripts/setup.mjs'

/** Another implementation's types, which make the chain that a light client follows; the tests have them, too. */
export async function installLodestar() {
  await installPackages(join(root, 'tests/lodestar'), () =>
    console.log('set-up: another implementation’s types, for the light client’s rows (tests/lodestar)'),
  )
}

/** Whether a package to measure beside is installed. */
export const hasPeer = (name) => existsSync(join(root, 'tests/bench/node_modules', name, 'package.json'))

export async function installPeers() {
  const folder = join(root, 'tests/bench')
  const lock = readFileSync(join(folder, 'package-lock.json'))
  const wanted = createHash('sha256').update(lock).digest('hex')
  const stamp = join(folder, 'node_modules/.blobcheck-stamp')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  console.log('set-up: the packages to measure beside (tests/bench)')
  // Not `ci`, which refuses a lock file without the binaries for other platforms: not every registry has them all, and npm
  // locks only those that it finds. Versions come from the lock file all the same.
  await npm(['install', '--no-save', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  writeFileSync(stamp, wanted)
}
