/** The page’s side of a simulated chain and its nodes, whoever answers for them. */
import type { NetworkConfig } from 'blobcheck'
import type { Fetch } from 'blobcheck/sampler'
import type { ProvedBlob } from 'blobcheck/serve'
import { itemsOf } from '../../embedded/items.ts'
import { parseNetwork } from '../../follow/network.ts'
import { loadBlock } from '../../embedded/block.ts'
import { fromHex } from '../../shared/bytes.ts'
import { orAborted } from '../../shared/watch.ts'
import { chainName, FIRST_BLOB, newAddress, type NodeName } from './address.ts'
import { packBlob } from './first-blob.ts'
import { type Host, openHost } from './host.ts'
import { HONEST } from './names.ts'
import type { ChainSettings, NodeFaults } from './settings.ts'

/** What is needed to follow the chain. */
export interface MadeChain {
  readonly network: NetworkConfig
  /** 0x hex of 32 bytes. */
  readonly checkpoint: string
  /** 48 bytes: the public key of every proposer. */
  readonly proposerKey: Uint8Array
}

export interface OpenOptions {
  readonly chain: ChainSettings
  readonly faults: NodeFaults
  readonly signal: AbortSignal
}

export class SimulatedNode {
  readonly made: MadeChain
  readonly #name: string
  readonly #host: Host
  readonly #signal: AbortSignal
  /** What its faults are to be, as JSON. */
  #wanted: string
  /** Resolves when they are. */
  #setting: Promise<void> = Promise.resolve()

  private constructor(name: string, host: Host, made: MadeChain, faults: string, signal: AbortSignal) {
    this.#name = name
    this.#host = host
    this.made = made
    this.#wanted = faults
    this.#signal = signal
  }

  /** Makes a chain. Rejects with the signal’s reason, and with an `Error` that says why where there can be no chain. */
  static async open({ chain, faults, signal }: OpenOptions): Promise<SimulatedNode> {
    const host = await openHost(signal)
    const name = chainName(newAddress(chain))
    const there = (await (await host.ask('', { signal })).json()) as { hasFirstBlob: boolean }
    if (!there.hasFirstBlob)
      await host.ask(FIRST_BLOB, { method: 'PUT', body: packBlob(await firstBlob(signal)), signal })
    const wanted = JSON.stringify(faults)
    const response = await host.ask(name, { method: 'PUT', body: wanted, signal })
    const text = await response.text()
    if (!response.ok) throw new Error((JSON.parse(text) as { message: string }).message)
    return new SimulatedNode(name, host, readChain(text), wanted, signal)
  }

  /** Why no service worker answers; empty where one does. */
  get whyWorker(): string {
    return this.#host.why
  }

  /** The address of the node with the faults, for who wants to ask it from elsewhere; null where it answers this page alone. */
  get url(): string | null {
    const { url } = this.#host
    return url === null ? null : `${url}${this.#name}/node`
  }

  /** From the next request on. */
  set(faults: NodeFaults): void {
    const body = JSON.stringify(faults)
    if (body === this.#wanted) return
    this.#wanted = body
    const put = async (): Promise<void> => {
      // Of several in a moment the last one counts.
      if (body !== this.#wanted) return
      await this.#host.ask(this.#name, { method: 'PUT', body, signal: this.#signal })
    }
    // Where it cannot be set, requests that follow fail as well, and that is told.
    this.#setting = this.#setting.then(put).catch(() => {})
  }

  /** Takes the addresses of `names.ts`. */
  readonly fetch: Fetch = async (url, { headers, signal }) => {
    await this.#setting
    const { origin, pathname, search } = new URL(url)
    const node: NodeName = origin === HONEST ? 'honest' : 'node'
    return await this.#host.ask(`${this.#name}/${node}${pathname}${search}`, {
      ...{ headers, signal },
      redirect: 'error',
    })
  }
}

function readChain(text: string): MadeChain {
  const { network, checkpoint, proposerKey } = JSON.parse(text) as Record<string, string>
  return {
    network: parseNetwork(JSON.stringify(network)),
    checkpoint: checkpoint!,
    proposerKey: fromHex(proposerKey!),
  }
}

async function firstBlob(signal: AbortSignal): Promise<ProvedBlob> {
  const { cells } = await orAborted(loadBlock().then(itemsOf), signal)
  return {
    commitment: cells[0]!.commitment,
    cells: cells.map(({ cell }) => cell),
    proofs: cells.map(({ proof }) => proof),
  }
}
