/** What asking beacon endpoints throws. It accuses no one: who did what is in its list. */
import type { FailureKind } from './failure.ts'

/** No endpoint gave an answer that could be used. `failures` says what each of them did. */
export class BeaconUnavailableError extends Error {
  override readonly name = 'BeaconUnavailableError'
  readonly failures: readonly {
    readonly endpoint: string
    readonly kind: FailureKind
    readonly detail: string
  }[]
  constructor(failures: BeaconUnavailableError['failures']) {
    const list = failures.map(({ endpoint, kind, detail }) => `${endpoint}: ${kind} (${detail})`)
    super(`no beacon endpoint gave an answer that can be used: ${list.join('; ')}`)
    this.failures = failures
  }
}
