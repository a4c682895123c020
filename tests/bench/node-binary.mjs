// A current Node out of the registry (tests/current-node), for the kernel that Node 20 has no sound engine for.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from '../../scripts/run.mjs'
import { root } from '../../scripts/setup.mjs'

/** The path of a Node of that major version: this one, or the current one. */
export async function findNode(major, log) {
  if (major === undefined || Number(process.versions.node.split('.')[0]) === major) return process.execPath
  const folder = join(root, 'tests/current-node')
  const system = process.platform === 'win32' ? 'win' : process.platform
  const file = process.platform === 'win32' ? 'node.exe' : 'node'
  const binary = join(folder, 'node_modules', `node-${system}-${process.arch}`, 'bin', file)
  if (!existsSync(binary)) {
    log('a current Node')
    await npm(['ci', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: folder })
  }
  return binary
}
