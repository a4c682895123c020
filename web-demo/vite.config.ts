/** The page's build. It takes the package as users get it: the built files, through the package's own `imports`. */
import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const here = (path: string): string => fileURLToPath(new URL(path, import.meta.url))

export default defineConfig({
  root: here('.'),
  // The real block lies here after the set-up; it is copied beside the page.
  publicDir: here('../data'),
  // A path that does not exist is a 404, not the page once more: the page can then say that the block is missing.
  appType: 'mpa',
  resolve: { alias: [{ find: /^blobcheck$/, replacement: here('../dist/index.js') }] },
  worker: { format: 'es' },
  build: {
    outDir: here('dist'),
    emptyOutDir: true,
    target: 'es2022',
    // WASM and workers stay files of their own: the page's policy allows no data: scripts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
})
