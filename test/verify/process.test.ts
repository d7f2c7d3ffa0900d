import { afterAll, expect, test } from 'vitest'
import { freePorts } from '../ports.ts'
import { expectRefusal, startIn } from '../processes.ts'
import {
  type Handler,
  type Reply,
  referenceHandler,
  runningReference,
} from './reference-host.ts'
import { members, writeSnapshot } from './snapshot.ts'

const host = runningReference()
const folder = writeSnapshot(members, { end: afterAll })

const verify = (line: string) =>
  startIn('.', `verify ${line}`, { env: { NO_COLOR: '1' } }).ended

/** Of nobody. */
const publicKey =
  'ssh-ed25519 AAAAC3NzaC1lZDI1NTE5AAAAIPpvWucNSCh1CBM0QTaLn73Y7GFO3RWQf6LRCGA9i53m'

const urls = () => [
  `https://localhost:${host.ports.https}`,
  `http://localhost:${host.ports.http}`,
]

const verifyHost = (handler: Handler, flags = '') => {
  host.use(handler)
  return verify(`${urls().join(' ')} --insecure --out '${folder}' ${flags}`)
}

/** A host that says something else in a header. */
const saying =
  (header: Reply['headers']): Handler =>
  (asked) => {
    const { headers, ...reply } = referenceHandler()(asked)
    return { ...reply, headers: { ...headers, ...header } }
  }
const withoutNosniff = saying({ 'X-Content-Type-Options': 'sniff' })

test('the exit status of a host that is right is 0, and one line is on stdout', async () => {
  const { status, stdout, stderr } = await verifyHost(referenceHandler())
  expect([status, stderr]).toEqual([0, ''])
  expect(stdout.replace(/\d+/, 'some')).toBe(
    'no problems: some requests, 4 of 4 members over https and http\n',
  )
})

test('the exit status of a host that differs is 1, with cause, requests and advice on stdout', async () => {
  const { status, stdout, stderr } = await verifyHost(withoutNosniff)
  expect([status, stderr]).toEqual([1, ''])
  for (const text of [
    'error: browsers may guess another content type [nosniff]',
    `GET ${urls()[0]}/api/username/ana\n`,
    'expected X-Content-Type-Options: nosniff',
    'got      X-Content-Type-Options: sniff',
    'fix: send X-Content-Type-Options: nosniff with every answer',
  ]) {
    expect(stdout).toContain(text)
  }
})

test.each([
  ['no URL and no site', () => `--content nowhere --out '${folder}'`, 'there is no URL'],
  [
    'a port for both schemes',
    () => `http://localhost:8080 --out '${folder}'`,
    'two URLs are needed',
  ],
  [
    'a folder without a snapshot',
    () => `${urls().join(' ')} --out docs`,
    'is not a snapshot',
  ],
  ['a sample of none', () => `${urls().join(' ')} --sample 0`, '--sample takes a number'],
  ['a key that is none', () => `${urls().join(' ')} --key id.pub`, 'is no public key of ssh'],
  [
    'an age that is none',
    () => `${urls().join(' ')} --max-age 'a day'`,
    '--max-age takes minutes, hours or days',
  ],
  ['a self-signed certificate', () => `${urls().join(' ')} --out '${folder}'`, '--insecure'],
])('the exit status of %s is 2, said on stderr', async (_, line, text) =>
  expectRefusal(await verify(line()), text),
)

test('with --key and --max-age, the exit status of a host that says not when it was published is 1', async () => {
  const flags = `--key '${publicKey}' --max-age 26h`
  const { status, stdout } = await verifyHost(referenceHandler(), flags)
  expect(status).toBe(1)
  expect(stdout).toContain('[not-published]')
})

test('the exit status of a host that is not there is 2', async () => {
  const [a, b] = await freePorts()
  const line = `https://127.0.0.1:${a} http://127.0.0.1:${b} --out '${folder}'`
  expectRefusal(await verify(line), 'the connection was refused')
})

test('the exit status of one scheme that is not there is 1', async () => {
  host.use(referenceHandler())
  const [free] = await freePorts()
  const [https] = urls()
  const line = `${https} http://127.0.0.1:${free} --insecure --out '${folder}'`
  const { status, stdout } = await verify(line)
  expect(status).toBe(1)
  expect(stdout).toContain('[scheme-unreachable]')
  expect(stdout).toContain('over https only')
})

test('--format json is one array and nothing else', async () => {
  const { status, stdout, stderr } = await verifyHost(withoutNosniff, '--format json')
  expect([status, stderr]).toEqual([1, ''])
  const file = `${urls()[0]}/api/username/ana`
  expect(JSON.parse(stdout)).toMatchObject([
    { severity: 'error', code: 'nosniff', file, line: 1 },
  ])
})

test('--format github is a workflow command a cause', async () => {
  const { stdout } = await verifyHost(withoutNosniff, '--format github')
  expect(stdout).toMatch(/^::error [^\n]*title=nosniff::[^\n]*\n$/)
})

test.each(['pretty', 'json', 'github'])(
  'nothing from an answer acts on a terminal with %s',
  async (format) => {
    const evil = '\u001b[31m\u0007\u009b2J\r::error::\u202e'
    const { stdout, stderr } = await verifyHost((asked) => {
      const reply = referenceHandler()(asked)
      if (reply.status !== 200) return { ...reply, body: Buffer.from(evil + evil) }
      return {
        ...reply,
        headers: { ...reply.headers, ETag: `"a\u009bb"`, 'Cache-Control': '\u009b31m' },
      }
    }, `--format ${format}`)
    expect(stdout).toContain('error-body')
    expect(stdout + stderr).not.toMatch(
      /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u202a-\u202e]/,
    )
    expect(
      stdout.split('\n').filter((line) => line.startsWith('::') && format !== 'github'),
    ).toEqual([])
  },
)
