import path from 'node:path'
import { expect, test } from 'vitest'
import { contentFolder } from '../../scripts/content/read/scan.ts'
import { createPages } from '../../scripts/preview/pages/pages.ts'
import { type Question, respond } from '../../scripts/preview/pages/respond.ts'
import { sandbox, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'
import { buildIn } from '../snapshot/building.ts'

/** Asks the preview of a small site for a page. */
const asking = async () => (await asked()).ask

const asked = async () => {
  const folder = sandbox()
  writeTree(folder, {
    ...site,
    'content/members/ana/profile.yaml': 'id: 1\nname: Ana Example\naliases: [ana-lima]\n',
  })
  const content = contentFolder(path.join(folder, 'content'))
  const pages = createPages({ content, out: path.join(folder, 'dist'), hostNames: [], start: 'test' })
  pages.update(await buildIn(folder), 'all')
  const server = { pages, content, ports: { http: 1, https: 2 }, certificate: undefined }
  const question: Omit<Question, 'path'> = {
    ...{ scheme: 'http', method: 'GET', query: new URLSearchParams(), headers: {}, own: 'unknown' },
    form: async () => new URLSearchParams(),
  }
  const ask = (file: string, query = '') =>
    respond({ ...question, path: file, query: new URLSearchParams(query) }, server)
  return { folder, pages, ask }
}

test('a page shows what a build found, in each tab', async () => {
  const { folder, pages, ask } = await asked()
  expect((await ask('/members/ana')).body).toContain('Ana Example')
  expect((await ask('/', 'q=example')).body).toContain('/members/ana')
  writeTree(folder, { 'content/members/ana/profile.yaml': 'id: 1\nname: Ana Changed\n' })
  const touched = new Set(['ana'])
  pages.update(await buildIn(folder, { touched }), touched)
  for (const _ of ['one tab', 'another']) expect((await ask('/members/ana')).body).toContain('Ana Changed')
  expect((await ask('/', 'q=changed')).body).toContain('/members/ana')
})

test('a page that is made during a build says that it is older', async () => {
  const { folder, pages, ask } = await asked()
  const before = pages.version()
  const page = ask('/members/ana')
  pages.update(await buildIn(folder), new Set())
  expect((await page).body).toContain(`data-version="${before}"`)
  expect((await ask('/members/ana')).body).toContain(`data-version="${pages.version()}"`)
})

test('the page of an alias leads to the member whom the API serves there', async () => {
  const ask = await asking()
  expect(await ask('/members/ana-lima')).toMatchObject({
    status: 302,
    headers: { Location: '/members/ana' },
  })
  expect(await ask('/members/ana')).toMatchObject({ status: 200 })
})

test.each(['/members/nobody', '/members/../ana', '/members/', '/members/Ana'])(
  'nobody has the page %s',
  async (file) => {
    const ask = await asking()
    expect(await ask(file)).toMatchObject({ status: 404 })
  },
)

test('a work that was never right is not called an earlier state', async () => {
  const { folder, pages, ask } = await asked()
  writeTree(folder, {
    'content/members/ana/shots/new.yaml': 'id: 900\ntitle: New\ndate: 2024-02-30\nimage: a.png\n',
  })
  pages.update(await buildIn(folder), 'all')
  const { body } = await ask('/members/ana')
  expect(body).toContain('bad-timestamp')
  expect(body).not.toMatch(/earlier state|right last/)
})
