// `npm run reproduce [MODULE…]`: builds modules, all or those named, a second time, in another folder: the bytes have to be the same.
import { run } from './run.mjs'
import { prepareOrExit, root } from './setup.mjs'

const modules = process.argv.slice(2)
await prepareOrExit()
try {
  for (const task of ['wasm', 'reproduce'])
    await run('cargo', ['xtask', task, ...modules], { cwd: root, live: true })
} catch (error) {
  console.error(`\n${error.message}`)
  process.exitCode = 1
}
