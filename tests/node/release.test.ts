/** What becomes of CHANGELOG.md when a version is made. */
import { describe, expect, it } from 'vitest'
import { released, unreleased } from '../../scripts/release/changelog.mjs'

const changelog = `# Changelog

## Unreleased

- One.
- Two.

## 0.1.0

- Before.
`

describe('a version', () => {
  it('takes what is under “Unreleased”', () => {
    expect(unreleased(changelog)).toBe('- One.\n- Two.')
    expect(released(changelog, '0.2.0')).toBe(changelog.replace('Unreleased', '0.2.0'))
    expect(unreleased(released(changelog, '0.2.0'))).toBe('')
  })

  it('joins it to what changesets wrote above it', () => {
    const written = changelog.replace(
      '## Unreleased',
      '## 0.2.0\n\n### Minor Changes\n\n- Three.\n\n## Unreleased',
    )
    const made = released(written, '0.2.0')
    expect(made).toBe(changelog.replace('## Unreleased\n', '## 0.2.0\n\n### Minor Changes\n\n- Three.\n'))
  })

  it('of a first release has nothing after it', () => {
    expect(released('# Changelog\n\n## Unreleased\n\n- One.\n', '0.1.0')).toBe(
      '# Changelog\n\n## 0.1.0\n\n- One.\n',
    )
  })

  it('leaves a changelog without “Unreleased” as it is', () => {
    const made = released(changelog, '0.2.0')
    expect(released(made, '0.3.0')).toBe(made)
    expect(unreleased(made)).toBe('')
  })
})
