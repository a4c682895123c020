// Whether every link within built pages leads somewhere: to a file that is there, and to an anchor that is in it. What a page loads by itself
// must come from the site's own origin.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { dirname, join, relative, sep } from 'node:path'

/**
 * The links that lead nowhere in the pages under `folder`, each as `{ page, link, reason }`, and how many there were to check. `base` is the
 * path under which the pages are served.
 */
export function checkLinks(folder, base = '/') {
  const pages = readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.html'))
    .map((entry) => relative(folder, join(entry.parentPath ?? entry.path, entry.name)).replaceAll(sep, '/'))
    .sort()
  const dead = []
  let links = 0
  for (const page of pages) {
    const { hrefs, resources } = read(join(folder, page))
    for (const link of [...hrefs, ...resources]) {
      links++
      const reason = whyDead(folder, base, page, link, resources.includes(link))
      if (reason !== null) dead.push({ page, link, reason })
    }
  }
  return { pages, links, dead }
}

function whyDead(folder, base, page, link, isResource) {
  if (/^(data|blob):/.test(link)) return null
  if (/^([a-z]+:|\/\/)/.test(link)) return isResource ? 'loaded from another origin' : null
  const [path, anchor] = link.split('#')
  if (path.startsWith('/') && !path.startsWith(base)) return `outside of ${base}`
  const target = path.startsWith('/') ? path.slice(base.length) : join(dirname(page), path)
  const file = path === '' ? join(folder, page) : fileAt(folder, decodeURI(target))
  if (file === null) return 'no such page'
  if (anchor === undefined || anchor === '' || !file.endsWith('.html')) return null
  return read(file).ids.has(decodeURIComponent(anchor)) ? null : 'no such anchor'
}

/** The file that a static host answers with: that of the path itself, or of the folder's index. */
function fileAt(folder, path) {
  const file = join(folder, path)
  if (!existsSync(file)) return null
  if (!statSync(file).isDirectory()) return file
  return existsSync(join(file, 'index.html')) ? join(file, 'index.html') : null
}

const known = new Map()

function read(file) {
  const text = readFileSync(file, 'utf8')
  const found = known.get(file)
  if (found?.text === text) return found
  const all = (pattern) => [...new Set([...text.matchAll(pattern)].map(([, value]) => unescape(value)))]
  const page = {
    text,
    hrefs: all(/<a\s[^>]*?\bhref="([^"]*)"/g),
    resources: [
      ...all(/<(?:script|img|source|iframe)\s[^>]*?\bsrc="([^"]*)"/g),
      ...all(/<link\s[^>]*?\bhref="([^"]*)"/g),
    ],
    ids: new Set(all(/<[a-z][^>]*?\s(?:id|name)="([^"]*)"/g)),
  }
  known.set(file, page)
  return page
}

const unescape = (text) => text.replaceAll('&quot;', '"').replaceAll('&#39;', "'").replaceAll('&amp;', '&')
