import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import fs from 'node:fs'
import type http from 'node:http'
import path from 'node:path'
import { text } from 'node:stream/consumers'
import { gzipSync } from 'node:zlib'
import { expect, it, onTestFinished, vi } from 'vitest'
import { MirrorError, mirror } from '../../clients/mirror.js'
import { canSign, hoursAgo, makeSigner } from '../files/sign.ts'
import { listen as listenOn } from '../hosts/managed.ts'
import { isThere, readText, removeFrom, renameIn, sandbox, writeTree } from '../sandbox.ts'
import { profileYaml, shotYaml, siteWith, siteYaml } from '../site.ts'
import { buildIn } from '../snapshot/building.ts'
import { createRandom, type Random } from '../snapshot/random.ts'
import { times } from '../times.ts'

/** Random histories; HISTORIES=1000 for the full measure. */
const histories = Number(process.env.HISTORIES ?? 12)

vi.setConfig({ testTimeout: 60_000 })

/** The files of a snapshot, by request path. */
type Published = ReadonlyMap<string, Buffer>

const published = (folder: string): Published =>
  new Map(
    fs
      .readdirSync(folder)
      .filter((name) => name !== '.parts')
      .map((name) => [
        name === 'index.json' ? '/api/all' : `/api/all/${name}`,
        fs.readFileSync(`${folder}/${name}`),
      ]),
  )

/** All bins, one after the other: what a mirror of one file holds. */
const wholeOf = (snapshot: Published) =>
  [...snapshot]
    .filter(([name]) => name !== '/api/all')
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, bytes]) => bytes.toString())
    .join('')

/** A server that does as it likes. */
const listen = async (answer: http.RequestListener) => {
  const server = await listenOn(answer)
  onTestFinished(server.close)
  return server.origin.origin
}

/** Serves what `answer` gives. */
const serve = (answer: (url: string) => Buffer | undefined) =>
  listen((request, response) => {
    const body = answer(request.url!)
    response.statusCode = body === undefined ? 404 : 200
    response.end(body)
  })

const allSite = `${siteYaml}all: true\n`

/** Adds, edits, removes or renames a member. */
const edit = (folder: string, random: Random, number: number) => {
  const all = `${folder}/content/members`
  const members = fs.readdirSync(all)
  const one = random.pick(members)
  switch (random.below(4)) {
    case 0:
      writeTree(all, { [`m${number}/profile.yaml`]: profileYaml(number) })
      break
    case 1:
      if (members.length > 1) removeFrom(all, one)
      break
    case 2:
      renameIn(all, one, `r${number}`)
      break
    default:
      writeTree(all, { [`${one}/shots/${number}.yaml`]: shotYaml(number, `Shot ${number}`) })
  }
}

/** What a mirror holds that calls itself whole. */
const textOf = (to: string) => {
  if (to.endsWith('.ndjson')) return readText(to)
  expect(isThere(to, 'index.json')).toBe(true)
  return wholeOf(published(to))
}

/**
 * A host in the middle of a deployment: each request finds it a few files further, the index
 * comes last.
 */
const createHost = (first: Published, random: Random) => {
  const files = new Map(first)
  let waiting: (readonly [string, Buffer])[] = []
  const advance = (count: number) => {
    for (const [name, bytes] of waiting.splice(0, count)) files.set(name, bytes)
  }
  return {
    answer: (name: string) => {
      if (random.below(16) === 0) advance(random.below(3))
      return files.get(name)
    },
    /** Begins a deployment; what is left of the one before is published first, or is overtaken. */
    deploy: (next: Published) => {
      if (random.below(2) === 0) advance(waiting.length)
      const changed = [...next].filter(([name, bytes]) => !files.get(name)?.equals(bytes))
      const index = changed.filter(([name]) => name === '/api/all')
      const bins = changed.filter(([name]) => name !== '/api/all')
      waiting = [...bins.sort(() => random.below(2) - 0.5), ...index]
      advance(random.below(waiting.length + 1))
    },
  }
}

it.each(times(histories, (seed) => seed))(
  'is a snapshot that was published, whenever it was taken, in history %i',
  async (seed) => {
    const random = createRandom(seed)
    const folder = sandbox({ ...siteWith(3), 'content/site.yaml': allSite })
    await buildIn(folder)
    const first = published(`${folder}/dist/api/all`)
    const wholes = new Set([wholeOf(first)])
    const host = createHost(first, random)
    const url = await serve(host.answer)
    const targets = [`${folder}/mirror`, `${folder}/all.ndjson`]
    const told = new Set<string>()
    for (let step = 0; step < 6; step++) {
      for (let count = random.below(4); count >= 0; count--)
        edit(folder, random, 100 + step * 10 + count)
      await buildIn(folder, { allowRemoval: true })
      const snapshot = published(`${folder}/dist/api/all`)
      wholes.add(wholeOf(snapshot))
      host.deploy(snapshot)
      const to = random.pick(targets)
      const run = mirror(url, to, {
        pauseMs: 1,
        tries: 4,
        onChange: ({ change, username }) => {
          if (to === targets[1]) told[change === 'removed' ? 'delete' : 'add'](username)
        },
      })
      const result = await run.catch((error: unknown) => {
        // a deployment that stands still: the mirror is what it was
        if (error instanceof MirrorError) return undefined
        throw error
      })
      if (!fs.existsSync(to) || (to === targets[0] && !isThere(to, 'index.json'))) {
        expect(result).toBeUndefined()
        continue
      }
      const text = textOf(to)
      expect(wholes, `step ${step}`).toContain(text)
      const usernames = text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line).username)
      if (result) expect(result.members).toBe(usernames.length)
      if (to === targets[1])
        expect([...told].sort(), `step ${step}`).toEqual(usernames.sort())
    }
  },
)

/** A built site of some members, served. */
const served = async (count: number) => {
  const members = times(count, (at) => [
    `content/members/m${at}/profile.yaml`,
    profileYaml(at + 1, `Member ${at} ${'x'.repeat(500)}`),
  ])
  const folder = sandbox({ 'content/site.yaml': allSite, ...Object.fromEntries(members) })
  await buildIn(folder)
  const state = { files: published(`${folder}/dist/api/all`), onRequest: () => {} }
  const url = await serve((name) => {
    state.onRequest()
    return state.files.get(name)
  })
  return {
    folder,
    url,
    state,
    rebuild: async () => {
      await buildIn(folder)
      state.files = published(`${folder}/dist/api/all`)
    },
  }
}

it('fetches one bin after one edit, and says what changed', async () => {
  const { folder, url, state, rebuild } = await served(300)
  const to = `${folder}/copy/all.ndjson`
  fs.mkdirSync(path.dirname(to))
  let requests = 0
  state.onRequest = () => void requests++
  const all = await mirror(url, to)
  // empty bins are not asked for
  expect(requests).toBe([...state.files.values()].filter(({ length }) => length > 0).length)
  writeTree(folder, { 'content/members/m7/shots/one.yaml': shotYaml(7) })
  await rebuild()
  const onChange = vi.fn()
  const { fetched, members } = await mirror(url, to, { onChange })
  expect(onChange.mock.calls).toEqual([[{ change: 'changed', username: 'm7' }]])
  expect(members).toBe(300)
  expect(fetched).toBeLessThan(all.fetched / 50)
  expect(await mirror(url, to)).toMatchObject({ fetched: 0 })
  expect(fs.readdirSync(path.dirname(to))).toEqual(['all.ndjson'])
})

it('leaves what is there where a bin is not what the index says, and keeps what was right', async () => {
  const { folder, url, state } = await served(20)
  const to = `${folder}/mirror`
  const right = state.files
  // they are fetched in the order of their names
  const names = [...right.keys()]
    .filter((one) => one !== '/api/all' && right.get(one)!.length > 0)
    .sort()
  const name = names.at(-1)!
  state.files = new Map([...right, [name, Buffer.from('{"username":"evil"}\n')]])
  await expect(mirror(url, to, { tries: 2, pauseMs: 1 })).rejects.toThrow(
    'is not what the index says',
  )
  expect(isThere(to, 'index.json')).toBe(false)
  state.files = right
  const { fetched } = await mirror(url, to)
  expect(fetched).toBeLessThanOrEqual(right.get(name)!.length + 2000)
  expect(fs.readFileSync(`${to}/index.json`)).toEqual(right.get('/api/all'))
})

const sha256 = (text: string) => hash('sha256', text)

/** An index of empty bins but for the first, which is as told. */
const indexWith = (first: object) => {
  const bins = times(256, (at) => ({
    name: at.toString(16).padStart(2, '0'),
    members: '0',
    bytes: '0',
    sha256: sha256(''),
    ...(at === 0 && first),
  }))
  return JSON.stringify({ members: '0', bins })
}

/** The same answer to whatever is asked. */
const saying =
  (text: string): http.RequestListener =>
  (_, response) =>
    void response.end(text)

/** An index, and how a bin is answered of which it says that it holds that text. */
const withBin =
  (text: string, answer = saying(text)): http.RequestListener =>
  (request, response) => {
    const index = indexWith({ bytes: String(text.length), sha256: sha256(text) })
    const own = request.url === '/api/all' ? saying(index) : answer
    own(request, response)
  }

const drip: http.RequestListener = (_, response) => {
  response.write('{')
  const timer = setInterval(() => response.write(' '), 5)
  response.on('close', () => clearInterval(timer))
}

const flood: http.RequestListener = (_, response) => {
  const more = () => {
    while (response.write(' '.repeat(65536)));
  }
  response.on('drain', more)
  more()
}

/** What it says, by what a server does. */
const hostile = {
  'answers too slowly': {
    'never answers': () => {},
    'drips a bin for ever': withBin('?'.repeat(999), drip),
  },
  'has no index': {
    'sends an index without end': flood,
    'sends a gzip bomb': (_, response) => {
      response.setHeader('Content-Encoding', 'gzip')
      response.end(gzipSync(Buffer.alloc(64 << 20)))
    },
    'has 256 times null for a bin': saying(
      JSON.stringify({ members: '0', bins: Array(256).fill(null) }),
    ),
    'names a bin outside': saying(indexWith({ name: '../0' })),
    'gives a list for a number': saying(indexWith({ bytes: ['0'] })),
  },
  'is not what the index says': {
    'sends a bin that is longer than the index says': withBin('?', flood),
  },
  "can't be fetched: unexpected redirect": {
    'redirects elsewhere': (_, response) =>
      void response.writeHead(302, { Location: 'http://127.0.0.1:9/' }).end(),
  },
  "can't be fetched": {
    'sends escape codes for a status line': (_, response) =>
      void response.socket!.end('HTTP/1.1 200 \u001b]0;evil\u0007\r\n\u001b[31m: x\r\n\r\n'),
  },
  'answers 500': {
    'answers with a 500': (_, response) => void response.writeHead(500).end('\u001b[31m'),
  },
  'announces 999999999999 bytes': {
    'announces more than there is room for': saying(indexWith({ bytes: '999999999999' })),
  },
  "a line that is no member's": {
    'has null for a member': withBin('null\n'),
    'has escape codes for a member': withBin('\u001b[31m{"username"\n'),
    'has a member without a line break': withBin('{"username":"a106"}'),
    'has a member in another bin': withBin('{"username":"ana"}\n'),
  },
} satisfies Record<string, Record<string, http.RequestListener>>

const servers = Object.entries(hostile).flatMap(([said, all]) =>
  Object.entries<http.RequestListener>(all).map(([does, answer]) => ({ does, answer, said })),
)

it.each(servers)('ends with a sentence where a server $does', async ({ answer, said }) => {
  const url = await listen(answer)
  const to = `${sandbox()}/mirror`
  // A busy machine is slow as well: only who should be found too slow is given little time.
  const timeoutMs = said === 'answers too slowly' ? 200 : 10_000
  const options = { timeoutMs, tries: 2, pauseMs: 1 }
  const error = await mirror(url, to, options).catch((error) => error)
  expect(error).toBeInstanceOf(MirrorError)
  expect(error.message).toContain(said)
  expect(error.message).not.toMatch(/\p{Cc}/u)
  expect(isThere(to, 'index.json')).toBe(false)
})

/** A site that says when it was published, and signs it. */
const publishing = async () => {
  const site = await served(5)
  const signer = makeSigner()
  const publish = (
    published: string,
    by = signer,
    all = sha256(`${site.state.files.get('/api/all')}`),
  ) => {
    const text = `${JSON.stringify({ published, commit: 'abc', sums: '', all })}\n`
    const own = [
      ['/published.json', Buffer.from(text)],
      ['/published.json.sig', by.signText(text)],
    ] as const
    site.state.files = new Map([...site.state.files, ...own])
  }
  const key = readText(signer.publicKey)
  const to = `${site.folder}/all.ndjson`
  const run = (more: object = {}) =>
    mirror(site.url, to, { key, maxAgeMs: 26 * 3_600_000, tries: 2, pauseMs: 1, ...more })
  const refuses = (words: string | RegExp) => expect(run()).rejects.toThrow(words)
  return { ...site, publish, run, refuses, to }
}

it.skipIf(!canSign)(
  'mirrors what was published in time and signed, and nothing older than that',
  async () => {
    const { publish, run, refuses, to } = await publishing()
    await refuses('answers 404; the site needs to say when it is published')
    publish(hoursAgo(1))
    expect(await run()).toMatchObject({ members: 5 })
    publish(hoursAgo(2))
    await refuses('before what was seen')
    publish(hoursAgo(96))
    await refuses(/was published at .* UTC, 96 hours ago/)
    publish(hoursAgo(-5))
    await refuses('UTC, a time to come')
    expect(fs.existsSync(to)).toBe(true)
  },
)

it.skipIf(!canSign)(
  'mirrors nothing that is forged, and nothing that is of two snapshots',
  async () => {
    const { publish, refuses, to, state } = await publishing()
    const forged = 'is no signature of it by the key'
    publish(hoursAgo(1), makeSigner())
    await refuses(forged)
    publish(hoursAgo(3))
    const old = state.files.get('/published.json.sig')!
    publish(hoursAgo(1))
    for (const signature of [old, Buffer.from('\u001b[31m')]) {
      state.files = new Map([...state.files, ['/published.json.sig', signature]])
      await refuses(forged)
    }
    for (const text of ['null', '{"published":"2026-02-30 99:00:00","all":""}', '<html>']) {
      state.files = new Map([...state.files, ['/published.json', Buffer.from(text)]])
      await refuses('does not say when it was published')
    }
    publish(hoursAgo(1), undefined, '0'.repeat(64))
    await refuses('the host serves parts of two snapshots')
    expect(fs.existsSync(to)).toBe(false)
  },
)

it('as a command prints a line for each change, and takes up a run that was killed', async () => {
  const { folder, url, state } = await served(20)
  const to = `${folder}/mirror`
  const script = path.resolve('clients/mirror.js')
  const child = spawn(process.execPath, [script, url, to], { stdio: 'ignore' })
  let requests = 0
  state.onRequest = () => void (++requests === 10 && child.kill('SIGKILL'))
  await once(child, 'close')
  expect(fs.readdirSync(to)).toEqual(['.parts'])
  const again = spawn(process.execPath, [script, url, to], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const changes = (await text(again.stdout)).trim().split('\n')
  expect(changes.map((line) => JSON.parse(line).change)).toEqual(Array(20).fill('added'))
  expect(fs.readdirSync(to)).toHaveLength(257)
  for (const wrong of [[], [to, '--max-age', 'x'], [to, '--key', 'x'], [to, '--other']])
    expect(spawnSync(process.execPath, [script, url, ...wrong]).status).toBe(2)
})

const lines = [
  ...fs
    .readFileSync('docs/take-everything.md', 'utf8')
    .matchAll(/^(jq|sqlite3|duckdb) .*$/gm),
]

it.each(lines.map(([line, program]) => ({ line, program: program! })))(
  'the line of docs/take-everything.md for $program works',
  async ({ line, program }) => {
    const isThere = spawnSync(program, ['--version']).status === 0
    if (!isThere) return expect(['duckdb', 'jq', 'sqlite3']).toContain(program)
    const { folder, url, rebuild } = await served(5)
    const shots = (member: string, total: number) => ({
      [`content/members/${member}/profile.yaml`]: `${profileYaml(9 + total)}totalShots: ${total}\n`,
    })
    writeTree(folder, { ...shots('m1', 9), ...shots('m3', 10) })
    await rebuild()
    await mirror(url, `${folder}/all.ndjson`)
    const stdout = execFileSync('sh', ['-c', line], { cwd: folder, encoding: 'utf8' })
    expect(stdout).toMatch(/10\W+m3[\s\S]+9\W+m1[\s\S]+0\W+m\d/)
  },
)
