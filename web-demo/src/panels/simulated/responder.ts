/** What answers requests to `simulated/`, in a service worker and in a worker of the page alike. */
import { errorMessage } from '../../shared/error-message.ts'
import { FIRST_BLOB, type NodeName, readChainName } from './address.ts'
import { unpackBlob } from './first-blob.ts'
import { type ChainState, noFaults, ServedChain } from './served-chain.ts'
import type { NodeFaults } from './settings.ts'

/** Where chains are kept, as what makes them the same again, for a host that may be ended between two requests. */
export interface Store {
  read(name: string): Promise<Uint8Array<ArrayBuffer> | null>
  write(name: string, bytes: Uint8Array<ArrayBuffer>): Promise<void>
}

/** Chains that are there at a time: each has some megabytes. */
const MOST_CHAINS = 4

/**
 * - `GET` of the folder itself: whether there is a first blob.
 * - `PUT first-blob`: the blob that chains are made of (`packBlob`).
 * - `PUT <chain>` with its faults as JSON makes it, or sets its faults; `GET <chain>` tells the same of it: network, checkpoint, and the key
 *   of its proposers. It is 409 without a first blob.
 * - `<chain>/node/…` and `<chain>/honest/…` are the Beacon API of its two nodes.
 */
export class Responder {
  readonly #store: Store
  readonly #chains = new Map<string, Promise<ServedChain | null>>()

  constructor(store: Store) {
    this.#store = store
  }

  /** `path`: below the folder, with its query. It never rejects. */
  async answer(request: Request, path: string): Promise<Response> {
    try {
      return await this.#answer(request, path)
    } catch (error) {
      return refusal(500, errorMessage(error))
    }
  }

  async #answer(request: Request, path: string): Promise<Response> {
    if (path === FIRST_BLOB && request.method === 'PUT') {
      await this.#store.write(FIRST_BLOB, new Uint8Array(await request.arrayBuffer()))
      return new Response()
    }
    if (path === '') return asJson({ hasFirstBlob: (await this.#store.read(FIRST_BLOB)) !== null })
    const [, name = '', node, route = ''] = /^([\w-]+)(?:\/(node|honest)(\/.*))?$/.exec(path) ?? []
    if (readChainName(name) === null) return refusal(404, 'there is no such chain')
    if (node !== undefined) {
      const served = await this.#chain(name, false)
      if (served === null) return refusal(404, 'this chain is not kept any more')
      const { method, headers, signal } = request
      const init = { method: method === 'HEAD' ? 'HEAD' : 'GET', headers, signal }
      return await served.ask(node as NodeName, new Request(`http://${node}.invalid${route}`, init))
    }
    const faults = request.method === 'PUT' ? ((await request.json()) as NodeFaults) : null
    if (faults !== null && (await this.#store.read(FIRST_BLOB)) === null)
      return refusal(409, 'there is no first blob')
    const served = await this.#chain(name, faults !== null)
    if (served === null) return refusal(404, 'this chain is not kept any more')
    if (faults !== null) {
      served.set(faults)
      await this.#store.write(name, new TextEncoder().encode(JSON.stringify(served.state)))
    }
    return asJson(served.about)
  }

  /** A chain that is there, or is kept, or may be a new one; null for any other. */
  #chain(name: string, mayBeNew: boolean): Promise<ServedChain | null> {
    const known = this.#chains.get(name)
    if (known !== undefined) return known
    const making = this.#make(name, mayBeNew)
    this.#chains.set(name, making)
    const forget = (): void => void this.#chains.delete(name)
    making.then((served) => served ?? forget(), forget)
    for (const oldest of this.#chains.keys()) {
      if (this.#chains.size <= MOST_CHAINS) break
      this.#chains.delete(oldest)
    }
    return making
  }

  async #make(name: string, mayBeNew: boolean): Promise<ServedChain | null> {
    const [kept, blob] = await Promise.all([this.#store.read(name), this.#store.read(FIRST_BLOB)])
    if (blob === null || (kept === null && !mayBeNew)) return null
    const state: ChainState =
      kept === null
        ? { faults: noFaults, payloads: [] }
        : (JSON.parse(new TextDecoder().decode(kept)) as ChainState)
    return await ServedChain.make(readChainName(name)!, unpackBlob(blob), state)
  }
}

/** As the Beacon API says it. */
function refusal(code: number, message: string): Response {
  return asJson({ code, message }, code)
}

/** JSON has no infinity: `null` is the epoch of a fork that never comes. */
function asJson(value: unknown, status: number = 200): Response {
  const text = JSON.stringify(value, (_key, inner: unknown) => (inner === Infinity ? null : inner))
  return new Response(text, { status, headers: { 'content-type': 'application/json' } })
}
