// Maps of lines: what a stack trace or a debugger needs for code that was not minified, in a third of the bytes.
import { readFileSync } from 'node:fs'
import { decode, encode } from '@jridgewell/sourcemap-codec'

/**
 * A map with the first place of each line, and nothing else: neither columns nor names. Of a bundle's map, whose sources the bundler has put
 * behind paths of its own, what leads to our sources is kept.
 */
export function shortenMap(text) {
  return rewriteMap(text, (line) => {
    const first = line.find(isOurs)
    return first === undefined ? [] : [[0, first[1], first[2], first[3]]]
  })
}

/**
 * The same for a script without white space, which has few lines of its own: a place wherever another line of a source begins. What is of
 * others, and what the build wrote, is marked as leading nowhere.
 */
export function shortenMinifiedMap(text) {
  return rewriteMap(text, (line) => {
    const places = []
    for (const place of line) {
      const [column, source, sourceLine] = place
      const last = places.at(-1)
      if (!isOurs(place)) {
        if (last !== undefined && isOurs(last)) places.push([column])
      } else if (last?.[1] !== source || last[2] !== sourceLine) places.push([column, source, sourceLine, 0])
    }
    return places
  })
}

/** Whether a place of a generated line leads to a source. */
const isOurs = ([, source]) => source !== undefined

/** A map without names, of which only our sources are left, and of each line the places that `choose` makes of its own. */
function rewriteMap(text, choose) {
  const { file, sourceRoot = '', ...map } = JSON.parse(text)
  const sources = map.sources.map((source) => addressOf(sourceRoot, source))
  const ours = sources.filter((source) => source !== null)
  const lines = decode(map.mappings).map((line) =>
    choose(
      line.map(([column, source, ...place]) => {
        const address = sources[source] ?? null
        return address === null ? [column] : [column, ours.indexOf(address), ...place]
      }),
    ),
  )
  return JSON.stringify({ version: 3, file, sources: ours, names: [], mappings: encode(lines) })
}

/** The address of a source, or null for what is not ours. */
function addressOf(root, source) {
  const [, rest] = /https:\/+(.*)$/.exec(root + source) ?? []
  return rest === undefined ? null : `https://${rest}`
}

/** A plugin of rolldown: the maps of compiled files are followed, so that a bundle's map leads to the source. */
export const followMaps = {
  name: 'follow-maps',
  load(id) {
    if (!id.endsWith('.js')) return null
    try {
      return { code: readFileSync(id, 'utf8'), map: JSON.parse(readFileSync(`${id}.map`, 'utf8')) }
    } catch {
      return null
    }
  },
}
