/** What becomes of links and pictures that Markdown on GitHub shows in its own way. */
import { existsSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { MarkdownRenderer } from 'vitepress'

/** Links to files outside of `docs`, which are no pages of the site, lead to the repository. */
export function linkToRepository(md: MarkdownRenderer, docs: string, repository: string): void {
  md.core.ruler.push('link-to-repository', ({ tokens, env }) => {
    for (const token of tokens.flatMap(({ children }) => children ?? [])) {
      const href = token.type === 'link_open' ? token.attrGet('href') : null
      if (href === null || /^([a-z]+:|[/#])/.test(href)) continue
      const [path = '', anchor] = href.split('#')
      const target = relative(docs, join(docs, dirname(env.relativePath), path))
      if (!target.startsWith('..')) continue
      const file = relative(join(docs, '..'), join(docs, target))
      if (!existsSync(join(docs, target))) throw new Error(`${env.relativePath}: there is no ${file}`)
      token.attrSet('href', `${repository}/blob/main/${file}${anchor === undefined ? '' : `#${anchor}`}`)
    }
  })
}

/**
 * Pictures (`![…](….svg)`) become part of the page, so that they follow its colours, which a reader can switch. A picture by itself has
 * a style of its own, for GitHub; here the site's has its place.
 */
export function inlinePictures(md: MarkdownRenderer, docs: string): void {
  const asImage = md.renderer.rules.image
  md.renderer.rules.image = (tokens, index, options, env, self) => {
    const token = tokens[index]!
    const source = token.attrGet('src') ?? ''
    if (!source.endsWith('.svg') || asImage === undefined)
      return asImage?.(tokens, index, options, env, self) ?? ''
    const svg = readFileSync(join(docs, dirname(env.relativePath), decodeURI(source)), 'utf8')
    const label = md.utils.escapeHtml(token.content)
    return svg
      .replace(/<style>[\s\S]*?<\/style>/, '')
      .replace('<svg ', `<svg class="picture" role="img" aria-label="${label}" `)
      .replaceAll(/\s*\n\s*/g, ' ')
  }
}
