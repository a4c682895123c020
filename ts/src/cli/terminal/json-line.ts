/** JSON for programs, which people read after all. */

/** One line of JSON, in ASCII: a log is opened in a terminal sooner or later, and JSON leaves C1 controls as they are. */
export function jsonLine(value: object): string {
  const text = JSON.stringify(value).replace(
    /[\u007f-\uffff]/g,
    (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
  return `${text}\n`
}
