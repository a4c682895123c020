/** What several processes must not do at once in a clone is done by one after the other, also where one of them is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { syncBuiltinESMExports } from 'node:module'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest'
import { alone } from '../../scripts/alone.mjs'

const script = new URL('../../scripts/alone.mjs', import.meta.url).href
let folder: string
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'blobcheck-alone-'))
})
afterEach(async () => await rm(folder, { recursive: true }))

const unexpected = (): never => {
  throw new Error('nobody else is there')
}

/** A process that holds the lock until it is ended; resolves once it does. */
async function holder(end = 'new Promise((resolve) => process.stdin.once("data", resolve))') {
  const code = `
    import { alone } from ${JSON.stringify(script)}
    const task = async () => { console.log('held'); await ${end} }
    await alone('set-up', task, () => {}, { folder: ${JSON.stringify(folder)} })`
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], {
    stdio: ['pipe', 'pipe', 'inherit'],
  })
  const ended = once(child, 'close')
  await once(child.stdout, 'data')
  return { child, ended }
}

/** The lock of a process that was killed, under another owner's name. */
async function leaveLock(rewrite: (owner: string) => string): Promise<void> {
  const { child, ended } = await holder()
  child.kill('SIGKILL')
  await ended
  const lock = join(folder, 'set-up')
  const [owner] = await readdir(lock)
  if (owner === undefined) throw new Error('the lock has no owner')
  await rename(join(lock, owner), join(lock, rewrite(owner)))
}

const numbered = (owner: string): string => owner.replace(/-\d+-/, `-${process.pid}-`)

describe('a task that must be alone', () => {
  it('runs at once where nobody is, and leaves nothing behind, whether it fails or not', async () => {
    expect(await alone('set-up', async () => 7, unexpected, { folder })).toBe(7)
    const failing = alone('set-up', async () => unexpected(), unexpected, { folder })
    await expect(failing).rejects.toThrow('nobody else is there')
    expect(await readdir(folder)).toEqual([])
  })

  it('waits for another process’s task of that name, and says so once', async () => {
    const { child, ended } = await holder()
    const steps: string[] = []
    const tell = (): void => {
      steps.push('told')
      child.stdin.end('go on')
    }
    await alone('packages', async () => void steps.push('another name'), unexpected, { folder })
    await alone('set-up', async () => void steps.push('ran'), tell, { folder })
    expect(steps).toEqual(['another name', 'told', 'ran'])
    expect(await ended).toEqual([0, null])
    expect(await readdir(folder)).toEqual([])
  })

  it('never runs beside another one, however many want to', async () => {
    let running = 0
    const task = async (): Promise<void> => {
      expect(++running).toBe(1)
      await new Promise((resolve) => setImmediate(resolve))
      running--
    }
    await Promise.all(
      Array.from({ length: 20 }, () => alone('set-up', task, () => {}, { folder, patience: 1000 })),
    )
    expect(await readdir(folder)).toEqual([])
  })

  it('takes the place of a process that was killed', async () => {
    const { child, ended } = await holder()
    child.kill('SIGKILL')
    await ended
    expect(await readdir(folder)).toEqual(['set-up'])
    expect(await alone('set-up', async () => 7, unexpected, { folder, patience: Infinity })).toBe(7)
    expect(await readdir(folder)).toEqual([])
  })

  it('takes the place of one that ended itself amid it', async () => {
    const { ended } = await holder('process.exit(3)')
    expect(await ended).toEqual([3, null])
    expect(await readdir(folder)).toEqual([])
  })

  it.each([
    ['whose number another process has now', numbered],
    ['in a container that is gone', (owner: string) => `another_${owner}`],
  ])('takes the place of one that was killed %s', async (_, rewrite) => {
    await leaveLock(rewrite)
    const task = async (): Promise<number> => 7
    expect(await alone('set-up', task, () => {}, { folder, patience: 50 })).toBe(7)
    expect(await readdir(folder)).toEqual([])
  })

  describe.runIf(process.platform === 'linux')('on Linux', () => {
    it('takes the place of a killed process at once where another one has its number', async () => {
      await leaveLock(numbered)
      expect(await alone('set-up', async () => 7, unexpected, { folder, patience: Infinity })).toBe(7)
    })

    it('takes no process for ended that ran in another container of the same host name', async () => {
      await leaveLock((owner) => owner.replace(/pid__\d+_-/, 'pid__1_-'))
      const tell = vi.fn()
      expect(await alone('set-up', async () => 7, tell, { folder, patience: 50 })).toBe(7)
      expect(tell).toHaveBeenCalledOnce()
    })

    it('waits for a process that is stopped, for longer than for one of which nothing is known', async () => {
      const { child, ended } = await holder()
      child.kill('SIGSTOP')
      await mkdir(join(folder, 'other'))
      await writeFile(join(folder, 'other', 'elsewhere-1-0-0'), '')
      const steps: string[] = []
      const other = async (): Promise<void> => {
        steps.push('other')
        child.stdin.end('go on')
        child.kill('SIGCONT')
      }
      await Promise.all([
        alone(
          'set-up',
          async () => void steps.push('set-up'),
          () => {},
          { folder, patience: 50 },
        ),
        alone('other', other, () => {}, { folder, patience: 500 }),
      ])
      expect(steps).toEqual(['other', 'set-up'])
      expect(await ended).toEqual([0, null])
    })
  })

  describe('on Windows', () => {
    /** Renaming fails with this code, so many times. */
    function refuse(code: string, times: number): void {
      vi.spyOn(process, 'platform', 'get').mockReturnValue('win32')
      const { renameSync } = fs
      let refused = 0
      vi.spyOn(fs, 'renameSync').mockImplementation((from, to) => {
        if (refused++ < times) throw Object.assign(new Error(`${code}: refused`), { code })
        renameSync(from, to)
      })
      syncBuiltinESMExports()
    }
    afterEach(() => {
      vi.restoreAllMocks()
      syncBuiltinESMExports()
    })

    it.each(['EPERM', 'EACCES', 'EBUSY'])('tries again after %s, which may pass', async (code) => {
      refuse(code, 2)
      expect(await alone('set-up', async () => 7, unexpected, { folder, patience: 50 })).toBe(7)
      expect(await readdir(folder)).toEqual([])
    })

    it.each([
      ['one that may pass, and does not', 'EPERM', 50],
      ['any other one at once', 'ENOSPC', Infinity],
    ])('fails with an error of the system: %s', async (_, code, patience) => {
      refuse(code, 100)
      const task = alone('set-up', async () => 7, unexpected, { folder, patience })
      await expect(task).rejects.toThrow(`${code}: refused`)
      expect(await readdir(folder)).toEqual([])
    })
  })

  it('takes a lock that nobody has put his name to', async () => {
    await mkdir(join(folder, 'set-up'))
    expect(await alone('set-up', async () => 7, unexpected, { folder })).toBe(7)
  })
})
