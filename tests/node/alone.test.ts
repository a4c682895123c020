/** What several processes must not do at once in a clone is done by one after the other, also where one of them is killed. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { hostname, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { alone } from '../../scripts/alone.mjs'

const script = new URL('../../scripts/alone.mjs', import.meta.url).href
const host = hostname().replaceAll(/\W/g, '_')
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
    ['whose number another process has now', `${host}-${process.pid}-0`],
    ['in a container that is gone', `another_${host}-1-0`],
  ])('takes the place of one that was killed %s', async (_, owner) => {
    await mkdir(join(folder, 'set-up'))
    await writeFile(join(folder, 'set-up', owner), '')
    let told = 0
    expect(
      await alone(
        'set-up',
        async () => 7,
        () => void told++,
        { folder, patience: 50 },
      ),
    ).toBe(7)
    expect(told).toBe(1)
    expect(await readdir(folder)).toEqual([])
  })

  it('takes a lock that nobody has put his name to', async () => {
    await mkdir(join(folder, 'set-up'))
    expect(await alone('set-up', async () => 7, unexpected, { folder })).toBe(7)
  })
})
