/** The simulated node: a chain of `blobcheck/serve` that runs in a worker of the page, and answers what the page asks. */
import { type BeaconApp, createBeaconApp, type Faults, makeChain } from 'blobcheck/serve'
import { errorMessage } from '../../shared/error-message.ts'
import { forging } from './forge.ts'
import type { FromAnswer, FromNode, ToAnswer, ToNode } from './messages.ts'
import { HONEST } from './names.ts'
import type { NodeFaults, PlainChainOptions } from './settings.ts'

const served: Faults = { rules: [] }
let faults: NodeFaults = { rules: [], forgery: null, payloadsWithheld: false }
/** Both are of one chain; the honest one has no faults. */
let apps: { readonly faulty: BeaconApp; readonly honest: BeaconApp } | null = null

const tell = (message: FromNode): void => self.postMessage(message)

self.addEventListener('message', ({ data, ports }: MessageEvent<ToNode>) => {
  switch (data.kind) {
    case 'make':
      set(data.faults)
      return void make(data.chain)
    case 'faults':
      return set(data.faults)
    case 'request':
      return void answer(data.url, data.headers, ports[0]!)
  }
})

function set(changed: NodeFaults): void {
  faults = changed
  served.rules = changed.rules
}

async function make(options: PlainChainOptions): Promise<void> {
  try {
    const chain = await makeChain({
      ...options,
      // Asked when a block is made: what is withheld stays withheld.
      isPayloadWithheld: () => faults.payloadsWithheld,
      onProgress: ({ done, total }) => tell({ kind: 'proved', done, total }),
    })
    apps = {
      faulty: createBeaconApp({ chain: forging(chain, () => faults.forgery), faults: served }),
      honest: createBeaconApp({ chain }),
    }
    const { network, checkpoint, proposerKey } = chain
    tell({ kind: 'made', made: { network, checkpoint, proposerKey } })
  } catch (error) {
    tell({ kind: 'failed', why: errorMessage(error) })
  }
}

/** Answers one request, part by part as the page takes them: what breaks off or drips does so there, too. */
async function answer(
  url: string,
  headers: Readonly<Record<string, string>>,
  port: MessagePort,
): Promise<void> {
  const controller = new AbortController()
  const say = (message: FromAnswer, transfer: Transferable[] = []): void =>
    port.postMessage(message, transfer)
  let reader: ReadableStreamDefaultReader<Uint8Array<ArrayBuffer>> | undefined
  port.onmessage = ({ data }: MessageEvent<ToAnswer>): void => {
    if (data === 'next') return void next()
    controller.abort()
    reader?.cancel().catch(() => {})
    port.close()
  }
  async function next(): Promise<void> {
    try {
      const { done, value } = (await reader?.read()) ?? { done: true, value: undefined }
      if (done) say({ kind: 'end' })
      else {
        // Of its own: the answer may be a view of bytes that the chain keeps.
        const bytes = value.slice()
        say({ kind: 'part', bytes }, [bytes.buffer])
      }
    } catch (error) {
      say({ kind: 'broken', why: errorMessage(error) })
    }
  }
  try {
    const { faulty, honest } = apps!
    const request = new Request(url, { headers, signal: controller.signal })
    const app = new URL(url).origin === HONEST ? honest : faulty
    const response = await app.fetch(request)
    reader = response.body?.getReader()
    say({ kind: 'head', status: response.status, headers: [...response.headers] })
  } catch (error) {
    say({ kind: 'broken', why: errorMessage(error) })
  }
}
