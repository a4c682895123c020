/** Code that is loaded when it is needed first, by `import()`. */
import { platform } from '#platform'
import { messageOf, WasmUnavailableError } from './errors.ts'

/**
 * What `load` imports, a function with an `import()` in it: bundlers look for those, with a literal each. Throws `WasmUnavailableError`
 * where code cannot be loaded later, which service workers and some sandboxes forbid; its message says what to do there.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await platform.lasting(load)
  } catch (cause) {
    throw new WasmUnavailableError(`code could not be loaded by import(): ${messageOf(cause)}. ${REMEDY}`, {
      cause,
    })
  }
}

const REMEDY =
  "Where import() is forbidden, as in service workers, bundle with the package.json condition 'worker', or import 'blobcheck/inline' for a verifier"
