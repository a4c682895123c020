/** How commands fetch. */
import { type Fetch, platformFetch } from '../../beacon/request.ts'

/** The platform's `fetch`, whose error says what to do where it is OpenSSL's words, an address in memory and a line of its source among them. */
export const wordedFetch: Fetch = async (url, init) => {
  try {
    return await platformFetch(url, init)
  } catch (error) {
    const cause: unknown = error instanceof Error ? error.cause : undefined
    if ((Object(cause) as NodeJS.ErrnoException).code !== 'ERR_SSL_WRONG_VERSION_NUMBER') throw error
    throw new TypeError('no TLS is spoken there: write http://')
  }
}
