// Each worker's script as one file: a thread that loads thirty modules takes almost twice as long to start as one that loads one, and a host
// without a bundler can start it from wherever it lies. What the compiler wrote is replaced in its place, so that a package that was
// compiled alone works, too. No path of a module is in there: the calling thread compiles it, and hands it over, and so with all that is read from files.
import { writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { comlinkAsUsed } from './bundle-vendor.mjs'

/** The folders of `dist` that have workers. */
const folders = ['verifier', 'beacon', 'light-client', 'prover']

/** The script for Node.js, and the one for browsers and bundlers, which the former imports as the compiler wrote it: so Node's is first. */
const scripts = [
  { file: 'entry-node.mjs', platform: 'node', conditionNames: ['node', 'import', 'default'] },
  { file: 'entry.js', platform: 'browser', conditionNames: ['import', 'default'] },
]

/** Bundles the workers of the compiled package in `root`, and takes note of the licences of what is in them of others. */
export async function bundleWorkers(root, licences) {
  // Not before npm has installed it.
  const { rolldown } = await import('rolldown')
  for (const folder of folders) {
    for (const { file, platform, conditionNames } of scripts) {
      const path = join(root, 'dist', folder, 'worker', file)
      const bundle = await rolldown({
        input: path,
        cwd: root,
        platform,
        resolve: { conditionNames, mainFields: ['module', 'main'] },
        plugins: [comlinkAsUsed, onlyWhatIsAskedFor],
        logLevel: 'warn',
      })
      const { output } = await bundle.generate({
        file: path,
        format: 'es',
        codeSplitting: false,
        // wasm-bindgen's, on what nobody but our own code calls.
        comments: { jsdoc: false },
        // What nobody calls goes; names and lines stay, for those who read a stack trace.
        minify: { compress: true, mangle: false, codegen: { removeWhitespace: false } },
      })
      await bundle.close()
      const [{ imports, moduleIds }] = output.filter(({ type }) => type === 'chunk')
      const { code } = output[0]
      writeFileSync(path, code)
      const outside = imports.filter((name) => !name.startsWith('node:') || platform !== 'node')
      if (output.filter(({ type }) => type === 'chunk').length > 1 || outside.length > 0)
        throw new Error(`${relative(root, path)} is not one file: it needs ${outside}`)
      if (code.includes('import.meta'))
        throw new Error(
          `${relative(root, path)} looks for files beside it: the calling thread has to name them`,
        )
      licences.add(moduleIds)
    }
  }
}

/** Takes the exports that nobody uses out of the glue, before the bundler looks for functions that nobody calls. */
const onlyWhatIsAskedFor = {
  name: 'only-what-is-asked-for',
  renderChunk: (code) => ({ code: withoutUnusedExports(code), map: null }),
}

/**
 * A script of which each module's glue gives out no more than is asked for. wasm-bindgen writes a function for each export, and no bundler sees
 * that the half which `blobcheck/kzg` alone calls has no use in a worker; once nobody is given them, minifiers leave them out.
 */
export function withoutUnusedExports(code) {
  const glues = [...code.matchAll(GLUE)]
  if (glues.length !== code.match(/^function glue/gm)?.length) throw new Error('the glue has a new form')
  return glues.reduce((shorter, [glue, list]) => {
    const others = code.replace(glue, '')
    const kept = list.match(/\w+/g).filter((name) => new RegExp(`\\.${name}\\b`).test(others))
    return shorter.replace(glue, glue.replace(list, `\t\t${kept.join(',\n\t\t')}\n`))
  }, code)
}

/** The glue of a module, as the bundler writes it, with the list of what it gives out. */
const GLUE = /^function glue\S*\(\) \{\n(?:\t.*\n|\n)*?\treturn \{\n((?:\t\t\w+,?\n)+)\t\};\n\}/gm
