// Finds a Chromium-family browser, or installs one: the system's first, since it is there and kept up to date. And says how it is started.
import { execFile, execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { installSystemPackages } from './system-packages.mjs'

const CANDIDATES = [
  process.env.BLOBCHECK_CHROMIUM,
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome-stable',
  '/usr/bin/google-chrome',
  '/snap/bin/chromium',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
  'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
]

/**
 * Features that are switched off. The first two are pages of Chromium's own, for what opens below its address bar: it loads some four hundred
 * files for them with every window, headless or not, which costs a second of a processor, three quarters of what an empty page costs. The
 * others are those that Playwright switches off, but for Edge's: they are said again since the last list given holds.
 */
const DISABLED_FEATURES = [
  'WebUIOmniboxPopup',
  'WebUIOmniboxAimPopup',
  'AimEnabled',
  'AvoidCorsURLLoaderRestartOnRedirect',
  'AvoidUnnecessaryBeforeUnloadCheckSync',
  'DestroyProfileOnBrowserClose',
  'HttpsFirstBalancedModeAutoEnable',
  'HttpsUpgrades',
  'LensOverlay',
  'MediaRouter',
  'NetworkTimeServiceQuerying',
  'OptimizationHints',
  'PaintHolding',
  'PreconnectToSearch',
  'TcpPortRandomizationWin',
  'ThirdPartyStoragePartitioning',
]

/** What Chromium is started with, in tests and benches: as root and in a container, too, and with nothing that runs beside the page. */
export const CHROMIUM_ARGS = [
  '--no-sandbox',
  '--disable-dev-shm-usage',
  '--disable-background-networking',
  '--disable-component-update',
  `--disable-features=${DISABLED_FEATURES.join()}`,
]

/** The path of a browser on this machine, or undefined. */
export function findChromium() {
  return CANDIDATES.find((path) => path && existsSync(path)) ?? playwrightsOwn()
}

function playwrightsOwn() {
  try {
    const print =
      "import('playwright').then(({ chromium }) => process.stdout.write(chromium.executablePath()))"
    const path = execFileSync(process.execPath, ['-e', print], { encoding: 'utf8' })
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** Its command line. Windows starts no script such as `npx` without a shell. */
const playwright = fileURLToPath(new URL('../node_modules/playwright/cli.js', import.meta.url))

/** The path of a browser, installed if need be; rejects with what to do about it where that fails. */
export async function ensureChromium(log) {
  const found = findChromium()
  if (found) return found
  for (const [name, install] of [
    ['playwright', installPlaywrightsOwn],
    ['the system’s package manager', () => installSystemPackages(['chromium'])],
  ]) {
    log(`installing Chromium through ${name}`)
    await install().catch(({ message }) => log((/^.*\bError: .*$/m.exec(message) ?? [message])[0]))
    const installed = findChromium()
    if (installed) return installed
  }
  throw new Error('no Chromium: install one, or name it in BLOBCHECK_CHROMIUM')
}

async function installPlaywrightsOwn() {
  const command = [playwright, 'install', '--with-deps', 'chromium']
  await promisify(execFile)(process.execPath, command, { timeout: 600_000, maxBuffer: 2 ** 26 })
}
