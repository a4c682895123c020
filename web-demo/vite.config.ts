/** The page's build. It takes the package as users get it: the built files, through the package's own `imports`. */
import { fileURLToPath } from 'node:url'
import { defineConfig, type Plugin } from 'vite'
import { embeddedBlock } from './embedded-block.ts'
import { simulatedNode } from './node/plugin.ts'
import { peers } from './peers/plugin.ts'
import { serviceWorker } from './service-worker/plugin.ts'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

/** As many cards as the block has blobs, from the first paint on: nothing moves when they are filled. */
const withReservedCards: Plugin = {
  name: 'with-reserved-cards',
  transformIndexHtml(html) {
    const card = /<template id="card-template">([^]*?)<\/template>/.exec(html)?.[1]
    if (card === undefined) throw new Error('the page has no template of a card')
    const cards = Array.from({ length: 6 }, (_, at) => card.replace('<h3></h3>', `<h3>Blob ${at}</h3>`))
    return html.replace(
      '<ol id="blobs" class="blobs"></ol>',
      `<ol id="blobs" class="blobs">${cards.join('')}</ol>`,
    )
  },
}

/** Vite puts the script into the head, where what it looks for might not be there yet; its file is asked for from there all the same. */
const scriptLast: Plugin = {
  name: 'script-last',
  apply: 'build',
  transformIndexHtml: {
    order: 'post',
    handler(html) {
      const [script, source] = /<script [^>]*src="([^"]+)"[^>]*><\/script>/.exec(html) ?? []
      if (script === undefined) throw new Error('the page has no script')
      return html
        .replace(script, `<link rel="modulepreload" crossorigin href="${source}">`)
        .replace('</body>', `${script}\n  </body>`)
    },
  },
}

const resolve = {
  alias: [
    { find: /^blobcheck$/, replacement: here('../dist/index.js') },
    { find: /^blobcheck\/([a-z-]+)$/, replacement: here('../dist/$1/index.js') },
  ],
}

/** The mode of a page that has the peers of its experiments; all others are without. */
const WITH_PEERS = 'with-peers'

export default defineConfig(({ mode }) => ({
  plugins: [
    embeddedBlock(here('../data')),
    withReservedCards,
    scriptLast,
    peers(mode === WITH_PEERS),
    simulatedNode(resolve),
    serviceWorker(here('../data')),
  ],
  root: here('.'),
  // Its files name each other by relative paths: the page works under whatever path it is served.
  base: './',
  // The real block lies here after the set-up; it is copied beside the page.
  publicDir: here('../data'),
  // A path that does not exist is a 404, not the page once more: the page can then say that the block is missing.
  appType: 'mpa',
  resolve,
  worker: { format: 'es' },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2022',
    // WASM and workers stay files of their own: the page's policy allows no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
}))
