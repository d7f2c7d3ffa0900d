import fs from 'node:fs'
import { expect, test } from 'vitest'

type Locked = {
  readonly version?: string
  readonly integrity?: string
  readonly dependencies?: Readonly<Record<string, string>>
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const { '': project, ...packages }: Readonly<Record<string, Locked>> = JSON.parse(
  fs.readFileSync('package-lock.json', 'utf8'),
).packages

/** Whether node finds a package from the folder of another. */
const isFound = (from: string, name: string) => {
  for (
    let folder = from;
    ;
    folder = folder.slice(0, Math.max(0, folder.lastIndexOf('/node_modules/')))
  ) {
    if (`${folder === '' ? '' : `${folder}/`}node_modules/${name}` in packages) return true
    if (folder === '') return false
  }
}

test('the lockfile holds what every platform needs, so that npm ci works everywhere', () => {
  const missing = Object.entries({ ...packages, '': project! }).flatMap(([folder, locked]) =>
    Object.keys({ ...locked.dependencies, ...locked.optionalDependencies })
      .filter((name) => !isFound(folder, name))
      .map((name) => `${folder} needs ${name}`),
  )
  expect(missing).toEqual([])
})

test('the lockfile knows the bytes of every package', () => {
  const unknown = Object.entries(packages).filter(([, { integrity }]) => integrity === undefined)
  expect(unknown.map(([folder]) => folder)).toEqual([])
})
