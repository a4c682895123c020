/** The tabs of the page, where the block on the instrument comes from, and its experiments: what each needs is loaded when it is chosen. */
import { showEmbedded, showWithoutInstrument } from './embedded/embedded.ts'
import type { Instrument } from './instrument/instrument.ts'
import type { MountPanel } from './instrument/stage.ts'
import { changeAddress } from './shared/address.ts'
import { showAsked } from './shared/asked.ts'
import { once } from './shared/once.ts'
import { element } from './shared/page.ts'
import { Watch } from './shared/watch.ts'
import { HELD_UP } from './shared/words.ts'

interface Panel {
  readonly mount: MountPanel
}

/** A folder for each panel. */
const modules = import.meta.glob<Panel>('./panels/*/panel.ts')

/** A page whose panel does not come shows the rest after so many milliseconds. Half of them the instrument may wait for the first verdict. */
const PATIENCE_MS = 3_000

// Some engines ask once for a module in the life of a page, also where it did not come.
const AGAIN = 'Choose it once more to try again; if that does not help, load the page anew.'

/** To load the page anew helps nobody then. */
const NO_NETWORK =
  'This could not be loaded: there is no network, and this browser has not kept it. Choose it once more when there is one.'

/** `openInstrument`: the instrument, as soon as it is there; each call after one that failed tries again. */
export function offerSources(openInstrument: () => Promise<Instrument>): void {
  const params = new URLSearchParams(location.search)
  const loading = new Map<string, Promise<void>>()
  const mounted = new Set<string>()

  /** Loads a panel into its section, once. */
  async function open(name: string): Promise<void> {
    if (mounted.has(name)) return
    const done = loading.get(name) ?? load(name)
    loading.set(name, done)
    await done
  }

  async function load(name: string): Promise<void> {
    const root = element(`#panel-${name}`, HTMLElement)
    root.textContent = 'Loading…'
    const giveUp = (why: string): void => {
      if (mounted.has(name)) return
      loading.delete(name)
      root.textContent = navigator.onLine ? `${why} ${AGAIN}` : NO_NETWORK
    }
    const watch = new Watch(({ message }) => giveUp(`${message}. ${HELD_UP}`))
    watch.expect('What this takes has not come')
    try {
      const [instrument, { mount }] = await Promise.all([
        openInstrument(),
        modules[`./panels/${name}/panel.ts`]!(),
      ])
      // What was given up and is asked for again comes twice.
      if (mounted.has(name)) return
      root.replaceChildren()
      mount(root, { take: (source) => instrument.take(source), params })
      mounted.add(name)
      import('./offline.ts').then(({ keepAllForOffline }) => keepAllForOffline()).catch(() => {}) // the tab is here all the same
    } catch {
      giveUp('This could not be loaded.')
    } finally {
      watch.stop()
    }
  }

  const tabs = [...document.querySelectorAll<HTMLButtonElement>('[role=tab]')]

  /** Has files and text verified that reach the page as a whole. Where the instrument did not come, a file has it loaded again. */
  const takeFiles = once(async () => {
    await openInstrument().catch(() => {})
    const { watchPage } = await import('./arrivals.ts')
    watchPage((arrival) => {
      choose(tabs.find((tab) => nameOf(tab) === 'file')!)
      // Where it does not load, its section says so.
      import('./panels/file/panel.ts').then(
        ({ offer }) => offer(arrival),
        () => {},
      )
    })
  })

  function choose(chosen: HTMLButtonElement): void {
    takeFiles().catch(() => {}) // files can be picked, too
    const name = nameOf(chosen)
    const { activeElement } = document
    for (const tab of tabs) {
      tab.setAttribute('aria-selected', String(tab === chosen))
      tab.tabIndex = tab === chosen ? 0 : -1
      element(`#panel-${nameOf(tab)}`, HTMLElement).hidden = tab !== chosen
    }
    for (const part of document.querySelectorAll<HTMLElement>('[data-source]'))
      part.hidden = !part.dataset['source']!.split(' ').includes(name)
    // What is hidden has no focus: where nobody pressed the tab, it would be lost.
    if (activeElement?.closest('[hidden]')) chosen.focus()
    showAsked({ chosen: name })
    showInAddress(name)
    if (name === 'embedded') openInstrument().then(showEmbedded).catch(showWithoutInstrument)
    else void open(name)
  }

  /** A page that opens with another source than its first paint is not shown before that source's panel has its height, unless that is late: nothing jumps. */
  function arrive(tab: HTMLButtonElement): void {
    const { classList } = document.body
    classList.add('arriving')
    choose(tab)
    const show = (): void => classList.remove('arriving')
    setTimeout(show, PATIENCE_MS)
    void open(nameOf(tab)).finally(() => requestAnimationFrame(show))
  }

  for (const [at, tab] of tabs.entries()) {
    tab.addEventListener('click', () => choose(tab))
    tab.addEventListener('keydown', ({ key, altKey, ctrlKey, metaKey }) => {
      // Those are the browser's: Alt with an arrow goes back.
      if (altKey || ctrlKey || metaKey) return
      const step = key === 'ArrowRight' ? 1 : key === 'ArrowLeft' ? -1 : 0
      if (step === 0) return
      const next = tabs[(at + step + tabs.length) % tabs.length]!
      next.focus()
      choose(next)
    })
  }
  takeFiles().catch(() => {})
  const wanted = tabs.find((tab) => nameOf(tab) === params.get('source'))
  if (wanted !== undefined && nameOf(wanted) !== 'embedded') arrive(wanted)

  const experiments = element('#experiments', HTMLDetailsElement)
  experiments.addEventListener('toggle', () => experiments.open && void open('experiments'))
}

function nameOf(tab: HTMLElement): string {
  return tab.id.replace('tab-', '')
}

/** The embedded block is what an address without a source means. */
function showInAddress(name: string): void {
  changeAddress((params) => {
    if (name === 'embedded') params.delete('source')
    else params.set('source', name)
  })
}
