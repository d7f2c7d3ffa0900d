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
  const at = random.below(bytes.length)
  const length = random.pick([0, 1, 4, random.below(200)])
  const put = Buffer.alloc(length, random.pick([0, 1, 255, random.below(256)]))
  const end = at + random.pick([0, length, random.below(200)])
  return Buffer.concat([bytes.subarray(0, at), put, bytes.subarray(end)])
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
