// Starts `beacon-server.mjs`.
import { fork } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** `{ url, network, header, close }` of a server of one block with so many blobs, in a process of its own. */
export async function startBeaconServer(blobs) {
  const child = fork(fileURLToPath(new URL('beacon-server.mjs', import.meta.url)), [String(blobs)])
  const served = await new Promise((resolve, reject) => {
    child.once('message', resolve)
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
  })
  return { ...served, close: () => child.disconnect() }
}
