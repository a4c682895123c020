/** Options and arguments that callers hand in: objects whose getters may throw, or Proxies whose traps do. */

/** Options are an object, or there are none. Throws `TypeError` for anything else. */
export function optionsOf<T extends object>(options: T): T {
  if (typeof options !== 'object' || options === null) throw new TypeError('options must be an object')
  return options
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
