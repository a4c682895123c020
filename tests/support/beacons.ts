/** Servers of made chains that go when a test ends, and what the command line needs to find them. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Chain, FaultRule } from 'blobcheck/serve'
import { type BeaconServer, serveBeacon } from 'blobcheck/serve/node'
import { afterEach } from 'vitest'
import { writeNetwork } from '../../dist/cli/options/network.js'

const servers: BeaconServer[] = []
const folders: string[] = []

afterEach(async () => {
  await Promise.all(servers.splice(0).map((server) => server.close()))
  await Promise.all(folders.splice(0).map((folder) => rm(folder, { recursive: true, force: true })))
})

/** The URL of a server with these faults. */
export async function beaconOf(chain: Chain, ...rules: FaultRule[]): Promise<string> {
  const server = await serveBeacon({ chain, faults: { seed: 1, rules } })
  servers.push(server)
  return server.url
}

/** A folder of the test's own. */
export async function folder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'blobcheck-'))
  folders.push(path)
  return path
}

/** A file of the test's own. */
export async function fileOf(name: string, content: string | Uint8Array): Promise<string> {
  const path = join(await folder(), name)
  await writeFile(path, content)
  return path
}

/** A file with a chain's network config. */
export async function networkFile(chain: Chain): Promise<string> {
  return await fileOf('network.json', writeNetwork(chain.network))
}
