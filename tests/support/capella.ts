/** Recorded answers of mainnet in Capella, as a `fetch`: the same in Node and in the browser. */
import type { LightClientOptions } from 'blobcheck/light-client'
import { toHex } from './bytes.ts'
import { readValue } from './files.ts'
import { type HeaderJson, headerRoot } from './ssz.ts'

export interface Bootstrap {
  readonly data: { readonly header: { readonly beacon: HeaderJson } }
}

/** Answers of mainnet in Capella, by path, as a `fetch`. */
export async function capella(): Promise<{
  fetch: NonNullable<LightClientOptions['fetch']>
  checkpoint: string
}> {
  const read = async <T>(name: string): Promise<T> =>
    await readValue<T>(`vectors/lightclient/mainnet-capella/${name}.json`)
  const bootstrap = await read<Bootstrap>('bootstrap')
  const updates = await read<unknown[]>('updates')
  const [finality, optimistic] = [await read('finality'), await read('optimistic')]
  return {
    checkpoint: toHex(await headerRoot(bootstrap.data.header.beacon)),
    fetch: async (address) => {
      const { pathname, searchParams } = new URL(address)
      const from = Number(searchParams.get('start_period')) - 862
      const body = pathname.includes('bootstrap')
        ? bootstrap
        : pathname.includes('finality')
          ? finality
          : pathname.includes('optimistic')
            ? optimistic
            : updates.slice(from, from + Number(searchParams.get('count')))
      return new Response(JSON.stringify(body), { headers: { 'content-type': 'application/json' } })
    },
  }
}

/** The moment of the recording, in milliseconds of Unix time. */
export const now = (): number => (1606824023 + 7_109_432 * 12 + 3) * 1000
