import { execFileSync } from 'node:child_process'
import fs from 'node:fs'
import path from 'node:path'
import glob from 'fast-glob'
import { requestPath } from '../../scripts/api/routes.ts'
import { type Outcome, runIn } from '../processes.ts'
import { namesIn, readText, sandbox } from '../sandbox.ts'
import { texts } from '../tables.ts'
import { type Handler, referenceHandler } from '../verify/reference-host.ts'

/** All commands. */
export const verbs = glob
  .sync('*.ts', { cwd: 'scripts' })
  .map((name) => path.basename(name, '.ts'))
  .sort()

/** What the packages are made from. */
const needed = texts(
  'CHANGELOG.md¦CONTRIBUTING.md¦LICENSE¦README.md¦SECURITY.md¦action.sh¦action.yml',
  'package.json¦clients¦create¦docs¦examples¦schemas¦scripts',
)

/**
 * A copy of what a package is made from in a folder of the test's own, with the packages that
 * it needs.
 */
export const checkout = ({ packages = true, folder = sandbox() } = {}) => {
  for (const name of needed) fs.cpSync(name, path.join(folder, name), { recursive: true })
  if (packages) linkPackages(folder)
  return folder
}

/** Lets a folder find the project's packages, as if they were installed there. */
const linkPackages = (folder: string) => {
  const from = path.resolve('node_modules')
  const to = path.join(folder, 'node_modules')
  fs.mkdirSync(to, { recursive: true })
  for (const name of fs.readdirSync(from).filter((name) => !name.startsWith('.'))) {
    fs.symlinkSync(path.join(from, name), path.join(to, name), 'junction')
  }
}

/** A host that serves a snapshot whose site.yaml turns no list and no description on. */
export const hostOf = (dist: string): Handler =>
  referenceHandler({
    site: [],
    usernames: namesIn(dist, 'api/username'),
    bytes: (route, scheme, username) => {
      const folder = path.join(dist, scheme === 'http' ? 'http' : '')
      return readText(path.join(folder, requestPath(route, username), 'index.json'))
    },
  })

/** What npm does after it has installed the packages. */
export const prepare = (folder: string): void => {
  execFileSync(process.execPath, ['scripts/start/compile.cjs'], { cwd: folder })
}

/** Runs a line of a program, wherever it is installed, in a working folder. */
export const start = (program: string, line: string, cwd: string = program): Outcome =>
  runIn(cwd, line, { program: path.resolve(program) })
