// Installs packages of the system's: what the tests drive that npm and cargo do not carry.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

const execute = promisify(execFile)

/** The list of what there is, fetched once. */
let updated

/**
 * Whether packages can be installed here: by apt, as root or on a machine of CI, which is there to be changed. Elsewhere nobody's rights are used
 * that were not given.
 */
export const canInstall =
  process.platform === 'linux' && (process.getuid?.() === 0 || process.env.CI === 'true')

/** Installs packages, and nothing that they merely recommend; rejects with what apt said. Who installs at the same time waits. */
export async function installSystemPackages(packages) {
  if (!canInstall) throw new Error(`no rights to install ${packages.join(' and ')} here`)
  await (updated ??= apt('update'))
  await apt('install', '--yes', '--no-install-recommends', ...packages)
}

async function apt(...words) {
  const [command, ...first] = process.getuid() === 0 ? ['apt-get'] : ['sudo', '--non-interactive', 'apt-get']
  await execute(command, [...first, '--quiet', '-o', 'DPkg::Lock::Timeout=300', ...words], {
    // Nothing asks, and what is installed starts no service of its own.
    env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive', RUNLEVEL: '1' },
    timeout: 600_000,
    maxBuffer: 2 ** 26,
  })
}
