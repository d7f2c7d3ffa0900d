import path from 'node:path'
import { expect, test } from 'vitest'
import { createPages } from '../../scripts/preview/pages/pages.ts'
import { type Question, respond } from '../../scripts/preview/pages/respond.ts'
import { sandbox, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'
import { buildIn } from '../snapshot/building.ts'

/** Asks the preview of a small site for a page. */
const asking = async () => {
  const folder = sandbox()
  writeTree(folder, {
    ...site,
    'content/members/ana/profile.yaml': 'id: 1\nname: Ana Example\naliases: [ana-lima]\n',
  })
  const content = { path: path.join(folder, 'content'), name: 'content' }
  const pages = createPages({ content, out: path.join(folder, 'dist'), hostNames: [], start: 'test' })
  pages.update(await buildIn(folder), 'all')
  const server = { pages, content, ports: { http: 1, https: 2 }, certificate: undefined }
  const question: Omit<Question, 'path'> = {
    ...{ scheme: 'http', method: 'GET', query: new URLSearchParams(), headers: {}, own: 'unknown' },
    form: async () => new URLSearchParams(),
  }
  return (file: string) => respond({ ...question, path: file }, server)
}

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
