import { parseArgs } from 'node:util'
import { makeChain } from 'blobcheck/serve'
import { serveBeacon } from 'blobcheck/serve/node'

/** The nodes and the checkpoint of the command line; without them, two nodes on this machine with a chain that they make. */
export async function connect(args) {
  const { values, positionals } = parseArgs({
    args,
    allowPositionals: true,
    options: { checkpoint: { type: 'string' }, network: { type: 'string' }, withhold: { type: 'string' } },
  })
  const { checkpoint, network = 'mainnet', withhold = '0' } = values
  if (checkpoint !== undefined) return { network, checkpoint, beacon: positionals, close: async () => {} }

  const chain = await makeChain({ slots: 160, blobsPerBlock: 3 })
  const faults = { rules: [{ fault: { kind: 'withhold', columns: Number(withhold) } }] }
  const servers = await Promise.all([0, 1].map(() => serveBeacon({ chain, faults })))
  return {
    network: chain.network,
    checkpoint: chain.checkpoint,
    beacon: servers.map(({ url }) => url),
    close: async () => await Promise.all(servers.map((server) => server.close())),
  }
}
