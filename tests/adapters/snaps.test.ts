/** `blobcheck/inline` in a sandbox: under SES, with no more than the endowments of a MetaMask Snap. */
import { execFile } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { rolldown } from 'rolldown'
import { afterAll, beforeAll, expect, it } from 'vitest'

const inline = fileURLToPath(new URL('../../dist/inline/index.js', import.meta.url))
const sandbox = fileURLToPath(new URL('sandbox.mjs', import.meta.url))
let folder: string
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-snap-'))
})
afterAll(async () => await rm(folder, { recursive: true }))

it('a Snap that asks for nothing in particular verifies, and is told that it has no workers', async () => {
  const input = join(folder, 'snap.js')
  await writeFile(
    input,
    `import { createVerifier } from ${JSON.stringify(inline)}
    globalThis.check = async () => {
      const warnings = []
      const onWarning = ({ code }) => warnings.push(code)
      const verifier = await createVerifier({ onWarning })
      const infinity = new Uint8Array(48).fill(0xc0, 0, 1)
      const spoiled = new Uint8Array(131_072).fill(1, 31, 32)
      const item = { commitment: infinity, proof: infinity }
      const blobs = [{ ...item, blob: new Uint8Array(131_072) }, { ...item, blob: spoiled }, { ...item, blob: '0x12' }]
      const verdicts = await verifier.verifyBlobs(blobs)
      const { workers, kernel } = verifier
      await verifier.dispose()
      return { workers, kernel, warnings, statuses: verdicts.map(({ status }) => status) }
    }`,
  )
  // As Snaps are bundled: one script, no modules.
  const bundle = await rolldown({ input, platform: 'browser', logLevel: 'warn' })
  const file = join(folder, 'bundle.js')
  await bundle.write({ file, format: 'iife', codeSplitting: false })
  await bundle.close()
  const { stdout } = await promisify(execFile)(process.execPath, [sandbox, file])
  expect(JSON.parse(stdout)).toEqual({
    workers: 0,
    kernel: 'simd128',
    warnings: ['no-workers'],
    statuses: ['valid', 'invalid', 'malformed'],
  })
})
