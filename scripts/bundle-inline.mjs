// `blobcheck/inline` as one file: the verifier with all that it may load later, its module in base64, and the script of its worker. Nothing
// in there looks for files beside it. What the package has elsewhere is looked for under a scheme that no host knows, so that an error says
// what is missing.
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** The module that is put inside. */
export const inlineModule = 'wasm/verifier_simd128.wasm'

/** Bundles `dist/inline/index.js` of the compiled package in `root`, whose workers have been bundled; not where its module has not been built. */
export async function bundleInline(root) {
  if (!existsSync(join(root, inlineModule))) return
  const { rolldown } = await import('rolldown')
  const folder = join(root, 'dist/inline')
  const path = join(folder, 'index.js')
  const build = async (input, format, options) => {
    const bundle = await rolldown({
      input,
      cwd: root,
      platform: 'browser',
      // `worker`: what forbids code to be loaded later, as in service workers.
      resolve: { conditionNames: ['worker', 'import', 'default'], mainFields: ['module', 'main'] },
      logLevel: 'warn',
      ...options,
    })
    const { output } = await bundle.generate({
      file: input,
      format,
      codeSplitting: false,
      minify: true,
    })
    await bundle.close()
    const [chunk, ...others] = output.filter(({ type }) => type === 'chunk')
    if (others.length > 0) throw new Error(`${input} is not one file`)
    return chunk
  }
  // Not as a module, which some pages cannot start from a Blob URL: so it has to say that it is strict.
  const { code: script } = await build(join(root, 'dist/verifier/worker/entry.js'), 'iife')
  const workerScript = `"use strict";${script}`
  const verifierModule = readFileSync(join(root, inlineModule)).toString('base64')
  const contents = { verifierModule, workerScript }
  writeFileSync(
    join(folder, 'contents.js'),
    Object.entries(contents)
      .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)}\n`)
      .join(''),
  )
  const define = { 'import.meta.url': JSON.stringify('blobcheck-inline:///dist/a/b/c.js') }
  const { code } = await build(path, 'es', { transform: { define } })
  if (/\bimport\s*\(|import\.meta|^import\b/m.test(code))
    throw new Error('dist/inline/index.js looks for other files')
  writeFileSync(path, code)
  // What went into it.
  for (const name of ['contents.js', 'create.js']) rmSync(join(folder, name), { force: true })
}
