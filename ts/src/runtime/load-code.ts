/** Code that is loaded when it is needed first, by `import()`. */
import { platform } from '#platform'
import { messageOf, WasmUnavailableError } from './errors.ts'

/**
 * What `load` imports, a function with an `import()` in it: bundlers look for those, with a literal each. Throws `WasmUnavailableError`
 * where code cannot be loaded later, which service workers and some sandboxes forbid; its message says what to do there. In Node
 * it fails for good: its loader keeps what it found, as a file that could not be opened for a moment.
 */
export async function loadCode<T>(load: () => Promise<T>): Promise<T> {
  try {
    return await platform.lasting(load)
  } catch (cause) {
    // Node's own errors have a name for what is wrong, as that a file is gone or could not be opened, where none of this helps.
    const remedy = typeof (cause as { code?: unknown } | null)?.code === 'string' ? '' : REMEDY
    throw new WasmUnavailableError(`code could not be loaded by import(): ${messageOf(cause)}${remedy}`, {
      cause,
    })
  }
}

const REMEDY =
  ". Where import() is forbidden, as in service workers, bundle with the package.json condition 'worker', or import 'blobcheck/inline' for a verifier"
