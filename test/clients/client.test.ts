import { gzipSync } from 'node:zlib'
import { transformSync } from 'esbuild'
import { afterEach, expect, test, vi } from 'vitest'
import {
  ApiError,
  type ClientOptions,
  createClient,
  dateOf,
  wordsOf,
} from '../../clients/shotpress.ts'
import { exampleShot, exampleUser } from '../../scripts/api/document/example.ts'
import { canSign, hoursAgo, makeSigner } from '../files/sign.ts'
import { readText } from '../sandbox.ts'
import { rowsOf } from '../tables.ts'

type Answer = (() => Response) | string

/** A client that asks by something else than the network. */
const clientWith = (
  ask: (url: string, init: never) => Promise<unknown>,
  { base = 'https://a.example', ...options }: ClientOptions & { base?: string } = {},
) => createClient(base, { fetch: ask as unknown as typeof fetch, ...options })

/**
 * A client whose requests are answered in turn; the last answer stays. A text stands for no
 * answer.
 */
const clientOf = (
  answers: readonly Answer[],
  {
    base = 'https://api.example.com/v1/',
    ...options
  }: ClientOptions & { base?: string } = {},
) => {
  const asked: { url: string; tag: string | undefined }[] = []
  const fake = async (url: string, { headers }: { headers: Record<string, string> }) => {
    asked.push({ url, tag: headers['If-None-Match'] })
    const answer = answers[Math.min(asked.length, answers.length) - 1]!
    if (typeof answer === 'string') throw new TypeError(answer)
    return answer()
  }
  const client = clientWith(fake, { base, ...options })
  return { client, asked, tags: () => asked.map(({ tag }) => tag) }
}

const ok =
  (body: object, tag = '"1"') =>
  () =>
    Response.json(body, { headers: { ETag: tag } })
const status =
  (code: number, headers = {}) =>
  () =>
    new Response(code === 304 ? null : '{"error":"x"}', { status: code, headers })

const user = ok(exampleUser())
/** A promise fails with these words. */
const refuses = (promise: Promise<unknown>, words: string) =>
  expect(promise).rejects.toThrow(words)

afterEach(() => {
  vi.useRealTimers()
  vi.unstubAllGlobals()
})

test('the client gives the profile and the shots as they are', async () => {
  const { client, asked } = clientOf([user, ok({ Shots: [exampleShot()] })])
  expect(await client.profile('ana')).toEqual(exampleUser())
  expect(await client.shots('ana')).toEqual([exampleShot()])
  expect(asked.map(({ url }) => url)).toEqual([
    'https://api.example.com/v1/api/username/ana',
    'https://api.example.com/v1/api/username/ana/shots',
  ])
})

test('the client gives not_found for an unknown name, and asks nothing for what can be no name', async () => {
  const { client, asked } = clientOf([status(404)])
  expect(await client.profile('nobody')).toBe('not_found')
  expect(await client.shots('nobody')).toBe('not_found')
  for (const name of ['', '.', '..', 'a/b', 'a?b', 'á', '-a', `a${'b'.repeat(64)}`])
    expect(await client.profile(name)).toBe('not_found')
  expect(asked).toHaveLength(2)
})

test('the client keeps ETags, and the body for a 304', async () => {
  const { client, tags } = clientOf([
    user,
    status(304),
    ok({ ...exampleUser(), id: '7' }, '"2"'),
    status(304),
  ])
  await client.profile('ana')
  expect(await client.profile('ana')).toEqual(exampleUser())
  expect(await client.profile('ana')).toMatchObject({ id: '7' })
  expect(await client.profile('ana')).toMatchObject({ id: '7' })
  expect(tags()).toEqual([undefined, '"1"', '"1"', '"2"'])
})

test('the client keeps 500 answers at most', async () => {
  const { client, tags } = clientOf([user])
  for (let number = 0; number <= 500; number++) await client.profile(`m${number}`)
  await client.profile('m500')
  await client.profile('m0')
  expect(tags().slice(-2)).toEqual(['"1"', undefined])
})

test.each([
  ['no answer', 'fetch failed'],
  ['a 503', status(503)],
  ['a 429', status(429)],
])('the client asks again after %s, and gives what comes then', async (_, failure) => {
  vi.useFakeTimers()
  const { client, asked } = clientOf([failure, failure, user])
  const profile = client.profile('ana')
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await profile).toEqual(exampleUser())
  expect(asked).toHaveLength(3)
})

test('the client gives up after so many tries, with the status or the cause', async () => {
  vi.useFakeTimers()
  const outcome = async (answer: Answer) => {
    const { client, asked } = clientOf([answer])
    const failure = client.profile('ana').catch((error: ApiError) => error)
    await vi.advanceTimersByTimeAsync(5_000)
    return { error: (await failure) as ApiError, tries: asked.length }
  }
  const down = await outcome(status(502))
  expect(down.error).toBeInstanceOf(ApiError)
  expect([down.error.status, down.tries]).toEqual([502, 3])
  const away = await outcome('no network')
  expect([away.error.status, away.tries]).toEqual([0, 3])
  expect(away.error.cause).toMatchObject({ message: 'no network' })
})

test('the client asks once for what a second request would not change', async () => {
  for (const answer of [
    status(403),
    status(405),
    () => new Response('<html>'),
    ok({ error: 'x' }),
    ok([]),
  ]) {
    const { client, asked } = clientOf([answer])
    await expect(client.profile('ana')).rejects.toBeInstanceOf(ApiError)
    expect(asked).toHaveLength(1)
  }
})

test.each(
  rowsOf(`
    20 → 31
    Sun, 02 Mar 2014 10:00:20 GMT → Sun, 02 Mar 2014 11:00:00 GMT
  `),
)(
  'the client waits for a Retry-After of %s, and not at all for one of %s',
  async (soon, late) => {
    vi.useFakeTimers({ now: Date.UTC(2014, 2, 2, 10, 0, 0) })
    const saying = (after: string) => clientOf([status(503, { 'Retry-After': after }), user])
    const { client, asked } = saying(soon)
    const profile = client.profile('ana')
    await vi.advanceTimersByTimeAsync(19_000)
    expect(asked).toHaveLength(1)
    await vi.advanceTimersByTimeAsync(1_001)
    expect(await profile).toEqual(exampleUser())
    await expect(saying(late).client.profile('ana')).rejects.toMatchObject({ status: 503 })
    const past = saying('Sun, 02 Mar 2014 09:00:00 GMT').client.profile('ana')
    await vi.advanceTimersByTimeAsync(501)
    expect(await past).toEqual(exampleUser())
  },
)

test('the client ends with its signal, also while it waits', async () => {
  const { client } = clientOf([status(503)])
  const signal = AbortSignal.timeout(20)
  await expect(client.profile('ana', { signal })).rejects.toMatchObject({
    name: 'TimeoutError',
  })
  const gone = AbortSignal.abort(new Error('left'))
  await expect(clientOf(['aborted']).client.profile('ana', { signal: gone })).rejects.toThrow(
    'left',
  )
})

test.each(
  rowsOf(`
    https://a.example → no page → any → https:
    http://a.example → https: → any → https:
    https://a.example → http: → any → http:
    https://a.example → https: → http → http:
    http://a.example:8080 → https: → any → http:
  `),
)(
  'the client asks %s from %s, with the scheme %s, over %s',
  async (base, protocol, given, expected) => {
    if (protocol !== 'no page') vi.stubGlobal('location', { protocol })
    const scheme = given === 'any' ? undefined : (given as 'http')
    const { client, asked } = clientOf([user], { base, scheme })
    await client.profile('ana')
    expect(new URL(asked[0]!.url).protocol).toBe(expected)
  },
)

test.each(['api.example.com', 'localhost:3000', 'ftp://api.example.com'])(
  'the client says what to write in place of %j',
  (base) =>
    expect(() => createClient(base)).toThrow(
      `write https:// and the name of the host, not "${base}"`,
    ),
)

test.each([
  ['shots', { Shots: null }],
  ...[null, 'x', 1, [], ['x'], {}, { id: 1 }, { id: '1', tags: ['x'] }].flatMap(
    (row) =>
      [
        ['shots', { Shots: [row] }],
        ['members', { Members: [row] }],
      ] as const,
  ),
  ['profile', { ...exampleUser(), bio: null }],
  ['members', { Members: {} }],
  ['members', {}],
  ['profile', { username: ['ana'] }],
] as const)('the client takes no other types: %s, %j', async (method, body) => {
  const { client } = clientOf([() => Response.json(body)])
  await expect(client[method]('ana' as never)).rejects.toThrow(
    'the answer is none of the API',
  )
})

test('the client gives up a server that is too slow, with its answer or in its middle', async () => {
  const never = (_: string, { signal }: RequestInit) =>
    new Promise((_, reject) =>
      signal!.addEventListener('abort', () => reject(signal!.reason)),
    )
  const inTheMiddle = async (_: string, { signal }: RequestInit) =>
    new Response(
      new ReadableStream({
        start: (stream) =>
          signal!.addEventListener('abort', () => stream.error(signal!.reason)),
      }),
    )
  for (const fake of [never, inTheMiddle]) {
    const client = clientWith(fake, { retries: 0, timeout: 10 })
    await expect(client.profile('ana')).rejects.toBeInstanceOf(ApiError)
  }
})

test('the list of members is asked for, and not found where the site has none', async () => {
  const row = {
    id: '1',
    username: 'ana',
    name: 'Ana',
    totalShots: '0',
    date: '0000-00-00 00:00:00',
  }
  const { client, asked } = clientOf([ok({ Members: [row] }), status(404)])
  expect(await client.members()).toEqual([row])
  expect(asked[0]!.url).toBe('https://api.example.com/v1/api/members')
  expect(await client.members()).toBe('not_found')
})

test('a timestamp is a moment in UTC, all zeros are none', () => {
  expect(dateOf('2014-03-02 18:30:00')?.toISOString()).toBe('2014-03-02T18:30:00.000Z')
  expect(dateOf('0001-01-01 00:00:00')?.toISOString()).toBe('0001-01-01T00:00:00.000Z')
  expect(dateOf('0000-00-00 00:00:00')).toBe(undefined)
})

test('words are a list, none of an empty text', () =>
  expect([wordsOf(''), wordsOf('a'), wordsOf('a,b')]).toEqual([[], ['a'], ['a', 'b']]))

/** A client of a site that says when it was published; its key. */
const publishing = (hours: number, { all = '', index = '' } = {}) => {
  const by = makeSigner()
  const text = `${JSON.stringify({ published: hoursAgo(hours), commit: 'abc', sums: '', all })}\n`
  const bodies: Record<string, string> = {
    '/published.json': text,
    '/published.json.sig': by.signText(text).toString(),
    '/api/all': index,
  }
  const fake = async (url: string) => {
    const body = bodies[new URL(url).pathname]
    return new Response(body, { status: body === undefined ? 404 : 200 })
  }
  return { client: clientWith(fake), bodies, key: readText(by.publicKey) }
}

const maxAge = 26 * 3_600_000

test.skipIf(!canSign)(
  'the client tells what was published in time and signed from what was not',
  async () => {
    const { client, bodies, key } = publishing(1)
    expect(await client.published({ key, maxAge })).toMatchObject({ commit: 'abc' })
    expect(await client.published()).toMatchObject({ commit: 'abc' })
    await refuses(client.published({ since: hoursAgo(0) }), 'older than')
    await refuses(client.published({ key: publishing(1).key }), 'is not signed by')
    for (const signature of ['', 'x']) {
      bodies['/published.json.sig'] = signature
      await refuses(client.published({ key }), 'is not signed by the key')
    }
    for (const text of ['null', '<html>']) {
      bodies['/published.json'] = text
      await refuses(client.published(), 'does not say when it was published')
    }
    await refuses(publishing(96).client.published({ maxAge }), 'too old')
    await refuses(publishing(-5).client.published({ maxAge }), 'a time to come')
    const half = publishing(1, { all: '0'.repeat(64), index: '{}' })
    await refuses(half.client.published(), 'is of another snapshot than /api/all')
    delete half.bodies['/api/all']
    await refuses(
      half.client.published({ key: half.key }),
      "names /api/all, which can't be had",
    )
  },
)

test('a site that says not when it was published is not found, or an error where that is asked', async () => {
  const { client } = clientOf([status(404)])
  expect(await client.published()).toBe('not_found')
  await refuses(client.published({ maxAge }), 'published.json is missing')
})

test('the client is less than 3 kB as it is sent', () => {
  const text = readText('clients/shotpress.ts')
  const { code } = transformSync(text, { loader: 'ts', minify: true, format: 'esm' })
  expect(gzipSync(code).length).toBeLessThan(3_000)
})
