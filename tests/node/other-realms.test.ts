/** What comes from elsewhere: buffers of another realm, as test environments have them, and an engine without WebAssembly. */
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { runInNewContext } from 'node:vm'
import { loadProver } from 'blobcheck/prover'
import { afterEach, expect, it, vi } from 'vitest'
import { disposeAll, openProver } from '../support/provers.ts'
import { displaceTables } from '../support/table-stores.ts'

// @ts-expect-error It comes without types; it has no exports either.
await import('fake-indexeddb/auto')

afterEach(async () => {
  vi.restoreAllMocks()
  await disposeAll()
})

const ROOT = new URL('../..', import.meta.url)

/** A file of the package in an `ArrayBuffer` of another realm. */
async function foreign(file: string): Promise<ArrayBuffer> {
  return foreignCopy(await readFile(new URL(file, ROOT)))
}

/** The same bytes in an `ArrayBuffer` of another realm. */
function foreignCopy(bytes: Uint8Array): ArrayBuffer {
  const buffer = runInNewContext(`new ArrayBuffer(${bytes.length})`) as ArrayBuffer
  new Uint8Array(buffer).set(bytes)
  expect(buffer).not.toBeInstanceOf(ArrayBuffer)
  return buffer
}

it('takes buffers of another realm for a setup and for a module', async () => {
  const setup = { blobs: await foreign('wasm/prover-setup.bin') }
  const wasm = { simd128: await foreign('wasm/prover_simd128.wasm') }
  const prover = await loadProver({ proofs: 'blobs', setup, wasm })
  // What the caller does with them later changes nothing.
  new Uint8Array(setup.blobs).fill(0)
  const commitment = prover.blobToKzgCommitment(new Uint8Array(131_072))
  expect(commitment).toEqual(Uint8Array.from({ length: 48 }, (_, at) => (at === 0 ? 0xc0 : 0)))
})

it('reads tables back that IndexedDB has in buffers of another realm', async () => {
  const result = Object.getOwnPropertyDescriptor(IDBRequest.prototype, 'result')!.get!
  vi.spyOn(IDBRequest.prototype, 'result', 'get').mockImplementation(function (this: IDBRequest) {
    const value: unknown = result.call(this)
    return value instanceof ArrayBuffer ? foreignCopy(new Uint8Array(value)) : value
  })
  for (const origin of ['worked-out', 'kept']) {
    await displaceTables()
    const precompute = { rows: 1, width: 4, keep: true } as const
    const prover = await openProver({ workers: 0, precompute })
    await prover.prepare()
    expect(new Set(prover.tables?.parts)).toEqual(new Set([origin]))
  }
})

it.each([
  ['index', 'createVerifier'],
  ['kzg/index', 'loadKzg'],
  ['prover/index', 'loadProver'],
  ['prover/index', 'createProver'],
])('says that there is no WebAssembly, whatever module is brought: %s %s', async (entry, name) => {
  const script = `
    const { ${name}: make } = await import('./dist/${entry}.js')
    for (const options of [{}, { wasm: { simd128: Uint8Array.of(0) } }, { wasm: { simd128: new ArrayBuffer(1) } }, { wasm: { simd128: 'file:///a.wasm' } }])
      await make(options).catch((error) => console.log(error.name))
    process.exit()
  `
  const args = ['--no-expose-wasm', '--input-type=module', '--eval', script]
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd: ROOT })
  expect(stdout.trim().split('\n')).toEqual(Array.from({ length: 4 }, () => 'WasmUnavailableError'))
})
