// A process that serves a made chain of one block with so many blobs, so that serving is nobody's time that is measured:
// `node beacon-server.mjs BLOBS`. Sends its URL, the network and the block's header.
import { makeChain } from '../../dist/serve/index.js'
import { serveBeacon } from '../../dist/serve/node.js'

process.on('disconnect', () => process.exit())
const chain = await makeChain({
  blobsPerBlock: Number(process.argv[2]),
  slots: 1,
  clock: 'by-hand',
  signHeaders: false,
})
const { url } = await serveBeacon({ chain })
// Each column is made when it is asked for first.
for (let index = 0; index < 128; index++) chain.head.column(index)
const { root, slot } = chain.head
process.send({ url, network: chain.network, header: { root, slot } })
