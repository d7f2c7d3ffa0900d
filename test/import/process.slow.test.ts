import { describe, expect, test } from 'vitest'
import { sandbox } from '../sandbox.ts'
import { contentOf } from './importing.ts'
import { legacyHandler, reply } from './legacy.ts'
import { importing, members, run, serveRemote, urls } from './served.ts'

serveRemote()

/** At every how many requests an import is killed; EVERY=1 for all. */
const every = Number(process.env.EVERY ?? 3)

test('killed at any request, it goes on where it was, to the same end', async () => {
  const whole = sandbox()
  await run(legacyHandler(members), ['ana', 'bo'], { cwd: whole })
  for (let killAt = 0; killAt < 8; killAt += every) {
    const cwd = sandbox()
    await run(legacyHandler(members), ['ana', 'bo', '--rate', '1000'], { cwd, killAt })
    const { status } = await run(legacyHandler(members), ['ana', 'bo', '--rate', '1000'], { cwd })
    expect(status).toBe(0)
    expect(contentOf(cwd), `killed at request ${killAt}`).toEqual(contentOf(whole))
  }
})

describe('status 2', () => {
  test.each([
    ['no URL', ['ana'], 'which remote?'],
    ['three URLs', ['https://127.0.0.1', 'http://127.0.0.1'], 'takes one URL or two'],
    ['a rate that is none', ['--rate', 'fast'], 'requests a second'],
    ['both sides', ['--ours', '--theirs'], 'exclude each other'],
    ['no member to ask for', [], 'which members?'],
  ])('%s', async (_, args, message) => {
    const address = args[0] === 'ana' ? [] : ['https://127.0.0.1']
    const { status, stderr } = await importing([...address, ...args], { cwd: sandbox() }).ended
    expect([status, stderr]).toEqual([2, expect.stringContaining(message)])
  })

  test('a certificate that is not trusted', async () => {
    const { status, stderr } = await importing([...urls(), 'ana'], { cwd: sandbox() }).ended
    expect([status, stderr]).toEqual([2, expect.stringContaining('--insecure')])
  })

  test('429 without end', async () => {
    const cwd = sandbox()
    const { status, stderr } = await run(() => reply(429, 'slow down', { 'Retry-After': '0' }), ['ana'], {
      cwd,
    })
    expect([status, stderr]).toEqual([2, expect.stringContaining('what was imported stays')])
  })
})
