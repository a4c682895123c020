/** Values that no one should pass, and someone will. */
import { inBrowser } from './files.ts'

/** What the traps and getters of hostile objects throw. */
export class Hostile extends Error {}

const trap = (): never => {
  throw new Hostile('the trap of a hostile object')
}

/** A Proxy every one of whose traps throws. */
export function throwingProxy<T extends object>(target: T): T {
  const names = [
    'get',
    'has',
    'ownKeys',
    'getPrototypeOf',
    'getOwnPropertyDescriptor',
    'set',
    'isExtensible',
  ] as const
  return new Proxy(target, Object.fromEntries(names.map((name) => [name, trap])))
}

export function revokedProxy(target: object): object {
  const { proxy, revoke } = Proxy.revocable(target, {})
  revoke()
  return proxy
}

/** Not bytes, though some pretend to be. */
export function notBytes(length = 48): [name: string, value: unknown][] {
  const cyclic: unknown[] = []
  cyclic.push(cyclic)
  return [
    ['undefined', undefined],
    ['null', null],
    ['a number', 7],
    ['not a number', Number.NaN],
    ['a bigint', 7n],
    ['a boolean', true],
    ['a symbol', Symbol('bytes')],
    ['a function', () => new Uint8Array(length)],
    ['an empty object', {}],
    ['an array of numbers', Array.from({ length }, () => 0)],
    ['an array that holds itself', cyclic],
    ['a promise', Promise.resolve(new Uint8Array(length))],
    ['an ArrayBuffer', new ArrayBuffer(length)],
    ['a DataView', new DataView(new ArrayBuffer(length))],
    ['signed bytes', new Int8Array(length)],
    ['clamped bytes', new Uint8ClampedArray(length)],
    ['wider words', new Uint16Array(length)],
    ['an array-like object', { length, 0: 1 }],
    ['a String object', new String(`0x${'00'.repeat(length)}`)],
    ['a Proxy around bytes', new Proxy(new Uint8Array(length), {})],
    ['an object with the prototype of bytes', Object.create(Uint8Array.prototype)],
    ['a Proxy that throws', throwingProxy(new Uint8Array(length))],
    ['a revoked Proxy', revokedProxy(new Uint8Array(length))],
  ]
}

/** Strings that are not hex as it is taken here: `0x`, then pairs of ASCII digits. */
export const badHex: readonly string[] = [
  '',
  '0',
  '0X00',
  '00',
  `${'00'.repeat(48)}`,
  '0x0',
  '0x0g',
  '0xg0',
  '0x 0',
  ' 0x00',
  '0x00 ',
  '0x00\n',
  '0x-1',
  '0x0x',
  '0x٠٠', // Arabic digits
  '0x\uff10\uff10', // full-width digits
  '0xéé',
  '0x\u{1d7ce}', // one digit of two code units
  `0x${'00'.repeat(47)}0`,
  `0x${'00'.repeat(47)}zz`,
]

/** Indices that no cell has. */
export const notIndices: readonly unknown[] = [
  128,
  129,
  255,
  256,
  -1,
  -0.5,
  1.5,
  2 ** 32,
  2 ** 32 + 3,
  2 ** 53,
  Number.NaN,
  Number.POSITIVE_INFINITY,
  Number.NEGATIVE_INFINITY,
  128n,
  -1n,
  2n ** 64n,
  '3',
  '0x03',
  '',
  true,
  null,
  undefined,
  [],
  [3],
  {},
  { valueOf: () => 3 },
  new Date(3),
]

/** Not items of any kind. */
export function notItems(): [name: string, value: unknown][] {
  const cyclic: Record<string, unknown> = {}
  cyclic['blob'] = cyclic
  cyclic['sidecar'] = cyclic
  const wide: unknown[] = []
  for (let at = 0; at < 4096; at++) wide.push(wide)
  const throwing = (key: string): object => Object.defineProperty({}, key, { enumerable: true, get: trap })
  return [
    ...notBytes().filter(([name]) => name !== 'a Proxy that throws'),
    ['a word', 'blob'],
    ['an object that holds itself', cyclic],
    ['a list that holds itself 4,096 times', wide],
    ['an object with a getter that throws', throwing('blob')],
    ['a source that throws', throwing('source')],
    ['a sidecar that throws', throwing('sidecar')],
    ['an object whose every trap throws', throwingProxy({})],
    ['a Map', new Map([['blob', '0x00']])],
    ['a Date', new Date(0)],
    ['an Error', new Error('no item')],
    ['a class', class {}],
  ]
}

/** A view on memory that another thread could write to. Made this way, it needs no special headers in a browser. */
export function shared(bytes: Uint8Array): Uint8Array {
  const pages = Math.ceil(bytes.length / 65_536) || 1
  const { buffer } = new WebAssembly.Memory({ initial: pages, maximum: pages, shared: true })
  const view = new Uint8Array(buffer, 0, bytes.length)
  view.set(bytes)
  return view
}

/** The same bytes in every form that counts as bytes. */
export function everyForm(bytes: Uint8Array): [name: string, value: Uint8Array][] {
  class Subclass extends Uint8Array {}
  const padded = new Uint8Array(bytes.length + 100)
  padded.set(bytes, 37)
  const forms: [string, Uint8Array][] = [
    ['plain', new Uint8Array(bytes)],
    ['a subclass', Subclass.from(bytes)],
    ['a view into a larger buffer', padded.subarray(37, 37 + bytes.length)],
    ['shared memory', shared(bytes)],
    ['frozen', Object.preventExtensions(new Uint8Array(bytes))],
  ]
  // Short ones lie in a pool that all of Node's Buffers share.
  if (!inBrowser) forms.push(['a Buffer', Buffer.from(bytes)])
  return forms
}

/** Options of which nothing can be read, of which one cannot be read, and of which one is itself such an object. */
export function unreadable(
  names: readonly string[],
  objects: readonly string[],
): [name: string, options: object][] {
  const thrower = (name: string): object => Object.defineProperty({}, name, { enumerable: true, get: trap })
  return [
    ['all of them', throwingProxy({})],
    ...names.map((name): [string, object] => [`${name} throws`, thrower(name)]),
    ...objects.map((name): [string, object] => [`${name} is a proxy`, { [name]: throwingProxy({}) }]),
  ]
}
