import path from 'node:path'
import glob from 'fast-glob'
import { expect, test } from 'vitest'
import { captured } from './captured.ts'
import { readJson, readText } from './sandbox.ts'
import { texts } from './tables.ts'

// What only a run would tell, and what the pure rooms may not use, biome.json refuses.

const page = readText('docs/architecture.md')

/**
 * The rooms of scripts/, the lower ones first, as docs/architecture.md lists them: each
 * imports those before it.
 */
const rooms = captured(page, /^\| `(\w+)\/` \|/gm)

type Module = {
  /** Path below scripts/, with what the file says but for its comments. */
  readonly file: string
  readonly code: string
  /**
   * Names as written, `../api/routes.ts`, `node:fs`, `yaml`; of our own modules, the path
   * below scripts/ too.
   */
  readonly imports: readonly {
    readonly name: string
    readonly to: string | undefined
  }[]
}

/** An import or export as biome lays it out, or the call of `import` or `require`. */
const importing =
  /^(?:import|export) (?:type )?(?:(?:\w+|\*(?: as \w+)?|(?:\w+, )?\{[^}]*\}) from )?'([^']+)'|\b(?:import|require)\('([^']+)'/gm

const modules = glob
  .sync('**/*.{ts,mts,cts,js,mjs,cjs}', { cwd: 'scripts' })
  .map((file): Module => {
    const code = readText(`scripts/${file}`).replace(/^ *(?:\/?\*|\/\/).*$/gm, '')
    const imports = [...code.matchAll(importing)].map(([, from, called]) => {
      const name = from ?? called!
      const to = name.startsWith('.') ? path.posix.join(path.posix.dirname(file), name) : '..'
      return { name, to: to.startsWith('..') ? undefined : to }
    })
    return { file, code, imports }
  })

/** The room of a file; the verbs are the files at the top. */
const roomOf = (file: string) => (file.includes('/') ? file.split('/')[0]! : 'verbs')

/** The modules that a module imports, by however many others; itself only if they import it. */
const importedBy = (file: string, known = new Set<string>()) => {
  for (const { to } of modules.find((module) => module.file === file)?.imports ?? []) {
    if (to === undefined || known.has(to)) continue
    known.add(to)
    importedBy(to, known)
  }
  return known
}

test('every module is in a room of the list', () => {
  const used = new Set(modules.map(({ file }) => roomOf(file)))
  expect([...used].filter((room) => room !== 'verbs' && !rooms.includes(room))).toEqual([])
  expect(rooms.filter((room) => !used.has(room))).toEqual([])
})

test('a room imports those before it in the list', () => {
  const place = (room: string) => (room === 'verbs' ? rooms.length : rooms.indexOf(room))
  const wrong = modules.flatMap((module) =>
    module.imports.flatMap(({ to }) => {
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

test('no module imports itself, by however many others; types count', () =>
  expect(
    modules.map(({ file }) => file).filter((file) => importedBy(file).has(file)),
  ).toEqual([]))

test('every package that a command needs is a dependency, so that npm ci --omit=dev is enough to run', () => {
  const { dependencies } = readJson('package.json')
  const packages = modules.flatMap(({ imports }) =>
    imports.flatMap(({ name }) => /^(?!node:)(?:@[^/]+\/)?\w[^/]*/.exec(name)?.[0] ?? []),
  )
  expect(packages).toContain('yaml')
  expect([...new Set(packages)].filter((name) => !(name in dependencies))).toEqual([])
})

test('only files/ opens, writes, moves or removes files', () => {
  const allowed = [
    'init.ts', // its own templates, and the folder that the operator names
    'content/read/read-file.ts', // content: no link is followed, and no pipe is waited for
    'content/schema.ts', // our own schemas and program
    'snapshot/state.ts',
    'deploy/store.ts', // sets the time of a file that it has just made
    'import/names.ts', // the file of names that the operator gives
    'verify/snapshot.ts', // what it compares the host with
  ]
  const harmless = [
    ...texts('statSync¦lstatSync¦fstatSync¦existsSync¦readdirSync¦opendirSync'),
    ...texts('realpathSync¦readSync¦writeSync¦futimesSync¦fsyncSync¦closeSync'),
    ...texts('watch¦constants¦Dir¦Dirent¦Stats¦FSWatcher'),
  ]
  const onOpenFiles = /^(?:writeFileSync|readFileSync)\(file\b/
  const wrong = modules
    .filter(
      ({ file }) =>
        !file.startsWith('files/') && !file.startsWith('start/') && !allowed.includes(file),
    )
    .flatMap(({ file, code }) =>
      [
        ...code.matchAll(
          /\bfs\.((\w+)(?:\(\w+)?)|^import (?!fs from 'node:fs').*'(?:node:)?fs\b.*/gm,
        ),
      ]
        .filter(
          ([, use = '', name = '']) => !harmless.includes(name) && !onOpenFiles.test(use),
        )
        .map(([use]) => `${file}: ${use}`),
    )
  expect(wrong).toEqual([])
})

test('no list is spread into the arguments of a call that adds to another: it may be longer than the stack', () => {
  const spread = modules.filter(({ code }) => /\.(?:push|unshift)\(\s*\.\.\./.test(code))
  expect(spread.map(({ file }) => file)).toEqual([])
})
