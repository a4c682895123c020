/** Registers the service worker that makes the page open without a network, and says in the footer what it is good for. */
import { setText } from './shared/page.ts'

/** Where there can be none (another browser's private window, a page that was opened as a file), nothing is said. */
export async function keepForOffline(): Promise<void> {
  // A development server changes its files, and has no service worker.
  if (import.meta.hot !== undefined || !('serviceWorker' in navigator)) return
  try {
    await register()
    await navigator.serviceWorker.ready
  } catch {
    return
  }
  tell()
  for (const change of ['online', 'offline']) addEventListener(change, tell)
}

/** The service worker’s address with this query is the one that has the simulated node, too. */
const WITH_NODE = '?simulated'
let query = ''

/** Where a browser has the one with the node, it stays so. Resolves with the script’s address. */
async function register(): Promise<string> {
  const { href } = new URL('service-worker.js', document.baseURI)
  const known = await navigator.serviceWorker.getRegistration()
  if (known?.active?.scriptURL === href + WITH_NODE) query = WITH_NODE
  await navigator.serviceWorker.register(href + query)
  return href + query
}

/** Has the service worker replaced by one that has the simulated node, too, and resolves with its address. Rejects where there is none. */
export async function registerWithNode(): Promise<string> {
  if (import.meta.hot !== undefined) throw new Error('a development server has no service worker')
  if (!('serviceWorker' in navigator)) throw new Error('this browser offers no service worker here')
  query = WITH_NODE
  const address = await register()
  // Some browsers register nothing, and do not say so.
  if ((await navigator.serviceWorker.getRegistration()) === undefined)
    throw new Error('this browser refused a service worker')
  return address
}

/** Has what other tabs need kept, too; once there is a service worker. Rejects where the browser allows none. */
export async function keepAllForOffline(): Promise<void> {
  if (!('serviceWorker' in navigator)) return
  const { active } = await navigator.serviceWorker.ready
  active?.postMessage('keep-all')
}

function tell(): void {
  setText(
    '#offline',
    navigator.onLine
      ? 'This browser has kept the page and its block: it opens, verifies and refuses without a network, too.'
      : 'There is no network: the page and its block came from this browser, and were verified all the same.',
  )
}
