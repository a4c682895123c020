/** Who answers requests to `simulated/`: the page’s service worker, so that other tabs can ask it, too, or else a worker of the page. */
import { errorMessage } from '../../shared/error-message.ts'
import { registerWithNode } from '../../offline.ts'
import { orAborted } from '../../shared/watch.ts'
import { FOLDER } from './address.ts'
import { WorkerHost } from './worker-host.ts'

export interface Asked {
  readonly method?: 'PUT'
  readonly headers?: Readonly<Record<string, string>>
  readonly body?: string | Blob
  readonly redirect?: 'error'
  readonly signal: AbortSignal
}

export interface Host {
  /** Where others can ask it; null where it answers this page alone. */
  readonly url: string | null
  /** Why no other one could be had; empty for the service worker. */
  readonly why: string
  /** As the platform’s `fetch`; `path` is below the folder. */
  ask(path: string, asked: Asked): Promise<Response>
}

/** The worker ends with the signal. Rejects with its reason. */
export async function openHost(signal: AbortSignal): Promise<Host> {
  try {
    return await openServiceWorker(signal)
  } catch (error) {
    signal.throwIfAborted()
    return new WorkerHost(errorMessage(error), signal)
  }
}

/** Milliseconds for an installation, which fetches the node: long, since it goes on by itself where a machine or a network is slow. */
const INSTALLATION_MS = 30_000
/** Milliseconds that one has to take over once it is installed: one that waits for other tabs does not. */
const PATIENCE_MS = 5_000

async function openServiceWorker(signal: AbortSignal): Promise<Host> {
  const script = await orAborted(registerWithNode(), signal)
  const { serviceWorker } = navigator
  const installing = (await orAborted(serviceWorker.getRegistration(), signal))?.installing
  signal.throwIfAborted() // between its coming and this line
  await new Promise<void>((resolve, reject) => {
    const end = (settle: () => void): void => {
      clearTimeout(timer)
      serviceWorker.removeEventListener('controllerchange', look)
      installing?.removeEventListener('statechange', step)
      signal.removeEventListener('abort', abort)
      settle()
    }
    const fail = (why: string): void => end(() => reject(new Error(why)))
    const look = (): void => {
      if (serviceWorker.controller?.scriptURL === script) end(resolve)
    }
    const wait = (ms: number): ReturnType<typeof setTimeout> =>
      setTimeout(() => fail('its service worker waits for other tabs, or does not come'), ms)
    const step = (): void => {
      if (installing?.state === 'redundant') return fail('its service worker could not be installed')
      clearTimeout(timer)
      timer = wait(PATIENCE_MS)
    }
    const abort = (): void => end(() => reject(signal.reason as Error))
    let timer = wait(installing ? INSTALLATION_MS : PATIENCE_MS)
    serviceWorker.addEventListener('controllerchange', look)
    installing?.addEventListener('statechange', step)
    signal.addEventListener('abort', abort)
    look()
  })
  const url = new URL(FOLDER, document.baseURI).href
  const probe = await fetch(url, { signal })
  if (!probe.ok) throw new Error('its service worker could not load the node')
  return { url, why: '', ask: (path, asked) => fetch(url + path, { cache: 'no-store', ...asked }) }
}
