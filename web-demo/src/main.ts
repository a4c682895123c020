/** The page: the embedded block first, then the instrument that it is shown on, and the other sources when they are asked for. */
import { firstVerdict, showEmbedded, showWithoutInstrument } from './embedded/embedded.ts'
import type { Instrument } from './instrument/instrument.ts'
import { once } from './shared/once.ts'
import { element } from './shared/page.ts'
import { offerSources } from './sources.ts'

element('#unstarted', HTMLElement).remove()
/** The instrument, which there is once. */
const openOnce = once(openInstrument)
openOnce().catch(showWithoutInstrument)
offerSources(openOnce)

/** After the first verdict: what it takes of the processor is what the verdict would wait for. */
async function openInstrument(): Promise<Instrument> {
  await firstVerdict
  const { Instrument } = await import('./instrument/instrument.ts')
  const instrument = new Instrument()
  // Before anybody else: so the embedded block knows when another source takes the instrument.
  showEmbedded(instrument).catch(showWithoutInstrument)
  return instrument
}
