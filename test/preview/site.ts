import { onTestFinished } from 'vitest'
import { createPages } from '../../scripts/preview/pages.ts'
import { openServers } from '../../scripts/preview/servers.ts'
import type { Touched } from '../../scripts/preview/watch.ts'
import { resolveFolders } from '../../scripts/snapshot/folders.ts'
import { ask } from '../hosts/ask.ts'
import { readText, sandbox, type Tree, writeTree } from '../sandbox.ts'
import { buildIn } from '../snapshot/building.ts'
import { formAt, profile, schemePorts, shot } from './previewing.ts'

/** Files of the site: a profile, and works of hers, the third one a draft. */
export const ana = profile('ana')
export const one = shot('ana', 'one')
export const two = shot('ana', 'two')
export const three = shot('ana', 'three')

export const site: Tree = {
  'content/site.yaml': 'base_url: https://api.example.com\nassets: https://cdn.example.com\n',
  [ana]: 'id: 1\nname: Ana Example\naliases: [ana-lima]\nskills: [letters]\n',
  [one]: 'id: 11\ntitle: First\ndate: 2024-01-01\nimage: one.png\ntags: [red]\n',
  [two]:
    'id: 12\ntitle: Second\ndate: 2024-01-02\nimage: https://other.example.org/two.png\n',
  [three]: 'id: 13\ntitle: Third\ndate: 2024-01-03\nimage: three.png\ndraft: true\n',
  [profile('bo')]: 'id: 2\nname: Bo\n',
}

/** A preview inside this process: it builds and shows what is written when it is told. */
export const startSite = async (
  tree: Tree = site,
  { built = true, readOnly = false, buildsAfterMs = 0 } = {},
) => {
  const at = sandbox(tree)
  const ports = await schemePorts()
  const folders = resolveFolders({ content: `${at}/content`, out: `${at}/dist` })
  const folder = { ...folders.content, name: 'content' }
  const failures: unknown[] = []
  const opened: string[] = []
  const pages = createPages({
    folder,
    out: folders.out,
    ports,
    readOnly,
    openEditor: (place) => opened.push(place),
    token: 'right',
    bin: { root: at, below: '.shotpress/bin' },
    onEdit: () => void setTimeout(() => show({}), buildsAfterMs),
  })
  const onFailure = (error: unknown) => failures.push(error)
  const servers = await openServers({ ports, onFailure, handle: pages.handle })
  onTestFinished(() => servers.close())
  const show = async (files: Tree, touched?: Touched) => {
    writeTree(at, files)
    const found = await buildIn(at)
    const diagnostics = found.diagnostics.map((one) => ({
      ...one,
      file: one.file.replace(/^.*?\/content\//, 'content/'),
    }))
    pages.update({ ...found, diagnostics }, touched)
  }
  if (built) await show({})
  const url = `http://localhost:${ports.http}`
  const get = async (address: string, headers: Record<string, string> = {}) => {
    const answer = await fetch(url + address, { redirect: 'manual', headers })
    const { status, headers: own } = answer
    return { status, headers: own, to: own.get('location'), body: await answer.text() }
  }
  /** The body of a page. */
  const page = async (...asked: Parameters<typeof get>) => (await get(...asked)).body
  const post = (
    address: string,
    body: string,
    headers: Record<string, string> = { Origin: url },
  ) => fetch(url + address, { method: 'POST', redirect: 'manual', body, headers })
  /** A GET with headers that `fetch` would not send. */
  const question = {
    scheme: 'http',
    port: ports.http,
    host: `localhost:${ports.http}`,
  } as const
  const askWith = (path: string, headers: Record<string, string>) =>
    ask({ ...question, path, headers: Object.entries(headers) })
  const baseOf = async (file: string) =>
    /data-base="([0-9a-f]+)"/.exec(await page(formAt(file)))![1]!
  const text = (file: string) => readText(`${at}/${file}`)
  return {
    at,
    text,
    ports,
    show,
    failures,
    opened,
    url,
    get,
    page,
    post,
    ask: askWith,
    folder,
    baseOf,
  }
}
