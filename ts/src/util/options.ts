/** Options and arguments that callers hand in: objects whose getters may throw, or Proxies whose traps do. */
import { tagged } from './bytes.ts'

/** The tags of objects of which no property is an option. */
const NONE = /(Array|Map|Abort\w+)]/

/**
 * Options are an object, or there are none. Throws `TypeError` for anything else, such as a signal, a `Map` or a list, of which no property would be
 * an option; `called` is what its message calls them. What somebody has put on all objects is no option of a plain one: only then it is copied, since
 * a Proxy may answer for options that are not its own.
 */
export function optionsOf<T extends object>(options: T, called = 'options'): T {
  if (typeof options !== 'object' || options === null || NONE.test(tagged(options)))
    throw new TypeError(`${called} must be an object`)
  return Object.keys(Object.prototype).length > 0 && Object.getPrototypeOf(options) === Object.prototype
    ? (Object.assign(Object.create(null) as object, options) as T)
    : options
}

/**
 * Throws `TypeError` if anything is left of options after all that are known were taken: one that is misspelt would be without effect, and
 * might be what a verdict was to depend on. What the types know of and nobody took does not compile.
 */
export function refuseUnknown(left: Readonly<Record<string, never>>, called = 'options'): void {
  for (const name of Object.keys(left)) throw new TypeError(`${called}: ${JSON.stringify(name)} is no option`)
}

/** Throws `TypeError` for what is neither a boolean nor undefined: `'false'` of a form or of the environment would be true, or without effect. */
export function refuseNonBoolean(value: unknown, name: string): asserts value is boolean | undefined {
  if (value !== undefined && typeof value !== 'boolean') throw new TypeError(`${name} must be a boolean`)
}

/**
 * The option `now`, as a clock that gives finite numbers alone: what computes slots from anything else would find endpoints at fault. It is
 * read once to begin with. That, and each later time, throws `TypeError` for what is no such number.
 */
export function readNow(now: () => unknown): () => number {
  if (typeof now !== 'function') throw new TypeError('now must be a function')
  const read = (): number => {
    const ms = now()
    if (typeof ms === 'number' && Number.isFinite(ms)) return ms
    throw new TypeError('now must return milliseconds since 1970 as a number, as Date.now() does')
  }
  read()
  return read
}

/**
 * Reads what a caller handed in. What its getters or the traps of a Proxy throw is misuse, and never gets out as it is: it becomes the
 * cause of a `TypeError`. A `TypeError` gets out unchanged.
 */
export function reading<T>(read: () => T): T {
  try {
    return read()
  } catch (cause) {
    if (isTypeError(cause)) throw cause
    throw new TypeError('the arguments cannot be read', { cause })
  }
}

/** What a caller throws may itself be a Proxy that throws. */
function isTypeError(cause: unknown): boolean {
  try {
    return cause instanceof TypeError
  } catch {
    return false
  }
}
