import { spawnSync } from 'node:child_process'
import fs from 'node:fs'
import { expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import { readClaims } from '../../scripts/edit/claims.ts'
import { editFile, tidyFile } from '../../scripts/edit/files.ts'
import { addMember } from '../../scripts/edit/members.ts'
import { addShot, placeShot } from '../../scripts/edit/shots.ts'
import { runIn } from '../processes.ts'
import { readText, readTree, sandbox, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'

const editing = () => {
  const folder = sandbox(site)
  const content = { path: `${folder}/content`, name: 'content' }
  const options = { content, site: undefined, loader: createLoader() }
  return { folder, content, options: { ...options, claims: readClaims(content) } }
}
const shot = { id: '22', title: 'New', date: '2014-03-02', image: 'https://h.example/a.png' }

const writers = { tidy: /^$/, 'check --fix': /^2 members.*\n$/ }

test.each(Object.entries(writers))('%s clears up after a kill', (command, said) => {
  const { folder } = editing()
  const { pid } = spawnSync(process.execPath, ['--version'])
  const hex = '0123456789abcdef'
  // what somebody keeps among the content is no report's folder
  for (const own of ['content', 'content/members/ana']) {
    fs.mkdirSync(`${folder}/${own}/report-${pid}`)
    fs.writeFileSync(`${folder}/${own}/report-${pid}/notes.txt`, 'own')
  }
  const left = [
    `members/ana/.profile.yaml.${pid}-${hex}.tmp`,
    `members/ana/shots/.one.yaml.${pid}-${hex}.tmp`,
  ]
  const kept = [
    `members/ana/.profile.yaml.${process.pid}-${hex}.tmp`,
    `members/ana/.mine.${pid}-10.tmp`,
  ]
  for (const file of [...left, ...kept]) fs.writeFileSync(`${folder}/content/${file}`, 'id')
  // killed between two calls of a replacement
  const aside = `${folder}/content/members/bo/.${pid}-${hex}.old`
  const bo = `${folder}/content/members/bo/profile.yaml`
  const before = readText(bo)
  fs.mkdirSync(aside)
  fs.copyFileSync(bo, `${aside}/profile.yaml`)
  expect(runIn(folder, 'check')).toMatchObject({ status: 0, stderr: '' })
  fs.rmSync(bo)
  const { status, stdout, stderr } = runIn(folder, command)
  expect([readText(bo), fs.existsSync(aside)]).toEqual([before, false])
  expect([status, stdout]).toEqual([0, expect.stringMatching(said)])
  expect(stderr.split('\n').filter((line) => line.startsWith('removed '))).toEqual(
    left.map(
      (file) => `removed content/${file}: a command that was killed left it half written`,
    ),
  )
  expect(
    Object.keys(readTree(folder)).filter((file) => file.endsWith('notes.txt')),
  ).toHaveLength(2)
  expect(Object.keys(readTree(folder)).filter((file) => file.endsWith('.tmp'))).toEqual(
    kept.map((file) => `content/${file}`).sort(),
  )
})

test('a byte order mark stays when a file is edited, and is no part of what it says', () => {
  const { content } = editing()
  const file = { kind: 'profile', below: 'members/bo/profile.yaml' } as const
  const read = () => readText(`${content.path}/${file.below}`)
  writeTree(content.path, { [file.below]: '\ufeffid: 2\nname: Bo\n' })
  editFile(content, file, { name: 'B' })
  expect(read()).toBe('\ufeffid: 2\nname: B\n')
  expect(tidyFile(content, file).text).toBe('id: 2\nname: B\n')
})

test('a name that another command takes meanwhile is told, and stays with that one', () => {
  const { content, options } = editing()
  const { below } = placeShot('ana', shot, options)
  addShot(below, { ...shot, title: 'First' }, options)
  expect(() => addShot(below, shot, options)).toThrow(
    /content\/members\/ana\/shots\/new.yaml" is there meanwhile/,
  )
  expect(readText(`${content.path}/${below}`)).toContain('title: First\n')
  addMember('cy', { id: '3', name: 'Cy' }, options)
  expect(() => addMember('cy', { id: '4', name: 'Other' }, options)).toThrow(
    'is there already',
  )
})
