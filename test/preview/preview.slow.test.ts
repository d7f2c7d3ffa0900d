import { once } from 'node:events'
import fs from 'node:fs'
import net from 'node:net'
import { describe, expect, onTestFinished, test } from 'vitest'
import { isPosix, onPosix } from '../posix.ts'
import { until } from '../processes.ts'
import { namesIn, removeFrom, renameIn } from '../sandbox.ts'
import {
  content,
  profile,
  schemePorts,
  shot,
  startedPreview,
  startPreview,
} from './previewing.ts'

const titled = (title: string) =>
  `id: 11\ntitle: ${title}\ndate: 2024-01-01\nimage: one.png\n`
const shotsOfAna = '/api/username/ana/shots'

describe('the preview', { timeout: 180_000 }, () => {
  test('does not forget the first mistake over the second, which is another member’s', async () => {
    const { get, write, saying } = await startedPreview()
    write({ [shot('ana')]: `${titled('Second')}titel: x\n` })
    await saying('1 error in 1 file', 'stderr')
    expect((await get('http', shotsOfAna))?.body).toContain('"First"')
    write({ [profile('b.c')]: 'id: 2\n' })
    await saying('2 errors in 2 files', 'stderr')
    write({ [profile('b.c')]: 'id: 2\nname: Dots\n', [shot('ana')]: titled('Second') })
    await saying('all is well again')
    expect((await get('http', shotsOfAna))?.body).toContain('"Second"')
    expect((await get('http', '/api/username/b.c'))?.body).toContain('"Dots"')
  })

  test('follows members that are added, saved by renaming, renamed and deleted, and a lost snapshot', async () => {
    const { get, write, folder } = await startedPreview()
    const answers = (username: string, right: (status: number, body: string) => boolean) =>
      until(
        () => get('http', `/api/username/${username}/shots`),
        (answer) => answer !== undefined && right(answer.status, answer.body),
      )
    const says = (username: string, title: string) =>
      answers(username, (_, body) => body.includes(`"${title}"`))
    const target = `${folder}/content/members/new`
    const work = (title: string) => titled(title).replace('11', '31')
    write({ [profile('new')]: 'id: 3\nname: New\n', [shot('new')]: work('Mine') })
    await says('new', 'Mine')
    for (const title of ['Better', 'Best']) {
      write({ [`${shot('new')}~`]: work(title) })
      renameIn(folder, `${shot('new')}~`, shot('new'))
      await says('new', title)
    }
    fs.renameSync(target, `${target}er`)
    await says('newer', 'Best')
    await answers('new', (status) => status === 404)
    removeFrom(folder, 'dist')
    write({ [shot('newer')]: work('Last') })
    await says('newer', 'Last')
    expect(await get('https', '/api/username/b.c')).toMatchObject({ status: 200 })
    fs.rmSync(`${target}er`, { recursive: true })
    await answers('newer', (status) => status === 404)
    const files = ['404.json', '405.json', 'SHA256SUMS', 'api', 'http']
    expect(namesIn(folder, 'dist').sort()).toEqual(files)
  })

  test('serves the https variant over both schemes where a site has no other', async () => {
    const site = {
      'content/site.yaml': 'base_url: https://api.example.com\nschemes: [https]\n',
    }
    const { get } = await startedPreview({ ...content, ...site })
    for (const scheme of ['http', 'https'] as const) {
      const { status, body } = (await get(scheme, shotsOfAna))!
      expect(status).toBe(200)
      expect(body).toContain('https://api.example.com/assets/one.png')
    }
  })

  test('waits for content that is right where there is nothing to serve yet', async () => {
    const { get, write, saying, ports } = await startPreview({
      ...content,
      [profile('ana')]: 'id: 1\n',
    })
    await saying('nothing to serve yet')
    await saying('the key "name" is missing', 'stderr')
    expect(await get('http', '/api/username/ana')).toMatchObject({ status: 404 })
    expect((await get('http', '/members/ana/'))?.body).toContain(
      'the key &quot;name&quot; is missing',
    )
    write({ [profile('ana')]: content[profile('ana')]! })
    await saying(`http://127.0.0.1:${ports.http}/api/username/ana\n`)
    expect(await get('http', '/api/username/ana')).toMatchObject({ status: 200 })
  })
})

describe.runIf(isPosix)(onPosix('the end of the preview'), { timeout: 180_000 }, () => {
  test.each(['SIGTERM', 'SIGHUP'] as const)(
    'comes with %s, and leaves nothing',
    async (signal) => {
      const { kill, ended, get, said } = await startedPreview()
      kill(signal)
      expect(await ended).toBe(0)
      expect(await get('http', shotsOfAna)).toBeUndefined()
      expect(said.stderr).toBe('')
    },
  )
})

describe('the preview refuses', { timeout: 180_000 }, () => {
  test('a port in use, before it builds', async () => {
    const ports = await schemePorts()
    const stranger = net.createServer().listen(ports.https, '127.0.0.1')
    onTestFinished(() => void stranger.close())
    await once(stranger, 'listening')
    const { ended, said, folder } = await startPreview(content, ports)
    expect(await ended).toBe(2)
    expect(said.stderr).toMatch(`error: port ${ports.https} is in use\n  hint: `)
    expect(fs.readdirSync(folder)).toEqual(['content'])
  })

  test('one port for both', async () => {
    const { ended, said } = await startPreview(content, { http: 9000, https: 9000 })
    expect([await ended, said.stderr]).toEqual([2, expect.stringContaining('both 9000')])
  })
})
