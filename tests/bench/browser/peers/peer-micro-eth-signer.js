// micro-eth-signer in a worker of the demo page.
import { load } from './micro-eth-signer.js'
import { serve } from './serve.js'

serve(load)
