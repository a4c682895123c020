/** Reading the block: it is SSZ, and need not be parsed. Rejects with an `Error` whose message is for people. */
import { type Sidecar, sidecarsOf } from './sidecar.ts'

/** As a preload without the attribute `crossorigin` is asked for: WebKit takes one that has it for no request of a page's own origin. */
const AS_PRELOADED: RequestInit = { mode: 'no-cors', credentials: 'include' }

export async function readBlock(url: string): Promise<Sidecar[]> {
  const response = await fetch(url, AS_PRELOADED).catch(() => {
    throw new Error('the block could not be fetched: is the server still running?')
  })
  if (response.status === 404)
    throw new Error('the block is not there. Run “npm run demo” once more: its set-up fetches it.')
  if (!response.ok) throw new Error(`the server answered ${response.status} instead of the block`)
  return sidecarsOf(new Uint8Array(await response.arrayBuffer()))
}
