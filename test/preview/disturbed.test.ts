import fs from 'node:fs'
import path from 'node:path'
import { expect, test } from 'vitest'
import { contentFolder } from '../../scripts/content/read/scan.ts'
import { createPages } from '../../scripts/preview/pages/pages.ts'
import { type Question, respond } from '../../scripts/preview/pages/respond.ts'
import { sandbox } from '../sandbox.ts'
import { site } from '../site.ts'
import { buildIn } from '../snapshot/building.ts'

const served = 'dist/api/username/ana'
const ana = 'content/members/ana'

const removed = (name: string) =>
  [`${name} is gone`, (at: string) => fs.rmSync(path.join(at, name), { recursive: true })] as const

const replaced = (name: string, text: string) =>
  [
    `${name} is a file with ${text}`,
    (at: string) => {
      fs.rmSync(path.join(at, name), { recursive: true })
      fs.writeFileSync(path.join(at, name), text)
    },
  ] as const

const linked = (name: string) =>
  [
    `${name} is a link`,
    (at: string) => {
      fs.renameSync(path.join(at, name), path.join(at, 'elsewhere'))
      fs.symlinkSync(path.join(at, 'elsewhere'), path.join(at, name), 'junction')
    },
  ] as const

const folder = (name: string) =>
  [
    `${name} is a folder`,
    (at: string) => {
      fs.rmSync(path.join(at, name))
      fs.mkdirSync(path.join(at, name))
    },
  ] as const

test.each([
  ...[ana, `${ana}/shots`, `${ana}/profile.yaml`, 'content/members', 'content', 'dist', 'dist/api'].map(
    removed,
  ),
  ...[ana, `${ana}/shots`, 'content/members', 'dist', 'dist/api', 'dist/api/username', served].map((name) =>
    replaced(name, 'x'),
  ),
  ...[ana, `${ana}/shots`, 'content/members', 'content', 'dist', 'dist/api', served].map(linked),
  ...[`${ana}/profile.yaml`, `${ana}/shots/one.yaml`, `${served}/index.json`].map(folder),
  ...['', '{', 'null', '5', '[]', '{"username":5,"name":{},"totalShots":[],"avatar":1}'].map((text) =>
    replaced(`${served}/index.json`, text),
  ),
  ...['', '{', 'null', '{"Shots":{}}', '{"Shots":[null]}', '{"Shots":[{"id":"11","date":5}]}'].map((text) =>
    replaced(`${served}/shots/index.json`, text),
  ),
])('the pages are there while %s', async (_, disturb) => {
  const at = sandbox({ ...site, [`${ana}/profile.yaml`]: 'id: 1\nname: Ana\naliases: [old]\n' })
  const content = contentFolder(path.join(at, 'content'))
  const pages = createPages({ content, out: path.join(at, 'dist'), hostNames: [], start: 'test' })
  pages.update(await buildIn(at), 'all')
  disturb(at)
  const server = { pages, content, ports: { http: 1, https: 2 }, certificate: undefined }
  const ask = (path: string, query = '') => {
    const question: Question = {
      ...{ scheme: 'http', method: 'GET', path, query: new URLSearchParams(query), headers: {} },
      ...{ own: 'unknown', form: async () => new URLSearchParams() },
    }
    return respond(question, server)
  }
  for (const [path, query] of [
    ['/'],
    ['/', 'q=one'],
    ['/members/ana'],
    ['/members/bo'],
    ['/members/old'],
  ] as const) {
    const { status, body } = await ask(path, query)
    expect([200, 302, 404], path).toContain(status)
    expect(body ?? '').not.toContain('elsewhere')
  }
})
