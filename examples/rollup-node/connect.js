import { makeChain } from 'blobcheck/serve'
import { serveBeacon } from 'blobcheck/serve/node'

/** The node, the network and the checkpoint of the command line; without them, a node on this machine with a chain that it makes. */
export async function connect([beacon, checkpoint, network = 'mainnet']) {
  if (beacon !== undefined && checkpoint !== undefined)
    return { beacon, checkpoint, network, close: async () => {} }
  const chain = await makeChain({ slots: 160, blobsPerBlock: 3 })
  const server = await serveBeacon({ chain })
  return {
    beacon: server.url,
    checkpoint: chain.checkpoint,
    network: chain.network,
    close: () => server.close(),
  }
}
