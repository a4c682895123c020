/** The page: the embedded block first, beside it the instrument that it is shown on, and the other sources when they are asked for. */
import { showEmbedded, showWithoutInstrument } from './embedded/embedded.ts'
import { element } from './shared/page.ts'
import { offerSources } from './sources.ts'

element('#unstarted', HTMLElement).remove()
const opening = import('./instrument/instrument.ts').then(({ Instrument }) => new Instrument())
opening.then(showEmbedded).catch(showWithoutInstrument)
offerSources(opening)
