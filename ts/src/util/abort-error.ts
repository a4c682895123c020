/** The error that an aborted call rejects with. */

/** The `AbortError` that a call rejects with when its signal is aborted; `cause` is the signal's reason. */
export function abortError(signal: AbortSignal): Error {
  const reason: unknown = signal.reason
  if (reason instanceof Error && reason.name === 'AbortError') return reason
  const error = new DOMException('the call was aborted', 'AbortError')
  Object.defineProperty(error, 'cause', { value: reason, configurable: true, writable: true })
  return error
}
