/** `--store`: the folder where a light client keeps what it verified, and what is said where that cannot be. */
import type { LightClientStorage } from '../../light-client/index.ts'
import { messageOf } from '../../runtime/errors.ts'
import { folderFault } from '../files.ts'
import type { Output } from '../terminal/output.ts'
import { printWarning } from '../terminal/words.ts'

interface StoreOption {
  readonly store: string | false
}

/** Told of what goes wrong with the folder (`isTrouble`), and of what comes right again, in words for people. */
export type OnStoreNews = (text: string, isTrouble: boolean) => void

/** Why `--store` will keep nothing, as a sentence; null where it can, or is not to. */
export async function storeFault({ store }: StoreOption): Promise<string | null> {
  const fault = store === false ? null : await folderFault(store)
  return fault === null
    ? null
    : `--store ${String(store)}: ${fault}, so that nothing is kept for the next start (--no-store does not try)`
}

/** Says, before anything else is printed, that `--store` will keep nothing: the next start downloads it again, which is no reason to refuse. */
export async function warnOfStore(options: StoreOption, stderr: Output): Promise<void> {
  const fault = await storeFault(options)
  if (fault !== null) printWarning(stderr, fault)
}

/**
 * The folder as a light client's storage. `onNews` is told where writing to it begins to fail, as on a full disk, and where it does not any more: once
 * each. Of a folder that cannot be written from the start nothing is told here: `storeFault` says so.
 */
export async function openStore(
  { store }: StoreOption,
  onNews: OnStoreNews,
): Promise<LightClientStorage | false> {
  if (store === false) return false
  const { FileStorage } = await import('../../light-client/index.ts')
  const storage = new FileStorage(store)
  return (await storeFault({ store })) === null ? watched(storage, store, onNews) : storage
}

function watched(storage: LightClientStorage, folder: string, onNews: OnStoreNews): LightClientStorage {
  let isFailing = false
  return {
    get: async (key) => await storage.get(key),
    delete: async (key) => await storage.delete(key),
    async set(key, value) {
      try {
        await storage.set(key, value)
      } catch (error) {
        if (!isFailing)
          onNews(
            `--store ${folder}: what was verified cannot be kept for the next start: ${messageOf(error)}`,
            true,
          )
        isFailing = true
        throw error
      }
      if (isFailing) onNews(`--store ${folder}: what was verified is kept again`, false)
      isFailing = false
    },
  }
}
