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
  const build = async (input, options) => {
    const bundle = await rolldown({
      input,
      cwd: root,
      platform: 'browser',
      // `worker`: what forbids code to be loaded later, as in service workers.
      resolve: { conditionNames: ['worker', 'import', 'default'], mainFields: ['module', 'main'] },
      logLevel: 'warn',
      ...options,
    })
    const generated = await bundle.generate({ format: 'es', codeSplitting: false, minify: true })
    await bundle.close()
    if (generated.output.length > 1) throw new Error(`${input} is not one file`)
    return generated.output[0].code
  }
  const workerScript = await build(join(root, 'dist/verifier/worker/entry.js'))
  const verifierModule = readFileSync(join(root, inlineModule)).toString('base64')
  const contents = { verifierModule, workerScript }
  writeFileSync(
    join(folder, 'contents.js'),
    Object.entries(contents)
      .map(([name, text]) => `export const ${name} = ${JSON.stringify(text)}\n`)
      .join(''),
  )
  const code = await build(path, {
    transform: { define: { 'import.meta.url': JSON.stringify('blobcheck-inline:///dist/a/b/c.js') } },
  })
  if (/\bimport\s*\(|import\.meta|^import\b/m.test(code.replace(JSON.stringify(workerScript), '')))
    throw new Error('dist/inline/index.js looks for other files')
  writeFileSync(path, code)
  // What went into it, and the compiler's maps, which are of what was replaced.
  for (const name of [
    'contents.js',
    'create.js',
    ...['contents', 'create', 'index'].map((of) => `${of}.js.map`),
  ])
    rmSync(join(folder, name), { force: true })
}
