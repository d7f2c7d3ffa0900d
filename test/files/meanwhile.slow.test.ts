import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import fs from 'node:fs'
import { setImmediate } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { Changed, replaceFile } from '../../scripts/files/write.ts'
import { sandbox, writeTree } from '../sandbox.ts'
import { times } from '../times.ts'

/**
 * How editors write: into the file as it is, or a new one in its place. Each adds a line with
 * a number of its own.
 */
const styles = {
  'in place': 'fs.writeFileSync(file, text)',
  'by renaming': "fs.writeFileSync(file + '.new', text); fs.renameSync(file + '.new', file)",
}

/**
 * Looks at the file now and then, as somebody does in an editor, and saves what it saw with
 * one more line.
 */
const editor = (style: string) => `
  const fs = require('node:fs')
  const [file] = process.argv.slice(1)
  let state = 1
  const random = (most) => (state = (state * 48271) % 2147483647) % most
  for (let round = 0; !fs.existsSync(file + '.stop'); round++) {
    for (let pause = random(3000); pause > 0; pause--) ;
    let text
    try { text = fs.readFileSync(file, 'utf8') } catch { continue } // it is being replaced
    if (!text.endsWith('\\n')) continue
    text += 'theirs ' + round + '\\n'
    ${style}
    process.stdout.write('theirs ' + round + '\\n')
    Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, random(3))
  }
`

test.each(Object.entries(styles))(
  'of what an editor writes %s, nothing is lost to 2,000 saves at the same time',
  { timeout: 300_000 },
  async (_, style) => {
    const folder = sandbox({ 'a.yaml': 'start\n' })
    const read = (name: string) => fs.readFileSync(`${folder}/${name}`)
    const child = spawn(process.execPath, ['-e', editor(style), `${folder}/a.yaml`], {
      stdio: ['ignore', 'pipe', 'inherit'],
    })
    let written = ''
    child.stdout.on('data', (data) => {
      written += data
    })
    /** Lines that somebody saw before a save, or finds now. */
    const known = new Set<string>()
    const look = (text: Buffer) => {
      for (const line of `${text}`.split('\n')) known.add(line)
    }
    await once(child.stdout, 'data')
    let saved = 0
    let refused = 0
    while (saved < 2000) {
      if (saved % 10 === 0) await setImmediate()
      const before = read('a.yaml')
      look(before)
      if (before.length === 0) continue // it is being written
      const text = `${before}`.split('\n').slice(-40).join('\n')
      try {
        replaceFile(folder, 'a.yaml', `${text}ours ${saved}\n`, { before })
        saved++
      } catch (error) {
        if (!(error instanceof Changed)) throw error
        refused++
      }
    }
    // a kill between its two calls would leave the file empty
    writeTree(folder, { 'a.yaml.stop': '' })
    await once(child, 'close')
    for (const name of fs.readdirSync(folder)) look(read(name))
    const theirs = written.split('\n').filter(Boolean)
    expect(theirs.length).toBeGreaterThan(100)
    expect(refused).toBeGreaterThan(0)
    expect(theirs.filter((line) => !known.has(line))).toEqual([])
  },
)

const putBack = `
  import { removeLeftBehind } from './scripts/files/write.ts'
  removeLeftBehind(process.argv[1], '.')
`

test('what a killed command moved aside gets its name back, also from two commands at once', async () => {
  const folder = sandbox()
  const { pid } = spawnSync(process.execPath, ['-e', ''])
  const names = times(2000, (at) => `${at}.yaml`)
  for (const [at, name] of names.entries())
    writeTree(folder, { [`.${pid}-${String(at).padStart(16, '0')}.old/${name}`]: name })
  const command = ['--import', 'tsx', '--input-type=module', '-e', putBack, folder]
  const codes = [1, 2, 3].map(async () => {
    const [code] = await once(spawn(process.execPath, command, { stdio: 'inherit' }), 'close')
    return code
  })
  expect(await Promise.all(codes)).toEqual([0, 0, 0])
  expect(fs.readdirSync(folder).sort()).toEqual(names.sort())
})
