/** The live source: a Beacon node of the visitor's, followed from a checkpoint that the visitor trusts. */
import { networks } from 'blobcheck'
import type { LightClientReport } from 'blobcheck/light-client'
import { followChain, type FollowedChain, type FollowProgress } from '../../follow/follow.ts'
import { networkTitle } from '../../follow/network.ts'
import { Ribbon } from '../../follow/ribbon.ts'
import { type Trouble, troubleOf } from '../../follow/trouble.ts'
import type { MountPanel, Stage } from '../../instrument/stage.ts'
import { copyButton } from '../../shared/copy.ts'
import { errorMessage } from '../../shared/error-message.ts'
import { element, pressable, setText } from '../../shared/page.ts'
import { integer, shortened } from '../../shared/words.ts'
import { liveLines } from './lines.ts'
import './panel.css'
import html from './panel.html?raw'
import {
  CUSTOM,
  FieldError,
  type LiveFields,
  type LiveSettings,
  networkNamed,
  readSettings,
} from './settings.ts'

const stages: Readonly<Record<FollowProgress['stage'], string>> = {
  checkpoint: 'Asking for the block of the checkpoint, and for its sync committee…',
  periods: 'Following the sync committees, period by period…',
  finality: 'Asking for the newest finalized header…',
  optimistic: 'Asking for the newest header…',
  following: 'Following the head of the chain, and sampling each slot.',
}

/** Slots that the newest header may be behind the clock before that is told. */
const LATE_SLOTS = 4

export const mount: MountPanel = (root, page) => {
  root.innerHTML = html
  const fields = {
    beacon: element('#live-beacon', HTMLInputElement),
    network: element('#live-network', HTMLSelectElement),
    config: element('#live-config', HTMLTextAreaElement),
    checkpoint: element('#live-checkpoint', HTMLInputElement),
  }
  const progress = element('#live-progress', HTMLProgressElement)
  const asked = element('#live-settings', HTMLDetailsElement)
  const trouble = element('#live-trouble', HTMLElement)
  const command = element('#live-trouble-command', HTMLElement)
  const file = element('#live-config-file', HTMLInputElement)
  command.append(copyButton('Copy this', () => element('code', HTMLElement, command).textContent))

  let running: AbortController | null = null
  let followed: FollowedChain | null = null
  const ribbon = new Ribbon(element('#live-ribbon', HTMLElement), (slot) => followed?.show(slot))

  const names = Object.keys(networks) as (keyof typeof networks)[]
  fields.network.append(...names.map((name) => new Option(networkTitle(name), name)))
  fields.network.append(new Option('Another one…', CUSTOM))
  fields.beacon.value = page.params.getAll('beacon').join(' ')
  fields.checkpoint.value = page.params.get('checkpoint') ?? ''
  fields.config.value = page.params.get('config') ?? ''
  const wanted = page.params.get('network') ?? ''
  if (wanted !== '') chooseNetwork(wanted)
  const showCustom = (): void => {
    element('#live-custom', HTMLElement).hidden = fields.network.value !== CUSTOM
  }
  fields.network.addEventListener('change', () => {
    showCustom()
    if (!fields.network.hasAttribute('aria-invalid')) return
    // What was wrong with it is no more.
    fields.network.removeAttribute('aria-invalid')
    showTrouble(null)
  })
  showCustom()
  file.addEventListener('change', () => {
    file.files?.[0]?.text().then(
      (text) => (fields.config.value = text),
      // A folder, or a file that has gone since it was chosen.
      (error: unknown) => {
        const text = `The file of the config cannot be read: ${errorMessage(error)}.`
        showTrouble({ kind: 'other', text, command: null })
      },
    )
  })

  element('#live-form', HTMLFormElement).addEventListener('submit', (event) => event.preventDefault())
  const start = pressable('#live-start', () => {
    const settings = settingsOf()
    if (settings !== null) void follow(settings)
  })
  const stop = pressable('#live-stop', () => {
    running?.abort()
    asked.open = true
  })

  /** Of one that is not in the list, nothing is chosen, and it is said: another network in its place would be one that nobody asked for. */
  function chooseNetwork(wanted: string): void {
    const name = networkNamed(wanted)
    // Where no option has the value, none is chosen.
    fields.network.value = name ?? ''
    if (name !== null) return
    fields.network.setAttribute('aria-invalid', 'true')
    const text = `The address of this page asks for the network “${shortened(wanted)}”, which is not in the list: choose one there.`
    showTrouble({ kind: 'other', text, command: null })
  }

  /** What the form asks for; null where a field cannot be used, which is said then. */
  function settingsOf(): LiveSettings | null {
    showTrouble(null)
    for (const field of Object.values(fields)) field.removeAttribute('aria-invalid')
    const values = Object.entries(fields).map(([name, { value }]) => [name, value])
    try {
      return readSettings(Object.fromEntries(values) as LiveFields)
    } catch (error) {
      if (!(error instanceof FieldError)) throw error
      fields[error.field].setAttribute('aria-invalid', 'true')
      asked.open = true
      fields[error.field].focus()
      showTrouble({ kind: 'other', text: error.message, command: null })
      return null
    }
  }

  async function follow(settings: LiveSettings): Promise<void> {
    const { signal } = (running = new AbortController())
    start.enable(false)
    stop.enable(true)
    // What was asked for makes room for what is found.
    if (asked.contains(document.activeElement)) element('#live-stop', HTMLElement).focus()
    asked.open = false
    ribbon.clear()
    setText('#live-health', '')
    const take = (): Stage => page.take({ name: 'live', lines: () => liveLines(settings) })
    followed = followChain({
      ...{
        ...settings,
        stage: take(),
        takeAgain: take,
        signal,
        onProgress: showProgress,
        onHealth: showHealth,
      },
      onSlot: (slot) => ribbon.set(slot),
    })
    try {
      await followed.ended
      setText('#live-status', signal.aborted ? 'Stopped.' : 'Stopped: another source took the instrument.')
    } catch (error) {
      setText('#live-status', 'It could not be followed. Looking into why…')
      const found = await troubleOf(error, { ...settings, signal }).catch(() => null)
      setText('#live-status', found === null ? 'Stopped.' : 'Stopped: it could not be followed.')
      showTrouble(found)
    } finally {
      running = null
      progress.value = 0
      start.enable(true)
      stop.enable(false)
    }
  }

  function showProgress({ stage, done, total }: FollowProgress): void {
    const counted = total > 1 ? ` (${integer(done)} of ${integer(total)})` : ''
    setText('#live-status', `${stages[stage]}${counted}`)
    progress.max = Math.max(total, 1)
    progress.value = total === 0 ? 1 : done
  }

  function showHealth({ currentSlot, optimistic, endpoints }: LightClientReport): void {
    const behind = currentSlot - optimistic.slot
    const failures = endpoints.flatMap(({ name, lastFailure }) =>
      lastFailure === null ? [] : [`${name}: ${lastFailure.kind} (${lastFailure.detail})`],
    )
    const late = behind > LATE_SLOTS ? `, ${integer(behind)} slots behind the clock` : ''
    const why = late === '' || failures.length === 0 ? '' : ` ${failures.join('; ')}.`
    setText('#live-health', `The newest header is of slot ${integer(optimistic.slot)}${late}.${why}`)
  }

  function showTrouble(found: Trouble | null): void {
    trouble.hidden = found === null
    element('#live-ribbon', HTMLElement).hidden = found !== null && ribbon.isEmpty
    trouble.dataset['kind'] = found?.kind ?? ''
    setText('#live-trouble-text', found?.text ?? '')
    command.hidden = found?.command == null
    setText('code', found?.command ?? '', command)
  }
}
