/** What sampling stands on: where headers come from, where columns do, and whose clock and schedule hold. */
import type { LightClient } from '../../light-client/index.ts'
import type { NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import type { HeaderSource } from '../../sampler/index.ts'

export interface Ground {
  readonly headers: LightClient | HeaderSource
  readonly beacon: readonly string[]
  readonly network: NetworkName | NetworkConfig
  /** Milliseconds of Unix time. */
  readonly now: () => number
  /** What keeps headers from being known, as far as it is known, or null. */
  trouble(): string | null
  dispose(): Promise<void>
}
