/** Builds the service worker as a script beside the page, and writes into it which files the page has. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { PEER_FILE } from '../peers/plugin.ts'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

/** Modules that the embedded block does without: proposers' signatures, blocks as anchors, and commitments without proofs. */
const UNUSED = /\/(light_client|beacon|prover)[\w-]*\.(wasm|bin)$/

const NAME = 'service-worker'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** `publicFolder`: what is copied beside the page as it is; `resolve`: how the page's own build finds modules. */
export function serviceWorker(publicFolder: string, resolve: InlineConfig['resolve'] & {}): Plugin {
  let node: string
  return {
    name: 'service-worker',
    apply: 'build',
    async buildStart() {
      this.emitFile({ type: 'chunk', id: here('./service-worker.ts'), fileName: `${NAME}.js` })
      node = this.emitFile({ type: 'asset', name: 'simulated-node.js', source: await bundledNode(resolve) })
    },
    generateBundle: {
      // After all others: the files are what they are when nobody changes them any more.
      order: 'post',
      handler(_options, bundle) {
        const digest = createHash('sha256')
        const nodeFile = this.getFileName(node)
        const first = firstFiles(bundle)
        const files: string[] = ['']
        const later: string[] = []
        for (const [name, file] of Object.entries(bundle).sort(([one], [other]) => (one < other ? -1 : 1))) {
          if (name.endsWith('.map')) continue
          digest.update(name).update(file.type === 'chunk' ? file.code : file.source)
          // The browser keeps a service worker with what that imports by itself; peers are large, and loaded when they are asked for.
          if (name === `${NAME}.js` || name === nodeFile || PEER_FILE.test(name) || name === 'index.html')
            continue
          if (first.has(name)) files.push(name)
          else later.push(name)
        }
        for (const name of readdirSync(publicFolder)) {
          if (!/\.(ssz|proofs)$/.test(name)) continue
          digest.update(readFileSync(join(publicFolder, name)))
          files.push(name)
        }
        const script = bundle[`${NAME}.js`]
        if (script?.type !== 'chunk') throw new Error('the service worker was not built')
        if (script.imports.length > 0) throw new Error('the service worker imports another chunk')
        script.code = script.code
          .replace('%BUILD%', digest.digest('hex').slice(0, 16))
          .replace('%FILES%', files.join(' '))
          .replace('%LATER%', later.join(' '))
          .replace('%NODE%', nodeFile)
      },
    },
  }
}

/**
 * The simulated node as one classic script: modules as service workers are not everywhere, and `import()` is in none. The modules that it
 * may load lie in the page's own build under the same names, which say what is in them.
 */
async function bundledNode(resolve: InlineConfig['resolve'] & {}): Promise<string> {
  const built = await build({
    ...{ configFile: false, logLevel: 'error', root: here('.'), base: './', publicDir: false },
    // What is loaded later elsewhere is in the script here.
    resolve: { ...resolve, conditions: ['worker', 'module', 'browser', 'production'] },
    worker: { format: 'es' },
    // A classic script has no `import.meta`.
    define: { 'import.meta.url': 'self.location.href' },
    experimental: {
      renderBuiltUrl: (name) => ({ runtime: `new URL(${JSON.stringify(name)},self.registration.scope)` }),
    },
    build: {
      ...{ write: false, target: 'es2022', assetsInlineLimit: 0, modulePreload: false },
      rolldownOptions: {
        input: here('./node.ts'),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const chunks = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  const [script, ...others] = chunks.filter(({ type }) => type === 'chunk')
  if (script?.type !== 'chunk' || others.length > 0) throw new Error('the simulated node is not one script')
  return script.code
}

/**
 * What the document leads to, without what is loaded when another tab is chosen. Scripts name the files that they load, workers and modules
 * among them, so whatever is named is counted.
 */
function firstFiles(bundle: Rolldown.OutputBundle): ReadonlySet<string> {
  const isLater = (name: string): boolean => {
    const file = bundle[name]
    const module = file?.type === 'chunk' ? (file.facadeModuleId ?? '') : ''
    return module.includes('/src/panels/') || UNUSED.test(`/${name}`)
  }
  const found = new Set(['index.html'])
  // A set that grows while it is walked through is walked to its end.
  for (const name of found) {
    const file = bundle[name]
    const text = file?.type === 'chunk' ? file.code : /\.(js|html)$/.test(name) ? String(file?.source) : ''
    for (const other of Object.keys(bundle))
      if (!isLater(other) && text.includes(other.slice(other.lastIndexOf('/') + 1))) found.add(other)
  }
  return found
}
