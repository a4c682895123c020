const [file, summary, list] = ['file', 'summary', 'verdicts'].map((id) => document.getElementById(id))

let runs = 0
file.addEventListener('change', async () => {
  if (file.files.length === 0) return
  const run = ++runs
  // No verdict on other blobs may stand beside the name of a file, whatever comes of it.
  list.replaceChildren()
  summary.textContent = 'The blobs are being verified.'
  const sidecars = await file.files[0].text()
  const { verdicts, error } = hasBlobs(sidecars)
    ? await verified(sidecars)
    : { error: 'The file has no blobs in it.' }
  if (run !== runs) return // Another file has been chosen.
  if (error !== undefined) {
    file.value = '' // The same file, chosen again, is a change then.
    return void (summary.textContent = error)
  }
  const valid = verdicts.filter(({ status }) => status === 'valid').length
  summary.textContent = `${valid} of ${verdicts.length} blobs are valid.`
  const items = verdicts.map(({ status, reason }) => {
    const item = document.createElement('li')
    item.textContent = reason === undefined ? status : `${status}: ${reason}`
    return item
  })
  list.replaceChildren(...items)
})

/** The list may be empty; and a node that has none answers `{ "code": 404, … }`, which is no list. */
function hasBlobs(text) {
  try {
    const answer = JSON.parse(text)
    const blobs = answer.data ?? answer
    return Array.isArray(blobs) && blobs.length > 0
  } catch {
    return false
  }
}

/** The browser may end the service worker while it verifies: then there is no answer, or none can come. The next message starts another one. */
async function verified(sidecars) {
  for (let tries = 0; tries < 2; tries++) {
    const answer = await chrome.runtime.sendMessage({ sidecars }).catch(() => undefined)
    if (answer !== undefined) return answer
  }
  return {
    error: 'The browser ended the service worker, so nothing is known of the blobs. Choose the file again.',
  }
}
