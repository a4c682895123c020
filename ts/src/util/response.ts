/** What counts as a `Response`: a `fetch` may be another one than the platform's. */
import type { PlatformResponse } from './platform-types.ts'

/** Whether what `fetch` resolved to has what is read of each `Response` first: `ok`, `status` and `headers`. */
export function isResponse(value: unknown): value is PlatformResponse {
  const { ok, status, headers } = (value ?? {}) as Partial<PlatformResponse>
  return typeof ok === 'boolean' && typeof status === 'number' && typeof headers?.get === 'function'
}
