/** Anything at all, as fast-check draws it: what no caller should pass, in the place of any argument or of any part of one. */
import fc from 'fast-check'
import { badHex, Hostile, notBytes, notIndices, revokedProxy, shared, throwingProxy } from './hostile.ts'

const thrower = (): never => {
  throw new Hostile('a getter that throws')
}

function detached(length: number): Uint8Array {
  const bytes = new Uint8Array(length)
  structuredClone(bytes.buffer, { transfer: [bytes.buffer] })
  return bytes
}

/** Made anew for each use, since some can be used once. */
const makers: readonly (() => unknown)[] = [
  ...notBytes().map((_, at) => () => notBytes()[at]![1]),
  ...badHex.map((text) => () => text),
  ...notIndices.map((index) => () => index),
  ...[0, 1, 31, 32, 48, 96, 112, 2048, 131_072].flatMap((length) => [
    () => new Uint8Array(length),
    () => detached(length),
    () => shared(new Uint8Array(length)),
    () => `0x${'ab'.repeat(length)}`,
  ]),
  () => Object.create(null) as unknown,
  () => throwingProxy({}),
  () => throwingProxy(() => undefined),
  () => throwingProxy([]),
  () => revokedProxy({}),
  () => new Proxy({}, { get: thrower, has: thrower, ownKeys: thrower }),
  () => new Proxy([], { get: thrower }),
  () => ({ length: 2 ** 53 - 1 }),
  () => ({ length: -1, 0: 0 }),
  () => new Array(2 ** 32 - 1),
  () => ({ then: thrower }),
  () => Promise.reject(new Hostile('a promise that rejects')).catch(() => undefined),
  () => ({ toString: thrower, valueOf: thrower, toJSON: thrower, [Symbol.toPrimitive]: thrower }),
  () => Object.defineProperty({}, 'signal', { enumerable: true, get: thrower }),
  () => Object.freeze(Object.setPrototypeOf({}, null)) as unknown,
  () => AbortSignal.abort(new Hostile('a signal that has been called off')),
  () => new URL('http://[::1]:1/'),
  () => new Map([[1, 2]]),
  () => new Date(Number.NaN),
  () => /x/g,
  () => JSON,
  () => Symbol.iterator,
  () => 2n ** 300n,
  () => Number.MAX_VALUE,
  () => Number.MIN_VALUE,
  () => -0,
  () => '\u0000',
  () => 'constructor',
  () => '__proto__',
  () => 'x'.repeat(100_000),
]

/** A value to be made when it is wanted, so that what shrinks is small and prints without asking it. */
export interface Junk {
  readonly make: () => unknown
}

export const junk: fc.Arbitrary<Junk> = fc.oneof(
  { weight: 3, arbitrary: fc.nat(makers.length - 1).map((at): Junk => ({ make: makers[at]! })) },
  {
    weight: 2,
    arbitrary: fc
      .anything({
        withBigInt: true,
        withDate: true,
        withMap: true,
        withNullPrototype: true,
        withTypedArray: true,
      })
      .map((value): Junk => ({ make: () => value })),
  },
)

const isPlain = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype

/**
 * The arguments with junk in one place: an argument, a property or an element of one, at any depth, a property that it does not have, or one
 * argument less or more. `path` chooses, number by number.
 */
export function spoiled(args: readonly unknown[], path: readonly number[], value: () => unknown): unknown[] {
  const [first = 0, ...rest] = path
  const at = first % (args.length + 2)
  if (at === args.length) return [...args, value()]
  if (at === args.length + 1) return args.slice(0, first % (args.length + 1))
  return args.map((arg, place) => (place === at ? within(arg, rest, value) : arg))
}

function within(target: unknown, [first, ...rest]: readonly number[], value: () => unknown): unknown {
  if (first === undefined || first % 3 === 0) return value()
  const step = Math.floor(first / 3)
  if (Array.isArray(target) && target.length > 0) {
    const at = step % target.length
    return target.map((element, place) =>
      place === at ? within(element, rest, value) : (element as unknown),
    )
  }
  if (!isPlain(target)) return value()
  const names = Object.keys(target)
  const name = names[step % (names.length + 1)]
  if (name === undefined) return { ...target, [`x${step}`]: value() }
  if (first % 3 === 1) return { ...target, [name]: within(target[name], rest, value) }
  return Object.defineProperty({ ...target }, name, { enumerable: true, get: thrower })
}
