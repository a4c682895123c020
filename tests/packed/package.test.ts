/** The tarball itself: what those who lint packages say of it, and what npm makes of it in an empty folder. */
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { npm } from '../../scripts/run.mjs'
import {
  checkModule,
  consumersFolder,
  outcomeOf,
  printingScript,
  runTool,
  toolPath,
} from '../support/consumers.ts'
import { tarball } from '../support/packed.ts'

it('has nothing that publint has to say a word about', async () => {
  const args = [toolPath('publint/src/cli.js'), 'run', tarball(), '--strict']
  expect((await runTool(process.execPath, args, { cwd: consumersFolder })).stdout).toMatch(/All good!\s*$/)
})

it('has declarations that each resolution of ECMAScript modules finds, as attw says', async () => {
  // Paths of data and of modules of WebAssembly are no modules of JavaScript.
  const args = [
    '--profile',
    'esm-only',
    '--format',
    'json',
    '--exclude-entrypoints',
    './data/*',
    './wasm/*',
    './package.json',
  ]
  const { stdout } = await runTool(
    process.execPath,
    [toolPath('@arethetypeswrong/cli/dist/index.js'), tarball(), ...args],
    { cwd: consumersFolder },
  )
  const { analysis } = JSON.parse(stdout) as {
    readonly analysis: { readonly entrypoints: Record<string, object> }
  }
  const manifest = JSON.parse(await readFile(new URL('../../package.json', import.meta.url), 'utf8')) as {
    readonly exports: Record<string, unknown>
  }
  const modules = Object.keys(manifest.exports).filter((path) => !/\*|\.json$/.test(path))
  expect(Object.keys(analysis.entrypoints).sort()).toEqual(modules.sort())
})

it('is installed by npm in an empty folder, with what it depends on and nothing else', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'blobcheck-npm-'))
  onTestFinished(async () => await rm(folder, { recursive: true, force: true }))
  await writeFile(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const said = await npm(['install', tarball(), '--cache', join(folder, 'cache')], { cwd: folder })
  expect(said).toMatch(/^\s*added \d+ packages? in \S+\s*$/)

  const lock = JSON.parse(await readFile(join(folder, 'node_modules/.package-lock.json'), 'utf8')) as {
    readonly packages: Record<string, object>
  }
  const manifest = JSON.parse(
    await readFile(join(folder, 'node_modules/blobcheck/package.json'), 'utf8'),
  ) as { readonly dependencies?: Record<string, string> }
  const expected = ['blobcheck', ...Object.keys(manifest.dependencies ?? {})]
  expect(Object.keys(lock.packages).sort()).toEqual(expected.map((name) => `node_modules/${name}`).sort())

  await writeFile(join(folder, 'check.js'), checkModule())
  await writeFile(join(folder, 'main.js'), printingScript)
  const { outcome, complaints } = await outcomeOf(process.execPath, ['main.js'], folder)
  expect(outcome).toMatchObject({ workers: 2, statuses: ['valid', 'invalid'], warnings: [] })
  expect(complaints).toEqual([])
  expect(await readdir(join(folder, 'node_modules/.bin'))).toContain('blobcheck')
})
