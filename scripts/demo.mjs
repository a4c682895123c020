// `npm run demo`: sets up what is missing, builds the page and serves it.
import { join } from 'node:path'
import { root, setUpOrExit } from './setup.mjs'

await setUpOrExit('verifier')
const { build, preview } = await import('vite')
const configFile = join(root, 'web-demo/vite.config.ts')
await build({ configFile, logLevel: 'warn' })
const server = await preview({ configFile, preview: { open: process.argv.includes('--open') } })
console.log('\nThe page verifies a real block in your browser, off its main thread:')
server.printUrls()
