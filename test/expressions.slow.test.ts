import path from 'node:path'
import vm from 'node:vm'
import glob from 'fast-glob'
import ts from 'typescript'
import { beforeAll, expect, test } from 'vitest'
import { attacksOn } from './attacks.ts'
import { captured } from './captured.ts'
import { readText } from './sandbox.ts'

// Content, pictures and what other servers answer are a stranger's: no expression may take a
// square of their length.

const files = glob.sync(['scripts/**/*.ts', 'clients/mirror.js']).sort()

/**
 * Which expressions are asked of short texts only, by their place and beginning: the most
 * letters of such a text.
 */
const bounded: readonly (readonly [place: string, beginning: string, letters: number])[] = [
  ['scripts/advice/', '', 4_096],
  // names of files
  ['scripts/snapshot/shard.ts', '', 255],
  // `saysNothing` and `bracketedWord`
  ['scripts/content/values/unlikely.ts', '^[\\s\\p{P}\\p{Cf}~]*', 100],
  ['scripts/content/values/unlikely.ts', '(?<!', 2_000],
]
const megabyte = 1 << 20
const mostLetters = (file: string, { source }: RegExp) =>
  bounded.find(
    ([place, beginning]) => file.startsWith(place) && source.startsWith(beginning),
  )?.[2] ?? megabyte

/** Expressions that are made when they are needed, by the file that makes them. */
const madeLater = {
  'scripts/content/schema.ts': patternsIn('schemas/*.json').map(
    (pattern) => new RegExp(pattern, 'u'),
  ),
  'scripts/edit/yaml/entries.ts': [/^(?:(?:[^\S\n]*\n)*[^\S\n]{4,}#[^\n]*(?:\n|$))*/],
  'scripts/hosts/cloudfront.ts': [],
  'scripts/hosts/rules.ts': [],
  // the patterns of `formats`, which are added once its file was loaded
  'scripts/import/fields.ts': [],
  // a copy of one that stands there
  'scripts/pictures/metadata.ts': [],
}

function patternsIn(schemas: string) {
  const texts = glob.sync(schemas).map((file) => readText(file))
  return texts.flatMap((text) =>
    captured(text, /"pattern": (".*")/g).map((json) => JSON.parse(json)),
  )
}

/** Each expression, with the file that it stands in. */
const found = new Map<string, { readonly file: string; readonly expression: RegExp }>()
const add = (file: string, expression: RegExp) => {
  const key = `${expression} ${mostLetters(file, expression)}`
  if (!found.has(key)) found.set(key, { file, expression })
}

/**
 * Where expressions are made other than by writing them down, as `file:line`; and where that
 * was seen while files were loaded.
 */
const making = new Set<string>()
const madeWhileLoading = new Set<string>()
const fileOf = (place: string) => place.slice(0, place.lastIndexOf(':'))

beforeAll(async () => {
  for (const file of files) {
    const text = readText(file)
    const source = ts.createSourceFile(file, text, ts.ScriptTarget.Latest, true)
    const visit = (node: ts.Node) => {
      if (ts.isRegularExpressionLiteral(node)) {
        const end = node.text.lastIndexOf('/')
        add(file, new RegExp(node.text.slice(1, end), node.text.slice(end + 1)))
      }
      const called =
        ts.isNewExpression(node) || ts.isCallExpression(node) ? node.expression.getText() : ''
      if (called === 'RegExp')
        making.add(
          `${file}:${source.getLineAndCharacterOfPosition(node.getStart()).line + 1}`,
        )
      ts.forEachChild(node, visit)
    }
    visit(source)
  }
  for (const [file, expressions] of Object.entries(madeLater))
    for (const one of expressions) add(file, one)
  await load()
  const { formats } = await import('../scripts/api/fields.ts')
  for (const { pattern = '' } of Object.values(formats))
    add('scripts/import/fields.ts', new RegExp(pattern))
})

/** Takes note of the expressions that files make when they are loaded. */
const load = async () => {
  const real = globalThis.RegExp
  globalThis.RegExp = new Proxy(real, {
    construct(target, args: [string, string]) {
      const made = new target(...args)
      const [place] =
        /(?:scripts|clients)\/[\w/-]+\.[jt]s:\d+/.exec(new Error().stack!.split('\n')[2]!) ??
        []
      if (place !== undefined) {
        madeWhileLoading.add(place)
        add(fileOf(place), made)
      }
      return made
    },
  })
  try {
    for (const file of new Set(Array.from(making, fileOf))) await import(path.resolve(file))
  } finally {
    globalThis.RegExp = real
  }
}

test('an expression that is made when it is needed is among those that are tried here', () => {
  const later = [...making].filter((place) => !madeWhileLoading.has(place))
  expect(new Set(later.map(fileOf))).toEqual(new Set(Object.keys(madeLater)))
})

test('every expression is done with a megabyte of its worst letters at once', () => {
  const slow = [...found.values()].flatMap(({ file, expression }) => {
    const worst = worstFor(expression, mostLetters(file, expression))
    return worst === undefined ? [] : [`${file}: ${expression} of ${JSON.stringify(worst)}`]
  })
  expect(slow).toEqual([])
}, 1_200_000)

/** The beginning of a text of this length that an expression takes seconds for. */
const worstFor = (expression: RegExp, length: number) => {
  const attacks = [...attacksOn(expression)]
  const short = attacks.map((make) => make(40))
  const endless = firstEndless(expression, short)
  if (endless !== undefined) return endless
  // one that takes no square of a text's length is done with a short one as soon as that
  const enough = length < megabyte ? 10 : 1
  const worst = attacks.find(
    (make) =>
      !isQuick(expression, make(Math.min(4_000, length)), enough) &&
      firstEndless(expression, [make(length)]) !== undefined,
  )
  return worst?.(40)
}

/** The first of some texts that an expression is not done with before ten seconds are over. */
const firstEndless = (expression: RegExp, texts: readonly string[]) => {
  let last: string | undefined
  const run = () => {
    for (const text of texts) {
      last = text
      use(expression, text)
    }
  }
  try {
    vm.runInNewContext('run()', { run }, { timeout: 10_000 })
    return undefined
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') return last
    throw error
  }
}

const use = (expression: RegExp, text: string) => {
  expression.lastIndex = 0
  if (expression.global) text.replace(expression, '')
  else expression.exec(text)
}

const isQuick = (expression: RegExp, text: string, milliseconds: number) =>
  [1, 2, 3].some(() => {
    const before = process.cpuUsage()
    use(expression, text)
    return process.cpuUsage(before).user < milliseconds * 1000
  })
