// Packages of npm, in whichever folder has a lock file: installed once, and again when the lock file has changed.
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './run.mjs'

/** Runs `npm ci` in a folder, unless what its lock file names is there; `tell` is called before. Rejects with all that npm said. */
export async function installPackages(folder, tell) {
  const wanted = createHash('sha256')
    .update(readFileSync(join(folder, 'package-lock.json')))
    .digest('hex')
  const stamp = join(folder, 'node_modules/.blobcheck-stamp')
  if (existsSync(stamp) && readFileSync(stamp, 'utf8') === wanted) return
  tell()
  await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  writeFileSync(stamp, wanted)
}
