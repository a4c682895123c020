// A current Node beside this one: the oldest supported one has no sound relaxed SIMD, so that what computes runs under both.
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from './install.mjs'
import { root } from './setup.mjs'

/** Whether this Node is a current one: its relaxed SIMD is sound from 22 on. */
export const isCurrent = Number(process.versions.node.split('.')[0]) >= 22

/** The path of a current Node, this one's if it is one; else as `installCurrentNode` has it. */
export async function prepareCurrentNode() {
  return isCurrent ? process.execPath : await installCurrentNode()
}

/**
 * The path of the current Node that `tests/current-node` names; null where there is no package of one for this platform, which npm leaves out then.
 * Rejects where npm could not install it.
 */
export async function installCurrentNode() {
  const folder = join(root, 'tests/current-node')
  const system = process.platform === 'win32' ? 'win' : process.platform
  const binary = join(
    folder,
    'node_modules',
    `node-${system}-${process.arch}`,
    'bin',
    process.platform === 'win32' ? 'node.exe' : 'node',
  )
  await installPackages(folder, () => console.log('set-up: a current Node, for the tests'))
  return existsSync(binary) ? binary : null
}
