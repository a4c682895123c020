/** Buttons that copy text, and say that they did. */

/** `lines` are made when the button is pressed. */
export function copyButton(label: string, lines: () => string): HTMLButtonElement {
  const button = document.createElement('button')
  button.type = 'button'
  button.className = 'copy'
  button.textContent = label
  button.addEventListener('click', () => {
    void (async () => {
      const said = await navigator.clipboard.writeText(lines()).then(
        () => 'Copied',
        () => 'The browser does not let this page copy',
      )
      button.textContent = said
      setTimeout(() => (button.textContent = label), 1500)
    })()
  })
  return button
}
