/** `blobcheck bench`: what it measures, what it says, and that nothing wrong counts. No test here is about how fast anything is. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, it, vi } from 'vitest'
import { measureInTurns, quantile } from '../../dist/cli/bench/measure.js'
import { benchReport } from '../../dist/cli/bench/report.js'
import { blobcheck, blobcheckHere, jsonLines } from '../support/cli.ts'
import { range } from '../support/make.ts'

interface Result {
  readonly op: string
  readonly n: number
  readonly impl: string
  readonly workers: number | null
  readonly wallMs: number
  readonly cpuMs: number
  readonly quickMs: number
  readonly runs: number
}
interface Found {
  readonly event: string
  readonly env: { readonly node: string; readonly cores: number }
  readonly kernels: readonly {
    readonly kernel: string
    readonly firstMs?: number
    readonly missing?: string
  }[]
  readonly results: readonly Result[]
}

/** Node's relaxed SIMD is sound from 22 on. */
const isRelaxedSound = Number(process.versions.node.split('.')[0]) >= 22

describe('blobcheck bench', { timeout: 120_000 }, () => {
  it('measures each kernel that is sound here, and verifiers with more and more workers', async () => {
    const { code, err, out } = await blobcheck(['bench', '--quick', '--json', '--workers', '3'])
    expect([code, err]).toEqual([0, ''])
    const [found, ...others] = jsonLines(out) as unknown as Found[]
    expect(others).toEqual([])
    expect(found).toMatchObject({ event: 'bench', env: { node: process.versions.node } })

    expect(found!.kernels.map(({ kernel }) => kernel)).toEqual(['relaxed-simd', 'simd128'])
    const [relaxed, baseline] = found!.kernels
    expect(baseline!.firstMs).toBeGreaterThan(0)
    if (isRelaxedSound) expect(relaxed!.firstMs).toBeGreaterThan(0)
    else expect(relaxed!.missing).toContain('miscompiles relaxed SIMD')

    const functions = [
      'verifyBlobKzgProof/1',
      'verifyBlobKzgProofBatch/6',
      'verifyCellKzgProofBatch/1',
      'verifyCellKzgProofBatch/16',
      'verifyCellKzgProofBatch/128',
    ]
    const sound = isRelaxedSound ? ['relaxed-simd', 'simd128'] : ['simd128']
    const rows = found!.results.map(({ op, n, impl, workers }) => `${impl} ${op}/${n} ${workers}`)
    expect(rows).toEqual([
      ...sound.flatMap((kernel) => functions.map((name) => `blobcheck:${kernel} ${name} null`)),
      ...[0, 1, 2, 3].map((workers) => `blobcheck:${sound[0]} verifyBlobs/6 ${workers}`),
    ])
    for (const { wallMs, cpuMs, quickMs, runs } of found!.results) {
      expect(runs).toBeGreaterThanOrEqual(6)
      expect(quickMs).toBeGreaterThan(0)
      expect(wallMs).toBeGreaterThanOrEqual(quickMs)
      expect(cpuMs).toBeGreaterThan(0)
    }
  })

  it('says the same to people, of one kernel', async () => {
    const args = ['bench', '--quick', '--kernel', 'simd128', '--workers', '1']
    const { code, err, out } = await blobcheckHere(args)
    expect([code, err]).toEqual([0, ''])
    const lines = out.split('\n')
    expect(lines[0]).toMatch(/^blobcheck \d+\.\d+\.\d+, Node .*, \d+ cores? \(.+\)$/)
    expect(out).not.toContain('relaxed')
    for (const title of [
      'one blob',
      '6 blobs',
      'one cell',
      '8 columns of 2 blobs',
      'all 128 cells of a blob',
    ])
      expect(lines.filter((line) => new RegExp(`^${title} +[\\d.]+$`).test(line))).toHaveLength(1)
    expect(lines.find((line) => line.startsWith('through a verifier, simd128'))).toMatch(/ 6 blobs$/)
    for (const workers of ['no worker', '1 worker'])
      expect(lines.filter((line) => new RegExp(`^${workers} +[\\d.]+$`).test(line))).toHaveLength(1)
  })

  it('measures a kernel that is asked for where it is sound, and says where it is not', async () => {
    const { code, err, out } = await blobcheckHere([
      'bench',
      '--quick',
      '--kernel',
      'relaxed-simd',
      '--workers',
      '1',
    ])
    expect(code).toBe(isRelaxedSound ? 0 : 3)
    if (isRelaxedSound) expect([err, out.includes('simd128')]).toEqual(['', false])
    else expect([err.includes('miscompiles relaxed SIMD'), out]).toEqual([true, ''])
  })

  it.each([
    [['--kernel', 'fast'], 'Allowed choices are relaxed-simd, simd128'],
    [['--workers', '0'], 'an integer from 1 to 256'],
    [['--workers', 'all'], 'an integer from 1 to 256'],
    [['6'], 'too many arguments'],
  ])('refuses %j', async (args, words) => {
    const { code, err, out } = await blobcheckHere(['bench', ...args])
    expect([code, out]).toEqual([2, ''])
    expect(err).toContain(words)
  })

  it.each([0, 1_200])('can be interrupted, %i ms after it has begun to listen for that', async (afterMs) => {
    const main = fileURLToPath(new URL('../../dist/cli/main.js', import.meta.url))
    // How long a process takes to get there depends on what else the machine does: it says so itself.
    const ready = `process.on('newListener', (name) => name === 'SIGINT' && process.send('ready'))`
    const child = fork(main, ['bench'], {
      execArgv: ['--import', `data:text/javascript,${encodeURIComponent(ready)}`],
      stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
    })
    let [out, err] = ['', '']
    child.stdout!.on('data', (text: Buffer) => (out += text.toString()))
    child.stderr!.on('data', (text: Buffer) => (err += text.toString()))
    await once(child, 'message')
    setTimeout(() => child.kill('SIGINT'), afterMs)
    expect(await once(child, 'close')).toEqual([3, null])
    expect([out, err]).toEqual(['', 'blobcheck: interrupted, before it was found out\n'])
  })
})

describe('measuring', () => {
  const plan = { warmUp: { calls: 2, forMs: 0 }, turn: { calls: 3, forMs: 0 }, rounds: 2 }
  const never = new AbortController().signal
  const row = (op: string, run: () => boolean | Promise<boolean>) => ({
    op,
    n: 1,
    title: op,
    impl: 'test',
    workers: null,
    run,
  })

  it('takes turns, and what warms up does not count', async () => {
    const calls: string[] = []
    const rows = ['a', 'b'].map((op) => row(op, () => calls.push(op) > 0))
    const turns: string[] = []
    const results = await measureInTurns(rows, plan, never, ({ op }) => turns.push(op))
    expect(turns.join('')).toBe('ababab')
    expect(calls.join('')).toBe('aabb' + 'aaabbb' + 'aaabbb')
    expect(results.map(({ op, runs }) => [op, runs])).toEqual([
      ['a', 6],
      ['b', 6],
    ])
    expect(results.every((result) => !('run' in result))).toBe(true)
  })

  it.each([['at once', false] as const, ['later', Promise.resolve(false)] as const])(
    'ends with a wrong answer that comes %s',
    async (_, wrong) => {
      let calls = 0
      const measured = measureInTurns([row('f', () => (++calls < 4 ? true : wrong))], plan, never, () => {})
      await expect(measured).rejects.toThrow('a wrong answer: f/1 with test')
      expect(calls).toBe(4)
    },
  )

  it('ends with the call during which it was aborted, however synchronous', async () => {
    const controller = new AbortController()
    let calls = 0
    const run = (): boolean => {
      if (++calls === 3) controller.abort()
      return true
    }
    await expect(measureInTurns([row('f', run)], plan, controller.signal, () => {})).rejects.toThrow(
      'aborted',
    )
    expect(calls).toBe(3)
  })

  it('goes on for as long as a turn is', async () => {
    const turn = { calls: 1, forMs: 30 }
    let now = 0
    const clock = vi.spyOn(performance, 'now').mockImplementation(() => now)
    const tenMs = (): boolean => (now += 10) > 0
    try {
      const [result] = await measureInTurns([row('f', tenMs)], { ...plan, turn }, never, () => {})
      // Three in each of two rounds.
      expect(result).toMatchObject({ runs: 6, wallMs: 10, quickMs: 10 })
    } finally {
      clock.mockRestore()
    }
  })

  it('has quantiles', () => {
    const values = [...range(100)].reverse()
    expect([0, 0.1, 0.5, 1].map((part) => quantile(values, part))).toEqual([0, 10, 50, 99])
    expect([quantile([7], 0.5), quantile([], 0.5)]).toEqual([7, Number.NaN])
  })
})

describe('in a clone that has no prover’s setup yet', () => {
  const root = fileURLToPath(new URL('../..', import.meta.url))
  let clone: string
  beforeAll(async () => {
    clone = await mkdtemp(join(tmpdir(), 'blobcheck-unbuilt-'))
    const filter = (path: string): boolean => !path.endsWith('.bin')
    for (const path of ['package.json', 'dist', 'wasm'])
      await cp(join(root, path), join(clone, path), { recursive: true, filter })
    await symlink(join(root, 'node_modules'), join(clone, 'node_modules'), 'junction')
  })
  afterAll(async () => await rm(clone, { recursive: true, force: true }))

  it.each([
    ['bench', '--quick'],
    ['serve', '--slots', '8', '--port', '0'],
  ])('%s ends with 3, and says how to make it', async (...args) => {
    const { code, err, out } = await blobcheck(args, { main: join(clone, 'dist/cli/main.js') })
    expect([code, out]).toEqual([3, ''])
    expect(err).toMatch(/^blobcheck: the prover's setup is not to be had: .*“npm run build” makes it\n$/)
  })

  it('verify says of bare blobs that they are not determined, and goes on with the other files', async () => {
    const main = join(clone, 'dist/cli/main.js')
    const [blobs, noise] = [join(clone, 'blobs.json'), join(clone, 'noise')]
    await writeFile(blobs, JSON.stringify([`0x${'00'.repeat(131_072)}`]))
    await writeFile(noise, new Uint8Array(5_000).fill(0xa7))
    const args = ['verify', '--versioned-hashes', `0x01${'0'.repeat(62)}`]
    const alone = await blobcheck([...args, blobs], { main })
    expect(alone.out).toMatch(/: not determined: the prover's setup is not to be had: .* makes it\n/)
    expect(alone.out).toContain('0 items in 1 file: 1 not determined')
    expect([alone.code, alone.err]).toEqual([3, ''])
    for (const files of [
      [blobs, noise],
      [noise, blobs],
    ]) {
      const { code, err, out } = await blobcheck([...args, ...files], { main })
      expect(out).toContain('1 item in 2 files: 1 malformed, 1 not determined')
      expect([code, err]).toEqual([1, ''])
    }
  })
})

describe('the tables', () => {
  const times = { cpuMs: 1, quickMs: 1, runs: 9 }
  const of = (title: string, kernel: string, workers: number | null, wallMs: number) => ({
    op: title,
    n: 1,
    title,
    impl: `blobcheck:${kernel}`,
    workers,
    wallMs,
    ...times,
  })
  const said = (found: object): string[] => {
    let text = ''
    const out = new Writable({ write: (chunk: Buffer, _, done) => ((text += chunk.toString()), done()) })
    benchReport(out, found as never)
    return text.split('\n')
  }
  const env = { blobcheck: '1.2.3', node: '24.1.0', v8: '', machine: '', cpu: 'Some \u001b[31mCPU', cores: 1 }

  it('have a column for each kernel, and a row for each number of workers with its gain', () => {
    const kernels = [
      { kernel: 'relaxed-simd', firstMs: 12.345 },
      { kernel: 'simd128', firstMs: 123.4 },
    ]
    const results = [
      of('one blob', 'relaxed-simd', null, 1.5),
      of('one blob', 'simd128', null, 3),
      of('64 blobs', 'relaxed-simd', 0, 36),
      of('64 blobs', 'relaxed-simd', 1, 40),
      of('64 blobs', 'relaxed-simd', 2, 20.5),
    ]
    expect(said({ env, kernels, results })).toEqual([
      expect.stringMatching(/^blobcheck 1\.2\.3, Node 24\.1\.0, 1 core \(Some .*CPU\)$/),
      '',
      'in the calling thread               relaxed-simd   simd128',
      'from loading to the first verdict           12.3       123',
      'one blob                                    1.50      3.00',
      '',
      'through a verifier, relaxed-simd        64 blobs',
      'no worker                                   36.0',
      '1 worker                                    40.0',
      '2 workers                          20.5 (1.95 ×)',
      '',
      expect.stringContaining('medians'),
      '',
    ])
  })

  it('leave out a kernel that is not sound, and say why; nothing in them steers a terminal', () => {
    const kernels = [
      { kernel: 'relaxed-simd', missing: 'not sound here\u001b[2J' },
      { kernel: 'simd128', firstMs: 9 },
    ]
    const lines = said({ env, kernels, results: [of('one blob', 'simd128', null, 3)] })
    expect(lines[1]).toContain('not sound here')
    expect(lines[3]).toBe('in the calling thread               simd128')
    expect(lines.join('')).not.toContain('\u001b')
  })
})
