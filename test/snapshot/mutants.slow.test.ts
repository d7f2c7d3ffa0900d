import fs from 'node:fs'
import path from 'node:path'
import { expect, it, vi } from 'vitest'
import { readTree, sandbox } from '../sandbox.ts'
import { buildIn, built, cleanBuild } from './building.ts'
import { createRandom, type Random } from './random.ts'

/** How many; MUTANTS=5000 for the full measure. SEED for others than those of every run. */
const count = Number(process.env.MUTANTS ?? 40)
const seed = Number(process.env.SEED ?? 1)

vi.setConfig({ testTimeout: 60_000 + count * 2_000 })

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

it('whatever the state says, a build ends in words or success and touches nothing else', async () => {
  const base = await built()
  const right = await cleanBuild(base)
  fs.rmSync(path.join(base, 'fresh'), { recursive: true })
  for (let number = 0; number < count; number++) {
    const random = createRandom(seed * 1_000_000 + number)
    const folder = sandbox({ 'victim/file': 'theirs' })
    fs.cpSync(base, folder, { recursive: true, preserveTimestamps: true })
    if (random.below(3) === 0)
      fs.symlinkSync(path.join(folder, 'victim'), path.join(folder, 'dist/lnk'), 'junction')
    const file = path.join(folder, '.shotpress/dist/state')
    fs.writeFileSync(file, mutate(fs.readFileSync(file), random))
    const failure = await buildIn(folder).then(
      () => undefined,
      (error: Error) => error,
    )
    const what = `SEED=${seed}, number ${number}`
    if (failure !== undefined) expect(failure, what).toMatchObject({ name: 'UserError' })
    else expect(readTree(path.join(folder, 'dist')), what).toEqual(right)
    expect(readTree(path.join(folder, 'victim')), what).toEqual({ file: 'theirs' })
    expect(fs.readdirSync(folder).sort(), what).toEqual(['.shotpress', 'content', 'dist', 'victim'])
    fs.rmSync(folder, { recursive: true })
  }
})
