/** What is used of `idb` (ISC): IndexedDB with promises. The build puts it into the package (scripts/bundle-vendor.mjs). */
export { openDB } from 'idb'
export type { DBSchema, IDBPDatabase, IDBPObjectStore, IDBPTransaction } from 'idb'
