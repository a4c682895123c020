/** Tables in IndexedDB. Every access opens and closes: there are 16 in a session, and an idle connection blocks upgrades. */
import { type DBSchema, type IDBPDatabase, openDB } from 'idb'
import type { TableStore } from './store.ts'

interface Schema extends DBSchema {
  parts: { key: string; value: ArrayBuffer }
}

export class IndexedDbTables implements TableStore {
  async get(key: string): Promise<Uint8Array | null> {
    const value = await within((database) => database.get('parts', key))
    return value instanceof ArrayBuffer ? new Uint8Array(value) : null
  }

  async set(key: string, value: Uint8Array): Promise<void> {
    // A buffer, of this value alone: WebKit keeps ArrayBuffers, and a view may be on a larger one.
    const { buffer } = value.byteLength === value.buffer.byteLength ? value : new Uint8Array(value)
    await within(async (database) => {
      const { store, done } = database.transaction('parts', 'readwrite', { durability: 'relaxed' })
      await Promise.all([store.put(buffer as ArrayBuffer, key), done])
    })
  }
}

async function within<T>(work: (database: IDBPDatabase<Schema>) => Promise<T>): Promise<T> {
  const database = await openDB<Schema>('blobcheck-prover', 1, {
    upgrade: (fresh) => void fresh.createObjectStore('parts'),
  })
  try {
    return await work(database)
  } finally {
    database.close()
  }
}
