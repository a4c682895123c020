// Whether a script was started, or is imported by another one.
import { realpathSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

/** Whether the module at this URL is what Node was started with, by whichever of its paths: Node takes a link for the file that it leads to. */
export function isMain(url) {
  const started = process.argv[1]
  if (started === undefined) return false
  try {
    return realpathSync(started) === realpathSync(fileURLToPath(url))
  } catch {
    // What Node was started with is no file.
    return false
  }
}
