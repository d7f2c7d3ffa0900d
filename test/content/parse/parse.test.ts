import { describe, expect, it } from 'vitest'
import { parseAndExplain } from '../../advice/explained.ts'
import { readTable, rowsOf, texts } from '../../tables.ts'
import { mark, unmarked } from './marked.ts'

const read = (text: string) => parseAndExplain({ file: 'content/x.yaml', text })

it.each(
  rowsOf(`
    007 → 007
    yes → yes
    2014-03-02 → 2014-03-02
    0x1F → 0x1F
    ∅ → ∅
    !!str 1 → 1
    !<tag:yaml.org,2002:str> 1 → 1
    "a\\tb\\u00e9\\U0001F600\\x41" → a{U+0009}bé😀A
    'it''s' → it's
    a⏎  b⏎⏎  c → a b⏎c
    |+⏎  a⏎⏎ → a⏎⏎
    >⏎  a⏎  b⏎⏎  c⏎ → a b⏎c⏎
  `),
)('the scalar %j is read as text', (written, text) =>
  expect(read(`key: ${written}`)).toMatchObject({ data: { key: text }, problems: [] }),
)

it.each(
  rowsOf(`
    ∅ → {}
    ⏎# comment⏎⏎ → {}
    --- # comment⏎...⏎ → {}
    text → "text"
    "" → ""
    - a⏎- [b, {c: d}]⏎- → ["a", ["b", { "c": "d" }], ""]
    ? |⏎  a⏎: b → { "a\\n": "b" }
    %YAML 1.1⏎---⏎a: yes⏎b: 012 → { "a": "yes", "b": "012" }
    %TAG !y! tag:yaml.org,2002:⏎---⏎a: !y!str b → { "a": "b" }
    a: !!map {b: !!seq [c]} → { "a": { "b": ["c"] } }
    "<<": a⏎a: << → { "<<": "a", "a": "<<" }
    a: &x b⏎c: *x⏎*x : d⏎e: &x f⏎g: *x → { "a": "b", "c": "b", "b": "d", "e": "f", "g": "f" }
    a: "\\ud83d\\ude00" → { "a": "😀" }
    a: &x {b: c}⏎d: [*x, *x] → { "a": { "b": "c" }, "d": [{ "b": "c" }, { "b": "c" }] }
  `),
)('%j is read as data: %s', (text, data) =>
  expect(read(text)).toMatchObject({ data: JSON.parse(data), problems: [] }),
)

// `yaml` itself leaves these lines out
it.each(
  rowsOf(`
    title: |2⏎    a⏎    ⏎ → {U+0020} a⏎  ⏎
    title: |2-⏎    a⏎   ⏎ → {U+0020} a⏎{U+0020}
    title: >2⏎    a⏎    ⏎ → {U+0020} a⏎  ⏎
  `),
)('a block text with an indentation indicator keeps lines of spaces: %j', (text, title) =>
  expect(read(text).data).toEqual({ title }),
)

const long = rowsOf(
  `‹${'k'.repeat(1100)}: v›⏎ → yaml-syntax → a key has more than 1024 characters`,
)

it.each([...readTable('test/content/parse/problems.txt'), ...long])(
  'problems are found in %j: %s',
  (text, codes, explained = '', hint = '') => {
    const { data, problems } = read(unmarked(text))
    expect(problems.map(({ code }) => code).join(' ')).toBe(codes)
    expect(mark(unmarked(text), problems)).toBe(text)
    if (codes !== 'yaml-syntax') return expect(data).toBeDefined()
    expect(problems[0]!.message).toBe(`this is not YAML: ${explained}`)
    expect(problems[0]!.hint).toContain(hint)
  },
)

it('a second file below the first is to be moved', () => {
  const shot = 'id: 1\ntitle: Tea\ndate: 2024-05-01\nimage: a.png\n'
  expect(read(shot + shot).problems).toMatchObject([
    { line: 5, hint: expect.stringContaining('move it to a file of its own') },
  ])
  const hints = read(`${shot}price_item: 48 EUR${shot}`).problems.map(({ hint }) => hint)
  expect(hints).toEqual([
    'begin a new line before id: and each key behind it',
    expect.stringContaining('move it to a file of its own'),
  ])
})

it('a problem names the first place of a duplicate key', () => {
  const [problem] = read('a: 1\n"b": 2\nb: 3\n').problems
  expect(problem).toMatchObject({
    message: 'the key "b" is given twice',
    hint: 'keep one of the two',
  })
  const place = { file: 'content/x.yaml', line: 2, column: 1, endLine: 2, endColumn: 4 }
  expect(problem?.related).toEqual([{ ...place, message: 'it is given here first' }])
})

it('the first of two equal keys is kept, and reading goes on after every problem', () => {
  const { data, problems } = read(
    'a: 1\na: 2\n<<: x\n? [k]\n: v\nb: *c\nd: !e f\ng: "\\0"\nh: i\n',
  )
  expect(data).toEqual({ a: '1', b: '*c', d: 'f', g: '\0', h: 'i' })
  expect(problems).toHaveLength(6)
})

it('a problem shows no control character of the file', () => {
  for (const text of texts(
    'a: @\u001b[31m¦a: b: \u001b]0;x\u0007¦a: \'b\' \u009b¦a: "\\\u001b"¦x:\u001b\ny: z',
  )) {
    const [problem] = read(text).problems
    expect(problem?.code).toBe('yaml-syntax')
    expect(problem?.message + problem!.hint!).not.toMatch(/[\u0000-\u001f\u007f-\u009f]/)
  }
})

describe('place', () => {
  const text = `# a comment
name: Ana  # another
bio: |-
  one

  two

skills: [a, "b c",
  d]
projects:
  - id: 1
    created: x
  # between
  - &second
    id: 2

empty:
quoted: "x
  y"
copy: *second
😀: é
`
  const { place } = read(text)
  const at = (path: readonly (string | number)[], of: 'key' | 'value') => {
    const marked = mark(text, [place(path, of)])
    return marked.slice(marked.indexOf('‹') + 1, marked.indexOf('›'))
  }

  it.each(
    rowsOf(`
      name → name → Ana
      bio → bio → |-⏎  one⏎⏎  two
      skills → skills → [a, "b c",⏎  d]
      skills 1 → "b c" → "b c"
      skills 2 → d → d
      projects 0 → id: 1⏎    created: x → id: 1⏎    created: x
      projects 0 created → created → x
      projects 1 → id: 2 → id: 2
      empty → empty → ∅
      quoted → quoted → "x⏎  y"
      copy → copy → *second
      copy id → id → 2
      😀 → 😀 → é
    `),
  )('of %j is that of its key or value', (keys, key, value) => {
    const path = keys.split(' ').map((one) => (/^\d$/.test(one) ? Number(one) : one))
    expect(at(path, 'key')).toBe(key)
    expect(at(path, 'value')).toBe(value)
  })

  it('of a path that leads nowhere is that of its nearest parent', () => {
    for (const of of ['key', 'value'] as const) {
      expect(place(['projects', 0, 'nothing', 'below'], of)).toEqual(
        place(['projects', 0], 'value'),
      )
      expect(place(['skills', 7], of)).toEqual(place(['skills'], 'value'))
      expect(place(['nothing'], of)).toEqual(place([], 'value'))
    }
  })

  it('of an empty file is its start', () => {
    const start = { file: 'content/x.yaml', line: 1, column: 1, endLine: 1, endColumn: 1 }
    for (const empty of texts('¦# comment\n\n¦---\n¦ \n '))
      expect(read(empty).place(['id'], 'key')).toEqual(start)
  })

  it('counts UTF-16 units, a tab as one, and CR LF as part of the line it ends', () => {
    const { place } = read('"😀\té":\tb\r\nc: d\r\n')
    const spanOf = (key: string) => {
      const { line, column, endLine, endColumn } = place([key], 'value')
      return `${line}:${column}-${endLine}:${endColumn}`
    }
    expect(spanOf('😀\té')).toBe('1:9-1:10')
    expect(spanOf('c')).toBe('2:4-2:5')
  })
})
