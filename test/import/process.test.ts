import { expect, test } from 'vitest'
import { expectRefusal, startIn } from '../processes.ts'
import { sandbox } from '../sandbox.ts'
import { rowsOf, texts } from '../tables.ts'
import { type Handler, runningReference } from '../verify/reference-host.ts'
import { ana, type Legacy, legacyHandler, legacyMember, shotsOf } from './legacy.ts'

const host = runningReference()

const urls = () => `https://localhost:${host.ports.https} http://localhost:${host.ports.http}`

type Place = { readonly cwd: string; readonly stdin?: string }

const importing = (line: string, { cwd, stdin = '' }: Place) =>
  startIn(cwd, `import ${line}`, { stdin, env: { NO_COLOR: '1' } }).ended

/** Runs the command against a handler. */
const run = (handler: Handler, flags: string, place: Place) => {
  host.use(handler)
  return importing(`${urls()} --insecure ${flags}`, place)
}

const members: Legacy = {
  ...ana([12, 11]),
  bo: legacyMember('bo', 2, { shots: shotsOf(2, [21]) }),
}

test('shotpress import prints the files that it wrote, takes names from stdin, and ends with 0', async () => {
  const stdin = '# ours\r\nana\r\n\r\nbo # the other\r\nana\r\n'
  const { status, stdout, stderr } = await run(
    legacyHandler(members),
    '--users - --rate 1000',
    {
      cwd: sandbox(),
      stdin,
    },
  )
  expect([status, stderr]).toEqual([
    0,
    '2 members, 2 of them changed, 8 files written, 8 requests\n',
  ])
  const files = [
    ...texts(
      'ana/profile.yaml¦ana/shots/shot-11.yaml¦ana/shots/shot-12.yaml¦ana/import.json',
    ),
    ...['bo/profile.yaml', 'bo/shots/shot-21.yaml', 'bo/import.json'],
  ]
  expect(stdout.split('\n')).toEqual([
    'content/site.yaml',
    ...files.map((file) => `content/members/${file}`),
    '',
  ])
})

test('shotpress import proves it with a table on stdout, or an array for programs', async () => {
  const cwd = sandbox()
  await run(legacyHandler(members), 'ana bo --rate 1000', { cwd })
  const proof = await run(legacyHandler(members), '--prove --rate 1000', { cwd })
  expect(proof).toEqual({
    status: 0,
    stdout: `fields             https      http
equal                 83        83
lost by a rule         0         0
edited here            0         0
different              0         0
unproven               0         0
`,
    stderr: '2 members compared with 8 requests: nothing is left to explain\n',
  })
  const bo = legacyMember('bo', 2, { user: { bio: 'new' }, shots: shotsOf(2, [21]) })
  const json = await run(legacyHandler({ ...members, bo }), '--prove --format json', {
    cwd,
  })
  const different = { code: 'different', file: 'content/members/bo/profile.yaml' }
  expect([json.status, JSON.parse(json.stdout)]).toMatchObject([1, [different, different]])
})

test.each(
  rowsOf(`
    no URL → ana → https://api.example.com ana
    three URLs → https://127.0.0.1 https://127.0.0.1 http://127.0.0.1 → takes one URL or two
    a rate that is none → https://127.0.0.1 --rate fast → requests a second
    both sides → https://127.0.0.1 --ours --theirs → exclude each other
    no member to ask for → https://127.0.0.1 → which members?
  `),
)('status 2: %s', async (_, line, message) =>
  expectRefusal(await importing(line, { cwd: sandbox() }), message),
)

test('status 2: a certificate that is not trusted', async () => {
  const { status, stderr } = await importing(`${urls()} ana`, { cwd: sandbox() })
  expect([status, stderr]).toEqual([2, expect.stringContaining('--insecure')])
})
