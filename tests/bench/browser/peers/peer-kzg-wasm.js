// kzg-wasm in a worker of the demo page.
import { load } from './kzg-wasm.js'
import { serve } from './serve.js'

serve(load)
