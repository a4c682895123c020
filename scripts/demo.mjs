// `npm run demo`: sets up what is missing, builds the page and serves it.
import { join } from 'node:path'
import { root, setUpOrExit } from './setup.mjs'

// The light client's too: the page's bundle has the verifier's way to it, though it never goes there.
await setUpOrExit(['blobcheck', 'light_client'])
const { build, preview } = await import('vite')
const configFile = join(root, 'web-demo/vite.config.ts')
await build({ configFile, logLevel: 'warn' })
const server = await preview({ configFile, preview: { open: process.argv.includes('--open') } })
console.log('\nThe page verifies a real block in your browser, off its main thread:')
server.printUrls()
