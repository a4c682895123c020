/** The module that reads blocks, without the package around it. */
import { instance } from '../../wasm/beacon_simd128.js'
import type { SszType } from '../../ts/src/beacon/block/ssz-type.ts'
import { inBrowser } from './files.ts'

const url = new URL('../../wasm/beacon_simd128.wasm', import.meta.url)
instance.initSync({
  module: await WebAssembly.compile(
    inBrowser
      ? await (await fetch(url)).arrayBuffer()
      : new Uint8Array(await (await import('node:fs/promises')).readFile(url)),
  ),
})

/** The schema of a block, by the numbers that the module knows forks and presets by. */
export const schemaOf = (fork: number, preset: number): string => instance.blockSchema(fork, preset)

/** `BeaconBlock` of a fork, as the module describes it. */
export function blockType(fork: string, preset = 'mainnet'): SszType {
  const number = { deneb: 0, electra: 1, fulu: 1, gloas: 2 }[fork] ?? 2
  return JSON.parse(instance.blockSchema(number, preset === 'mainnet' ? 0 : 1)) as SszType
}
