// Packages of npm, in whichever folder has a lock file: installed once, and again when the lock file has changed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { alone } from './alone.mjs'
import { npm } from './run.mjs'

const root = fileURLToPath(new URL('..', import.meta.url))

/**
 * Runs `npm ci` in a folder, unless what its lock file names is there; `tell` is called before. Rejects with all that npm said. Of several
 * processes one installs, and the others wait.
 */
export async function installPackages(folder, tell) {
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules/.blobcheck-stamp')
  const isInstalled = () => existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted
  if (isInstalled()) return
  const install = async () => {
    if (isInstalled()) return
    tell()
    await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
    writeFileSync(stamp, wanted)
  }
  const name = `packages-${relative(root, folder).replaceAll(/\W+/g, '-')}`
  await alone(name, install, () =>
    console.log('another process installs these packages: this one waits for it'),
  )
}
