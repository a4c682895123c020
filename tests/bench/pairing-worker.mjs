// A worker that verifies its part of a batch to the end, pairing included.
import { parentPort, workerData } from 'node:worker_threads'
import { loadKzg } from '../../dist/kzg/index.js'

const kzg = await loadKzg({ kernel: workerData })
parentPort.on('message', (lists) => parentPort.postMessage(kzg.verifyBlobKzgProofBatch(...lists)))
parentPort.postMessage(true)
