/** In the page: texts whose contrast with what lies behind them is below 4.5 (WCAG 2.2, 1.4.3), those that cannot be used apart. */
export function contrastFlaws(): string[] {
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
  canvas.canvas.width = canvas.canvas.height = 1
  const over = (colours: readonly string[]): number[] => {
    canvas.clearRect(0, 0, 1, 1)
    for (const colour of colours) {
      canvas.fillStyle = colour
      canvas.fillRect(0, 0, 1, 1)
    }
    return [...canvas.getImageData(0, 0, 1, 1).data.slice(0, 3)]
  }
  const luminance = (rgb: readonly number[]): number => {
    const [red = 0, green = 0, blue = 0] = rgb.map((value) =>
      value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4,
    )
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
  }
  const flaws: string[] = []
  for (const element of document.querySelectorAll<HTMLElement>('body *')) {
    const text = [...element.childNodes]
      .filter((node) => node.nodeType === Node.TEXT_NODE)
      .map((node) => node.textContent?.trim())
    if (
      text.join('') === '' ||
      element.closest('[aria-disabled=true], option, noscript, template') ||
      !element.checkVisibility()
    )
      continue
    const behind: string[] = []
    for (let at: Element | null = element; at !== null; at = at.parentElement)
      behind.unshift(getComputedStyle(at).backgroundColor)
    const [a, b] = [
      luminance(over(behind)),
      luminance(over([...behind, getComputedStyle(element).color])),
    ].sort((x, y) => x - y)
    const contrast = (b! + 0.05) / (a! + 0.05)
    if (contrast < 4.5) flaws.push(`${text.join(' ')}: ${contrast.toFixed(2)}`)
  }
  return flaws
}
