/** The sentence of the footer on whether anybody is asked for anything. */
import { element } from './page.ts'

/** The source whose tab is chosen, and the one that has the instrument: it may go on behind another tab. */
const sources = { chosen: 'embedded', shown: 'embedded' }

/** Says that endpoints are asked, for as long as the live source is chosen or has the instrument; else that nobody is. */
export function showAsked(news: Partial<typeof sources>): void {
  Object.assign(sources, news)
  const isLive = Object.values(sources).includes('live')
  element('#asks-nobody', HTMLElement).hidden = isLive
  element('#asks-endpoints', HTMLElement).hidden = !isLive
}
