import { afterAll, expect, test } from 'vitest'
import { filePath, routes } from '../../scripts/api/routes.ts'
import type { Sender } from '../../scripts/http/exchange.ts'
import { askPatiently } from '../../scripts/verify/run.ts'
import { readText, removeFrom, sandbox, writeTree } from '../sandbox.ts'
import { profileYaml, site } from '../site.ts'
import { buildIn } from '../snapshot/building.ts'
import { times } from '../times.ts'
import { sendTo } from './in-process.ts'
import { referenceHandler } from './reference-host.ts'
import { bytesOf, writeSnapshot } from './snapshot.ts'
import { verifyWith } from './verifying.ts'

const many = times(70, (i) => `m${100 + i}`)
const folder = writeSnapshot(many, { end: afterAll })

type Bytes = typeof bytesOf

const inProcess = (bytes: Bytes = bytesOf) =>
  sendTo(referenceHandler({ compress: false, usernames: many, bytes }))

const verify = (sender: Sender, size: number, out = folder) =>
  verifyWith(sender, out, { size })

test('a sample asks about some members, all asks about every one', async () => {
  const some = inProcess(bytesOf)
  expect((await verify(some.sender, 5)).members).toBe(5)
  const all = inProcess(bytesOf)
  const report = await verify(all.sender, Number.POSITIVE_INFINITY)
  expect(report).toMatchObject({ members: 70, problems: [], requests: all.requests.length })
  const asked = (username: string) =>
    all.requests.filter(({ path }) => path.includes(username)).length
  const counts = many.map(asked)
  expect(Math.min(...counts)).toBeGreaterThan(0)
  expect(counts.filter((count) => count < Math.max(...counts) / 2).length).toBeGreaterThan(10)
})

test('the same host is asked the same, and the report is the same', async () => {
  const stale: Bytes = (...file) => bytesOf(...file).replace('"7"', '"8"')
  const first = inProcess(stale)
  const second = inProcess(stale)
  expect(await verify(first.sender, 10)).toEqual(await verify(second.sender, 10))
  const sorted = ({ requests }: typeof first) =>
    requests.map((request) => JSON.stringify(request)).sort()
  expect(sorted(second)).toEqual(sorted(first))
})

test('a file that only --all asks about is compared too', async () => {
  const stale: Bytes = (route, variant, username) =>
    bytesOf(route, variant, username).replace('"7"', username === 'm133' ? '"8"' : '"7"')
  const { problems } = await verify(inProcess(stale).sender, Number.POSITIVE_INFINITY)
  expect(problems.map(({ cause }) => cause)).toEqual(['not-the-snapshot'])
  expect(problems[0]!.examples.every(({ request }) => request.path.includes('m133'))).toBe(
    true,
  )
})

test('nothing but the known methods is sent, and a member comes first', async () => {
  const { sender, requests } = inProcess()
  await verify(sender, 5)
  expect(requests[0]!.path).toBe(`/api/username/${many[0]}`)
  expect(requests.every(({ path }) => path.startsWith('/'))).toBe(true)
  // what the build adds for hosts has a name of its own at the root
  expect(requests.map(({ path }) => path)).toContain('/_headers')
  expect(new Set(requests.map(({ method }) => method))).toEqual(
    new Set(['GET', 'HEAD', 'OPTIONS', 'POST', 'PUT', 'PATCH', 'DELETE', 'TRACE']),
  )
})

test('a snapshot with a file missing is not a snapshot, and nothing more is asked', async () => {
  const broken = writeSnapshot(many)
  removeFrom(broken, filePath(routes[0]!, 'http', many[0]!))
  const { sender, requests } = inProcess()
  await expect(verify(sender, 50, broken)).rejects.toThrow('is not a snapshot')
  const asked = new Set(requests.map(({ path }) => path))
  expect(
    many.filter((username) => asked.has(`/api/username/${username}`)).length,
  ).toBeLessThan(10)
})

test.each([
  ['months left', 90, 60, ''],
  ['a week left of three months', 90, 7, 'certificate-ends-soon warning'],
  ['five days left of a week', 7, 5, ''],
])('a certificate with %s', async (_, lifeDays, leftDays, told) => {
  const dayMs = 86_400_000
  const now = Date.UTC(2026, 0, 1)
  const to = now + leftDays * dayMs
  const sender = {
    ...inProcess().sender,
    certificate: () => ({ from: to - lifeDays * dayMs, to }),
  }
  const report = await verifyWith(sender, folder, { size: 1, now })
  expect(report.problems.map(({ cause, severity }) => `${cause} ${severity}`).join()).toBe(
    told,
  )
})

test('a snapshot without plain http is asked for over https alone, where HSTS is no problem', async () => {
  const alone = writeSnapshot(undefined, { has: (file) => !file.startsWith('http/') })
  const handler = referenceHandler({ compress: false })
  const { sender, requests } = sendTo((asked) => {
    const reply = handler(asked)
    return {
      ...reply,
      headers: { ...reply.headers, 'Strict-Transport-Security': 'max-age=1' },
    }
  })
  const report = await verify(sender, 50, alone)
  expect(report).toMatchObject({ problems: [], schemes: ['https'], expected: 1 })
  expect(requests.filter(({ scheme }) => scheme === 'http')).toEqual([])
})

test('a body under an alias names the member, and is no wrong file', async () => {
  const out = sandbox()
  const ana = 'content/members/ana/profile.yaml'
  writeTree(out, { ...site, [ana]: `${profileYaml(1)}aliases: [old-ana]\n` })
  await buildIn(out)
  const dist = `${out}/dist`
  const served = (under: (username: string) => string) => {
    const bytes: Bytes = (route, variant, username) =>
      readText(`${dist}/${filePath(route, variant, under(username))}`)
    return sendTo(
      referenceHandler({
        compress: false,
        usernames: ['ana', 'bo', 'old-ana'],
        bytes,
        site: [],
      }),
    )
  }
  const right = served((username) => username)
  expect(await verify(right.sender, 50, dist)).toMatchObject({
    members: 2,
    total: 2,
    problems: [],
  })
  expect(right.requests.some(({ path }) => path === '/api/username/old-ana')).toBe(true)
  const wrong = served((username) => (username === 'old-ana' ? 'bo' : username))
  expect((await verify(wrong.sender, 50, dist)).problems.length).toBeGreaterThan(0)
})

test('patience asks again until nothing is wrong, or the time is over', async () => {
  const right = await verify(inProcess().sender, 1)
  const wrong = await verify(sendTo(referenceHandler({ usernames: [] })).sender, 1)
  const tries = async (rightAt: number) => {
    let minutes = 0
    let asked = 0
    const ask = async () => (++asked < rightAt ? wrong : right)
    await askPatiently(ask, {
      patienceMs: 5 * 60_000,
      now: () => minutes * 60_000,
      onWait: () => {},
      sleep: async (ms) => {
        minutes += ms / 60_000
      },
    })
    return asked
  }
  expect([await tries(1), await tries(2), await tries(9)]).toEqual([1, 2, 3])
})
