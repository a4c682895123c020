// Evaluates a script in a compartment of SES as MetaMask Snaps are run: intrinsics frozen, and no globals but those that a Snap has by default, with
// WebAssembly (`endowment:webassembly`). Prints what the script's `check` resolves with, as JSON.
import 'ses'
import { readFileSync } from 'node:fs'

/** The default endowments that verification may meet; a Snap has neither workers, nor IndexedDB, nor `fetch`, nor messages. */
const ENDOWMENTS = [
  'AbortController',
  'AbortSignal',
  'SubtleCrypto',
  'TextDecoder',
  'TextEncoder',
  'URL',
  'URLSearchParams',
  'WebAssembly',
  'atob',
  'btoa',
  'clearInterval',
  'clearTimeout',
  'console',
  'crypto',
  'setInterval',
  'setTimeout',
]

lockdown({ errorTaming: 'unsafe' })
const globals = Object.fromEntries(ENDOWMENTS.map((name) => [name, globalThis[name]]))
const compartment = new Compartment({ globals, __options__: true })
compartment.evaluate(readFileSync(process.argv[2], 'utf8'))
console.log(JSON.stringify(await compartment.globalThis.check()))
