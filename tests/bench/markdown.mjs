// Sections of a Markdown file that are written by programs, between comments that name them; the rest belongs to people.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'

/** Replaces a section's text, or appends the section. */
export function writeSection(file, name, text, by = 'the bench') {
  const [begin, end] = [`<!-- ${name}: written by ${by} -->`, `<!-- ${name}: end -->`]
  const before = existsSync(file) ? readFileSync(file, 'utf8') : ''
  const section = `${begin}\n\n${text.trim()}\n\n${end}`
  const from = before.indexOf(begin)
  const to = before.indexOf(end, from)
  const after =
    from >= 0 && to >= 0
      ? before.slice(0, from) + section + before.slice(to + end.length)
      : `${before.trimEnd()}\n\n${section}\n`
  writeFileSync(file, after.trimStart())
}

/** A table: the first column to the left, the others to the right. */
export function table(head, rows) {
  const line = (cells) => `| ${cells.join(' | ')} |`
  return [line(head), line(head.map((_, at) => (at === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n')
}
