// Runs before npm packs or publishes: builds everything, and looks into what would be packed. A package that lacks anything is not made.
// All that is said goes to the error stream: `npm pack --json` writes to the other one.
import { npm } from './run.mjs'
import { excessOf, megabytes, problemsOf } from './package-contents.mjs'

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
const paths = files.map(({ path }) => path)
const problems = [...problemsOf(root, paths), ...excessOf(root, size, unpackedSize)]
if (problems.length > 0) {
  console.error(
    `\nthis package must not be published:\n${problems.map((problem) => `  ${problem}`).join('\n')}`,
  )
  process.exit(1)
}
console.error(
  `the package is whole: ${files.length} files, ${megabytes(size)} packed, ${megabytes(unpackedSize)} unpacked`,
)
