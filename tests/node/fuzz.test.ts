/**
 * `npm run fuzz`, with stand-ins for cargo and for the fuzzer: that it ends well where the fuzzer ran and found nothing, and in no other case. A
 * fuzzer that could not run has found nothing either.
 */
import { execFile } from 'node:child_process'
import { createHash } from 'node:crypto'
import { cp, mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'

const root = fileURLToPath(new URL('../..', import.meta.url))
let folder: string
let clone: string

const program = async (path: string, script: string): Promise<void> =>
  await writeFile(path, `#!${process.execPath}\n${script}\n`, { mode: 0o755 })

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-fuzz-'))
  clone = join(folder, 'clone')
  for (const path of ['package-lock.json', 'scripts', 'fuzz', 'tests/bench/markdown.mjs'])
    await cp(join(root, path), join(clone, path), {
      recursive: true,
      filter: (from) => !/node_modules|fuzz.(target|corpus|artifacts)$/.test(from.slice(root.length)),
    })
  await mkdir(join(clone, 'data'))
  await writeFile(join(clone, 'data/holesky_1409759_blob_sidecars.json'), '{}')
  const lock = await readFile(join(root, 'package-lock.json'))
  await mkdir(join(clone, 'node_modules'))
  await writeFile(
    join(clone, 'node_modules/.blobcheck-stamp'),
    createHash('sha256').update(lock).digest('hex'),
  )
  await mkdir(join(folder, 'bin'))
  await program(join(folder, 'bin/rustup'), `console.log('done')`)
  await program(
    join(folder, 'bin/cargo'),
    `console.log(process.argv.includes('--message-format')
      ? JSON.stringify({ target: { name: 'xtask' }, executable: '/xtask' })
      : 'done')`,
  )
  await program(
    join(folder, 'bin/rustc'),
    `console.log(process.argv.includes('-vV') ? 'host: here' : ${JSON.stringify(folder)})`,
  )
  await mkdir(join(clone, 'fuzz/target/arkworks/here/release'), { recursive: true })
})
afterAll(async () => await rm(folder, { recursive: true }))

/** Runs the script with a fuzzer that does this. */
async function fuzz(script: string, ...args: string[]): Promise<{ code: number; stdout: string }> {
  await program(
    join(clone, 'fuzz/target/arkworks/here/release/rlp'),
    `const say = (line) => require('node:fs').writeSync(2, line + '\\n')
    const ran = (units) => say('#' + units + ' DONE cov: 7\\nstat::number_of_executed_units: ' + units)
    const prefix = process.argv.find((one) => one.startsWith('-artifact_prefix='))?.slice(17)
    const keep = (name) => require('node:fs').writeFileSync(prefix + name, 'x')
    ${script}`,
  )
  const path = join(folder, 'bin') + delimiter + (process.env['PATH'] ?? '')
  const chosen = args.length > 0 ? args : ['--minutes', '1']
  return await promisify(execFile)(process.execPath, [join(clone, 'scripts/fuzz.mjs'), ...chosen, 'rlp'], {
    env: { ...process.env, PATH: path },
  }).then(
    ({ stdout }) => ({ code: 0, stdout }),
    (error: { code: number; stdout: string }) => error,
  )
}

describe.skipIf(process.platform === 'win32')('npm run fuzz', () => {
  it.each([
    ['it ran', 'ran(5)'],
    ['it found an input that takes long', `keep('slow-unit-1'); ran(5)`],
    [
      'an input that was too slow on a busy machine is quick the second time',
      `if (prefix) { keep('timeout-1'); ran(5); process.exit(70) }`,
    ],
    [
      'Ctrl+C was pressed, even before anything ran',
      `process.on('SIGINT', () => process.exit(72)); process.kill(process.ppid, 'SIGINT'); setInterval(() => {}, 1000)`,
    ],
  ])('ends well where %s', async (_, script) => {
    const { code, stdout } = await fuzz(script)
    expect(stdout).toContain('no finding')
    expect(code).toBe(0)
  })

  it.each([
    ['could not be loaded', `say('error while loading shared libraries'); process.exit(127)`, 'code 127'],
    ['was killed', `ran(5); process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)`, 'SIGKILL'],
    [
      'was killed after an input that takes long',
      `keep('slow-unit-2'); ran(5); process.kill(process.pid, 'SIGKILL'); setInterval(() => {}, 1000)`,
      'SIGKILL',
    ],
    ['executed nothing', 'ran(0)', 'executed nothing'],
  ])('fails where the fuzzer %s', async (_, script, reason) => {
    const { code, stdout } = await fuzz(script)
    expect(stdout).toContain(reason)
    expect(stdout).not.toContain('no finding')
    expect(code).toBe(1)
  })

  it('tells a finding again that an earlier run has kept', async () => {
    for (let i = 0; i < 2; i++) {
      const { code, stdout } = await fuzz(`keep('crash-1'); ran(5); process.exit(77)`)
      expect(stdout).toContain('1 FINDING')
      expect(code).toBe(1)
    }
  })

  it('leaves the seeds as they are where the corpus could not be merged', async () => {
    const seeds = join(clone, 'fuzz/seeds/rlp.hex')
    const before = await readFile(seeds, 'utf8')
    const { code } = await fuzz('process.exit(1)', '--seeds')
    expect(await readFile(seeds, 'utf8')).toBe(before)
    expect(code).toBe(1)
  })
})
