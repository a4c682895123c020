/** The instances of a module on a thread, with glue that does what a test tells it. */
import { WasmUnavailableError } from 'blobcheck'
import { describe, expect, it, vi } from 'vitest'
import { instantiate as instantiateBeacon, run as runBeacon } from '../../dist/beacon/block/module.js'
import { instantiateProver } from '../../dist/prover/worker/module.js'
import * as kernelModule from '../../dist/runtime/kernel/module.js'
import type * as kernelSource from '../../ts/src/runtime/kernel/module.ts'
import { readAssetBytes } from '../support/modules.ts'

// The package's declarations leave out what is internal.
const { Instances, isTrap } = kernelModule as unknown as typeof kernelSource

const named = (name: string, message: string): Error => Object.assign(new Error(message), { name })

describe('a trap', () => {
  it.each<[string, unknown]>([
    ['of the module', new WebAssembly.RuntimeError('unreachable')],
    [
      'of a full stack, or of memory, in V8 and JavaScriptCore',
      new RangeError('Maximum call stack size exceeded'),
    ],
    ['of a full stack in Firefox', named('InternalError', 'too much recursion')],
    ['of memory in Firefox', 'out of memory'],
  ])('is what is thrown %s', (_, error) => expect(isTrap(error)).toBe(true))

  it.each<[unknown]>([
    [undefined],
    [null],
    [513],
    ['offset 3.body'],
    [new Error('out of memory')],
    [new TypeError()],
  ])('is not what a module throws about its input, or anybody else: %j', (error) =>
    expect(isTrap(error)).toBe(false),
  )
})

const blob = new Uint8Array(131_072)

describe('an instance that trapped when there was no memory for a fresh one', () => {
  let hasMemory = true
  let made = 0
  const make = (): void => {
    if (!hasMemory) throw new RangeError('Out of memory')
    made++
  }
  const glue = { initSync: make, __wbg_reset_state: make, fused: () => made }
  const instances = new Instances({ simd128: glue, 'relaxed-simd': glue })
  const module = null as never

  it('is not used again: one is made for the next task for which there is memory', () => {
    instances.instantiate('simd128', module)
    expect(instances.run('simd128', (exports) => exports.fused())).toBe(1)
    hasMemory = false
    const trapping = (): never => {
      throw new WebAssembly.RuntimeError('unreachable')
    }
    expect(() => instances.run('simd128', trapping)).toThrow(WasmUnavailableError)
    const asked = [
      () => instances.run('simd128', (exports) => exports.fused()),
      () => instances.instantiate('simd128', module),
      () => instances.exportsOf('simd128'),
    ]
    for (const ask of asked) expect(ask).toThrow('the module ran out of memory')
    hasMemory = true
    for (const ask of asked) expect(ask).not.toThrow()
    expect(made).toBe(2)
  })

  it('of the prover is not, either: the fresh one reads the setup again', async () => {
    const prover = instantiateProver(
      'simd128',
      await WebAssembly.compile(await readAssetBytes('prover_simd128.wasm')),
    )
    expect(prover.give(0, await readAssetBytes('prover-setup.bin'))).toBe(true)
    const commit = (): Uint8Array => prover.run(null, (exports) => exports.blobToKzgCommitment(blob))
    const infinity = commit()
    const making = vi.spyOn(WebAssembly, 'Instance').mockImplementation(function () {
      throw new RangeError('Out of memory')
    })
    const trapping = (): never => {
      throw new WebAssembly.RuntimeError('unreachable')
    }
    expect(() => prover.run(null, trapping)).toThrow(WasmUnavailableError)
    expect(commit).toThrow(WasmUnavailableError)
    making.mockRestore()
    expect(commit()).toEqual(infinity)
  })

  it('of the module for blocks is not, either', async () => {
    const exports = instantiateBeacon(await WebAssembly.compile(await readAssetBytes('beacon_simd128.wasm')))
    const headerRoot = (): Uint8Array => runBeacon(() => exports.headerRoot(new Uint8Array(112)))
    const root = headerRoot()
    const making = vi.spyOn(WebAssembly, 'Instance').mockImplementation(function () {
      throw new RangeError('Out of memory')
    })
    const trapping = (): never => {
      throw new WebAssembly.RuntimeError('unreachable')
    }
    expect(() => runBeacon(trapping)).toThrow(WasmUnavailableError)
    expect(headerRoot).toThrow(WasmUnavailableError)
    making.mockRestore()
    expect(headerRoot()).toEqual(root)
  })
})
