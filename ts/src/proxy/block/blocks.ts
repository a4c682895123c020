/** Whole blocks: fetched of endpoints that may lie, decoded, and held against the root of a header. */
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { BeaconFailure } from '../../beacon/failure.ts'
import { SszError } from '../../beacon/block/errors.ts'
import { beaconFiles } from '../../beacon/block/files.ts'
import { type Exports, instantiate } from '../../beacon/block/module.ts'
import { readWholeBlock, type WholeBlock } from '../../beacon/block/whole-block.ts'
import type { VettedNetwork } from '../../beacon/vetted-network.ts'
import type { BeaconAnswer } from '../../beacon/request.ts'
import { routes } from '../../beacon/routes.ts'
import { unreadableBlock } from '../../beacon/unreadable-block.ts'
import { compileKernel, readSources } from '../../runtime/kernel/module.ts'
import { encodeHex } from '../../util/hex.ts'
import { Once } from '../../util/once.ts'
import { BoundedMap } from '../../util/bounded-map.ts'
import { SharedTasks } from '../../util/shared-tasks.ts'

/** In bytes of SSZ: some hundred blocks. */
const MAX_KEPT = 16 * 2 ** 20

/** Blocks by their roots. */
export class Blocks {
  readonly #endpoints: BeaconEndpoints
  readonly #network: VettedNetwork
  readonly #kept = new BoundedMap<string, WholeBlock>(MAX_KEPT, ({ message }) => message.length)
  readonly #tasks = new SharedTasks<WholeBlock>()
  readonly #module = new Once(load)

  constructor(endpoints: BeaconEndpoints, network: VettedNetwork) {
    this.#endpoints = endpoints
    this.#network = network
  }

  /**
   * The block that has this root, 32 bytes as lower-case 0x hex. Rejects with `BeaconUnavailableError` where no endpoint gives it, with the
   * signal's reason, and with `WasmUnavailableError`.
   */
  async get(root: string, signal: AbortSignal | undefined): Promise<WholeBlock> {
    return (
      this.#kept.get(root) ??
      (await this.#tasks.run(root, async (either) => await this.#fetch(root, either), signal))
    )
  }

  async #fetch(root: string, signal: AbortSignal): Promise<WholeBlock> {
    const exports = await this.#module.get()
    const block = await this.#endpoints.first(
      routes.block(root),
      async (answer) => this.#read(exports, answer, root),
      signal,
    )
    this.#kept.set(root, block)
    return block
  }

  #read(exports: Exports, { form, body, version }: BeaconAnswer, root: string): WholeBlock {
    try {
      const source = form === 'ssz' ? body : new TextDecoder().decode(body)
      const block = readWholeBlock(exports, source, this.#network, version)
      if (`0x${encodeHex(block.root)}` !== root)
        throw new BeaconFailure('invalid', 'another block than the one asked for')
      return block
    } catch (error) {
      throw error instanceof SszError ? unreadableBlock(error) : error
    }
  }
}

async function load(): Promise<Exports> {
  return instantiate(await compileKernel('simd128', readSources({}), beaconFiles))
}
