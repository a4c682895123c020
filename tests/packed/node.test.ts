/** Programs of Node.js that have the package from its tarball. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { installPacked } from '../support/packed.ts'

const run = promisify(execFile)

describe('a program', () => {
  let folder = ''
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'blobcheck-node-'))
    await installPacked(folder)
  })
  afterAll(async () => await rm(folder, { recursive: true, force: true }))

  it('that imports the package verifies with two workers, and refuses a blob that was spoiled', async () => {
    await writeFile(
      join(folder, 'check.mjs'),
      `import { createVerifier } from 'blobcheck'
      const verifier = await createVerifier({ cache: false, workers: 2 })
      const infinity = new Uint8Array(48).fill(0xc0, 0, 1)
      const blobs = [new Uint8Array(131_072), new Uint8Array(131_072).fill(1, 31, 32)]
      const verdicts = await verifier.verifyBlobs(blobs.map((blob) => ({ blob, commitment: infinity, proof: infinity })))
      console.log(JSON.stringify([verifier.workers, ...verdicts.map(({ status }) => status)]))
      await verifier.dispose()`,
    )
    const { stdout, stderr } = await run(process.execPath, [join(folder, 'check.mjs')])
    expect(stderr).toBe('')
    expect(JSON.parse(stdout)).toEqual([2, 'valid', 'invalid'])
  })
})
