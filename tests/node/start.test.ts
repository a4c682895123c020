/**
 * `npm start`, `npm run demo` and others in a clone that lacks what is built: that they ask for all that the README's next commands need, and
 * the second time for nothing. Cargo, npm and the compiler are stand-ins that put the built files in their places.
 */
import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { blobcheck } from '../support/cli.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))
const setupFiles = ['prover-setup.bin', 'prover-setup-extension.bin']
let folder: string
let clone: string

/** A program of this name, first on the path. It notes its arguments, and then does what `script` says. */
async function standIn(name: string, script: string): Promise<void> {
  const path = join(folder, 'bin', name)
  const note = `require('node:fs').appendFileSync(${JSON.stringify(join(folder, 'log'))}, args.join(' ') + '\\n')`
  await writeFile(
    path,
    `#!${process.execPath}\nconst args = [${JSON.stringify(name)}, ...process.argv.slice(2)]\n${note}\n${script}\n`,
  )
  await chmod(path, 0o755)
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-start-'))
  clone = join(folder, 'clone')
  await mkdir(join(folder, 'bin'))
  await mkdir(join(clone, 'wasm'), { recursive: true })
  const parts = ['tests/soak', 'tests/bench/markdown.mjs', 'tests/bench/statistics.mjs']
  for (const path of ['package.json', 'package-lock.json', 'tsconfig.json', 'scripts', 'data', ...parts])
    await cp(join(root, path), join(clone, path), { recursive: true })
  await mkdir(join(clone, 'ts/src'), { recursive: true })
  await cp(join(root, 'web-demo'), join(clone, 'web-demo'), {
    recursive: true,
    filter: (path) => path !== join(root, 'web-demo/dist'),
  })

  // The packages are there, but for the compiler, in whose place something copies what it would have written.
  const packages = join(clone, 'node_modules')
  await mkdir(join(packages, 'typescript-native/bin'), { recursive: true })
  for (const name of await readdir(join(root, 'node_modules')))
    if (name !== 'typescript-native' && !name.startsWith('.blobcheck'))
      await symlink(join(root, 'node_modules', name), join(packages, name), 'junction')
  await writeFile(join(packages, 'typescript-native/package.json'), '{}')
  const [built, dist] = [join(root, 'dist'), join(clone, 'dist')].map((path) => JSON.stringify(path))
  await writeFile(
    join(packages, 'typescript-native/bin/tsc'),
    // It is called twice at the same time, for declarations and for the rest: one of the two copies everything. A library is still to be bundled.
    `const { cpSync, writeFileSync } = require('node:fs')
    if (process.argv.includes('--emitDeclarationOnly')) return
    cpSync(${built}, ${dist}, { recursive: true })
    writeFileSync(${dist} + '/vendor/idb.js', "export { openDB } from 'idb'\\n")`,
  )

  const copy = `
    const { copyFileSync, existsSync, readdirSync } = require('node:fs')
    const copy = (wanted) => {
      for (const name of readdirSync(${JSON.stringify(join(root, 'wasm'))}))
        if (wanted(name)) copyFileSync(${JSON.stringify(join(root, 'wasm/'))} + name, 'wasm/' + name)
    }
    const isSetup = (name) => name.endsWith('.bin')`
  await standIn('npm', '')
  await standIn('rustc', `console.log(${JSON.stringify(folder)})`)
  await standIn(
    'cargo',
    `${copy}
    const [, command, task, ...modules] = args
    if (command === 'build') {
      require('node:fs').mkdirSync('target/tool/xtask', { recursive: true })
      console.log(JSON.stringify({ target: { name: 'xtask' }, executable: 'target/tool/xtask' }))
    }
    if (task === 'wasm') console.log('wasm: up to date')
    const isOfVerifier = (name) => /^(verifier_|beacon_)/.test(name)
    if (command === 'xtask' && task === 'wasm')
      copy((name) => !isSetup(name) && !existsSync('wasm/' + name) && (modules.length === 0 || isOfVerifier(name)))
    if (command === 'xtask' && task === 'prover-setup') copy(isSetup)`,
  )
})
afterAll(async () => await rm(folder, { recursive: true }))

const start = (...args: string[]): ReturnType<typeof script> => script('start', ...args)

/** Runs one of npm's scripts in the clone: what it said, and what it had others do. */
async function script(
  name: string,
  ...args: string[]
): Promise<{ code: number; out: string; log: string[] }> {
  const log = join(folder, 'log')
  await writeFile(log, '')
  const { npm_execpath: _, ...env } = process.env
  const path = join(folder, 'bin') + delimiter + (env['PATH'] ?? '')
  const started = promisify(execFile)(process.execPath, [join(clone, `scripts/${name}.mjs`), ...args], {
    env: { ...env, PATH: path },
  })
  const { code, stdout } = await started.then(
    ({ stdout: out }) => ({ code: 0, stdout: out }),
    (error: { code: number; stdout: string }) => error,
  )
  return { code, out: stdout, log: (await readFile(log, 'utf8')).trim().split('\n') }
}

describe.skipIf(process.platform === 'win32')('npm start', () => {
  it('verifies the real block, and then builds what the other commands need', async () => {
    const { code, out, log } = await start()
    expect(out).toContain('6 of 6 blobs valid')
    expect(code).toBe(0)
    expect(log).toContain('cargo xtask prover-setup')
    expect(log).toContain('cargo xtask wasm')
    expect(out.indexOf('blobs valid')).toBeLessThan(out.indexOf('the prover’s setup'))
    expect(await readdir(join(clone, 'wasm'))).toEqual(expect.arrayContaining(setupFiles))

    // What the README has next: a server whose blobs have to be proved.
    const { code: served, err } = await blobcheck(['serve', '--port', '0', '--slots', '2', '--blobs', '1'], {
      main: join(clone, 'dist/cli/main.js'),
      onLine: (line, kill) => void (line.startsWith('Ctrl-C') && kill('SIGINT')),
    })
    expect([served, err]).toEqual([0, ''])
  })

  it('finds nothing to do the second time, and keeps the exit code of what it verified', async () => {
    const { code, out, log } = await start('--tamper')
    expect(out).toContain('5 of 6 blobs valid')
    expect(code).toBe(1)
    expect(out).not.toContain('set-up:')
    expect(log).not.toContain('cargo xtask prover-setup')
  })

  it('waits for another one in the same clone, and does not do again what that has done', async () => {
    await rm(join(clone, 'node_modules/.blobcheck-dist-stamp'))
    const compiled = (await Promise.all([start(), start(), start()])).map(({ code, out }) => {
      expect([code, out.includes('6 of 6 blobs valid')]).toEqual([0, true])
      return out.split('set-up: the TypeScript').length - 1
    })
    expect(compiled.toSorted()).toEqual([0, 0, 1])
    expect(await readFile(join(clone, 'dist/licenses.txt'), 'utf8')).toMatch(/^idb \d/)
  })

  it('compiles again where something is gone from what was compiled, or cut', async () => {
    const worker = join(clone, 'dist/prover/worker/entry-node.mjs')
    const script = await readFile(worker)
    for (const spoil of [
      async () => await rm(join(clone, 'dist/prover'), { recursive: true }),
      async () => await writeFile(worker, script.subarray(0, 1000)),
    ]) {
      await spoil()
      expect((await start()).out).toContain('set-up: the TypeScript')
      expect(script.equals(await readFile(worker))).toBe(true)
    }
    expect((await start()).out).not.toContain('set-up:')
  })

  it('bundles the workers again where the glue of a module has changed', async () => {
    const glue = join(clone, 'wasm/prover_glue.js')
    await writeFile(glue, `${await readFile(glue, 'utf8')}// Another version's.\n`)
    expect((await start()).out).toContain('set-up: the TypeScript')
  })

  it('works out the prover’s setup again where a file of it has another length', async () => {
    const path = join(clone, 'wasm', setupFiles[1]!)
    const bytes = await readFile(path)
    await writeFile(path, new Uint8Array(393_216))
    const { code, log } = await start()
    expect(code).toBe(0)
    expect(log).toContain('cargo xtask prover-setup')
    expect(bytes.equals(await readFile(path))).toBe(true)
  })
})

describe.skipIf(process.platform === 'win32')('npm run demo', () => {
  it('builds the page, and runs the command that serves it with the options it was given', async () => {
    const { code, out } = await script('demo', '--help')
    expect(code).toBe(0)
    expect(out).toContain('blobcheck demo')
    expect(await readdir(join(clone, 'web-demo/dist'))).toContain('index.html')
  })
})

describe.skipIf(process.platform === 'win32')('npm run soak', () => {
  it('builds what it runs', async () => {
    await rm(join(clone, 'dist'), { recursive: true })
    const { code, out } = await script('soak', 'gossip', '--slots', '1', '--blobs', '2')
    expect(out).toContain('set-up: the TypeScript')
    expect(out.trimEnd().endsWith('no faults')).toBe(true)
    expect(code).toBe(0)
  })
})

describe.skipIf(process.platform === 'win32')('npm run reproduce', () => {
  it('prepares what modules are built from, and builds them twice', async () => {
    const { code, log } = await script('reproduce', 'beacon')
    const tasks = log.filter((line) => line.startsWith('cargo xtask'))
    expect(tasks).toEqual(['cargo xtask data', 'cargo xtask wasm beacon', 'cargo xtask reproduce beacon'])
    expect(code).toBe(0)
  })
})
