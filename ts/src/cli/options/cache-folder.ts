/** Where programs of a user keep what can be had again. */
import { homedir, tmpdir } from 'node:os'
import { isAbsolute, join } from 'node:path'

/** In the user's cache, of which an absolute path alone is taken (XDG Base Directory Specification); where there is no user, in a folder for a time. */
export function defaultFolder(): string {
  const { XDG_CACHE_HOME: cache = '' } = process.env
  return join(isAbsolute(cache) ? cache : (homeCache() ?? tmpdir()), 'blobcheck')
}

/** Null where the system knows no user of this process, as in containers. */
function homeCache(): string | null {
  try {
    return join(homedir(), '.cache')
  } catch {
    return null
  }
}

/** A folder in the user's cache of this program. */
export function cacheFolder(name: string): string {
  return join(defaultFolder(), name)
}
