import { afterAll, expect, test } from 'vitest'
import { causes } from '../../scripts/verify/causes.ts'
import { sendTo } from './in-process.ts'
import { mutations } from './mutations.ts'
import { type Handler, referenceHandler, runningReference } from './reference-host.ts'
import { members, writeSnapshot } from './snapshot.ts'
import { causesOf, verifyPorts, verifyWith } from './verifying.ts'

const host = runningReference()
const folder = writeSnapshot(members, { end: afterAll })

const verify = (handler: Handler, basePath = '') => {
  host.use(handler)
  return verifyPorts(host.ports, { folder, basePath })
}

const sometimesWeak = (next: Handler): Handler => {
  let count = 0
  return (asked) => {
    const condition = asked.headers['if-none-match']?.replace(/^W\//, '')
    const reply = next({
      ...asked,
      headers: { ...asked.headers, 'if-none-match': condition },
    })
    const { ETag: tag } = reply.headers
    return tag === undefined || count++ % 2 === 0
      ? reply
      : { ...reply, headers: { ...reply.headers, ETag: `W/${tag}` } }
  }
}

test.each([
  ['with compression', { compress: true }],
  ['without compression', { compress: false }],
])('a host that is right passes %s', async (_, options) => {
  const report = await verify(referenceHandler(options))
  expect(report.problems).toEqual([])
  expect(report.members).toBe(members.length)
})

test('a host that is right passes below a base path', async () =>
  expect((await verify(referenceHandler({ basePath: '/v1' }), '/v1/')).problems).toEqual([]))

test('a host that is right passes while its ETags turn from weak to strong, as Apache has them for files just written', async () => {
  const { sender } = sendTo(sometimesWeak(referenceHandler()))
  expect((await verifyWith(sender, folder)).problems).toEqual([])
})

test.each(mutations)('a host that is one thing wrong: %s', async (_, wanted, change) => {
  const { sender } = sendTo(change(referenceHandler()))
  expect(causesOf(await verifyWith(sender, folder))).toEqual([...wanted].sort())
})

test('every cause that a running host can show has a mutation', () => {
  const shown = new Set(mutations.flatMap(([, wanted]) => wanted))
  // what --max-age and --key show is in publication.test.ts, what only a certificate shows in
  // run.test.ts
  expect(
    Object.keys(causes).filter((cause) => !shown.has(cause as keyof typeof causes)),
  ).toEqual([
    'scheme-unreachable',
    'certificate-ends-soon',
    'not-published',
    'not-fresh',
    'published-earlier',
    'published-otherwise',
    'not-signed',
  ])
})
