// The hasher of the other implementation's trees, from the same authors: in WebAssembly, several times as fast as the default one.
import { setHasher } from '@chainsafe/persistent-merkle-tree'
import { hasher } from '@chainsafe/persistent-merkle-tree/hasher/as-sha256'

await hasher.initialize?.()
setHasher(hasher)
