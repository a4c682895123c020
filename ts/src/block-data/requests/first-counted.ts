/** One question to several endpoints, where a report is to say what each of them did. */
import { type Route, send, type Test } from '../../beacon/endpoint.ts'
import type { BeaconEndpoints } from '../../beacon/endpoints.ts'
import { Ahead } from './fork-to-come.ts'
import type { Tallies } from './tally.ts'

/**
 * The first answer that stands the test, as `BeaconEndpoints.first` finds it. `tallies` are told of each request when it is sent, of the bytes
 * of each answer, and of each failure. What stands the test is of a known fork: who answered in a fork to come is named for it then.
 */
export async function firstCounted<T>(
  endpoints: BeaconEndpoints,
  route: Route,
  test: Test<T>,
  tallies: Tallies,
  signal: AbortSignal,
): Promise<T> {
  const ahead = new Ahead()
  const value = await endpoints.firstBy<T>(
    async (endpoint, inTurn, signal) => {
      const tally = tallies.of(endpoint.name)
      const counted = inTurn(async (answer) => {
        tally.bytes += answer.body.length
        return await test(answer, endpoint)
      })
      return await (tallies.send ?? send)(endpoint, route, counted, signal, () => void tally.requests++)
    },
    signal,
    (endpoint, failure) => {
      const tally = tallies.of(endpoint.name)
      tally.fail(failure)
      ahead.add(endpoint, tally, failure)
    },
  )
  ahead.contradict()
  return value
}
