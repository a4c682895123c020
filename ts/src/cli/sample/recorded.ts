/** Without any endpoint: a recorded block, from a server that this process starts, so that there is something to see at once. */
import type { BlockId, HeaderSource, Resolution } from '../../sampler/index.ts'
import type { Chain } from '../../serve/index.ts'
import type { Ground } from './ground.ts'
import type { SamplePrinter } from './printer.ts'

/** Computes the block's columns, and serves them on this machine alone. */
export async function recorded(printer: SamplePrinter, signal: AbortSignal): Promise<Ground> {
  const { realChain } = await import('../../serve/index.ts')
  const { readEmbeddedSidecars, serveBeacon } = await import('../../serve/node.ts')
  const sidecars = await readEmbeddedSidecars()
  const chain = await realChain({
    sidecars,
    signal,
    onProgress: ({ done, total }) =>
      printer.preparing('computing the columns of a recorded block', `${done} of ${total} blobs`),
  })
  const server = await serveBeacon({ chain })
  return {
    headers: headersOf(chain),
    beacon: [server.url],
    network: chain.network,
    now: () => chain.now(),
    trouble: () => null,
    dispose: () => server.close(),
  }
}

/** The chain's own word, and it is this process that gives it. */
function headersOf(chain: Chain): HeaderSource {
  const resolve = (id: BlockId): Resolution => {
    const block =
      id === 'head' || id === 'finalized'
        ? chain.head
        : /^0x/.test(String(id))
          ? chain.byRoot(String(id).toLowerCase())
          : chain.at(Number(id))
    return block === null
      ? { status: 'unknown', detail: 'the recorded block is another one' }
      : { status: 'found', header: { root: block.root, slot: block.slot } }
  }
  return { resolve: (id) => Promise.resolve(resolve(id)) }
}
