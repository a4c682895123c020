/** The number with which a text of the page begins, where thousands are set apart by commas: of “1,012 ms” it is 1012. */
export function number(words: string): number {
  return Number.parseFloat(words.replaceAll(',', ''))
}
