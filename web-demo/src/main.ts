/** The page: the embedded block first, then the instrument that it is shown on, and the other sources when they are asked for. */
import { firstVerdict, showEmbedded, showWithoutInstrument } from './embedded/embedded.ts'
import type { Instrument } from './instrument/instrument.ts'
import { element } from './shared/page.ts'
import { offerSources } from './sources.ts'

element('#unstarted', HTMLElement).remove()
let opening: Promise<Instrument> | undefined
openOnce().catch(showWithoutInstrument)
offerSources(openOnce)

/** The instrument, which there is once. Where it could not be loaded, whoever wants it next tries again. */
function openOnce(): Promise<Instrument> {
  opening ??= openInstrument().catch((error: unknown) => {
    opening = undefined
    throw error
  })
  return opening
}

/** After the first verdict: what it takes of the processor is what the verdict would wait for. */
async function openInstrument(): Promise<Instrument> {
  await firstVerdict
  const { Instrument } = await import('./instrument/instrument.ts')
  const instrument = new Instrument()
  // Before anybody else: so the embedded block knows when another source takes the instrument.
  showEmbedded(instrument).catch(showWithoutInstrument)
  return instrument
}
