/** Registers the service worker that makes the page open without a network, and says in the footer what it is good for. */
import { setText } from './shared/page.ts'

/** Where there can be none (another browser's private window, a page that was opened as a file), nothing is said. */
export async function keepForOffline(): Promise<void> {
  // A development server changes its files, and has no service worker.
  if (import.meta.hot !== undefined || !('serviceWorker' in navigator)) return
  try {
    await navigator.serviceWorker.register(new URL('service-worker.js', document.baseURI))
    await navigator.serviceWorker.ready
  } catch {
    return
  }
  tell()
  for (const change of ['online', 'offline']) addEventListener(change, tell)
}

/** Has what other tabs need kept, too; once there is a service worker. */
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
