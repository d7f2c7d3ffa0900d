import { expect, test } from 'vitest'
import type { Request, Sender } from '../../scripts/http/exchange.ts'
import { sandbox } from '../sandbox.ts'
import { rowsOf } from '../tables.ts'
import { sendTo } from '../verify/in-process.ts'
import type { Handler } from '../verify/reference-host.ts'
import { checkOf, contentOf, importFrom, importInto } from './importing.ts'
import {
  ana,
  crowd,
  type Dress,
  type Legacy,
  legacyHandler,
  legacyMember,
  legacyShot,
  reply,
} from './legacy.ts'

/** The server, but for its lists of shots. */
const withList =
  (status: number, body: string): Handler =>
  (asked) =>
    asked.target.endsWith('/shots') ? reply(status, body) : legacyHandler(ana())(asked)

test.each<[string, Dress]>([
  ['byte-order-mark', (text) => `\ufeff${text}`],
  ['latin-1', (text) => Buffer.from(text.replace('Lisbon', 'Orléans'), 'latin1')],
  [
    'trailing-comma',
    (text) => text.replaceAll('}', ',}').replaceAll(/(?<!\[)\](?=,?\})/g, ',]'),
  ],
  ['raw-control-character', (text) => text.replace('draw letters', 'draw\nletters')],
  ['needless-escape', (text) => text.replace('I draw', "I\\'d draw")],
  ['number-for-string', (text) => text.replaceAll(/"id":"(\d+)"/g, '"id":$1')],
])('a body is read although it has: %s', async (name, dress) => {
  const { told, folder, files } = await importInto(legacyHandler(ana([9]), dress))
  expect(told).toMatchObject([
    {
      severity: 'warning',
      code: 'tolerated',
      message: expect.stringMatching(`^${name}: .*bod`),
    },
  ])
  expect(await checkOf(folder)).toEqual([])
  expect(files['members/ana/shots/shot-9.yaml']).toContain('id: 9\n')
  expect(files['members/ana/profile.yaml']).toMatch(/Lisbon|Orléans/)
  const { codes } = await importFrom(legacyHandler(ana([9]), dress), folder, { prove: true })
  expect(codes.filter((code) => code === 'different')).toEqual([])
})

test('a new shot that makes no valid file is told with what to do, and its file is not', async () => {
  const shots = [legacyShot(1, 1, { description: 'x'.repeat((1 << 20) - 50) })]
  const { told } = await importInto({ ana: legacyMember('ana', 1, { shots }) })
  expect(told).toMatchObject([
    { code: 'file-refused', hint: expect.stringContaining('at the remote') },
  ])
})

test('a first import is told of a wrong site.yaml, and of no members that it would bring', async () => {
  const folder = sandbox({ 'content/site.yaml': 'base_url: x\n' })
  const { told } = await importFrom(legacyHandler(ana()), folder, { names: ['ana'] })
  expect(told).toMatchObject([{ file: 'content/site.yaml' }])
})

test('a body is read although it has ids that are longer than a number can be', async () => {
  const long = '90071992547409931234567'
  const { told, files } = await importInto(
    legacyHandler(
      ana([legacyShot(9, 1, { id: 'LONG', token_id: 'ab'.repeat(20) })]),
      (text) => text.replaceAll('"LONG"', long),
    ),
  )
  expect(told).toMatchObject([{ code: 'tolerated' }])
  expect(files['members/ana/shots/shot-9.yaml']).toContain(`id: ${long}\n`)
})

test.each(['josé', '../../etc', 'nul'])('the name %s is not asked for', async (name) => {
  const folder = sandbox()
  const { codes, requests } = await importFrom(ana(), folder, { names: [name] })
  expect([codes, requests, contentOf(folder)]).toEqual([['bad-name'], 0, {}])
})

const noShots = (said: string) => withList(said === '404' ? 404 : 200, said)

test.each(['{"Shots":null}', '{"Shots":{},}', '404'])(
  'a member without shots is imported if the API says so with: %s',
  async (said) => {
    const { codes, folder, requests } = await importInto(noShots(said))
    expect([new Set(codes), requests]).toEqual([new Set(['tolerated']), 4])
    expect(await checkOf(folder)).toEqual([])
    const proof = await importFrom(noShots(said), folder, { prove: true })
    expect(new Set(proof.codes)).toEqual(new Set(['tolerated']))
  },
)

test.each(
  rowsOf(`
    a login page → ⏎<!doctype html><title>Log in</title> → it is HTML
    nothing → ∅ → it is empty
    half of it → {"id":"1","username":"an → it ends in the middle
    an error → {"error":"try later"} → no profile
    shots that are no list → {"id":"1","username":"ana","Shots":{"0":{}}} → "Shots" is not a list
    a deep one → ${'['.repeat(100_000)} → nested too deeply
    one with a string without an end → {"id":"${'\\"'.repeat(1 << 20)} → it ends in the middle
    a number that is none → {"id":1.} → is wrong
  `),
)(
  'a body that is not what it should be leaves the content as it is: %s',
  async (_, body, message) => {
    const { folder, files: before } = await importInto(ana([9]))
    const { told } = await importFrom(() => reply(200, body), folder)
    expect(told.map(({ severity, code }) => `${severity} ${code}`)).toContain(
      'error bad-body',
    )
    expect(told[0]!.message).toContain(message)
    expect(contentOf(folder)).toEqual(before)
  },
)

test('of a list that holds more than shots, the shots are imported', async () => {
  const handler = withList(
    200,
    `{"Shots":${JSON.stringify([null, legacyShot(9, 1), ['x']])}}`,
  )
  const { told, files, folder } = await importInto(handler)
  expect(told.map(({ severity, code, message }) => `${severity} ${code} ${message}`)).toEqual(
    [
      'error shot-not-imported a shot is not imported: id of a shot without an id is null',
      'error shot-not-imported a shot is not imported: id of a shot without an id is "["x"]": it is no text',
      expect.stringContaining('total-below-content'),
    ],
  )
  expect(Object.keys(files)).toContain('members/ana/shots/shot-9.yaml')
  expect(await checkOf(folder)).toEqual([])
  const { codes } = await importFrom(handler, folder, { prove: true })
  expect(new Set(codes)).toEqual(new Set(['lost-by-rule']))
})

/** A server that is busy at first. */
const busyOnce = (retryAfter: string): Handler => {
  let asked = 0
  return (request) =>
    asked++ === 0
      ? reply(503, '', { 'Retry-After': retryAfter })
      : legacyHandler(ana())(request)
}

test.each([
  ['3', 60],
  ['86400', 300],
  // these say nothing, and the pause is that without one
  ['-1', 5],
  ['Thu, 01 Jan 2026 00:00:07 GMT', 5],
])(
  'Retry-After is waited for as seconds, up to a cap: %s is %d pauses of 50 ms',
  async (value, pauses) => {
    const { codes, waited } = await importInto(busyOnce(value))
    expect([codes, Math.floor(waited / 50)]).toEqual([[], pauses])
  },
)

test('plain http without bodies is given up for now, and the second run asks twice a member', async () => {
  const folder = sandbox()
  const legacy = legacyHandler(crowd(30))
  const redirects: Handler = (asked) =>
    asked.scheme === 'https'
      ? legacy(asked)
      : { ...reply(301, ''), headers: { Location: 'https://api.example.com/' } }
  const { codes } = await importFrom(redirects, folder, { names: Object.keys(crowd(30)) })
  expect(codes).toEqual(['http-unseen'])
  const { requests, told } = await importFrom(redirects, folder)
  expect([requests, told[0]!.message]).toEqual([60, expect.stringContaining('30 members')])
})

test('a member that hangs costs two tries, and a server that hangs ends it soon', async () => {
  const legacy = crowd(40)
  const importFromHanging = async (hangs: (request: Request) => boolean) => {
    const { sender } = sendTo(legacyHandler(legacy))
    let hung = 0
    const send: Sender['send'] = async (request) => {
      if (!hangs(request)) return sender.send(request)
      hung++
      await new Promise(setImmediate)
      return { failure: 'timeout', detail: 'no answer' }
    }
    const imported = importFrom(legacy, sandbox(), { sender: { ...sender, send } })
    return { ended: await imported.then(({ codes }) => codes, String), hung }
  }
  expect(await importFromHanging(({ path }) => path.includes('/m17'))).toEqual({
    ended: ['no-answer', 'no-answer'],
    hung: 2,
  })
  const whole = await importFromHanging(() => true)
  expect(whole.ended).toContain("can't be asked: no answer")
  expect(whole.hung).toBeLessThan(2 * (10 + 8))
})

test('plain http is asked again for what changed, once it may have bodies', async () => {
  const folder = sandbox()
  const members = (bio: string): Legacy => ({
    ...crowd(30),
    m39: legacyMember('m39', 30, { user: { bio } }),
  })
  const before = legacyHandler(members('before'))
  const noHttp: Handler = (asked) =>
    asked.scheme === 'https' ? before(asked) : reply(404, '')
  await importFrom(noHttp, folder, { names: Object.keys(members('')) })
  const { requests } = await importFrom(members('after'), folder)
  expect(requests).toBe(61)
})

test('429 without end stops an import, and what was imported stays', async () => {
  const folder = sandbox()
  const legacy = crowd(13)
  const names = Object.keys(legacy)
  const handler = legacyHandler(legacy)
  const limited: Handler = (asked) =>
    asked.target.includes('/m10') ? handler(asked) : reply(429, '')
  await expect(importFrom(limited, folder, { names })).rejects.toThrow(
    '429 Too Many Requests',
  )
  const { requests, codes } = await importFrom(handler, folder, { names })
  expect([requests, codes]).toEqual([2 + 4 * 12, []])
})

test('the server is asked no faster than --rate', async () => {
  const { waited, requests } = await importFrom(ana(), sandbox(), { rate: 2 })
  expect([requests, waited]).toEqual([4, 1500])
})
