/** Builds the service worker as a script beside the page, and writes into it which files the page has. */
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'

/** Modules that nothing on the page asks for: proposers' signatures, blocks as anchors, and commitments without proofs. */
const UNUSED = /\/(light_client|beacon|prover)[\w-]*\.(wasm|bin)$/

const NAME = 'service-worker'

/** `publicFolder`: what is copied beside the page as it is. */
export function serviceWorker(publicFolder: string): Plugin {
  return {
    name: 'service-worker',
    apply: 'build',
    buildStart() {
      this.emitFile({
        type: 'chunk',
        id: fileURLToPath(new URL('./service-worker.ts', import.meta.url)),
        fileName: `${NAME}.js`,
      })
    },
    generateBundle: {
      // After all others: the files are what they are when nobody changes them any more.
      order: 'post',
      handler(_options, bundle) {
        const digest = createHash('sha256')
        const files: string[] = ['']
        for (const [name, file] of Object.entries(bundle).sort(([one], [other]) => (one < other ? -1 : 1))) {
          if (name.endsWith('.map') || UNUSED.test(`/${name}`)) continue
          digest.update(name).update(file.type === 'chunk' ? file.code : file.source)
          if (name !== `${NAME}.js` && name !== 'index.html') files.push(name)
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
      },
    },
  }
}
