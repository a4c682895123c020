/**
 * The page's service worker: a page that was open once opens again without a network. Its files are named by their content, so they are taken
 * from the cache; the document and the block are asked for first, so that a new build is seen at the next load, and come from the cache where
 * nobody answers. It is bundled into one script, which imports nothing but the simulated node, and that where a page has asked for it.
 */
/// <reference lib="webworker" />
import { BUILD, FILES, LATER, NODE } from './files.ts'
import type { Answering } from '../node/service-worker.ts'

declare const self: ServiceWorkerGlobalScope & Answering

/**
 * Whether there is a simulated node: a page that wants one registers this script with the query. The node’s script can be fetched while
 * this one is installed, and never after; it would be a weight on the first visit of all others.
 */
const HAS_NODE = self.location.search === '?simulated'

const PREFIX = 'blobcheck-page-'
const CACHE = PREFIX + BUILD

const addressOf = (file: string): string => new URL(file, self.registration.scope).href
const ADDRESSES: ReadonlySet<string> = new Set([...FILES, ...LATER].map(addressOf))

const NODES = addressOf('simulated/')

// The worker of a new build waits until all pages of the former one are closed: they may still ask for its files.
self.addEventListener('install', (event) => {
  if (HAS_NODE) importScripts(addressOf(NODE))
  event.waitUntil(install())
})

async function install(): Promise<void> {
  await keep(FILES)
  // With the simulated node it takes the place of the one without at once, since both have the files of one build.
  if (HAS_NODE && (await builds()).length === 1) await self.skipWaiting()
}

async function builds(): Promise<string[]> {
  return (await caches.keys()).filter((name) => name.startsWith(PREFIX))
}

/** A page in which another tab was opened asks for this. */
self.addEventListener('message', (event) => {
  // Where a newer build has taken the place of these files, they are not kept: the page works with a network alone then.
  if (event.data === 'keep-all') event.waitUntil(keep(LATER).catch(() => {}))
})

async function keep(files: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const kept = new Set((await cache.keys()).map(({ url }) => url))
  const missing = files.map(addressOf).filter((address) => !kept.has(address))
  // From the server: the browser itself may still have the document of the former build, which names files that are not here.
  await cache.addAll(missing.map((address) => new Request(address, { cache: 'reload' })))
}

self.addEventListener('activate', (event) => {
  event.waitUntil(
    (async () => {
      const former = (await builds()).filter((name) => name !== CACHE)
      await Promise.all(former.map((name) => caches.delete(name)))
      await self.clients.claim()
    })(),
  )
})

self.addEventListener('fetch', (event) => {
  const { request } = event
  if (HAS_NODE && request.url.startsWith(NODES)) return event.respondWith(fromNode(request))
  const url = new URL(request.url)
  // The address may name what is broken: it is the same document.
  url.search = ''
  url.hash = ''
  url.pathname = url.pathname.replace(/index\.html$/, '')
  if (request.method !== 'GET' || !ADDRESSES.has(url.href)) return
  event.respondWith(url.pathname.includes('/assets/') ? fromCache(request, url) : fromNetwork(request, url))
})

/** The node’s script was fetched when this one was installed: it is run when it is wanted. */
async function fromNode(request: Request): Promise<Response> {
  if (self.answer === undefined) importScripts(addressOf(NODE))
  return await self.answer!(request, request.url.slice(NODES.length))
}

async function fromCache(request: Request, url: URL): Promise<Response> {
  return (await stored(url)) ?? (await fetch(request))
}

async function fromNetwork(request: Request, url: URL): Promise<Response> {
  try {
    return await fetch(request)
  } catch (error) {
    const response = await stored(url)
    if (response === undefined) throw error
    return response
  }
}

async function stored(url: URL): Promise<Response | undefined> {
  const cache = await caches.open(CACHE)
  // Compressed and plain answers are stored alike: what the server varies by does not matter here.
  return await cache.match(url.href, { ignoreVary: true })
}
