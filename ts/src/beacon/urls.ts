/** The option `beacon`, read. */

const MAX_ENDPOINTS = 16

/** From 1 to 16 http(s) URLs; throws `TypeError` for anything else. */
export function readUrls(beacon: unknown): URL[] {
  const list: unknown[] = Array.isArray(beacon) ? beacon : [beacon]
  if (list.length === 0 || list.length > MAX_ENDPOINTS)
    throw new TypeError(`beacon must name from 1 to ${MAX_ENDPOINTS} endpoints`)
  return list.map((entry, at) => {
    const url =
      entry instanceof URL ? entry : typeof entry === 'string' && URL.canParse(entry) ? new URL(entry) : null
    if (url === null || !/^https?:$/.test(url.protocol))
      throw new TypeError(`not the http(s) URL of a beacon endpoint: beacon[${at}]`)
    // Which one, without what is in it: messages end up in logs. `fetch` would refuse it, too.
    if (url.username !== '' || url.password !== '')
      throw new TypeError(`a URL with a user or password cannot be fetched: beacon[${at}]`)
    return url
  })
}
