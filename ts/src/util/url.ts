/** Addresses that callers give as options. */
/**
 * Reads an address: a `URL`, or text, which is relative to the page, or in a worker to its script. `undefined` stays what it is. Throws
 * `TypeError` for what is neither, and for relative text where there is no page. `kinds`: all that the option may be.
 */
export function readUrl(value: unknown, name: string, kinds = 'a URL or text'): URL | undefined {
  if (value === undefined) return undefined
  // A copy, which nobody changes later; of whatever realm the caller's is.
  const text: unknown = typeof value === 'object' && value !== null && 'href' in value ? value.href : value
  if (typeof text !== 'string') throw new TypeError(`${name} must be ${kinds}, not ${typeof value}`)
  try {
    return new URL(text, base())
  } catch {
    const why =
      base() === undefined ? 'no absolute URL, and there is no page that it could be relative to' : 'no URL'
    throw new TypeError(`${name}: ${JSON.stringify(shownUrl(text))} is ${why}`)
  }
}

/**
 * An address as messages show it, which end up in logs: without user, password, query and hash, where keys may be, and cut where it is
 * long, as hex is that was meant as bytes.
 */
export function shownUrl(url: URL | string): string {
  return String(url)
    .replace(/^([^/]*\/\/)[^/?#]*@|[?#].*/gs, '$1')
    .slice(0, 300)
}

/** What relative addresses are relative to. */
function base(): string | undefined {
  return globalThis.document?.baseURI ?? globalThis.location?.href
}
