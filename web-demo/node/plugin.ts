/** The module `virtual:simulated-node`: the address of the simulated node's script. */
import { fileURLToPath } from 'node:url'
import { build, type InlineConfig, type Plugin, type Rolldown } from 'vite'

const NAME = 'virtual:simulated-node'
const RESOLVED = `\0${NAME}`
/** What the build calls the script. */
export const NODE_FILE = /(?:^|\/)simulated-node-[\w-]+\.js$/

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** `resolve`: how the page's own build finds modules. */
export function simulatedNode(resolve: InlineConfig['resolve'] & {}): Plugin {
  let isServed = false
  let loaded: BundledNode['assets'] = []
  return {
    name: 'simulated-node',
    configResolved: ({ command }) => void (isServed = command === 'serve'),
    resolveId: (id) => (id === NAME ? RESOLVED : null),
    async load(id) {
      if (id !== RESOLVED) return null
      if (isServed) return `export { default } from ${JSON.stringify(`${here('./entry.ts')}?worker&url`)}`
      const { code, assets } = await bundledNode(resolve)
      loaded = assets
      const file = this.emitFile({ type: 'asset', name: 'simulated-node.js', source: code })
      return `export default import.meta.ROLLUP_FILE_URL_${file}`
    },
    // Names come of contents: what the page has under the same name is the same.
    generateBundle(_options, bundle) {
      for (const { fileName, source } of loaded)
        if (!Object.hasOwn(bundle, fileName)) this.emitFile({ type: 'asset', fileName, source })
    },
  }
}

/** The prover: it is wanted where somebody asks for blob sidecars. */
const LOADED = /\.(js|wasm|bin)$/

interface BundledNode {
  readonly code: string
  /** What it loads by address. */
  readonly assets: readonly Rolldown.OutputAsset[]
}

/** The simulated node as one classic script: modules as service workers are not everywhere, and `import()` is in none. */
async function bundledNode(resolve: InlineConfig['resolve'] & {}): Promise<BundledNode> {
  const built = await build({
    ...{ configFile: false, logLevel: 'error', root: here('.'), base: './', publicDir: false },
    // What is loaded later elsewhere is in the script here.
    resolve: { ...resolve, conditions: ['worker', 'module', 'browser', 'production'] },
    worker: { format: 'es' },
    // A classic script has no `import.meta`.
    define: { 'import.meta.url': 'self.location.href' },
    experimental: {
      renderBuiltUrl: (name) => ({
        // A service worker lies beside the page, and a worker among its files.
        runtime: `new URL(${JSON.stringify(name)},self.registration?.scope??new URL('..',self.location))`,
      }),
    },
    build: {
      ...{ write: false, target: 'es2022', assetsInlineLimit: 0, modulePreload: false },
      rolldownOptions: {
        input: here('./entry.ts'),
        output: { format: 'iife', codeSplitting: false },
      },
    },
  })
  const output = [built].flat().flatMap((one) => ('output' in one ? one.output : []))
  const [script, ...others] = output.filter((file) => file.type === 'chunk')
  if (script === undefined || others.length > 0) throw new Error('the simulated node is not one script')
  const assets = output.filter((file) => file.type === 'asset')
  return { code: script.code, assets: assets.filter(({ fileName }) => LOADED.test(fileName)) }
}
