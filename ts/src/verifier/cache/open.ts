/** The option `cache`, resolved. */
import type { VerdictCache } from './cache.ts'
import { IndexedDbCache } from './indexed-db.ts'
import { LayeredCache } from './layered.ts'
import { MemoryCache } from './memory.ts'
import { hasIndexedDb } from '../../runtime/platform/web-apis.ts'

export type CacheOption = 'auto' | VerdictCache | false

/** The cache to use, or null for none. `auto`: IndexedDB behind memory where there is one, memory alone elsewhere. */
export function openCache(option: CacheOption, trusted: boolean, onFailure: () => void): VerdictCache | null {
  if (option === false) return null
  if (option === 'auto') {
    if (!hasIndexedDb()) return new MemoryCache()
    const store = new IndexedDbCache()
    // Opened now, while workers start, rather than on the way to the first verdict. A failure shows when it is used.
    store.has([]).catch(() => {})
    return new LayeredCache(store, trusted, onFailure)
  }
  if (
    typeof option !== 'object' ||
    option === null ||
    typeof option.has !== 'function' ||
    typeof option.add !== 'function'
  ) {
    throw new TypeError("cache must be 'auto', false, or an object with has() and add()")
  }
  return new LayeredCache(option, trusted, onFailure)
}
