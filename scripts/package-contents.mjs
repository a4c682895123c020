// What has to be in the package that npm packs, and what must not: `prepack` looks before anything is published.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, posix } from 'node:path'

/** The budgets, in bytes: of the tarball, and of all files that `npm install blobcheck` leaves behind. */
const MOST_PACKED = 2_750_000
const MOST_INSTALLED = 6_850_000

/** Files that people and registries look for. */
const PAPERS = [
  'README.md',
  'CHANGELOG.md',
  'SECURITY.md',
  'LICENSE-MIT',
  'LICENSE-APACHE',
  'THIRD-PARTY-NOTICES.txt',
]

/** What entries load by their address, and no import names. */
const ASSETS = [
  'data/holesky_1409759_blob_sidecars.json.gzip',
  'wasm/prover-setup.bin',
  'wasm/prover-setup-extension.bin',
  'web-demo/dist/index.html',
]

/**
 * What is wrong with a package in `root` of which npm would pack `files` (paths from its folder): a sentence for each thing that is missing
 * or superfluous, none where all is well.
 */
export function problemsOf(root, files) {
  const packed = new Set(files)
  const manifest = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const problems = []
  const need = (path, by) => {
    if (!packed.has(path)) problems.push(`${path} is not in the package, and ${by} needs it`)
  }
  for (const path of [...PAPERS, ...ASSETS]) need(path, 'every package')
  for (const name of modulesOf(root)) need(`wasm/${name}.wasm`, 'an entry')
  for (const [name, target] of targetsOf(manifest)) {
    if (!target.includes('*')) need(target, `"${name}" of package.json`)
    else if (!files.some((path) => path.startsWith(target.slice(0, target.indexOf('*')))))
      problems.push(`nothing in the package is ${target}, which "${name}" of package.json names`)
  }
  // What is optional is loaded by a command that says how to install it.
  const installed = Object.keys({ ...manifest.dependencies, ...manifest.peerDependencies })
  const allowed = [...installed, ...Object.keys(manifest.imports), manifest.name]
  for (const path of files) {
    if (namesMap(root, path)) problems.push(`${path} is a source map, or names one, and no sources are here`)
  }
  for (const path of files.filter((name) => /\.m?js$/.test(name) && !isPage(name))) {
    for (const target of neighboursOf(root, path)) need(target, path)
    for (const name of packagesOf(root, path))
      if (!allowed.includes(name)) problems.push(`${path} imports ${name}, which is not installed`)
  }
  const declared = declarationsOf(root, manifest)
  for (const path of declared) need(path, 'the declaration of an entry')
  for (const path of files) {
    if (path.startsWith('dist/') && /\.d\.m?ts$/.test(path) && !declared.has(path))
      problems.push(`${path} declares what no entry shows`)
    if (/(?:^|\/)\.|\.tsbuildinfo$|\.test\./.test(path))
      problems.push(`${path} is of the build, or of a test`)
    if (isPage(path) && /\/peers?-[^/]*$/.test(path)) problems.push(`${path} is of the page with peers`)
  }
  return problems
}

/** Where a package in `root` exceeds its budgets, whose tarball and files have so many bytes: a sentence for each, none where it is within them. */
export function excessOf(root, packed, unpacked) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  // With what npm installs beside it.
  const beside = Object.keys(dependencies).map((name) => sizeOf(join(root, 'node_modules', name)))
  const installed = beside.reduce((sum, size) => sum + size, unpacked)
  const excess = (what, size, most) =>
    size > most ? [`${megabytes(size)} ${what}, and ${megabytes(most)} are allowed`] : []
  return [...excess('packed', packed, MOST_PACKED), ...excess('installed', installed, MOST_INSTALLED)]
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

export function megabytes(bytes) {
  return `${(bytes / 1e6).toFixed(2)} MB`
}

/** The page is bundled: what it names is beside it, or where `blobcheck demo` looks for it. */
const isPage = (path) => path.startsWith('web-demo/')

/** The modules that were built, by the names of their files. */
function modulesOf(root) {
  const manifest = join(root, 'wasm/manifest.json')
  return existsSync(manifest) ? Object.keys(JSON.parse(readFileSync(manifest, 'utf8')).modules) : []
}

/** The files that package.json names, with where it names them. */
function targetsOf({ bin, exports, imports }) {
  const leaves = (value, name) =>
    typeof value === 'string'
      ? [[name, posix.normalize(value)]]
      : Object.values(value).flatMap((inner) => leaves(inner, name))
  return Object.entries({ ...bin, ...exports, ...imports }).flatMap(([name, value]) => leaves(value, name))
}

/** The files of the package that a script names by a path: imports, and addresses beside `import.meta.url`. */
function neighboursOf(root, path) {
  const text = readFileSync(join(root, path), 'utf8')
  const named = [
    ...text.matchAll(/\b(?:from|import)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g),
    ...text.matchAll(/new URL\(["'](\.{1,2}\/[^"']+)["'],\s*import\.meta\.url\)/g),
  ].map(([, target]) => posix.join(posix.dirname(path), target))
  // The folder of the page, and others that are read as a whole.
  return named.filter((target) => !target.endsWith('/'))
}

/** Whether a file is a source map, or has a comment that names one: tools of others warn of each whose sources they do not find. */
function namesMap(root, path) {
  if (path.endsWith('.map')) return true
  const isText = /\.(?:[cm]?[jt]s|css|html)$/.test(path) && existsSync(join(root, path))
  return isText && /^\/[/*][#@] sourceMappingURL=/m.test(readFileSync(join(root, path), 'utf8'))
}

/** The packages that a script imports, but for Node's own. */
function packagesOf(root, path) {
  const text = readFileSync(join(root, path), 'utf8')
  return [...text.matchAll(/^(?:import|export)\b[^'"]*?\bfrom\s*["']([^."'][^"']*)["']/gm)]
    .map(([, name]) => name)
    .filter((name) => !name.startsWith('node:'))
    .map((name) =>
      name.startsWith('#')
        ? name
        : name
            .split('/')
            .slice(0, name.startsWith('@') ? 2 : 1)
            .join('/'),
    )
}

/** The declarations that package.json names, and those that who reads them comes to: paths from the package's folder. */
export function declarationsOf(root, manifest) {
  const { imports } = manifest
  const reached = new Set()
  const pending = targetsOf(manifest).flatMap(([, target]) => (target.endsWith('.d.ts') ? [target] : []))
  while (pending.length > 0) {
    const path = pending.pop()
    if (reached.has(path) || !existsSync(join(root, path))) continue
    reached.add(path)
    const text = readFileSync(join(root, path), 'utf8')
    for (const [, target] of text.matchAll(/\b(?:from|import)\s*\(?\s*["']([.#][^"']+)["']/g)) {
      const to = target.startsWith('#') ? imports[target] : posix.join(posix.dirname(path), target)
      const file = typeof to === 'string' ? to : to.types
      pending.push(posix.normalize(file).replace(/(?:\.d)?\.[jt]s$/, '.d.ts'))
    }
  }
  return reached
}
