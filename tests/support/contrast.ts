/**
 * In the page: texts whose contrast with what lies behind them is below 4.5 (WCAG 2.2, 1.4.3), those that cannot be used apart. What an element
 * shows, its text and its background, is as opaque as it and all around it are together.
 */
export function contrastFlaws(): string[] {
  type Colour = readonly [red: number, green: number, blue: number, alpha: number]
  const canvas = document.createElement('canvas').getContext('2d', { willReadFrequently: true })!
  canvas.canvas.width = canvas.canvas.height = 1
  const parse = (css: string): Colour => {
    canvas.clearRect(0, 0, 1, 1)
    canvas.fillStyle = css
    canvas.fillRect(0, 0, 1, 1)
    const [red, green, blue, alpha] = canvas.getImageData(0, 0, 1, 1).data
    return [red!, green!, blue!, alpha! / 255]
  }
  const over = (above: Colour, below: Colour): Colour => {
    const shown = below[3] * (1 - above[3])
    const alpha = above[3] + shown
    const mix = (at: 0 | 1 | 2): number =>
      alpha === 0 ? 0 : (above[at] * above[3] + below[at] * shown) / alpha
    return [mix(0), mix(1), mix(2), alpha]
  }
  /** What is seen where an element has a colour over its background. */
  const seen = (element: Element, css: string): readonly number[] => {
    let colour = parse(css)
    for (let at: Element | null = element; at !== null; at = at.parentElement) {
      const { backgroundColor, opacity } = getComputedStyle(at)
      const [red, green, blue, alpha] = over(colour, parse(backgroundColor))
      colour = [red, green, blue, alpha * Number(opacity)]
    }
    return colour.slice(0, 3)
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
    const [a, b] = ['transparent', getComputedStyle(element).color]
      .map((css) => luminance(seen(element, css)))
      .sort((x, y) => x - y)
    const contrast = (b! + 0.05) / (a! + 0.05)
    if (contrast < 4.5) flaws.push(`${text.join(' ')}: ${contrast.toFixed(2)}`)
  }
  return flaws
}
