import { createVerifier } from 'blobcheck'
// What a beacon node answers to /eth/v1/beacon/blob_sidecars/{block_id}: a real block of Holesky, which the package carries.
import blockUrl from 'blobcheck/data/holesky_1409759_blob_sidecars.json.gzip?url'

const [summary, button, rows] = ['summary', 'spoil', 'blobs'].map((id) => document.getElementById(id))
const words = {
  valid: 'valid: it belongs to its commitment',
  invalid: 'invalid: it does not belong to its commitment',
  malformed: 'malformed: it is no blob',
  error: 'not known: try again',
}

let runs = 0
const verifier = await createVerifier({ network: 'holesky' })
const compressed = await fetch(blockUrl)
const { data: sidecars } = await new Response(
  compressed.body.pipeThrough(new DecompressionStream('gzip')),
).json()
await show()

button.disabled = false
button.addEventListener('click', async () => {
  const [first] = sidecars
  first.blob = first.blob.replace(/.$/, (digit) => (Number.parseInt(digit, 16) ^ 1).toString(16))
  await show()
})

async function show() {
  const run = ++runs
  // No verdict on the blobs as they were may stand beside them as they are.
  rows.replaceChildren()
  const verdicts = await verifier.verifyBlobSidecars(sidecars, {
    onProgress: ({ done, total }) => (summary.textContent = `${done} of ${total} blobs are verified.`),
  })
  if (run !== runs) return // They have been changed again.
  rows.replaceChildren(...verdicts.map(rowOf))
  const valid = verdicts.filter(({ status }) => status === 'valid').length
  summary.textContent = `${valid} of ${verdicts.length} blobs are valid, by ${verifier.workers} workers.`
}

function rowOf({ status, links }, at) {
  const row = document.createElement('tr')
  row.dataset.status = status
  const name = document.createElement('th')
  name.scope = 'row'
  name.textContent = at
  const bytes = document.createElement('code')
  bytes.textContent = `${sidecars[at].blob.slice(0, 34)}…`
  const isOfBlock = links.inclusion === 'verified' ? 'yes, by its Merkle branch' : 'not shown'
  const cells = [bytes, words[status], isOfBlock].map((content) => {
    const cell = document.createElement('td')
    cell.append(content)
    return cell
  })
  row.append(name, ...cells)
  return row
}
