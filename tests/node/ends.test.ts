/** A script ends when it has nothing left to do, whether or not it disposed of what it started. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, describe, expect, it } from 'vitest'

const folder = await mkdtemp(join(tmpdir(), 'blobcheck-ends-'))
afterAll(() => rm(folder, { recursive: true }))

const run = async (name: string, script: string): Promise<string> => {
  const path = join(folder, `${name}.mjs`)
  await writeFile(path, script)
  // A script that does not end is killed, and fails.
  const { stdout } = await promisify(execFile)(process.execPath, [path], { timeout: 60_000 })
  return stdout
}

const entry = (path: string): string => JSON.stringify(new URL(`../../dist/${path}`, import.meta.url).href)

it.each(['-e', 'stdin'])('a script that comes by %s has its workers', async (by) => {
  const script = `
    const { createVerifier } = await import(${entry('index.js')})
    const verifier = await createVerifier({ workers: 2, cache: false })
    const [verdict] = await verifier.verifyBlobs([{}])
    console.log(verifier.workers, verdict.status)`
  const args = ['--input-type=module', ...(by === '-e' ? ['-e', script] : [])]
  const running = promisify(execFile)(process.execPath, args, { timeout: 60_000 })
  running.child.stdin!.end(by === '-e' ? '' : script)
  expect((await running).stdout).toBe('2 malformed\n')
})

describe('a script ends', () => {
  it('with a verifier that nobody disposed of', async () => {
    const script = `
      const { createVerifier } = await import(${entry('index.js')})
      const verifier = await createVerifier({ workers: 2, cache: false })
      const [verdict] = await verifier.verifyBlobs([{}])
      console.log(verdict.status)`
    expect(await run('verifier', script)).toBe('malformed\n')
  })

  it('no sooner than what it waits for, though all of its timers are mocked', async () => {
    const script = `
      import { mock } from 'node:test'
      const { createVerifier } = await import(${entry('index.js')})
      mock.timers.enable()
      const verifier = await createVerifier({ workers: 2, cache: false })
      const [verdict] = await verifier.verifyBlobs([{}])
      console.log(verdict.status)
      mock.timers.reset()`
    expect(await run('mocked', script)).toMatch(/^malformed$/m)
  })

  it('with a prover that nobody disposed of', async () => {
    const script = `
      const { createProver } = await import(${entry('prover/index.js')})
      const prover = await createProver({ workers: 2 })
      console.log((await prover.blobToKzgCommitment(new Uint8Array(131072)))[0])`
    expect(await run('prover', script)).toBe('192\n')
  })
})
