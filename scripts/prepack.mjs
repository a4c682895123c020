// Runs before npm packs or publishes: builds everything, and looks into what would be packed. A package that lacks anything is not made.
// All that is said goes to the error stream: `npm pack --json` writes to the other one.
import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { npm } from './run.mjs'
import { problemsOf } from './package-contents.mjs'

/** The budgets, in bytes: of the tarball, and of all files that `npm install blobcheck` leaves behind. */
const MOST_PACKED = 2_420_000
const MOST_INSTALLED = 6_000_000

console.log = console.error
// npm hands its own options to the npm that is run in here: `--dry-run` would install nothing, and `--json` would change what is read below.
for (const name of Object.keys(process.env))
  if (/^npm_config_(?:dry_run|json|pack_destination)$/i.test(name)) delete process.env[name]

const { root } = await import('./setup.mjs')
await import('./build.mjs')

const listed = await npm(['pack', '--dry-run', '--json', '--ignore-scripts', '--loglevel=silent'], {
  cwd: root,
  isRead: true,
})
const [{ files, size, unpackedSize }] = JSON.parse(listed)
const problems = problemsOf(
  root,
  files.map(({ path }) => path),
)
// With what npm installs beside it.
const installedSize = unpackedSize + dependenciesOf(root).reduce((sum, folder) => sum + sizeOf(folder), 0)
if (size > MOST_PACKED)
  problems.push(`${megabytes(size)} MB packed, and ${megabytes(MOST_PACKED)} are allowed`)
if (installedSize > MOST_INSTALLED)
  problems.push(`${megabytes(installedSize)} MB installed, and ${megabytes(MOST_INSTALLED)} are allowed`)
if (problems.length > 0) {
  console.error(
    `\nthis package must not be published:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  )
  process.exit(1)
}
console.error(
  `the package is whole: ${files.length} files, ${megabytes(size)} MB packed, ${megabytes(installedSize)} MB installed`,
)

function dependenciesOf(folder) {
  const { dependencies = {} } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'))
  return Object.keys(dependencies).map((name) => join(folder, 'node_modules', name))
}

function sizeOf(folder) {
  return readdirSync(folder, { recursive: true })
    .map((path) => statSync(join(folder, path)))
    .reduce((sum, file) => sum + (file.isFile() ? file.size : 0), 0)
}

function megabytes(bytes) {
  return (bytes / 1e6).toFixed(2)
}
