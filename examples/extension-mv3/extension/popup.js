const [file, summary, list] = ['file', 'summary', 'verdicts'].map((id) => document.getElementById(id))

let runs = 0
file.addEventListener('change', async () => {
  if (file.files.length === 0) return
  const run = ++runs
  // No verdict on other blobs may stand beside the name of a file, whatever comes of it.
  list.replaceChildren()
  summary.textContent = 'The blobs are being verified.'
  const { verdicts, error } = await chrome.runtime.sendMessage({ sidecars: await file.files[0].text() })
  if (run !== runs) return // Another file has been chosen.
  if (error !== undefined) return void (summary.textContent = error)
  const valid = verdicts.filter(({ status }) => status === 'valid').length
  summary.textContent = `${valid} of ${verdicts.length} blobs are valid.`
  const items = verdicts.map(({ status, reason }) => {
    const item = document.createElement('li')
    item.textContent = reason === undefined ? status : `${status}: ${reason}`
    return item
  })
  list.replaceChildren(...items)
})
