/** What becomes of the instances of a module on a thread. */
import { describe, expect, it } from 'vitest'
import * as kernelModule from '../../dist/runtime/kernel/module.js'
import type * as kernelSource from '../../ts/src/runtime/kernel/module.ts'

// The package's declarations leave out what is internal.
const { isTrap } = kernelModule as unknown as typeof kernelSource

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
