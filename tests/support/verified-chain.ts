/** A chain by hand, with a verifier of it, for a test file. Apart from `served.ts`, which workers load, too. */
import { createVerifier, type Verifier } from 'blobcheck'
import type { MadeChain } from 'blobcheck/serve'
import { afterAll, beforeAll } from 'vitest'
import { handChain } from './served.ts'

/** A chain by hand that goes on from Fulu into Gloas in slot 96, and a verifier of its network, which is gone when the tests have ended. */
export function verifiedChain(): { readonly chain: MadeChain; readonly verifier: Verifier } {
  let chain: MadeChain
  let verifier: Verifier
  beforeAll(async () => {
    chain = await handChain({ slots: 104, gloasForkEpoch: 3 })
    verifier = await createVerifier({ network: chain.network, workers: 1, cache: false })
  })
  afterAll(async () => await verifier.dispose())
  return {
    get chain() {
      return chain
    },
    get verifier() {
      return verifier
    },
  }
}
