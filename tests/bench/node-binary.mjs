// A current Node out of the registry (tests/current-node), for the kernel that Node 20 has no sound engine for.
import { installCurrentNode } from '../../scripts/current-node.mjs'
import { run } from '../../scripts/run.mjs'

/** The path of a Node of that major version: this one, or the current one. Rejects where neither is of that version: another one would be measured. */
export async function findNode(major, install = installCurrentNode) {
  if (major === undefined || Number(process.versions.node.split('.')[0]) === major) return process.execPath
  const path = await install()
  if (path === null)
    throw new Error(
      `there is no package of a current Node for this platform: start the bench with Node ${major}`,
    )
  const version = (await run(path, ['-p', 'process.versions.node'], { isRead: true })).trim()
  if (Number(version.split('.')[0]) !== major)
    throw new Error(`--node has ${version}: start the bench with Node ${major} to measure that`)
  return path
}
