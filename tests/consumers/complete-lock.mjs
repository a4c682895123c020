// Completes tests/consumers/package-lock.json where it was written with a registry that lacks the binaries of other platforms: `npm ci` wants
// an entry for each optional package that anything names. Run it after `npm install`, then run `npm ci` from clean.
import { readFileSync, writeFileSync } from 'node:fs'

const path = new URL('package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(path, 'utf8'))
const systems = [
  'aix',
  'android',
  'darwin',
  'freebsd',
  'linux',
  'netbsd',
  'openbsd',
  'openharmony',
  'sunos',
  'win32',
]
const processors = ['arm64', 'arm', 'ia32', 'loong64', 'mips64el', 'ppc64', 'riscv64', 's390x', 'x64']

/** Where Node finds a package from a folder of the lock, or undefined. */
function find(from, name) {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules/') - 1))) {
    const at = `${folder === '' ? '' : `${folder}/`}node_modules/${name}`
    if (lock.packages[at]?.version !== undefined) return at
    if (folder === '') return undefined
  }
}

let added = 0
for (const [from, { optionalDependencies = {} }] of Object.entries(lock.packages)) {
  for (const [name, version] of Object.entries(optionalDependencies)) {
    const at = find(from, name)
    if (at !== undefined && (lock.packages[at].version === version || !/^\d/.test(version))) continue
    if (!/^\d+\.\d+\.\d+\S*$/.test(version)) throw new Error(`${name} has no exact version: ${version}`)
    const words = name.split(/[/_-]/)
    const os = systems.filter((system) => words.includes(system))
    const cpu = processors.find((processor) => words.includes(processor))
    const libc = words.some((word) => word.startsWith('musl')) ? 'musl' : undefined
    const place = at === undefined ? `node_modules/${name}` : `${from}/node_modules/${name}`
    lock.packages[place] = {
      version,
      optional: true,
      ...(os.length > 0 && { os }),
      ...(cpu && { cpu: [cpu] }),
      ...(libc && { libc: [libc] }),
    }
    added++
  }
}
lock.packages = Object.fromEntries(
  Object.entries(lock.packages).sort(([a], [b]) => (a < b ? -1 : a > b ? 1 : 0)),
)
writeFileSync(path, `${JSON.stringify(lock, null, 2)}\n`)
console.log(`${added} packages added`)
