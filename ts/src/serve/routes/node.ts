/** `/eth/v1/node`, `/eth/v1/config` and `/eth/v1/beacon/genesis`: what a node says of itself and of its network. */
import type { Hono } from '../../vendor/hono.ts'
import { FORKS } from '../../beacon/forks.ts'
import { resolveNetwork } from '../../beacon/vetted-network.ts'
import type { Chain, LabelledNetwork } from '../chain.ts'
import { specOf } from '../spec.ts'
import { answer, syncingStatusOf } from './http.ts'

export function addNodeRoutes(app: Hono, chain: Chain): void {
  app.get('/eth/v1/node/version', (context) =>
    answer(context, { json: () => ({ data: { version: `blobcheck-serve (${chain.network.label})` } }) }),
  )
  app.get('/eth/v1/node/health', (context) => {
    // Never, since the chain is whole; what makes no sense is refused all the same.
    syncingStatusOf(context)
    return context.body(null, 200)
  })
  app.get('/eth/v1/node/syncing', (context) =>
    answer(context, {
      json: () => ({
        data: {
          head_slot: chain.head.slot.toString(),
          sync_distance: '0',
          is_syncing: false,
          is_optimistic: false,
          el_offline: false,
        },
      }),
    }),
  )
}

export function addConfigRoutes(app: Hono, { network, execution }: Chain): void {
  const chainId = execution?.chainId.toString()
  const ids = chainId === undefined ? {} : { DEPOSIT_CHAIN_ID: chainId, DEPOSIT_NETWORK_ID: chainId }
  app.get('/eth/v1/config/spec', (context) =>
    answer(context, { json: () => ({ data: { ...specOfServed(network), ...ids } }) }),
  )
  app.get('/eth/v1/config/fork_schedule', (context) =>
    answer(context, { json: () => ({ data: scheduleOf(network) }) }),
  )
  app.get('/eth/v1/beacon/genesis', (context) =>
    answer(context, {
      json: () => ({
        data: {
          genesis_time: network.genesisTime.toString(),
          genesis_validators_root: network.signing?.genesisValidatorsRoot ?? `0x${'00'.repeat(32)}`,
          genesis_fork_version: network.signing?.forkVersions.genesis ?? '0x00000000',
        },
      }),
    }),
  )
}

/** The forks that are scheduled, from genesis on, each with the version before it; none of a network whose versions are not known. */
function scheduleOf(network: LabelledNetwork): object[] {
  const { forkEpochs, signing } = resolveNetwork(network)
  if (signing === undefined) return []
  let previous = signing.forkVersions.genesis
  const forks = [{ previous_version: previous, current_version: previous, epoch: '0' }]
  for (const fork of FORKS) {
    const version = signing.forkVersions[fork]
    const epoch = forkEpochs[fork]
    if (version === undefined || epoch === Infinity) continue
    forks.push({ previous_version: previous, current_version: version, epoch: epoch.toString() })
    previous = version
  }
  return forks
}

/** What a network may set as it likes, and this package computes nothing with: made chains keep to mainnet's (configs/mainnet.yaml). */
const CUSTODY = {
  DATA_COLUMN_SIDECAR_SUBNET_COUNT: '128',
  CUSTODY_REQUIREMENT: '4',
  VALIDATOR_CUSTODY_REQUIREMENT: '8',
  SAMPLES_PER_SLOT: '8',
}

/** What clients ask a spec for, as far as it concerns blobs and light clients. */
function specOfServed(network: LabelledNetwork): Readonly<Record<string, unknown>> {
  return { ...specOf(resolveNetwork(network), network.label.split(':')[0]!), ...CUSTODY }
}
