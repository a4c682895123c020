// Running other programs: quietly where all is well, with everything that they said where it is not.
import { spawn } from 'node:child_process'
import { setPriority } from 'node:os'

/**
 * Runs a program; resolves with its output, or rejects with a message that holds it. `live` shows the output as it comes; `yields` lets
 * other programs have the processor first. `isRead`: resolves without what came on the error stream, where Node and others write warnings
 * beside what is to be read. `onLine` is called with each line when it is there.
 */
export function run(
  command,
  args,
  { cwd, env, live = false, yields = false, isRead = false, onLine = (_line) => {} } = {},
) {
  return new Promise((resolve, reject) => {
    // npm is a script of the shell there, which takes one line; a program is started by its path, with whatever is in that.
    const isScript = process.platform === 'win32' && (command === 'npm' || command === 'npx')
    const child = spawn(command, isScript ? args.map(quoted) : args, {
      cwd,
      env: { ...process.env, ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
      shell: isScript,
    })
    if (yields && child.pid !== undefined) lowerPriority(child.pid)
    let output = ''
    let answer = ''
    const take = (stream) => {
      let begun = ''
      return (chunk) => {
        output += chunk
        if (stream === process.stdout) answer += chunk
        if (live) stream.write(chunk)
        const lines = (begun + chunk).split('\n')
        begun = lines.pop()
        lines.forEach((line) => onLine(line))
      }
    }
    child.stdout.setEncoding('utf8').on('data', take(process.stdout))
    child.stderr.setEncoding('utf8').on('data', take(process.stderr))
    child.on('error', (error) => reject(new Error(`${command} could not be run: ${error.message}`)))
    child.on('close', (code) => {
      if (code === 0) resolve(isRead ? answer : output)
      else
        reject(
          Object.assign(
            new Error(`${command} ${args.join(' ')} ended with code ${code}\n${live ? '' : output}`),
            { output },
          ),
        )
    })
  })
}

/**
 * `Promise.all`, except that nothing goes on any more once it rejects: who then ends the process gives the next set-up its place, which would write
 * the same files as the programs that are left.
 */
export async function allEnded(tasks) {
  try {
    return await Promise.all(tasks)
  } finally {
    await Promise.allSettled(tasks)
  }
}

/** One argument of a line for the shell of Windows. */
function quoted(argument) {
  return /^[\w./\\:=@,-]+$/.test(argument) ? argument : `"${argument.replaceAll('"', '""')}"`
}

/** To two fifths of the others' share, of a program and of those that it will start. Where the system does not let us, it stays as it is. */
function lowerPriority(pid) {
  try {
    setPriority(pid, 4)
  } catch {
    // It may have ended already.
  }
}

/** npm, as it was started, or as it is found. */
export function npm(args, options) {
  const path = process.env.npm_execpath
  return path?.endsWith('.js') || path?.endsWith('.cjs')
    ? run(process.execPath, [path, ...args], options)
    : run('npm', args, options)
}
