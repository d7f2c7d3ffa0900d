import fs from 'node:fs'
import { expect, test } from 'vitest'
import { runIn } from '../processes.ts'
import { readText, sandbox } from '../sandbox.ts'

const readme = readText('README.md')

/** A folder with the example site, of which the tests have a copy: a fork replaces content/. */
const example = () => {
  const folder = sandbox()
  fs.cpSync('test/example/content', `${folder}/content`, { recursive: true })
  return folder
}

test('the example site builds without a warning, to what the README shows', () => {
  const folder = example()
  const { status, stdout, stderr } = runIn(folder, 'build')
  expect({ status, stderr }).toEqual({ status: 0, stderr: '' })
  expect(readme).toContain(stdout.replace(/; [0-9.]+ s\n$/, '; '))
  const body = readText(`${folder}/dist/api/username/pixel/shots/index.json`)
  const [, shown] = /shots\/index\.json\n(.+)\n/.exec(readme)!
  for (const part of shown!.split(' … ')) expect(body).toContain(part)
})

test('the misspelt tags of the README gets the message that it shows', () => {
  const folder = example()
  const file = `${folder}/content/members/pixel/shots/octopus.yaml`
  fs.writeFileSync(file, readText(file).replace('tags:', 'tasg:'))
  const { status, stderr } = runIn(folder, 'check')
  expect(status).toBe(1)
  const [, shown] = /```text\n(error: .+?)```/s.exec(readme)!
  expect(stderr.startsWith(shown!)).toBe(true)
  expect(stderr).toContain('\n1 error in 1 file\n')
})
