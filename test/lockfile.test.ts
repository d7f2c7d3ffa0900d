import path from 'node:path'
import { expect, test } from 'vitest'
import { readJson, type Texts } from './sandbox.ts'

type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly dependencies?: Texts
  readonly optionalDependencies?: Texts
}

const { '': project, ...packages }: Readonly<Record<string, Locked>> =
  readJson('package-lock.json').packages

/** Whether node finds a package from the folder of another. */
const isFound = (folder: string, name: string): boolean =>
  path.posix.join(folder, 'node_modules', name) in packages ||
  (folder !== '' &&
    isFound(folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/'))), name))

test('the lockfile holds what every platform needs, so that npm ci works everywhere', () => {
  const missing = Object.entries({ ...packages, '': project! }).flatMap(([folder, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
      .filter((name) => !isFound(folder, name))
      .map((name) => `${folder} needs ${name}`),
  )
  expect(missing).toEqual([])
})

test('the lockfile knows the bytes of every package', () => {
  const unknown = Object.entries(packages).filter(
    ([, { integrity }]) => integrity === undefined,
  )
  expect(unknown.map(([folder]) => folder)).toEqual([])
})
