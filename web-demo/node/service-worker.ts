/** The simulated node in the page’s service worker, which imports its script. */
/// <reference lib="webworker" />
import { FIRST_BLOB, FOLDER } from '../src/panels/simulated/address.ts'
import { Responder, type Store } from '../src/panels/simulated/responder.ts'

/** What the script adds to the service worker’s global scope. */
export interface Answering {
  /** `path`: of the request, below `simulated/`. */
  answer?: (request: Request, path: string) => Promise<Response>
}

declare const self: ServiceWorkerGlobalScope & Answering

const CACHE = 'blobcheck-simulated'
/** Chains that are kept, beside the blob that all are made of. */
const MOST_KEPT = 16

/** A browser ends a service worker that nobody asks for half a minute: what makes the chains the same again outlives it. */
const store: Store = {
  async read(name) {
    const found = await (await caches.open(CACHE)).match(addressOf(name))
    return found === undefined ? null : new Uint8Array(await found.arrayBuffer())
  },
  async write(name, bytes) {
    const cache = await caches.open(CACHE)
    await cache.put(addressOf(name), new Response(bytes))
    const chains = (await cache.keys()).filter(({ url }) => url !== addressOf(FIRST_BLOB))
    await Promise.all(chains.slice(0, -MOST_KEPT).map((oldest) => cache.delete(oldest)))
  },
}

const addressOf = (name: string): string => new URL(FOLDER + name, self.registration.scope).href

export function answerRequests(): void {
  const responder = new Responder(store)
  self.answer = async (request, path) => await responder.answer(request, path)
}
