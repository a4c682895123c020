// Where and with what something was measured.
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { availableParallelism, cpus, release, totalmem, type as system } from 'node:os'
import { root } from '../../scripts/setup.mjs'
import { peers } from './peers/index.mjs'

export function describeMachine() {
  return {
    date: new Date().toISOString(),
    commit:
      git(['rev-parse', '--short', 'HEAD']) +
      (git(['status', '--porcelain', '--untracked-files=no', '--', '.', ':!docs']) === '' ? '' : ', changed'),
    cpu: cpus()[0]?.model.trim() ?? 'unknown',
    cores: availableParallelism(),
    memoryGib: Math.round(totalmem() / 2 ** 30),
    system: `${system()} ${release()}, ${process.arch}`,
  }
}

/** The versions of the packages behind the implementations. */
export function describePackages(names) {
  const packages = [...new Set(names.flatMap((name) => peers[name].packages ?? []))]
  return Object.fromEntries([
    ['blobcheck', versionOf(`${root}/package.json`)],
    ...packages.map((name) => [
      name,
      versionOf(new URL(`node_modules/${name}/package.json`, import.meta.url)),
    ]),
  ])
}

/** `{ node, v8 }` of a Node binary. */
export function describeNode(node) {
  const print = 'process.stdout.write(JSON.stringify([process.versions.node, process.versions.v8]))'
  const [version, v8] = JSON.parse(execFileSync(node, ['-e', print], { encoding: 'utf8' }))
  return { node: version, v8 }
}

const versionOf = (path) => JSON.parse(readFileSync(path, 'utf8')).version

function git(args) {
  try {
    return execFileSync('git', args, {
      cwd: root,
      encoding: 'utf8',
      stdio: ['ignore', 'pipe', 'ignore'],
    }).trim()
  } catch {
    return 'unknown'
  }
}
