/** What becomes of CHANGELOG.md when a version is made, what is packed for a release, and what speaks against one. */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { released, unreleased } from '../../scripts/release/changelog.mjs'

const changelog = `# Changelog

## Unreleased

- One.
- Two.

## 0.1.0

- Before.
`

describe('a version', () => {
  it('takes what is under “Unreleased”', () => {
    expect(unreleased(changelog)).toBe('- One.\n- Two.')
    expect(released(changelog, '0.2.0')).toBe(changelog.replace('Unreleased', '0.2.0'))
    expect(unreleased(released(changelog, '0.2.0'))).toBe('')
  })

  it('joins it to what changesets wrote above it', () => {
    const written = changelog.replace(
      '## Unreleased',
      '## 0.2.0\n\n### Minor Changes\n\n- Three.\n\n## Unreleased',
    )
    const made = released(written, '0.2.0')
    expect(made).toBe(changelog.replace('## Unreleased\n', '## 0.2.0\n\n### Minor Changes\n\n- Three.\n'))
  })

  it('of a first release has nothing after it', () => {
    expect(released('# Changelog\n\n## Unreleased\n\n- One.\n', '0.1.0')).toBe(
      '# Changelog\n\n## 0.1.0\n\n- One.\n',
    )
  })

  it('leaves a changelog without “Unreleased” as it is', () => {
    const made = released(changelog, '0.2.0')
    expect(released(made, '0.3.0')).toBe(made)
    expect(unreleased(made)).toBe('')
  })
})

describe.skipIf(process.platform === 'win32')('npm run release -- --dry-run', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  const execute = promisify(execFile)
  let folder: string
  let clone: string

  /** A clone on a branch that is not called `main`, whose `prepack` writes the command and nothing else, and whose npm packs and does not publish. */
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blobcheck-release-'))
    clone = join(folder, 'clone')
    const lock = await readFile(join(root, 'scripts/release/package-lock.json'))
    for (const path of ['package.json', 'CHANGELOG.md', '.gitignore', '.changeset', 'scripts'])
      await cp(join(root, path), join(clone, path), {
        recursive: true,
        filter: (from) => !from.includes('node_modules'),
      })
    // The tool of changesets is not asked.
    await mkdir(join(clone, 'scripts/release/node_modules'))
    await writeFile(
      join(clone, 'scripts/release/node_modules/.blobcheck-stamp'),
      createHash('sha256').update(lock).digest('hex'),
    )
    await writeFile(
      join(clone, 'scripts/prepack.mjs'),
      `import { mkdirSync, writeFileSync } from 'node:fs'
      mkdirSync('dist/cli', { recursive: true })
      writeFileSync('dist/cli/main.js', 'built')`,
    )
    await writeFile(
      join(folder, 'npm.cjs'),
      `const args = process.argv.slice(2)
      const npm = ${JSON.stringify(process.env['npm_execpath'] ?? '')}
      const [command, ...first] = npm === '' ? ['npm'] : [process.execPath, npm]
      if (args[0] === 'pack')
        process.exitCode = require('node:child_process').spawnSync(command, [...first, ...args], { stdio: 'inherit' }).status`,
    )
    const git = async (...args: string[]): Promise<unknown> => await execute('git', args, { cwd: clone })
    await git('init', '--quiet', '--initial-branch', 'release')
    await git('add', '--all')
    const identity = ['-c', 'user.name=a', '-c', 'user.email=a@b.invalid', '-c', 'commit.gpgsign=false']
    await git(...identity, 'commit', '--quiet', '--message', 'All')
  })
  afterAll(async () => await rm(folder, { recursive: true }))

  const release = async (): Promise<string> => {
    const script = join(clone, 'scripts/release/release.mjs')
    const env = { ...process.env, npm_execpath: join(folder, 'npm.cjs'), npm_config_ignore_scripts: 'true' }
    return (await execute(process.execPath, [script, '--dry-run'], { env })).stdout
  }

  it('packs what `prepack` has built, though npm is told to ignore scripts', async () => {
    const { version } = JSON.parse(await readFile(join(clone, 'package.json'), 'utf8')) as { version: string }
    expect(await release()).toContain('nothing was published')
    const tarball = join(clone, `target/release/blobcheck-${version}.tgz`)
    const { stdout } = await execute('tar', ['-xzOf', tarball, 'package/dist/cli/main.js'])
    expect(stdout).toBe('built')
  })

  it('would stop for a changeset that no version has taken yet, whatever the branch', async () => {
    const doubt = 'would stop: there are changesets: npm run release -- --version'
    expect(await release()).not.toContain(doubt)
    await writeFile(join(clone, '.changeset/brave-blobs.md'), '---\n"blobcheck": minor\n---\n\nA change.\n')
    expect(await release()).toContain(doubt)
  })
})
