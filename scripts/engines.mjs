// Finds Firefox and WebKit, or installs the system's: the page is tested in them, beside Chromium.
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { canInstall, installSystemPackages } from './system-packages.mjs'

const FIREFOX = [
  process.env.BLOBCHECK_FIREFOX,
  '/usr/bin/firefox-esr',
  '/usr/bin/firefox',
  '/Applications/Firefox.app/Contents/MacOS/firefox',
  'C:\\Program Files\\Mozilla Firefox\\firefox.exe',
]

/** The path of a Firefox on this machine, or undefined. */
export function findFirefox() {
  return FIREFOX.find((path) => path && existsSync(path))
}

/** The paths of WebKit's driver, its smallest browser, and a server of screens that nobody sees, or undefined where one is missing. */
export function findWebKit() {
  const driver = '/usr/bin/WebKitWebDriver'
  const xvfb = '/usr/bin/Xvfb'
  const browser = miniBrowser()
  return browser && [driver, xvfb].every((path) => existsSync(path)) ? { driver, browser, xvfb } : undefined
}

/** Where Debian puts it: in a folder of the architecture. */
function miniBrowser() {
  const libraries = '/usr/lib'
  if (!existsSync(libraries)) return undefined
  const folders = readdirSync(libraries).filter((name) => name.includes('linux-gnu'))
  return folders
    .flatMap((folder) =>
      ['webkit2gtk-4.1', 'webkitgtk-6.0', 'webkit2gtk-4.0'].map((version) =>
        join(libraries, folder, version, 'MiniBrowser'),
      ),
    )
    .find((path) => existsSync(path))
}

/**
 * The paths of Firefox and of WebKit's driver, installed where the system's package manager is apt and lets us; undefined for what cannot
 * be had. Their tests fail then in CI, and say elsewhere that they were skipped.
 */
export async function ensureEngines(log) {
  if (!findFirefox()) await install(['firefox-esr'], log)
  if (!findWebKit()) await install(['webkit2gtk-driver', 'xvfb'], log)
  return { firefox: findFirefox(), webKit: findWebKit()?.driver }
}

async function install(packages, log) {
  const names = packages.join(' and ')
  if (!canInstall) return log(`the page is not tested in every engine here, for want of ${names}`)
  log(`installing ${names} through the system’s package manager`)
  // What is there now counts.
  await installSystemPackages(packages).catch((error) => log(error.message))
}
