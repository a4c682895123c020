/** Buttons that copy text, and say that they did. */

/** `lines` are made when the button is pressed. */
export function copyButton(label: string, lines: () => string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = label
  button.addEventListener('click', () => {
    void (async () => {
      button.textContent = (await copied(lines())) ? 'Copied' : 'The browser does not let this page copy'
      setTimeout(() => (button.textContent = label), 1500)
    })()
  })
  return button
}

/** Whether text could be copied. A page that came without TLS from another machine has no `navigator.clipboard`. */
async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    return false
  }
}
