/** What endpoints did for one light client after the other: counters must not fall, nor miss those that never came to be. */
import type { EndpointReport } from '../../beacon/endpoint.ts'
import type { BeaconUnavailableError } from '../../beacon/failure.ts'

/** What is counted of an endpoint. */
export type EndpointCounts = Pick<EndpointReport, 'name' | 'requests' | 'failures'>

/** The sums of two lists, by the names of endpoints. */
export function added(a: readonly EndpointCounts[], b: readonly EndpointCounts[]): EndpointCounts[] {
  const sums = new Map<string, EndpointCounts>()
  for (const { name, requests, failures } of [...a, ...b]) {
    const before = sums.get(name)
    const kinds = { ...before?.failures } as Record<string, number>
    for (const [kind, count] of Object.entries(failures)) kinds[kind] = (kinds[kind] ?? 0) + count
    sums.set(name, { name, requests: requests + (before?.requests ?? 0), failures: kinds })
  }
  return [...sums.values()]
}

/** The failures of an attempt that came to nothing, whose other requests nobody counted. */
export function countsOfFailures(failures: BeaconUnavailableError['failures']): EndpointCounts[] {
  const each = failures.map(({ endpoint, kind }) => ({
    name: endpoint,
    requests: 1,
    failures: { [kind]: 1 },
  }))
  return added(each, [])
}
