/**
 * A script of the tests, served to browsers as one file with all that it imports, as bundlers make workers of them. Of dozens of files a worker says
 * nothing in 2 s where a machine of two cores runs all tests at once, and is given up.
 */
import { rolldown } from 'rolldown'
import type { Plugin } from 'vite'

/** Serves the script at `path` so. */
export function asOneFile(path: string): Plugin {
  let code: Promise<string> | undefined
  return {
    name: 'as-one-file',
    enforce: 'pre',
    async load(id) {
      // What its URL asks for is behind it.
      return id.split('?', 1)[0] === path ? await (code ??= bundle(path)) : null
    },
  }
}

async function bundle(path: string): Promise<string> {
  const bundle = await rolldown({
    input: path,
    platform: 'browser',
    resolve: { conditionNames: ['import', 'default'] },
    logLevel: 'warn',
  })
  const { output } = await bundle.generate({ format: 'es', codeSplitting: false })
  await bundle.close()
  return output[0].code
}
