// Finds a Redis server, or installs the system's: what audits on several machines are tested with.
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { installSystemPackages } from './system-packages.mjs'

/** The path of a Redis server on this machine, or undefined. */
export function findRedis() {
  const folders = [
    ...(process.env.PATH ?? '').split(delimiter),
    '/usr/bin',
    '/usr/local/bin',
    '/opt/homebrew/bin',
  ]
  const executable = process.platform === 'win32' ? '.exe' : ''
  const names = [`redis-server${executable}`, `valkey-server${executable}`]
  const paths = folders.filter(Boolean).flatMap((folder) => names.map((name) => join(folder, name)))
  return [process.env.BLOBCHECK_REDIS, ...paths].find((path) => path && existsSync(path))
}

/** The path of a Redis server, installed if need be; rejects with what to do about it where that fails. */
export async function ensureRedis(log) {
  const found = findRedis()
  if (found) return found
  log('installing Redis through the system’s package manager')
  // What is there now counts.
  await installSystemPackages(['redis-server']).catch((error) => log(error.message))
  const installed = findRedis()
  if (installed) return installed
  throw new Error('no Redis server: install redis-server, or name it in BLOBCHECK_REDIS')
}
