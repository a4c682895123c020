/** Options that name endpoints, read. */

const MAX_ENDPOINTS = 16

/** From 1 to 16 http(s) URLs; throws `TypeError`, which says of which option, for anything else. */
export function readUrls(urls: unknown, option: string = 'beacon'): URL[] {
  const list: unknown[] = Array.isArray(urls) ? urls : [urls]
  if (list.length === 0 || list.length > MAX_ENDPOINTS)
    throw new TypeError(`${option} must name from 1 to ${MAX_ENDPOINTS} endpoints`)
  return list.map((entry, at) => {
    const url =
      entry instanceof URL ? entry : typeof entry === 'string' && URL.canParse(entry) ? new URL(entry) : null
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new TypeError(`not the http(s) URL of a beacon endpoint: ${option}[${at}]`)
    // Which one, without what is in it: messages end up in logs. `fetch` would refuse it, too.
    if (url.username !== '' || url.password !== '')
      throw new TypeError(`a URL with a user or password cannot be fetched: ${option}[${at}]`)
    return url
  })
}
