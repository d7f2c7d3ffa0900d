import { describe, expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'
import type { Diagnostic } from '../../scripts/problems/diagnostic.ts'
import { mark, unmarked } from '../content/parse/marked.ts'
import { readTable, rowsOf, texts } from '../tables.ts'
import { harmOf, obey } from './answers.ts'

/**
 * What people type, the place of the one message marked with ‹›; its code; and the words of
 * the hint that correct it, where it offers a correction: a whole line of the file, or what
 * comes in place of the mark; of the files in mistakes/. Other mistakes, of names and
 * folders, are in read/strays.test.ts.
 */
type Mistake = readonly [typed: string, code: string, correction?: string | undefined]

const shot = {
  id: 'id: 11',
  title: 'title: Poster',
  date: 'date: 2024-05-01',
  image: 'image: a.png',
}
const profile = { id: 'id: 1', name: 'name: Ana' }
const site = {
  base_url: 'base_url: https://api.example.com',
}

/** A whole file: what was typed in place of the key that it was meant for, or below all others. */
const fileOf = (good: Readonly<Record<string, string>>, typed: string, correction = '') => {
  const meant = /^\w+$/.test(correction) ? correction : ''
  const keys = [
    ...`${typed.replace(/^‹?- /, '')}\n${meant}`.matchAll(
      /^[^\p{L}\n-]*([A-Za-z_]+)[^\p{L}\n]*?(?:[:：=,\t>]|$)/gmu,
    ),
  ].map(([, key]) => key!.toLowerCase())
  const others = Object.entries(good).filter(([key]) => !keys.includes(key))
  return `${[...others.map(([, line]) => line), typed].join('\n')}\n`
}

const { loadProfile, loadShot, loadSite } = createLoader()

const tables = {
  shot: { good: shot, load: (text: string) => loadShot({ file: 'x.yaml', text }, portless) },
  profile: {
    good: profile,
    load: (text: string) => loadProfile({ file: 'x.yaml', text }, portless),
  },
  site: { good: site, load: (text: string) => loadSite({ file: 'x.yaml', text }) },
} as const

const portless = loadSite({ file: 'site.yaml', text: `${site.base_url}\n` }).value

/** The mistakes of a table; `‹a¦b›: c` is one for each key. */
const read = (kind: keyof typeof tables) =>
  readTable(new URL(`mistakes/${kind}.txt`, import.meta.url)).flatMap(
    ([typed, code, correction]) => {
      const [, keys, rest] = /^‹(.*¦.*)(›: .*)/.exec(typed) ?? []
      const all = keys === undefined ? [typed] : texts(keys).map((key) => `‹${key}${rest}`)
      return all.map((one): Mistake => [one, code, correction])
    },
  )

const mistakes = (['shot', 'profile', 'site'] as const).map(
  (kind) => [kind, read(kind)] as const,
)

describe.each(mistakes)(
  'a mistake in a %s is told in its place, and its correction is right',
  (kind, rows) => {
    const { good, load } = tables[kind]

    test.each(rows.map(([typed, ...rest]) => [typed, rest] as const))(
      '%j',
      (typed, [code, correction]) => {
        const marked = fileOf(good, typed, correction)
        const text = unmarked(marked)
        const told: readonly Diagnostic[] = load(text).diagnostics
        expect(told.map((one) => one.code)).toEqual([code])
        expect(mark(text, told)).toBe(marked)
        expect(told[0]!.hint).toEqual(expect.any(String))
        expect(harmOf(text, told[0]!, load)).toEqual([])
        if (correction === undefined) return
        expect(told[0]!.hint).toContain(correction)
        // advice that is no line to write
        if (/^[a-z]+ /.test(correction)) return
        expect(load(obey(marked, correction)).diagnostics).toEqual([])
      },
    )
  },
)

test.each(
  texts(
    'date: 1847-06-22¦date: 1066-10-14¦date: 0617-12-29',
    'image: https://en.wikipedia.org/wiki/Apple_Inc.',
    `tags: [homer-'odyssey', malory-'le-morte-d'arthur', poets', '''raphael''-sculpture', rock'n'roll, 12"]`,
    'image: https://example.com/o’keeffe.png¦title: “Tea”¦title: “Tea”\nalt: A “cup”',
    'title: TODO app¦description: Tea - black - 2024¦title: Τι είναι;¦title: None',
    'title: <3¦description: Todo lists for teams¦description: Loremaster¦title: Keine',
    'description: |\n  Q:\n  what¦description: "a\\tb\\nc"',
    'description: "a\\n\n  \\ b\\\\ c"¦description: "One line\\nand another"',
    'attachment: tea.psd¦attachment: tea.pdf',
  ),
)('%s is no mistake', (typed) =>
  expect(tables.shot.load(fileOf(shot, typed)).diagnostics).toEqual([]),
)

test.each(
  rowsOf(`
    a list → - id: 11⏎- title: Tea⏎ → write "key: value" on each line, without "- " or brackets
    text → id:11⏎title:Tea⏎ → write "key: value" on each line, with a space after the colon
    an answer of the API → {"Shots": [{"id": "11", "title": "Tea", "image": "a.png", "user_id": "1"}]} → this is what the API answers: npx shotpress import URL makes files of it
    one key, in brackets → {"shot": {"id": "11", "title": "Tea"}} → remove it, and begin each of the keys that belong to it at the start of a line
  `),
)('a shot that is %s as a whole is told what to write', (_, text, hint) =>
  expect(tables.shot.load(text).diagnostics).toMatchObject([{ line: 1, hint }]),
)

test.each(
  rowsOf(`
    +id: 11⏎+title: Tea⏎+tags:⏎+  - tea⏎ → remove the "+" in front of each line, and the lines with "-" that they are to replace
    +++⏎id = 11⏎title = "Tea"⏎+++⏎ → remove both lines of "+++", and write "key: value" for each "key = value"
  `),
)('marks of a comparison and of TOML are told for all lines: %j', (text, hint) =>
  expect(tables.shot.load(text).diagnostics).toContainEqual(
    expect.objectContaining({ hint }),
  ),
)

test('a file whose lines are all comments is told which ones to begin with', () => {
  const told = tables.shot.load('# a shot\n# id: 11\n# title: Tea\n').diagnostics
  const hint = 'remove the "#" in front of each line that should count, as in line 2'
  expect(told).toMatchObject([{ code: 'empty-file', hint }])
})

test('a line of TOML below the first comment of a file is told in its place', () => {
  const told = tables.shot.load('# a comment\nid = 11\ntitle: Tea\n').diagnostics
  expect(told).toMatchObject([{ line: 2, hint: 'write id: 11' }])
})

test('what two keys say goes into one, and entries that were taken apart are one again', () => {
  const names = 'id: 1\nfirst_name: Ana\nlast_name: Lima\n'
  const hint = 'write name: Ana Lima, in place of 2 keys'
  expect(tables.profile.load(names).diagnostics).toMatchObject([{ hint }, { hint }])
  const projects = 'id: 1\nname: Ana\nprojects:\n  - id: 7\n  - created: 2014-03-01\n'
  const whole = { hint: 'write projects: [{ id: 7, created: 2014-03-01 }]' }
  expect(tables.profile.load(projects).diagnostics).toMatchObject([whole, whole])
})

test('quotes of print around all texts of a file are those that an editor made of others', () => {
  const text = 'id: 1\nname: “Ana”\nbio: “Draws.”\nlocation: Lisbon\n'
  expect(tables.profile.load(text).diagnostics).toMatchObject([
    { line: 2, hint: 'write name: "Ana"' },
    { line: 3, hint: 'write bio: "Draws."' },
  ])
})

test.each(
  texts(
    'description: |\n  Two colours.\n  date: 2024-05-01\nimage: a.png',
    'description: >\n  Two colours.\n\n  image: ./a.png\ndate: 2024-05-01',
    'description: "Two colours.\n  image: ./a.png"\ndate: 2024-05-01',
  ),
)(
  'a key that is missing, as its line is a part of a text, is told where it is: %j',
  (rest) => {
    const hint = expect.stringContaining('its line is a part of description')
    const { diagnostics } = tables.shot.load(`id: 11\ntitle: Tea\n${rest}\n`)
    expect(diagnostics[0]).toMatchObject({ code: 'missing-key', hint })
  },
)

test('a shot in a profile is to have a file of its own', () => {
  const text = 'id: 1\nname: Ana\ntitle: Tea\ndate: 2024-05-01\nimage: a.png\n'
  const hint = expect.stringContaining('to a file of its own: members/<username>/shots')
  expect(tables.profile.load(text).diagnostics).toMatchObject([{ hint }, { hint }, { hint }])
})

test('a day that is put right unasked has come', () => {
  const { loadShot: load } = createLoader({ today: '2026-01-01' })
  const text = fileOf(shot, 'date: 14/03/2565')
  const [told] = load({ file: 'x.yaml', text }, portless).diagnostics
  expect(told).toMatchObject({ hint: expect.stringContaining('write date: 2022-03-14') })
  expect(told).not.toHaveProperty('fix')
})

test.each(
  rowsOf(`
    shot → [shot]⏎id = 11⏎title = Tea⏎ → remove the line: a file is one profile or one shot
    profile → id: 1⏎name: Ana⏎projects: [{ id: 7, created: 2014-03-01, id: 9 }]⏎ → if another entry begins here, write "}, {" in place of the comma before it; else keep one of the two
    profile → id: 1⏎name: Ana⏎projects:⏎  - id: 7⏎    created: 2014-03-01⏎    id: 9⏎ → if another entry begins here, write "- " in place of two of the spaces before it; else keep one of the two
    shot → id: 11⏎title: Tea⏎date: 2024-05-01⏎image: a.png⏎project: City posters⏎ → did you mean "id_project"? If so, write the id of one of the projects in the member's profile.yaml
    shot → id: 11⏎title: Tea⏎date: 2024-05-01⏎image: a.png⏎description: Made for a cafe.⏎  Client: Acme⏎  Role: Lettering⏎ → write description: "Made for a cafe.\\nClient: Acme\\nRole: Lettering"
    shot → \`id\`: 11⏎\`title\`: Tea⏎ → write id: 11; change the lines below that are like it, too
    shot → tags:⏎-a⏎-b⏎ → write - a; change the lines below that are like it, too
    shot → * id: 11⏎* title: Tea⏎ → remove the mark in front of each line
    shot → > # a⏎> id: 11⏎> title: Tea⏎ → remove the ">" in front of each line
    shot → # title: Tea⏎id: 11⏎image: a.png⏎ → remove the "#" in front of it in line 1
    shot → {⏎"title": "Tea "with" milk",⏎"id": 11⏎}⏎ → write title: Tea "with" milk,
    shot → 1: id: 11⏎2: title: Tea⏎ → remove the number in front of each line
    shot → 1  # a⏎2  id: 11⏎3  title: Tea⏎ → remove the number in front of each line
    site → baseURL = "https://a.example"⏎openapi: true⏎ → write base_url: "https://a.example"
  `),
)('of a %s, %j is told what to do first', (kind, text, hint) =>
  expect(tables[kind as 'shot'].load(text).diagnostics[0]).toMatchObject({ hint }),
)

test.each(['tags: poster, tea #blue', 'tags: poster #tea #blue # more'])(
  '%j lists what a comment takes of it',
  (typed) => {
    const [told] = tables.shot.load(fileOf(shot, typed)).diagnostics
    expect(told).toMatchObject({ hint: 'write tags: [poster, tea, blue]' })
  },
)

test.each(
  rowsOf(`
    shot → tags: poster #tea
    shot → price_item: https://shop.example.com/tea⏎url_purchased: 24.50
    shot → title 2: Tea
    shot → description tea-x: y
    shot → image: https://cdn.example.com/tea.png "Cup"
    profile → website: https://ana.example/my portfolio
  `),
)('in a %s, %j is nothing that is fixed unasked', (kind, typed) => {
  const { good, load } = tables[kind as 'shot']
  const told = load(fileOf(good, typed)).diagnostics
  expect(told.length).toBeGreaterThan(0)
  expect(told.filter(({ fix }) => fix !== undefined)).toEqual([])
})

test('a text has the advice that belongs to its quotes, whatever another file said before', () => {
  const { loadShot } = createLoader()
  const hintOf = (title: string) => {
    const text = fileOf(shot, `title: ${title}`)
    return loadShot({ file: 'x.yaml', text }).diagnostics[0]?.hint
  }
  const plain = hintOf('Tea\ttin')
  expect(hintOf('"Tea\\ttin"')).toContain('Tea\\ttin')
  expect(hintOf('Tea\ttin')).toBe(plain)
  expect(plain).not.toContain('\\')
})

test('what was told of an alias in one file is not told of that in another', () => {
  const { loadProfile } = createLoader()
  const hintsOf = (host: string) => {
    const text = fileOf(profile, `twitter: &own https://${host}.\nwebsite: *own`)
    return loadProfile({ file: 'x.yaml', text }).diagnostics.map(({ hint }) => hint)
  }
  for (const host of ['ana.example', 'bo.example'])
    expect(hintsOf(host)[1]).toContain(`website: https://${host};`)
})

test('a key that holds some of the others leaves what is missing to be told', () => {
  const text = 'title: Tea\ndate: 2024-05-01\nimage: a.png\nmeta: { draft: true }\n'
  const told = loadShot({ file: 'x.yaml', text }).diagnostics
  expect(told).toMatchObject([{ code: 'missing-key' }, { code: 'unknown-key' }])
})
