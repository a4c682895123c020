/** A service worker that is a beacon node to the pages in its scope, over a made chain or the real block. */
import {
  type Chain,
  createBeaconApp,
  type Faults,
  fetchEmbeddedSidecars,
  makeChain,
  realChain,
} from 'blobcheck/serve'
import { madeChain } from './served.ts'

/** The part of a service worker's global scope that is needed here. */
interface Scope {
  skipWaiting(): Promise<void>
  readonly clients: { claim(): Promise<void> }
  readonly location: Location
  addEventListener(type: 'install' | 'activate', listener: (event: Extendable) => void): void
  addEventListener(type: 'fetch', listener: (event: FetchEvent) => void): void
}
interface Extendable {
  waitUntil(promise: Promise<unknown>): void
}
interface FetchEvent extends Extendable {
  readonly request: Request
  respondWith(response: Response | Promise<Response>): void
}

const scope = self as unknown as Scope
const kind = new URL(scope.location.href).searchParams.get('chain')
const faults: Faults = { rules: [{ fault: { kind: 'withhold', columns: [3] } }] }
const app = open().then((chain) => createBeaconApp({ chain, faults }))

async function open(): Promise<Chain> {
  if (kind === 'made') return await makeChain(madeChain)
  return await realChain({ sidecars: await fetchEmbeddedSidecars() })
}

scope.addEventListener('install', (event) => event.waitUntil(app.then(() => scope.skipWaiting())))
scope.addEventListener('activate', (event) => event.waitUntil(scope.clients.claim()))
scope.addEventListener('fetch', (event) => {
  const { pathname } = new URL(event.request.url)
  if (pathname.startsWith('/eth/')) event.respondWith(app.then(({ fetch }) => fetch(event.request)))
  // A page of its own, which it controls from the first request on.
  if (pathname.endsWith('/frame.html'))
    event.respondWith(new Response('<!doctype html>', { headers: { 'content-type': 'text/html' } }))
})
