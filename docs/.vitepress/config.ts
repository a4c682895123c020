/** The site of the documentation: static, with its own search, and without a request to any other origin. */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type DefaultTheme, defineConfig } from 'vitepress'
import { inlinePictures, linkToRepository } from './markdown.ts'

const docs = fileURLToPath(new URL('..', import.meta.url))
const repository = 'https://github.com/blobcheck/blobcheck'

/** The pages that typedoc wrote, as `api.mjs` left them. */
const api: DefaultTheme.SidebarItem[] = JSON.parse(
  readFileSync(join(docs, 'api/typedoc-sidebar.json'), 'utf8'),
)

const item = (text: string, link: string): DefaultTheme.SidebarItem => ({ text, link })

export default defineConfig({
  lang: 'en',
  title: 'blobcheck',
  description: 'Check Ethereum’s blob data yourself, in a browser or in Node.js, without running a node.',
  // A static host may have the site under a path of its own: `npm run docs -- --base /path/`.
  base: process.env['BLOBCHECK_DOCS_BASE'] ?? '/',
  head: [['link', { rel: 'icon', href: `${process.env['BLOBCHECK_DOCS_BASE'] ?? '/'}icon.svg` }]],
  lastUpdated: false,
  srcExclude: ['node_modules/**'],
  markdown: {
    theme: { light: 'github-light', dark: 'github-dark' },
    config(md) {
      linkToRepository(md, docs, repository)
      inlinePictures(md, docs)
    },
  },
  themeConfig: {
    logo: '/icon.svg',
    search: { provider: 'local' },
    outline: [2, 3],
    socialLinks: [{ icon: 'github', link: repository }],
    nav: [
      item('Start', '/start'),
      item('Concepts', '/concepts/'),
      item('Guides', '/guides/wallet'),
      item('Reference', '/reference/verifier'),
    ] as DefaultTheme.NavItem[],
    sidebar: [
      { text: 'Start', items: [item('In two minutes', '/start')] },
      {
        text: 'Concepts',
        items: [
          item('The chain of a proof', '/concepts/'),
          item('Blob and commitment', '/concepts/blob'),
          item('Cell and column', '/concepts/column'),
          item('Anchor and link', '/concepts/anchor'),
        ],
      },
      {
        text: 'Guides',
        items: [
          item('A wallet', '/guides/wallet'),
          item('An explorer', '/guides/explorer'),
          item('A rollup node', '/guides/rollup-node'),
          item('A proxy for other clients', '/guides/proxy'),
          item('A browser extension', '/guides/extension'),
          item('A sampling script', '/guides/sampling-script'),
          item('An audit', '/guides/audit'),
          item('A page from a CDN', '/guides/cdn'),
          item('Testing', '/guides/testing'),
        ],
      },
      {
        text: 'Recipes',
        items: [
          item('Bundlers and runtimes', '/consumers'),
          item('Platforms and policies', '/recipes/platforms'),
        ],
      },
      { text: 'Coming from', items: [item('kzg-wasm and c-kzg', '/migration')] },
      {
        text: 'Reference',
        items: [
          item('Verifier', '/reference/verifier'),
          item('The specification’s functions', '/reference/kzg'),
          item('Blocks', '/reference/beacon'),
          item('Prover', '/reference/prover'),
          item('Light client', '/reference/light-client'),
          item('Sampler', '/reference/sampler'),
          item('Blobs', '/reference/blobs'),
          item('Adapters', '/reference/adapters'),
          item('Serve', '/reference/serve'),
          item('Elements', '/reference/elements'),
          item('Command line', '/reference/cli'),
          item('Networks', '/reference/networks'),
          { text: 'Every name', link: '/api/', collapsed: true, items: api },
        ],
      },
      { text: 'Trust', items: [item('Security', '/security')] },
      {
        text: 'Figures',
        items: [
          item('Figures', '/figures'),
          item('Benchmarks', '/benchmarks'),
          item('Experiments', '/experiments'),
          item('Derivation: the prover', '/prover'),
          item('Derivation: subgroup tests', '/subgroup'),
          item('The relaxed-SIMD engine', '/relaxed-simd'),
          item('A baseline that was left', '/baseline'),
        ],
      },
    ],
    footer: { message: 'MIT or Apache-2.0, at your option' },
  },
  vite: { build: { chunkSizeWarningLimit: 2_000 } },
})
