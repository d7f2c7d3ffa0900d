import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { isPosix } from '../posix.ts'
import { readTree, sandbox, writeTree } from '../sandbox.ts'
import { site } from '../site.ts'
import { buildIn, cleanBuild } from './building.ts'
import { createRandom } from './random.ts'

/** How many of each kind; MUTANTS=5000 for the full measure. SEED for others than those of every run. */
const count = Number(process.env.MUTANTS ?? 40)
const seed = Number(process.env.SEED ?? 1)

vi.setConfig({ testTimeout: 60_000 + count * 2_000 })

type Random = ReturnType<typeof createRandom>

const state = '.shotpress/dist/state'

/** Some bytes changed, cut out or put in. */
const mutate = (bytes: Buffer, random: Random): Buffer => {
  const copy = Buffer.from(bytes)
  const at = random.below(copy.length)
  switch (random.below(4)) {
    case 0:
      copy[at] = random.below(256)
      return copy
    case 1:
      return Buffer.concat([copy.subarray(0, at), copy.subarray(at + random.below(200))])
    case 2:
      return Buffer.concat([
        copy.subarray(0, at),
        Buffer.alloc(random.below(200), random.below(256)),
        copy.subarray(at),
      ])
    default:
      copy.writeUInt32LE(random.pick([0, 1, 255, 2 ** 31, 2 ** 32 - 1]), Math.min(at, copy.length - 4))
      return copy
  }
}

/** What stands in the place of a file, or of a folder on the way to it, instead. */
const plant = (file: string, victim: string, random: Random): void => {
  fs.rmSync(file, { recursive: true, force: true })
  const kinds = [
    () => fs.symlinkSync(victim, file, 'junction'),
    () => (isPosix ? fs.symlinkSync(path.join(victim, 'file'), file) : undefined),
    () => fs.mkdirSync(path.join(file, 'inside'), { recursive: true }),
    () => (isPosix ? execFileSync('mkfifo', [file]) : undefined),
    () => {
      fs.writeFileSync(file, '')
      fs.truncateSync(file, 3e9)
    },
    () => fs.writeFileSync(file, random.pick(['', '{}', '\0', 'x'.repeat(1000)])),
  ]
  random.pick(kinds)()
}

it.each(['state', 'tree'])(
  'whatever stands there instead of ours (%s), a build ends in words or success and touches nothing else',
  async (kind) => {
    const base = sandbox()
    writeTree(base, site)
    await buildIn(base)
    const right = await cleanBuild(base)
    fs.rmSync(path.join(base, 'fresh'), { recursive: true })
    for (let number = 0; number < count; number++) {
      const random = createRandom(seed * 1_000_000 + number)
      const folder = sandbox()
      fs.cpSync(base, folder, { recursive: true, preserveTimestamps: true })
      const victim = path.join(folder, 'victim')
      writeTree(victim, { file: 'theirs', 'inside/file': 'theirs', 'stage/file': 'theirs' })
      const before = readTree(victim)
      if (random.below(3) === 0) fs.symlinkSync(victim, path.join(folder, 'dist/lnk'), 'junction')
      const file = path.join(folder, state)
      if (kind === 'state') fs.writeFileSync(file, mutate(fs.readFileSync(file), random))
      if (kind === 'tree') {
        const places = [state, '.shotpress/dist/stage', '.shotpress/dist', '.shotpress', 'dist/404.json']
        const place = random.pick([...places, 'dist/api', 'dist/http/api/username/ana', 'dist/SHA256SUMS'])
        plant(path.join(folder, place), victim, random)
      }
      const failure = await buildIn(folder).then(
        () => undefined,
        (error: Error) => error,
      )
      const what = `${kind}, SEED=${seed}, number ${number}`
      if (failure !== undefined) expect(failure, what).toMatchObject({ name: 'UserError' })
      else expect(readTree(path.join(folder, 'dist')), what).toEqual(right)
      expect(readTree(victim), what).toEqual(before)
      expect(fs.readdirSync(folder).sort(), what).toEqual(['.shotpress', 'content', 'dist', 'victim'])
      fs.rmSync(folder, { recursive: true })
    }
  },
)
