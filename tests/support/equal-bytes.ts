/**
 * Set up before each file of tests: bytes are compared as bytes. Vitest compares typed arrays element by element, as it does objects:
 * half a second for a blob's cells.
 */
import { expect } from 'vitest'

expect.addEqualityTesters([
  function bytes(a: unknown, b: unknown): boolean | undefined {
    if (!(a instanceof Uint8Array && b instanceof Uint8Array) || a.constructor !== b.constructor)
      return undefined
    if (a.length !== b.length) return false
    for (let at = 0; at < a.length; at++) if (a[at] !== b[at]) return false
    return true
  },
])
