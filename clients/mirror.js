#!/usr/bin/env node
/**
 * A mirror of everything that an API serves (`all: true` in site.yaml), in one file without
 * dependencies, for Node 20 and later and for Deno. Copy it.
 *
 *     node mirror.js https://api.example.com FOLDER        00.ndjson … ff.ndjson, and index.json
 *     node mirror.js https://api.example.com FILE.ndjson   all members in one file
 *     … --max-age 26h --key "ssh-ed25519 AAAA…"            only what was published within that time, and signed by that key
 *
 * Each run brings it up to date and fetches what changed. Everything is checked by its sha256
 * before anything is replaced: a file is replaced in one step; a folder is whole while
 * index.json is in it. A run that was cut off is taken up by the next one. stdout gets a line
 * for each member that changed, `{"change":"added","username":"ana"}`; a run that is killed
 * may leave lines to be told again, but none untold. Exit status: 0 up to date, 1 not this
 * time (run it again), 2 wrong words.
 */
import { createHash, createPublicKey, verify } from 'node:crypto'
import fs from 'node:fs'
import path from 'node:path'
import process from 'node:process'
import { pathToFileURL } from 'node:url'
import { parseArgs } from 'node:util'

/**
 * Why a mirror could not be brought up to date. What is there is as whole as it was. Its
 * message is safe to print.
 */
export class MirrorError extends Error {
  name = 'MirrorError'
  constructor(message, options) {
    // a message may quote the server, and so a certificate or a header of a stranger
    super(message.replace(/[\p{C}\p{Zl}\p{Zp}]/gu, '?'), options)
  }
}

/**
 * Brings a mirror up to date: `url` as in site.yaml's base_url, `to` a folder, or a file
 * whose name ends in `.ndjson`. `onChange` gets `{ change: 'added' | 'changed' | 'removed',
 * username }`, sorted by username. Resolves to `{ members, fetched }`: how many there are,
 * and bytes of bins that were fetched. Nothing bigger than `mostBytes` in all is fetched; a
 * request may take `timeoutMs`, and a second for each 16 KiB of its answer. With `key` (a
 * line of ssh, Ed25519) or `maxAgeMs`, published.json of the site has to be signed by that
 * key, not older, and of what is fetched; and it must not be older than the one that was seen
 * last.
 */
export const mirror = async (url, to, options = {}) => {
  const { onChange = () => {}, tries = 10, pauseMs = 1000 } = options
  const { mostBytes = 8 * 1024 ** 3, timeoutMs = 30_000 } = options
  const { key, maxAgeMs } = options
  const root = url.replace(/(?<!\/)\/+$/, '')
  const base = `${root}/api/all`
  const store = to.endsWith('.ndjson') ? fileStore(to) : folderStore(to)
  const result = { members: 0, fetched: 0 }
  for (let attempt = 1; ; attempt++) {
    const index = await readIndex(base, { mostBytes, timeoutMs })
    const published =
      key === undefined && maxAgeMs === undefined
        ? undefined
        : await readPublished(root, {
            key,
            maxAgeMs,
            timeoutMs,
            seen: parse(store.seen() ?? ''),
          })
    const isOther = published !== undefined && published.all !== sha256(index.bytes)
    const failed = isOther ? base : await fetchBins(base, index, { store, result, timeoutMs })
    if (failed === undefined) {
      for (const change of changesOf(index, store)) onChange(change)
      store.commit(index)
      if (published !== undefined) store.see(published.bytes)
      return { ...result, members: Number(index.members) }
    }
    // a new snapshot came meanwhile, or a cache has an old one: what was right is kept
    const what = isOther
      ? 'published.json names: the host serves parts of two snapshots'
      : 'the index says'
    if (attempt === tries)
      throw new MirrorError(`${failed} is not what ${what}, ${tries} times`)
    await new Promise((resolve) => setTimeout(resolve, pauseMs * Math.min(attempt, 10)))
  }
}

const sha256 = (bytes) => createHash('sha256').update(bytes).digest('hex')

const binOf = (username) =>
  createHash('sha1').update(username.toLowerCase()).digest('hex').slice(0, 2)

const readIndex = async (base, { mostBytes, timeoutMs }) => {
  const bytes = await get(base, 1 << 16, { timeoutMs })
  const index = parse(bytes)
  const bins = Array.isArray(index?.bins) ? index.bins : []
  const names = new Set(bins.map((bin) => bin?.name))
  if (
    names.size !== 256 ||
    bins.length !== 256 ||
    !isNumber(index.members) ||
    !bins.every(isBin)
  ) {
    throw new MirrorError(`${base} has no index of everything`)
  }
  const sizes = bins.map(({ bytes }) => Number(bytes))
  const total = sizes.reduce((sum, size) => sum + size, 0)
  if (total > mostBytes || Math.max(...sizes) > largestBin) {
    throw new MirrorError(`${base} announces ${total} bytes, more than this mirror takes`)
  }
  return { ...index, bins: [...bins].sort((a, b) => (a.name < b.name ? -1 : 1)), bytes }
}

/** A bin is held in memory, and read as one text. */
const largestBin = 256 * 1024 ** 2

const isNumber = (value) => typeof value === 'string' && /^[0-9]{1,12}$/.test(value)

const isHex = (value, length) =>
  typeof value === 'string' && value.length === length && /^[0-9a-f]+$/.test(value)

const isBin = (bin) =>
  isHex(bin?.name, 2) && isHex(bin.sha256, 64) && isNumber(bin.bytes) && isNumber(bin.members)

const parse = (text) => {
  try {
    return JSON.parse(text.toString('utf8'))
  } catch {
    return undefined
  }
}

/** What the site says of its publication; throws what is wrong with it. */
const readPublished = async (root, { key, maxAgeMs, timeoutMs, seen }) => {
  const address = `${root}/published.json`
  const bytes = await get(address, 4096, { timeoutMs })
  const { published, all } = parse(bytes) ?? {}
  const time = isTimestamp(published)
    ? Date.parse(`${published.replace(' ', 'T')}Z`)
    : Number.NaN
  if (Number.isNaN(time) || !(all === '' || isHex(all, 64))) {
    throw new MirrorError(`${address} does not say when it was published`)
  }
  if (key !== undefined) {
    const signature = await get(`${address}.sig`, 4096, { timeoutMs })
    if (!isSigned(bytes, signature.toString('latin1'), key)) {
      throw new MirrorError(`${address}.sig is no signature of it by the key that was given`)
    }
  }
  const age = Date.now() - time
  if (maxAgeMs !== undefined && (age > maxAgeMs || age < -3_600_000)) {
    const when = age < 0 ? 'a time to come' : `${Math.round(age / 3_600_000)} hours ago`
    throw new MirrorError(`${root} was published at ${published} UTC, ${when}`)
  }
  if (isTimestamp(seen?.published) && published < seen.published) {
    throw new MirrorError(
      `${root} was published at ${published} UTC, before what was seen: ${seen.published}`,
    )
  }
  return { all, bytes }
}

const isTimestamp = (value) =>
  typeof value === 'string' && /^\d{4}-\d\d-\d\d \d\d:\d\d:\d\d$/.test(value)

/**
 * Whether `ssh-keygen -Y sign -n shotpress` made this of the bytes with the secret half of an
 * Ed25519 key.
 */
const isSigned = (bytes, armored, key) => {
  const blob = Buffer.from(armored.replace(/-----[A-Z ]+-----/g, ''), 'base64')
  const wanted = Buffer.from(key.trim().split(/\s+/)[1] ?? '', 'base64')
  // "SSHSIG", a version, then texts with their lengths
  const [publicKey, namespace, reserved, algorithm, signature] = textsOf(blob.subarray(10))
  const [type, raw] = textsOf(publicKey ?? wanted)
  const isOurs = blob.toString('latin1', 0, 6) === 'SSHSIG' && publicKey?.equals(wanted)
  if (
    !isOurs ||
    `${namespace}` !== 'shotpress' ||
    `${type}` !== 'ssh-ed25519' ||
    raw?.length !== 32
  )
    return false
  if (!['sha512', 'sha256'].includes(`${algorithm}`)) return false
  const digest = createHash(`${algorithm}`).update(bytes).digest()
  const signed = [namespace, reserved, algorithm, digest].flatMap((text) => [
    lengthOf(text),
    text,
  ])
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: raw.toString('base64url') }
  const own = textsOf(signature ?? wanted)[1] ?? wanted
  return verify(
    null,
    Buffer.concat([Buffer.from('SSHSIG'), ...signed]),
    createPublicKey({ key: jwk, format: 'jwk' }),
    own,
  )
}

const textsOf = (bytes) => {
  const texts = []
  for (let at = 0; at + 4 <= bytes.length; ) {
    const end = at + 4 + bytes.readUInt32BE(at)
    if (end > bytes.length) break
    texts.push(bytes.subarray(at + 4, end))
    at = end
  }
  return texts
}

const lengthOf = (text) => {
  const length = Buffer.alloc(4)
  length.writeUInt32BE(text.length)
  return length
}

/**
 * Fetches what the store doesn't have, four at a time. The address of a bin that is not as
 * the index says, if one is.
 */
const fetchBins = async (base, { bins }, { store, result, timeoutMs }) => {
  const missing = bins.filter((bin) => store.find(bin) === undefined)
  // when one request fails, the others end with it
  const others = new AbortController()
  let failed
  const work = async () => {
    for (
      let bin = missing.shift();
      bin !== undefined && failed === undefined;
      bin = missing.shift()
    ) {
      const address = `${base}/${bin.name}.ndjson`
      const size = Number(bin.bytes)
      const { signal } = others
      const bytes =
        size === 0 ? Buffer.alloc(0) : await get(address, size, { timeoutMs, signal })
      result.fetched += bytes.length
      if (sha256(bytes) !== bin.sha256) failed ??= address
      else if (linesOf(bytes, bin.name) !== undefined) store.put(bin, bytes)
      else throw new MirrorError(`${address} has a line that is no member's`)
    }
  }
  try {
    await Promise.all([work(), work(), work(), work()])
  } finally {
    others.abort()
  }
  return failed
}

/** The bytes at an address, or as many of them as there may be and one more. */
const get = async (address, limit, { timeoutMs, signal }) => {
  const late = AbortSignal.timeout(timeoutMs + Math.ceil(limit / 16))
  const ends = AbortSignal.any(signal === undefined ? [late] : [late, signal])
  let response
  const chunks = []
  let size = 0
  try {
    response = await fetch(address, { redirect: 'error', cache: 'no-cache', signal: ends })
    if (response.status !== 200) await response.body?.cancel()
    else
      for await (const chunk of response.body ?? []) {
        chunks.push(chunk)
        size += chunk.length
        if (size > limit) break
      }
  } catch (cause) {
    if (late.aborted) throw new MirrorError(`${address} answers too slowly`, { cause })
    throw new MirrorError(
      `${address} can't be fetched: ${cause.cause?.message ?? cause.message}`,
      {
        cause,
      },
    )
  }
  if (response.status !== 200) {
    const need = address.includes('/published.json')
      ? 'to say when it is published'
      : 'all: true in site.yaml'
    const hint = response.status === 404 ? `; the site needs ${need}` : ''
    throw new MirrorError(`${address} answers ${response.status}${hint}`)
  }
  return Buffer.concat(chunks).subarray(0, limit + 1)
}

/** The lines of a bin by their members; `undefined` where one is none of a member in this bin. */
const linesOf = (bytes, bin) => {
  const lines = new Map()
  const texts = bytes.toString('utf8').split('\n')
  // one that has no end would run into the first one of the next bin
  if (texts.pop() !== '') return undefined
  for (const line of texts) {
    const { username } = parse(line) ?? {}
    if (!isUsername(username) || binOf(username) !== bin) return undefined
    lines.set(username, line)
  }
  return lines
}

const isUsername = (value) =>
  typeof value === 'string' && /^[A-Za-z0-9._-]{1,64}$/.test(value)

const changesOf = ({ bins }, store) => {
  const changes = []
  for (const bin of bins) {
    const old = store.current(bin.name)
    if (old !== undefined && sha256(old) === bin.sha256) continue
    // what was damaged here counts as gone; what was fetched has been looked at
    const before = (old && linesOf(old, bin.name)) ?? new Map()
    const after = linesOf(store.find(bin), bin.name) ?? new Map()
    for (const [username, line] of after) {
      if (before.get(username) === line) continue
      changes.push({ change: before.has(username) ? 'changed' : 'added', username })
    }
    for (const username of before.keys()) {
      if (!after.has(username)) changes.push({ change: 'removed', username })
    }
  }
  return changes.sort((a, b) => (a.username < b.username ? -1 : 1))
}

/**
 * Bins that were fetched and checked, in a folder beside their place until all are there.
 * `current` gives the bytes of a bin as the mirror has it.
 */
const partsIn = (folder, current) => {
  const file = ({ name }) => path.join(folder, `${name}.ndjson`)
  return {
    find: (bin) => {
      const candidates = [() => current(bin.name), () => read(file(bin))]
      for (const candidate of candidates) {
        const bytes = candidate()
        if (bytes !== undefined && sha256(bytes) === bin.sha256) return bytes
      }
      return undefined
    },
    put: (bin, bytes) => {
      fs.mkdirSync(folder, { recursive: true })
      fs.writeFileSync(`${file(bin)}.tmp`, bytes)
      fs.renameSync(`${file(bin)}.tmp`, file(bin))
    },
    clear: () => fs.rmSync(folder, { recursive: true, force: true }),
  }
}

/** Keeps what a site said of its publication. */
const memoryIn = (file) => ({
  seen: () => read(file),
  see: (bytes) => {
    fs.writeFileSync(`${file}.tmp`, bytes)
    fs.renameSync(`${file}.tmp`, file)
  },
})

const read = (file) => {
  try {
    return fs.readFileSync(file)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
    return undefined
  }
}

const folderStore = (folder) => {
  const current = (name) => read(path.join(folder, `${name}.ndjson`))
  const parts = partsIn(path.join(folder, '.parts'), current)
  return {
    ...parts,
    ...memoryIn(path.join(folder, 'published.json')),
    current,
    commit: (index) => {
      const place = path.join(folder, 'index.json')
      if (
        read(place)?.equals(index.bytes) &&
        index.bins.every(({ name, sha256: sum }) => has(current(name), sum))
      )
        return parts.clear()
      // as long as it is gone, the folder is not whole
      fs.mkdirSync(folder, { recursive: true })
      fs.rmSync(place, { force: true })
      for (const bin of index.bins) {
        if (has(current(bin.name), bin.sha256)) continue
        fs.renameSync(
          path.join(folder, '.parts', `${bin.name}.ndjson`),
          path.join(folder, `${bin.name}.ndjson`),
        )
      }
      fs.writeFileSync(`${place}.tmp`, index.bytes)
      fs.renameSync(`${place}.tmp`, place)
      parts.clear()
    },
  }
}

const has = (bytes, sum) => bytes !== undefined && sha256(bytes) === sum

const fileStore = (file) => {
  const bins = cut(read(file))
  const current = (name) => bins?.get(name) ?? (bins && Buffer.alloc(0))
  const parts = partsIn(`${file}.parts`, current)
  return {
    ...parts,
    ...memoryIn(`${file}.published.json`),
    current,
    commit: (index) => {
      if (
        bins === undefined ||
        index.bins.some((bin) => !has(current(bin.name), bin.sha256))
      ) {
        const descriptor = fs.openSync(`${file}.tmp`, 'w')
        try {
          for (const bin of index.bins) fs.writeSync(descriptor, parts.find(bin))
          fs.fsyncSync(descriptor)
        } finally {
          fs.closeSync(descriptor)
        }
        fs.renameSync(`${file}.tmp`, file)
      }
      parts.clear()
    },
  }
}

/**
 * The bins that one file with all of them consists of; none of them if it is not what this
 * program wrote.
 */
const cut = (bytes) => {
  if (bytes === undefined) return undefined
  const bins = new Map()
  let [start, name] = [0, undefined]
  for (let at = 0; at < bytes.length; ) {
    const end = bytes.indexOf(10, at) + 1 || bytes.length
    const username = /^\{"username":"([A-Za-z0-9._-]+)"/.exec(
      bytes.toString('latin1', at, at + 100),
    )?.[1]
    if (username === undefined) return undefined
    const own = binOf(username)
    if (own !== name) {
      if (name !== undefined) bins.set(name, bytes.subarray(start, at))
      ;[start, name] = [at, own]
    }
    at = end
  }
  if (name !== undefined) bins.set(name, bytes.subarray(start))
  return bins
}

const main = async (args) => {
  const options = { key: { type: 'string' }, 'max-age': { type: 'string' } }
  const { values, positionals } = parseArgs({
    args,
    options,
    strict: false,
    allowPositionals: true,
  })
  const [url, to, ...rest] = positionals
  const [, hours] = /^([1-9]\d{0,5})h$/.exec(values['max-age'] ?? '1h') ?? []
  const isUnknown = Object.keys(values).some((name) => !Object.hasOwn(options, name))
  const isKey = values.key === undefined || /^ssh-ed25519 AAAA/.test(values.key)
  if (
    to === undefined ||
    rest.length > 0 ||
    !/^https?:\/\//.test(url) ||
    !hours ||
    isUnknown ||
    !isKey
  ) {
    console.error(
      'usage: mirror.js https://api.example.com FOLDER|FILE.ndjson [--max-age 26h] [--key "ssh-ed25519 AAAA…"]',
    )
    return 2
  }
  const maxAgeMs = values['max-age'] === undefined ? undefined : Number(hours) * 3_600_000
  try {
    await mirror(url, to, {
      key: values.key,
      maxAgeMs,
      onChange: (change) => console.log(JSON.stringify(change)),
    })
    return 0
  } catch (error) {
    if (!(error instanceof MirrorError) && error.syscall === undefined) throw error
    console.error(`error: ${error.message}`)
    return 1
  }
}

const script = process.argv[1]
if (script !== undefined && import.meta.url === pathToFileURL(fs.realpathSync(script)).href) {
  process.exitCode = await main(process.argv.slice(2))
}
