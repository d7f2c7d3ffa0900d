import fs from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, test } from 'vitest'
import { hashedParts } from '../scripts/snapshot/state/epoch.ts'
import { type Module, read, readModules } from './imports.ts'

/**
 * The rooms of scripts/, the lower ones first: what each may import, and whether it is pure. A room may have rooms of
 * its own; an arrow to one does not lead to the others. docs/architecture.md shows the same table.
 */
const rooms: Readonly<Record<string, { readonly imports: readonly string[]; readonly reach: Reach }>> = {
  text: { imports: [], reach: 'pure' },
  diagnostics: { imports: ['text'], reach: 'pure' },
  files: { imports: ['diagnostics'], reach: 'free' },
  content: { imports: ['diagnostics', 'text'], reach: ['content/schema.ts', 'content/yaml.ts'] },
  'content/read': { imports: ['content', 'diagnostics', 'text'], reach: 'free' },
  api: { imports: ['content'], reach: 'pure' },
  'api/document': { imports: ['api', 'content'], reach: 'pure' },
  'edit/yaml': { imports: ['content', 'diagnostics', 'text'], reach: 'pure' },
  sums: { imports: ['api', 'files', 'diagnostics'], reach: ['sums/read.ts'] },
  'hosts/config': { imports: ['api'], reach: 'pure' },
  'hosts/servers': { imports: ['hosts/config', 'api', 'diagnostics'], reach: 'pure' },
  'hosts/managed': { imports: ['hosts/config', 'api'], reach: 'pure' },
  hosts: {
    imports: ['hosts/servers', 'hosts/managed', 'hosts/config', 'api', 'content', 'diagnostics', 'text'],
    reach: 'pure',
  },
  cli: {
    imports: ['hosts', 'hosts/config', 'content/read', 'content', 'files', 'diagnostics', 'text'],
    reach: 'free',
  },
  'snapshot/state': { imports: ['api', 'content/read', 'content', 'files', 'diagnostics'], reach: 'free' },
  'snapshot/member': {
    imports: ['snapshot/state', 'api', 'content/read', 'content', 'diagnostics'],
    reach: 'free',
  },
  'snapshot/dist/look': {
    imports: ['snapshot/state', 'api', 'content', 'files', 'diagnostics'],
    reach: 'free',
  },
  'snapshot/dist': {
    imports: ['snapshot/dist/look', 'snapshot/state', 'api', 'content', 'files', 'diagnostics'],
    reach: 'free',
  },
  'snapshot/work': {
    imports: [
      ...['snapshot/dist', 'snapshot/dist/look', 'snapshot/member', 'snapshot/state'],
      ...['api', 'content/read', 'content', 'diagnostics'],
    ],
    reach: 'free',
  },
  edit: {
    imports: ['edit/yaml', 'snapshot/member', 'content/read', 'content', 'files', 'diagnostics', 'text'],
    reach: 'free',
  },
  snapshot: {
    imports: [
      ...['snapshot/work', 'snapshot/dist', 'snapshot/dist/look', 'snapshot/member', 'snapshot/state'],
      ...['api/document', 'api', 'sums', 'content/read', 'content', 'files', 'diagnostics'],
    ],
    reach: 'free',
  },
  signatures: {
    imports: ['api', 'files', 'diagnostics', 'text'],
    reach: 'free',
  },
  wire: { imports: ['api', 'diagnostics', 'text'], reach: 'free' },
  'verify/ask': { imports: ['wire', 'api'], reach: 'pure' },
  'verify/tell': { imports: ['wire', 'api', 'diagnostics', 'text'], reach: 'pure' },
  'verify/judge': {
    imports: ['verify/tell', 'verify/ask', 'wire', 'api'],
    reach: ['verify/judge/judge-body.ts'],
  },
  verify: {
    imports: [
      ...['verify/judge', 'verify/tell', 'verify/ask', 'wire', 'signatures', 'sums', 'api', 'diagnostics'],
      'text',
    ],
    reach: 'free',
  },
  git: { imports: ['files', 'diagnostics', 'text'], reach: 'free' },
  report: {
    imports: [
      'snapshot',
      'snapshot/member',
      'snapshot/state',
      'git',
      'files',
      'api',
      'content/read',
      'content',
      'diagnostics',
      'text',
    ],
    reach: 'free',
  },
  'report/formats': { imports: ['report', 'diagnostics', 'text'], reach: 'pure' },
  'import/read': { imports: [], reach: 'pure' },
  'import/values': { imports: ['import/read', 'api', 'content'], reach: 'pure' },
  'import/merge': { imports: ['import/values', 'import/read', 'api', 'content'], reach: 'pure' },
  'import/keep': { imports: ['api', 'files', 'diagnostics'], reach: 'free' },
  'import/fetch': {
    imports: ['import/keep', 'wire', 'api', 'diagnostics', 'text'],
    reach: 'free',
  },
  'import/tell': {
    imports: ['import/merge', 'import/values', 'import/read', 'diagnostics', 'text'],
    reach: 'pure',
  },
  'import/write': {
    imports: [
      'import/merge',
      'import/values',
      'snapshot/member',
      'edit/yaml',
      'content/read',
      'content',
      'files',
      'diagnostics',
    ],
    reach: 'free',
  },
  'import/prove': {
    imports: [
      'import/write',
      'import/merge',
      'import/values',
      'import/read',
      'snapshot/member',
      'api',
      'content/read',
      'content',
      'text',
    ],
    reach: ['import/prove/prove-member.ts'],
  },
  import: {
    imports: [
      ...['import/prove', 'import/write', 'import/tell', 'import/fetch', 'import/keep', 'import/merge'],
      ...['import/read', 'wire', 'snapshot/member', 'files', 'api', 'content', 'diagnostics', 'text'],
    ],
    reach: 'free',
  },
  'explorer/data': { imports: ['api', 'content', 'diagnostics'], reach: 'pure' },
  'explorer/parts': { imports: ['explorer/data', 'api', 'text'], reach: 'pure' },
  explorer: { imports: ['explorer/parts', 'explorer/data', 'api', 'content', 'text'], reach: 'pure' },
  preview: { imports: ['content', 'diagnostics'], reach: 'free' },
  'preview/serving': {
    imports: ['snapshot/state', 'hosts/managed', 'api', 'content', 'files', 'diagnostics'],
    reach: 'free',
  },
  'preview/pages': {
    imports: [
      ...['preview/serving', 'preview', 'explorer', 'explorer/parts', 'explorer/data', 'snapshot/member'],
      ...['hosts', 'api', 'content/read', 'content', 'files', 'diagnostics'],
    ],
    reach: 'free',
  },
  'deploy/store': {
    imports: ['sums', 'files', 'diagnostics'],
    reach: ['deploy/store/folder.ts', 'deploy/store/rclone.ts'],
  },
  deploy: {
    imports: [
      ...['deploy/store', 'snapshot/dist', 'snapshot/state', 'hosts', 'sums', 'api', 'files', 'diagnostics'],
      'text',
    ],
    reach: [
      ...['deploy/deploy.ts', 'deploy/plan.ts', 'deploy/remote.ts', 'deploy/session.ts'],
      'deploy/signatures.ts',
      'deploy/write-marker.ts',
    ],
  },
  start: { imports: [], reach: 'free' },
  verbs: {
    imports: [
      ...['start', 'cli', 'snapshot', 'snapshot/state', 'preview', 'deploy', 'preview/serving'],
      ...['preview/pages', 'verify', 'verify/ask', 'verify/tell', 'wire', 'signatures', 'report'],
      ...['report/formats', 'edit', 'edit/yaml', 'import', 'import/fetch', 'import/prove', 'hosts'],
      ...['hosts/config', 'api', 'content/read', 'content', 'files', 'diagnostics', 'text'],
    ],
    reach: 'free',
  },
}

/** Pure: computes from its arguments alone. Else free, or free in the files named only. */
type Reach = 'pure' | 'free' | readonly string[]

const root = fileURLToPath(new URL('../scripts/', import.meta.url))
const modules = readModules(root)

/** The innermost room of the table that a file is in; its folder if there is none. */
const roomOf = (file: string): string => {
  if (!file.includes('/')) return 'verbs'
  const inside = Object.keys(rooms).filter((room) => file.startsWith(`${room}/`))
  return inside.sort((a, b) => b.length - a.length)[0] ?? path.posix.dirname(file)
}

/** The module of scripts/ that an import names; `undefined` for packages and what lies elsewhere. */
const target = ({ file }: Module, name: string): string | undefined => {
  const to = name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : '..'
  return to.startsWith('..') ? undefined : to
}

const isFree = ({ file }: Module): boolean => {
  const reach = rooms[roomOf(file)]?.reach
  return reach === 'free' || (Array.isArray(reach) && reach.includes(file))
}

test('every module is in a room of the table', () => {
  expect([...new Set(modules.map(({ file }) => roomOf(file)))].sort()).toEqual(Object.keys(rooms).sort())
})

test('no room has more than a dozen files, but the verbs', () => {
  const sizes = new Map<string, number>()
  for (const { file } of modules) {
    const folder = path.posix.dirname(file)
    sizes.set(folder, (sizes.get(folder) ?? 0) + 1)
  }
  expect([...sizes].filter(([folder, size]) => folder !== '.' && size > 12)).toEqual([])
})

test('every import goes along an arrow of the table', () => {
  const wrong = modules.flatMap((module) =>
    module.imports.flatMap(({ name }) => {
      const to = target(module, name)
      const [from, other] = [roomOf(module.file), to && roomOf(to)]
      const allowed = other === undefined || other === from || rooms[from]?.imports.includes(other)
      return allowed ? [] : [`${module.file} imports ${to}`]
    }),
  )
  expect(wrong).toEqual([])
})

test('every arrow of the table is an import of some module', () => {
  const used = new Set(
    modules.flatMap((module) =>
      module.imports.flatMap(({ name }) => {
        const to = target(module, name)
        return to === undefined ? [] : `${roomOf(module.file)} → ${roomOf(to)}`
      }),
    ),
  )
  const arrows = Object.entries(rooms).flatMap(([room, { imports }]) =>
    imports.map((to) => `${room} → ${to}`),
  )
  expect(arrows.filter((arrow) => !used.has(arrow))).toEqual([])
})

test('no verb imports another', () => {
  const verbs = modules.filter(({ file }) => roomOf(file) === 'verbs')
  for (const verb of verbs) {
    for (const { name } of verb.imports) expect(name, verb.file).not.toMatch(/^\.\/[^/]+$/)
  }
})

test('the arrows of the table have one direction', () => {
  expect(
    cycleIn(Object.fromEntries(Object.entries(rooms).map(([room, { imports }]) => [room, imports]))),
  ).toBe(undefined)
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
  visit('snapshot/work/worker.ts')
  expect(reached).toContain('diagnostics/messages.ts')
  const isHashed = (file: string): boolean =>
    hashedParts.some((part) => `scripts/${file}`.startsWith(`${part}/`))
  expect([...reached].filter((file) => !isHashed(file))).toEqual([])
})

test('the pure rooms import nothing of Node, and nothing that only a run would tell', () => {
  const wrong = modules
    .filter((module) => !isFree(module))
    .flatMap(({ file, imports }) =>
      imports.filter(({ name }) => /^(?:node:|<)/.test(name)).map(({ name }) => `${file} imports ${name}`),
    )
  expect(wrong).toEqual([])
})

test('the pure rooms ask neither the process, nor a clock, nor chance, nor the network', () => {
  const outer = ['process', 'Date', 'performance', 'crypto', 'fetch', 'setTimeout', 'console']
  const wrong = modules
    .filter((module) => !isFree(module))
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
    'content/read/inside.ts', // where an open file lies
    'content/read/read-file.ts',
    'content/read/read-folder.ts', // content: no link is followed, and no pipe is waited for
    'content/read/scan.ts',
    'content/read/strays.ts',
    'content/schema.ts', // our own schemas and program
    'snapshot/state/epoch.ts',
    'preview/serving/serve-while-connected.mjs', // hears of files that `serve` can't open
    'snapshot/dist/lock-folder.ts', // a folder, to name sockets in it by a short path
    'report/read.ts',
    'deploy/store/folder.ts', // sets the time of a file that it has just made
    'deploy/plan.ts', // adds to an open file
    'import/import-names.ts', // the file of names that the operator gives
    'signatures/open-keys.ts', // the file of a public key that the operator gives
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

test('every room says what it is for, in a README of at most 20 lines that names no file that is gone', () => {
  const wrong = Object.keys(rooms).filter((room) => {
    if (room === 'verbs' || room.startsWith('import/')) return false // told in docs/architecture.md, and by `import`
    const folder = path.join(root, room)
    const file = path.join(folder, 'README.md')
    if (!fs.existsSync(file)) return true
    const text = fs.readFileSync(file, 'utf8')
    const named = [...text.matchAll(/`([\w/-]+\.(?:ts|cjs))`/g)].map(([, name]) => name!)
    const isThere = (name: string) => [folder, root].some((from) => fs.existsSync(path.join(from, name)))
    return text.split('\n').length > 21 || !named.every(isThere)
  })
  expect(wrong).toEqual([])
})

test('docs/architecture.md shows the table', () => {
  const page = fs.readFileSync(new URL('../docs/architecture.md', import.meta.url), 'utf8')
  const shown = [...page.matchAll(/^\| `([\w/]+?)\/?` \| [^|]+ \| ([^|]+) \| ([^|]+) \|$/gm)].map(
    ([, room, imports, reach]) => [room, words(imports!), words(reach!)],
  )
  expect(shown).toEqual(
    Object.entries(rooms).map(([room, { imports, reach }]) => [
      room,
      imports,
      typeof reach === 'string'
        ? reach === 'pure'
          ? ['pure']
          : []
        : reach.map((file) => path.basename(file)),
    ]),
  )
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

/** The words in backquotes of a table's cell, or `pure`. */
function words(cell: string): string[] {
  return cell.trim() === 'yes' ? ['pure'] : [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!)
}
