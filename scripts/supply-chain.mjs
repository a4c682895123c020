// `npm run audit`: known holes, licences, sources and signatures of all that the package is made of and built with. It needs a network: the
// advisories of crates come from GitHub, and those of npm from its registry. What could not be asked is said, and is no success.
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { installPackages } from './install.mjs'
import { npm, run } from './run.mjs'
import { ensureCargoCommand } from './rust.mjs'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** What npm and cargo-deny say where a server did not answer, or has no such service. */
const UNREACHABLE =
  /audit endpoint returned an error|ENOTFOUND|ECONNREFUSED|ETIMEDOUT|network connectivity|failed to fetch advisory database|TUF_|error fetching/i

const outcomes = []

await installPackages(root, () => console.log('npm packages'))
if (await hasCargoDeny()) {
  // Apart: only the advisories need more than the lock file and what cargo has downloaded.
  await check(
    'crates: licences, two versions of one, sources (deny.toml)',
    deny('licenses', 'bans', 'sources'),
  )
  await check('crates: advisories of RustSec, and withdrawn versions', deny('advisories'))
}
// What the release is made with is installed in a folder of its own.
for (const folder of ['.', 'scripts/release']) {
  const cwd = join(root, folder)
  if (folder !== '.') await installPackages(cwd, () => console.log(`npm packages of ${folder}`))
  // Not as quiet as the npm that this may run in: what it says tells why.
  const audit = (...words) => npm(['audit', ...words, '--loglevel=notice'], { cwd })
  await check(`npm: advisories (${folder})`, () => audit('--audit-level=low'))
  await check(`npm: signatures of the registry (${folder})`, () => audit('signatures'))
}

console.log('')
for (const { name, outcome } of outcomes) console.log(`${outcome.padEnd(12)}${name}`)
if (outcomes.some(({ outcome }) => outcome !== 'ok')) process.exitCode = 1

function deny(...checks) {
  return () => run('cargo', ['deny', '--all-features', 'check', ...checks], { cwd: root })
}

/** Whether cargo-deny is here, or could be installed. */
async function hasCargoDeny() {
  try {
    await ensureCargoCommand('deny')
    return true
  } catch (error) {
    note('crates: cargo-deny could not be installed', 'not asked', error.message)
    return false
  }
}

async function check(name, task) {
  try {
    note(name, 'ok', await task())
  } catch (error) {
    note(name, UNREACHABLE.test(error.message) ? 'not asked' : 'FAILED', error.message)
  }
}

function note(name, outcome, output) {
  outcomes.push({ name, outcome })
  console.log(`\n${name}: ${outcome}\n${output.trim().split('\n').slice(-20).join('\n')}`)
}
