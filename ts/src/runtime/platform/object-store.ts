/** Stores in IndexedDB of which there are few accesses: each opens and closes. An idle connection is one that can be cut, and holds up upgrades. */
import { type IDBPObjectStore, openDB } from '../../vendor/idb.ts'

type ObjectStore<Mode extends IDBTransactionMode> = IDBPObjectStore<unknown, [string], string, Mode>

/**
 * Does something with the store `name` of a database, whose only one it is. Resolves once the transaction is over; rejects with the
 * `DOMException` of IndexedDB, whichever part of it failed.
 */
export async function inObjectStore<Mode extends 'readonly' | 'readwrite', T>(
  database: string,
  name: string,
  mode: Mode,
  work: (store: ObjectStore<Mode>) => Promise<T>,
): Promise<T> {
  const connection = await openDB(database, 1, { upgrade: (fresh) => void fresh.createObjectStore(name) })
  try {
    const { store, done } = connection.transaction(name, mode, { durability: 'relaxed' })
    // A transaction that is aborted fails its requests and itself: both are listened to.
    const [answer] = await Promise.all([work(store), done])
    return answer
  } finally {
    connection.close()
  }
}
