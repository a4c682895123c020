// All mutants of a script in it at once, each behind a question, `$isMutant(17)`, which a process answers (`is-mutant.mjs`).

/** A script with questions for mutants, which are as `mutationsOf` gives them, each with its `number`. `isMutant` is the URL of the script that answers. */
export function withQuestions(text, mutants, isMutant) {
  // What is around something comes before it.
  const wholes = [...groupBy(mutants, ({ whole }) => `${whole.from} ${whole.to} ${whole.form}`).values()]
  wholes.sort(([{ whole: a }], [{ whole: b }]) => a.from - b.from || b.to - a.to)

  /** From one place to another, with what lies there of `inner`. */
  function render(from, to, inner) {
    let out = ''
    let at = from
    for (let i = 0; i < inner.length;) {
      const { whole } = inner[i][0]
      let next = i + 1
      while (next < inner.length && inner[next][0].whole.to <= whole.to) next++
      const within = render(whole.from, whole.to, inner.slice(i + 1, next))
      out += text.slice(at, whole.from) + ask(inner[i], within)
      at = whole.to
      i = next
    }
    return out + text.slice(at, to)
  }

  /** What stands in the place of a whole with mutants: `within`, unless one of them is asked for. */
  function ask(ones, within) {
    const { form } = ones[0].whole
    if (form === 'statement')
      return `{ if (!(${ones.map(({ number }) => `$isMutant(${number})`).join(' || ')})) ${within} }`
    if (form === 'spread') return `...($isMutant(${ones[0].number}) ? {} : (${within.slice('...'.length)}))`
    if (form === 'method') {
      const [, chain, name] = /^\s*(\?)?\.\s*(\w+)$/.exec(within)
      return `${chain === undefined ? '' : '?.'}[$isMutant(${ones[0].number}) ? '${ones[0].by}' : '${name}']`
    }
    const altered = ({ whole, from, to, by }) => text.slice(whole.from, from) + by + text.slice(to, whole.to)
    return `(${ones.map((one) => `$isMutant(${one.number}) ? (${altered(one)}) : `).join('')}(${within}))`
  }

  return `import { isMutant as $isMutant } from '${isMutant}'; ${render(0, text.length, wholes)}`
}

function groupBy(items, keyOf) {
  const groups = new Map()
  for (const item of items) {
    const key = keyOf(item)
    groups.set(key, [...(groups.get(key) ?? []), item])
  }
  return groups
}
