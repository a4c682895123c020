// Maps of lines: what a stack trace or a debugger needs for code that was not minified, in a third of the bytes.
import { readFileSync } from 'node:fs'
import { decode, encode } from '@jridgewell/sourcemap-codec'

/**
 * A map with the first place of each line, and nothing else: neither columns nor names. Of a bundle's map, whose sources the bundler has put
 * behind paths of its own, what leads to our sources is kept.
 */
export function shortenMap(text) {
  const { file, sourceRoot = '', ...map } = JSON.parse(text)
  const sources = map.sources.map((source) => addressOf(sourceRoot, source))
  const ours = sources.filter((source) => source !== null)
  const lines = decode(map.mappings).map((line) => {
    const first = line.find(([, source]) => source !== undefined && sources[source] !== null)
    return first === undefined ? [] : [[0, ours.indexOf(sources[first[1]]), first[2], first[3]]]
  })
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
