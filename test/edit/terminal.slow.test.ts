import { spawn, spawnSync } from 'node:child_process'
import path from 'node:path'
import { stripVTControlCharacters } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
import { proposeId } from '../../scripts/content/ids.ts'
import { inCi } from '../posix.ts'
import { until } from '../processes.ts'
import { readText, sandbox, withTimes } from '../sandbox.ts'
import { site } from '../site.ts'
import { rowsOf } from '../tables.ts'

/** The one of util-linux: the others take other options. */
const hasTerminal = /util-linux/.test(
  spawnSync('script', ['--version'], { encoding: 'utf8' }).stdout ?? '',
)
const inTerminal = test.skipIf(!hasTerminal && !inCi)
const title = (text: string) =>
  hasTerminal ? text : `${text} (skipped: no script of util-linux)`

/**
 * Runs `new` in a pseudo-terminal, and types each answer when its question stands at the end
 * of the screen.
 */
const converse = async (folder: string, answers: string) => {
  const command = [process.execPath, path.resolve('scripts/run.cjs'), 'new']
  const line = command.map((word) => `'${word}'`).join(' ')
  const child = spawn('script', ['-qefc', `stty cols 80; exec ${line}`, '/dev/null'], {
    cwd: folder,
    env: { ...process.env, TERM: 'dumb', SHELL: '/bin/sh' },
  })
  onTestFinished(() => void child.kill('SIGKILL'))
  let screen = ''
  child.stdout.on('data', (data: Buffer) => {
    screen += data
  })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  let seen = 0
  for (const [question, answer] of rowsOf(answers)) {
    await until(
      () => screen.slice(seen),
      (news) => news.includes(question),
    )
    seen = screen.length
    child.stdin.write(answer)
  }
  const status = await ended
  // what moves the cursor is no part of the text
  const lines = stripVTControlCharacters(screen).replaceAll('\r', '').split('\n')
  return { status, lines }
}

inTerminal(
  title('new asks for what is missing, one question a line, and again after a wrong answer'),
  async () => {
    const folder = sandbox(site)
    const { status, lines } = await converse(
      folder,
      `
      member or a shot? → work\r
      member or a shot? → a shot\r
      Username: → anna\r
      Username: → ana\r
      Title: → \r
      Title: → Tea: labels\r
      Image (shots/tea-labels.png): → my image.png\r
      Image (shots/tea-labels.png): → \r
      `,
    )
    expect(status).toBe(0)
    const text = lines.join('\n')
    for (const part of [
      'error: type member or shot\n',
      'error: there is no member "anna"\n  hint: did you mean ana?\n',
      'error: "title" is blank\n',
      'What the work is called, in any script.\nTitle: ',
      '  hint: write image: my%20image.png\n',
      '/assets/shots/tea-labels.png\nis served\n',
    ])
      expect(text).toContain(part)
    expect(lines.filter((line) => line.length > 80)).toEqual([])
    const file = `${folder}/content/members/ana/shots/tea-labels.yaml`
    expect(readText(file).split('\n')).toEqual([
      `id: ${proposeId('ana/tea-labels')}`,
      'title: "Tea: labels"',
      expect.stringMatching(/^date: \d{4}-\d\d-\d\d$/),
      'image: shots/tea-labels.png',
      '',
    ])
  },
)

inTerminal(title('Ctrl-C at a question leaves nothing behind'), async () => {
  const folder = sandbox(site)
  const before = withTimes(folder)
  const { status, lines } = await converse(
    folder,
    `
    # an answer that is typed before its question counts
    member or a shot? → member\rcy\r
    Display name (cy): → \x03
    `,
  )
  expect(status).toBe(130)
  expect(lines.join('\n')).toContain('nothing was written')
  expect(withTimes(folder)).toEqual(before)
})
