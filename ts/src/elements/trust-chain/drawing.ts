/** The picture of a link: an oval of a chain, or its two halves where it has snapped. The sheet shows one of the two. */
const SVG = 'http://www.w3.org/2000/svg'

/** The outlines, in a box of 20 by 40. */
const whole = ['M5 9a5 5 0 0 1 10 0v22a5 5 0 0 1-10 0z']
const snapped = ['M4 16V8a5 5 0 0 1 10 0v4', 'M7 28l2 6a4.7 4.7 0 0 0 9-3.2l-3-8.8']

/** Both pictures, of classes `whole` and `snapped`. */
export function drawLink(): SVGSVGElement {
  const svg = document.createElementNS(SVG, 'svg')
  svg.setAttribute('viewBox', '0 0 20 40')
  svg.setAttribute('aria-hidden', 'true')
  svg.setAttribute('part', 'drawing')
  for (const [kind, outlines] of Object.entries({ whole, snapped })) {
    for (const outline of outlines) {
      const path = document.createElementNS(SVG, 'path')
      path.setAttribute('class', kind)
      path.setAttribute('d', outline)
      svg.append(path)
    }
  }
  return svg
}
