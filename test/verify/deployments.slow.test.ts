import { expect, test } from 'vitest'
import { hasErrors } from '../../scripts/problems/diagnostic.ts'
import { askPatiently } from '../../scripts/verify/run.ts'
import { createRandom } from '../snapshot/random.ts'
import { sendTo } from './in-process.ts'
import { type Handler, type Reply, referenceHandler } from './reference-host.ts'
import { bytesOf, writeSnapshot } from './snapshot.ts'
import { verifyWith } from './verifying.ts'

// A monitor asks while a deployment is under way, or when it has just ended, behind a cache that keeps bodies for five
// minutes. Time is virtual: a request takes 20 ms, and the pauses of --patience nothing.

const minute = 60_000
/** As action.yml has it. */
const patienceMs = 12 * minute
const deployments = Number(process.env.DEPLOYMENTS ?? 20)
const seed = Number(process.env.SEED ?? 1)

const older: typeof bytesOf = (...file) =>
  bytesOf(...file)
    .replace('"7"', '"6"')
    .replace('"One"', '"Zero"')
/** A profile and a shot change, one member comes and one goes. */
const before = referenceHandler({ compress: false, usernames: ['ana', 'quiet'], bytes: older })
const after = referenceHandler({ compress: false, usernames: ['ana', 'new.one'] })

const folder = writeSnapshot(['ana', 'new.one'])

type Clock = { ms: number }

/** Answers over a cache, as the host was when the cache asked it: since then perhaps another client has. */
const cached = (host: (ms: number) => Handler, clock: Clock, random: () => number): Handler => {
  const kept = new Map<string, { readonly reply: Reply; readonly until: number }>()
  return (asked) => {
    if (asked.method !== 'GET' && asked.method !== 'HEAD') return host(clock.ms)(asked)
    const key = `${asked.scheme} ${asked.target} ${asked.headers['accept-encoding']}`
    let entry = kept.get(key)
    if (entry === undefined || entry.until <= clock.ms) {
      const whole = {
        ...asked,
        method: 'GET',
        headers: { ...asked.headers, 'if-none-match': undefined },
      }
      const ttl =
        1000 *
        Number(/max-age=(\d+)/.exec(`${host(clock.ms)(whole).headers['Cache-Control']}`)?.[1] ?? 0)
      const fetched = clock.ms - (random() < 0.7 ? Math.min(ttl, 5 * minute) * random() : 0)
      entry = { reply: host(fetched)(whole), until: fetched + ttl }
      kept.set(key, entry)
    }
    const { status, headers } = entry.reply
    const isSame = status === 200 && asked.headers['if-none-match'] === headers.ETag
    if (!isSame) return entry.reply
    const { 'Content-Type': _, ...rest } = headers
    return { status: 304, headers: rest, body: Buffer.alloc(0) }
  }
}

/** What the monitor says in the end, and how often it asked. The deployment begins at 0, and may leave files as they were. */
const monitor = async (
  seedOfOne: number,
  leaves: (file: string) => boolean = () => false,
): Promise<{ readonly alarm: boolean; readonly tries: number }> => {
  const { below } = createRandom(seedOfOne)
  const random = (): number => below(2 ** 32) / 2 ** 32
  const clock = { ms: (9 * random() - 1) * minute }
  const lasts = 3 * minute * random()
  const changes = new Map<string, number>()
  const host =
    (ms: number): Handler =>
    (asked) => {
      const file = `${asked.scheme} ${asked.target.replace(/\/?(?:\?.*)?$/, '')}`
      const at = changes.get(file) ?? (leaves(file) ? Number.POSITIVE_INFINITY : lasts * random())
      changes.set(file, at)
      return (ms < at ? before : after)(asked)
    }
  const { sender } = sendTo(cached(host, clock, random))
  let tries = 0
  const ask = () => {
    tries++
    const send: typeof sender.send = (request) => {
      clock.ms += 20
      return sender.send(request)
    }
    return verifyWith({ ...sender, send }, folder, { concurrency: 1 })
  }
  const report = await askPatiently(ask, {
    patienceMs,
    now: () => clock.ms,
    onWait: () => {},
    sleep: async (ms) => {
      clock.ms += ms
    },
  })
  return { alarm: hasErrors(report.problems), tries }
}

test(`${deployments} deployments behind caches of five minutes give no alarm`, {
  timeout: 0,
}, async () => {
  const alarms: number[] = []
  let waited = 0
  for (let i = 0; i < deployments; i++) {
    const { alarm, tries } = await monitor(seed * 100_000 + i)
    if (alarm) alarms.push(i)
    if (tries > 1) waited++
  }
  console.info(`seed ${seed}: ${alarms.length} alarms, ${waited} of ${deployments} asked again`)
  expect(alarms).toEqual([])
  // otherwise the caches would not have been met at all
  expect(waited).toBeGreaterThan(deployments / 3)
})

test.each([
  ['never comes', () => true],
  ['leaves one file as it was', (file: string) => file === 'http /api/username/ana/shots'],
  ['leaves one member out', (file: string) => file.includes('new.one')],
])('a deployment that %s gives an alarm', async (_, leaves) => {
  expect((await monitor(seed, leaves)).alarm).toBe(true)
})
