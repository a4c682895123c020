// CHANGELOG.md as text: what is under "Unreleased", and the same under the version that it becomes.

const HEADING = '## Unreleased\n'

/** The heading of a version. */
export const headingOf = (version) => `## ${version}\n`

/** The text under "Unreleased"; empty where there is none. */
export function unreleased(changelog) {
  const at = changelog.indexOf(HEADING)
  if (at < 0) return ''
  const rest = changelog.slice(at + HEADING.length)
  const end = rest.search(/^## /m)
  return (end < 0 ? rest : rest.slice(0, end)).trim()
}

/**
 * The changelog with what is under "Unreleased" under a version instead: below what changesets wrote for it, where they did, else under a
 * heading of its own. "Unreleased" is gone, until the next change brings it back.
 */
export function released(changelog, version) {
  const text = unreleased(changelog)
  const at = changelog.indexOf(HEADING)
  if (at < 0) return changelog
  const before = changelog.slice(0, at)
  const after = changelog
    .slice(at + HEADING.length)
    .trimStart()
    .slice(text.length)
    .trimStart()
  const heading = headingOf(version)
  const head = before.includes(heading) ? before.trimEnd() + '\n' : `${before.trimEnd()}\n\n${heading}`
  return [head.trimEnd(), text, after.trimEnd()].filter(Boolean).join('\n\n') + '\n'
}
