// What the demo page may measure itself beside: the address of a worker for each, which is a file of its own. The page imports this, where its
// build has the peers, when a visitor asks for them.
import kzgWasm from './peer-kzg-wasm.js?worker&url'
import microEthSigner from './peer-micro-eth-signer.js?worker&url'

export const workers = { 'kzg-wasm': kzgWasm, 'micro-eth-signer': microEthSigner }
