import fs from 'node:fs'
import { describe, expect, test } from 'vitest'
import { runIn, startIn, until } from '../processes.ts'
import { readJson, sandbox, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'

const { tasks } = readJson('.vscode/tasks.json')
const { background } = tasks[0].problemMatcher
const file = 'content/members/ana/shots/one.yaml'

/** Runs `check --watch` over a site in a folder of its own; stopped when the test ends. */
const watching = async () => {
  const folder = sandbox(site)
  const { child, said, ended } = startIn(folder, 'check --watch --format lines')
  const count = (pattern: string) => said.stderr.match(new RegExp(pattern, 'gm'))?.length ?? 0
  /** Settled when that many checks have ended. */
  const checked = (times: number) =>
    until(
      () => count(background.endsPattern),
      (ends) => ends >= times,
    )
  const saying = (text: string) =>
    until(
      () => said.stdout + said.stderr,
      (all) => all.includes(text),
    )
  await checked(1)
  const change = (text: string) => writeTree(folder, { [file]: text })
  return { folder, child, ended, checked, saying, change, count, said }
}

describe('check --watch', { timeout: 180_000 }, () => {
  test('checks again after each change, between the lines that the VS Code task looks for', async () => {
    const { change, checked, saying, count, said, child, ended } = await watching()
    expect([said.stdout, count(background.beginsPattern)]).toEqual(['', 1])
    change('id: 11\ntitle: One\ndate: 2014-02-30\nimage: one.png\n')
    await saying(`${file}:3:7: error: `)
    await checked(2)
    change(site[file])
    await saying('all is well')
    await checked(3)
    expect(said.stdout.trim().split('\n')).toHaveLength(1)
    child.kill('SIGINT')
    // Windows has no signals: there it is killed
    expect((await ended).status).toBe(process.platform === 'win32' ? 'SIGINT' : 0)
  })

  test('goes on when the content folder is gone for a while', async () => {
    const { folder, saying, change, count } = await watching()
    const content = `${folder}/content`
    fs.renameSync(content, `${content}-aside`)
    await saying('there is no folder')
    const begun = count(background.beginsPattern)
    fs.renameSync(`${content}-aside`, content)
    await until(
      () => count(background.beginsPattern),
      (now) => now > begun,
    )
    change('id: 11\n')
    await saying(`${file}:1:1: error: `)
  })
})

test.each([
  ['without a content folder', '--content missing'],
  ['with a name that nothing has', 'missing.yaml'],
])('check --watch %s ends with exit status 2', (_, rest) =>
  expect(runIn(sandbox(site), `check --watch ${rest}`).status).toBe(2),
)
