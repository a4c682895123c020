/** What makes two audits the same one, so that a report goes on where it ended, and no other. */
import { createHash } from 'node:crypto'
import { DATA_RETENTION_EPOCHS } from '../../beacon/constants.ts'
import type { NetworkConfig, NetworkName } from '../../beacon/networks.ts'
import type { SlotRange } from '../../audit/index.ts'
import { writeNetwork } from '../options/network.ts'

/** An audit, as its report names it. There is no URL in it, since providers put keys into paths: hashes tell whether they are the same. */
export interface AuditIdentity extends SlotRange {
  /** A network's name, or the hash of a config. */
  readonly network: string
  /** What headers rest on: `checkpoint 0x…`, or `endpoints`. */
  readonly trust: string
  /** The servers that are audited: their origins, each with the hash of its URL. */
  readonly servers: readonly string[]
}

/** What an audit is told that makes it this one. */
export interface Audited extends SlotRange {
  readonly network: NetworkName | NetworkConfig
  readonly checkpoint?: string
  readonly servers: readonly string[]
}

export function identityOf({ from, to, network, checkpoint, servers }: Audited): AuditIdentity {
  return {
    ...{ from, to },
    network: typeof network === 'string' ? network : `config ${hashOf(configText(network))}`,
    trust: checkpoint === undefined ? 'endpoints' : `checkpoint ${checkpoint.toLowerCase()}`,
    servers: servers.map((url) => `${new URL(url).origin} ${hashOf(new URL(url).href)}`),
  }
}

/** In which options two audits differ: each by its name, with both values. */
export function differences(before: AuditIdentity, now: AuditIdentity): string[] {
  const options: readonly (readonly [string, keyof AuditIdentity])[] = [
    ['--from', 'from'],
    ['--to', 'to'],
    ['--network', 'network'],
    ['the trust in headers', 'trust'],
    ['the servers', 'servers'],
  ]
  return options.flatMap(([name, key]) => {
    const [was, is] = [before[key], now[key]].map((value) =>
      Array.isArray(value) ? value.join(', ') : String(value),
    )
    return was === is ? [] : [`${name}: ${was} then, ${is} now`]
  })
}

/** A config as text. What came after reports were written, and is as it was before, is left out: a report of then is of the same audit. */
function configText({ dataRetentionEpochs = DATA_RETENTION_EPOCHS, ...config }: NetworkConfig): string {
  return writeNetwork(
    dataRetentionEpochs === DATA_RETENTION_EPOCHS ? config : { ...config, dataRetentionEpochs },
  )
}

function hashOf(text: string): string {
  return createHash('sha256').update(text).digest('hex').slice(0, 16)
}
