// An extension has all of its code with it: the one file of blobcheck/inline is copied beside the background's script.
import { copyFileSync } from 'node:fs'

copyFileSync(
  new URL(import.meta.resolve('blobcheck/inline')),
  new URL('extension/blobcheck.js', import.meta.url),
)
console.log('extension: load this folder in chrome://extensions, as “unpacked”')
