/** One question to several endpoints, where a report is to say what each of them did. */
import { type Route, send, type Test } from '../../beacon/endpoint.ts'
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import type { Tallies } from './tally.ts'

/**
 * The first answer that stands the test, as `BeaconEndpoints.first` finds it. `tallies` are told of each request when it is sent, of the bytes
 * of each answer, and of each failure.
 */
export async function firstCounted<T>(
  endpoints: BeaconEndpoints,
  route: Route,
  test: Test<T>,
  tallies: Tallies,
  signal: AbortSignal,
): Promise<T> {
  return await endpoints.firstBy<T>(
    async (endpoint, inTurn, signal) => {
      const tally = tallies.of(endpoint.name)
      const counted = inTurn(async (answer) => {
        tally.bytes += answer.body.length
        return await test(answer, endpoint)
      })
      return await (tallies.send ?? send)(endpoint, route, counted, signal, () => void tally.requests++)
    },
    signal,
    ({ name }, failure) => tallies.of(name).fail(failure),
  )
}
