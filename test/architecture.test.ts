import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { hashedParts } from '../scripts/snapshot/state.ts'
import { type Module, read, readModules } from './imports.ts'

const page = fs.readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8')

/** The rooms of scripts/, the lower ones first, as docs/architecture.md lists them: each imports those before it. */
const rooms = [...page.matchAll(/^\| `(\w+)\/` \|/gm)].map(([, room]) => room!)

/** Rooms that compute from their arguments alone. */
const pureRooms = ['text', 'problems', 'api', 'hosts', 'pictures', 'gallery']

const root = fileURLToPath(new URL('../scripts/', import.meta.url))
const modules = readModules(root)

/** The room of a file; the verbs are the files at the top. */
const roomOf = (file: string): string => (file.includes('/') ? file.split('/')[0]! : 'verbs')

/** The module of scripts/ that an import names; `undefined` for packages and what lies elsewhere. */
const target = ({ file }: Module, name: string): string | undefined => {
  const to = name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : '..'
  return to.startsWith('..') ? undefined : to
}

test('every module is in a room of the list', () => {
  const used = new Set(modules.map(({ file }) => roomOf(file)))
  expect([...used].filter((room) => room !== 'verbs' && !rooms.includes(room))).toEqual([])
  expect(rooms.filter((room) => !used.has(room))).toEqual([])
})

test('a room imports those before it in the list', () => {
  const place = (room: string): number => (room === 'verbs' ? rooms.length : rooms.indexOf(room))
  const wrong = modules.flatMap((module) =>
    module.imports.flatMap(({ name }) => {
      const to = target(module, name)
      const upward = to !== undefined && place(roomOf(to)) > place(roomOf(module.file))
      return upward ? [`${module.file} imports ${to}`] : []
    }),
  )
  expect(wrong).toEqual([])
})

test('no verb imports another', () => {
  const verbs = modules.filter(({ file }) => roomOf(file) === 'verbs')
  for (const verb of verbs) {
    for (const { name } of verb.imports) expect(name, verb.file).not.toMatch(/^\.\/[^/]+$/)
  }
})

test('no module needs itself, by however many others, to run', () => {
  const graph = modules.map((module) => [
    module.file,
    module.imports.flatMap(({ name, typeOnly }) => (typeOnly ? [] : (target(module, name) ?? []))),
  ])
  expect(cycleIn(Object.fromEntries(graph))).toBe(undefined)
})

test('the epoch depends on every module that has a part in compiling a member', () => {
  const graph = new Map(modules.map((module) => [module.file, module]))
  const reached = new Set<string>()
  const visit = (file: string): void => {
    const module = graph.get(file)
    if (module === undefined || reached.has(file)) return
    reached.add(file)
    for (const { name, typeOnly } of module.imports) if (!typeOnly) visit(target(module, name) ?? '')
  }
  visit('snapshot/worker.ts')
  expect(reached).toContain('problems/messages.ts')
  const isHashed = (file: string): boolean =>
    hashedParts.some((part) => `scripts/${file}`.startsWith(`${part}/`))
  expect([...reached].filter((file) => !isHashed(file))).toEqual([])
})

/** Of a pure room, and not where it meets the world: the disk that pages are written to, the browser. */
const isPure = (file: string): boolean =>
  pureRooms.includes(roomOf(file)) && !['gallery/write.ts', 'gallery/script.ts'].includes(file)

test('the pure rooms import nothing of Node but zlib, and nothing that only a run would tell', () => {
  const wrong = modules
    .filter(({ file }) => isPure(file))
    .flatMap(({ file, imports }) =>
      imports
        .filter(({ name }) => /^(?:node:(?!zlib$)|<)/.test(name))
        .map(({ name }) => `${file} imports ${name}`),
    )
  expect(wrong).toEqual([])
})

test('the pure rooms ask neither the process, nor a clock, nor chance, nor the network', () => {
  const outer = ['process', 'Date', 'performance', 'crypto', 'fetch', 'setTimeout', 'console']
  const wrong = modules
    .filter(({ file }) => isPure(file))
    .flatMap(({ file, globals }) =>
      globals.filter((name) => outer.includes(name)).map((name) => `${file}: ${name}`),
    )
  expect(wrong).toEqual([])
})

test('every package that a command needs is a dependency, so that npm ci --omit=dev is enough to run', () => {
  const { dependencies } = JSON.parse(fs.readFileSync(new URL('../package.json', import.meta.url), 'utf8'))
  const packages = modules.flatMap(({ imports }) =>
    imports.flatMap(({ name }) => /^(?![.<]|node:)(?:@[^/]+\/)?[^/]+/.exec(name)?.[0] ?? []),
  )
  expect(packages).toContain('yaml')
  expect([...new Set(packages)].filter((name) => !(name in dependencies))).toEqual([])
})

test('only files/ opens, writes, moves or removes files', () => {
  const allowed = [
    'init.ts', // its own templates, and the folder that the operator names
    'content/read/read-file.ts', // content: no link is followed, and no pipe is waited for
    'content/read/scan.ts',
    'content/read/strays.ts',
    'content/schema.ts', // our own schemas and program
    'snapshot/state.ts',
    'report/read.ts',
    'deploy/folder.ts', // sets the time of a file that it has just made
    'import/import-names.ts', // the file of names that the operator gives
    'verify/snapshot.ts', // what it compares the host with
  ]
  const harmless =
    /^(?:(?:l|f)?statSync|existsSync|readdirSync|opendirSync|realpathSync|readSync|writeSync|futimesSync|fsyncSync|closeSync|watch|constants|(?:Dir|Dirent|Stats|FSWatcher))$/
  const onOpenFiles = /^(?:writeFileSync|readFileSync)$/
  const wrong = modules
    .filter(({ file }) => !file.startsWith('files/') && !file.startsWith('start/') && !allowed.includes(file))
    .flatMap(({ file, files }) =>
      files
        .filter(({ name, onOpenFile }) => !harmless.test(name) && !(onOpenFile && onOpenFiles.test(name)))
        .map(({ name }) => `${file}: fs.${name}`),
    )
  expect(wrong).toEqual([])
})

test('no list is spread into the arguments of a call that adds to another: it may be longer than the stack', () => {
  const textOf = (file: string): string => fs.readFileSync(path.join(root, file), 'utf8')
  const spread = modules.filter(({ file }) => /\.(?:push|unshift)\(\s*\.\.\./.test(textOf(file)))
  expect(spread.map(({ file }) => file)).toEqual([])
})

describe('the reader of imports', () => {
  test.each([
    ["import a from './a.ts'", './a.ts', false],
    ["import './a.ts'", './a.ts', false],
    ["import type { A } from './a.ts'", './a.ts', true],
    ["import { type A, type B } from './a.ts'", './a.ts', true],
    ["import { type A, b } from './a.ts'", './a.ts', false],
    ["export * from './a.ts'", './a.ts', false],
    ["export type { A } from './a.ts'", './a.ts', true],
    ["const a = await import(\n  './a.ts'\n)", './a.ts', false],
    ['const a = import(`./a.ts`)', './a.ts', false],
    ["type A = import('./a.ts').A", './a.ts', true],
    ["import a = require('./a.ts')", './a.ts', false],
    ["const a = require('./a.ts')", './a.ts', false],
    [`const a = require('./' + name)`, '<computed>', false],
  ])('sees %s', (text, name, typeOnly) => {
    expect(read(text).imports).toEqual([{ name, typeOnly }])
  })

  test.each([
    ['const a = \'import b from "./b.ts"\''],
    ["// import a from './a.ts'"],
    ['export const a = 1'],
  ])('sees nothing in %s', (text) => {
    expect(read(text).imports).toEqual([])
  })

  test('tells names of elsewhere from own ones, keys and properties', () => {
    expect(read('const a = (b) => b + c.d + { e: f, g }\nlet h: I').globals).toEqual(['c', 'f', 'g'])
  })
})

/** Nodes that follow each other back to the first one, or `undefined` if none do. */
function cycleIn(graph: Readonly<Record<string, readonly string[]>>): readonly string[] | undefined {
  const done = new Set<string>()
  const visit = (node: string, way: readonly string[]): readonly string[] | undefined => {
    if (way.includes(node)) return [...way.slice(way.indexOf(node)), node]
    if (done.has(node)) return undefined
    done.add(node)
    for (const next of graph[node] ?? []) {
      const cycle = visit(next, [...way, node])
      if (cycle !== undefined) return cycle
    }
    return undefined
  }
  for (const node of Object.keys(graph)) {
    const cycle = visit(node, [])
    if (cycle !== undefined) return cycle
  }
  return undefined
}
