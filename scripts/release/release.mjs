// `npm run release`: from a tree that was tested to a package on the registry.
//
//   npm run release -- --version   takes the changesets, and what CHANGELOG has under "Unreleased", into the version to come
//   npm run release -- --dry-run   does everything but publish: builds, packs, looks into the package, and asks npm what it would do
//   npm run release                publishes it, with provenance where the workflow of GitHub runs this, and tags the commit
//
// Where anything speaks against a release, each reason is a line, and nothing is published. A dry run goes on to its end and tells them all.
import { mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { installPackages } from '../install.mjs'
import { npm, run } from '../run.mjs'
import { root } from '../setup.mjs'
import { headingOf, released, unreleased } from './changelog.mjs'

const here = join(root, 'scripts/release')
const manifestFile = join(root, 'package.json')
const changelogFile = join(root, 'CHANGELOG.md')
const [mode = ''] = process.argv.slice(2)
if (!['', '--dry-run', '--version'].includes(mode)) {
  console.error(`${mode} is no option: --dry-run, --version, or none`)
  process.exit(2)
}

await installPackages(here, () => console.log('set-up: changesets'))
if (mode === '--version') await makeVersion()
else await release(mode === '--dry-run')

function changesets(...args) {
  return run(process.execPath, [join(here, 'node_modules/@changesets/cli/bin.js'), ...args], { cwd: root })
}

/** The version that package.json has. */
function version() {
  return JSON.parse(readFileSync(manifestFile, 'utf8')).version
}

async function makeVersion() {
  const before = version()
  const manifest = readFileSync(manifestFile, 'utf8')
  await changesets('version')
  // The tool writes package.json anew, in a form of its own: nothing but the version is to change.
  writeFileSync(manifestFile, manifest.replace(`"version": "${before}"`, `"version": "${version()}"`))
  const changelog = readFileSync(changelogFile, 'utf8')
  writeFileSync(changelogFile, released(changelog, version()))
  // The lock file has the version, too.
  await npm(['install', '--package-lock-only', '--no-audit', '--no-fund', '--loglevel=error'], { cwd: root })
  console.log(
    `${before} → ${version()}: look at CHANGELOG.md, package.json and package-lock.json, and commit them`,
  )
}

async function release(isDry) {
  const doubts = await doubtsAbout(version())
  for (const doubt of doubts) console.log(`${isDry ? 'would stop' : 'stopped'}: ${doubt}`)
  if (doubts.length > 0 && !isDry) process.exit(1)

  const folder = join(root, 'target/release')
  rmSync(folder, { recursive: true, force: true })
  mkdirSync(folder, { recursive: true })
  // It builds, and refuses what is not whole. npm itself would leave it out where it is told to ignore scripts, and pack what lies there.
  await run(process.execPath, [join(root, 'scripts/prepack.mjs')], { cwd: root, live: true })
  await npm(['pack', '--ignore-scripts', '--pack-destination', folder, '--loglevel=warn'], {
    cwd: root,
    live: true,
  })
  const tarball = join(folder, `blobcheck-${version()}.tgz`)

  // Provenance wants the identity that a workflow of GitHub has: whoever installs the package can see which commit and workflow made it.
  const withProvenance = process.env.GITHUB_ACTIONS === 'true' && !isDry
  const options = [
    '--access',
    'public',
    ...(withProvenance ? ['--provenance'] : []),
    ...(isDry ? ['--dry-run'] : []),
  ]
  await npm(['publish', tarball, '--ignore-scripts', '--loglevel=warn', ...options], {
    cwd: root,
    live: true,
  })
  if (isDry) {
    console.log(`\nnothing was published: ${tarball.slice(root.length + 1)} is what would have been`)
    return
  }
  await run('git', ['tag', '--annotate', `v${version()}`, '--message', `blobcheck ${version()}`], {
    cwd: root,
  })
  console.log(`\npublished, and tagged as v${version()}: git push --follow-tags`)
}

/** What speaks against a release of this tree, a line for each reason. */
async function doubtsAbout(wanted) {
  const doubts = []
  const git = async (...args) => (await run('git', args, { cwd: root, isRead: true })).trim()
  if ((await git('status', '--porcelain')) !== '') doubts.push('files are changed that are not committed')
  if ((await git('tag', '--list', `v${wanted}`)) !== '') doubts.push(`v${wanted} has been tagged before`)
  const changelog = readFileSync(changelogFile, 'utf8')
  if (unreleased(changelog) !== '')
    doubts.push('CHANGELOG.md has changes under "Unreleased": npm run release -- --version')
  else if (!changelog.includes(headingOf(wanted))) doubts.push(`CHANGELOG.md says nothing about ${wanted}`)
  // What was not turned into a version yet. The tool's own `status` compares with the branch `main`, and fails where there is none.
  const pending = readdirSync(join(root, '.changeset')).filter((name) => name.endsWith('.md'))
  if (pending.some((name) => name !== 'README.md'))
    doubts.push('there are changesets: npm run release -- --version')
  return doubts
}
