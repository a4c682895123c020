/** Why blobs without proofs cannot be verified, in words: their verdicts do not name it. */
import { messageOf } from '../../runtime/errors.ts'
import { warn, type WarningListener } from '../../runtime/warning.ts'

/** Tells the listener of a cause, or the console where there is none: once of each. */
export function tellOfMissing(listener: WarningListener | undefined): (cause: unknown) => void {
  const told = new Set<string>()
  return (cause) => {
    const message = `blobs without proofs cannot be verified: ${messageOf(cause)}`
    if (!told.has(message)) warn(listener, { code: 'setup-unavailable', message })
    told.add(message)
  }
}
