import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { parse as parseTyped } from 'yaml'
import { createLoader } from '../../scripts/advice/loader.ts'
import type { Loaded } from '../../scripts/content/load.ts'
import { noGallery } from '../../scripts/content/site.ts'
import { rowsOf, texts } from '../tables.ts'
import { editorCheck } from './editor.ts'

const { loadProfile, loadShot, loadSite } = createLoader()

const siteOf = (text: string) => loadSite({ file: 'site.yaml', text })
const site = siteOf('base_url: https://api.example.com\n').value
const shotOf = (text: string, over = site) => loadShot({ file: 'shot.yaml', text }, over)
const profileOf = (text: string) => loadProfile({ file: 'profile.yaml', text }, site)

/** `line:column-line:column code`, in the order of places. */
const told = ({ diagnostics }: Loaded<unknown>) =>
  diagnostics
    .map((d) => `${d.line}:${d.column}-${d.endLine}:${d.endColumn} ${d.code}`)
    .join(', ')

const leastProfile = 'id: 42\nname: Ana\n'
const leastShot = 'id: 1\ntitle: Poster\ndate: 2014-03-02\nimage: poster.png\n'

test('a profile has projects whose moments are all written alike', () => {
  const { value } = profileOf(
    `${leastProfile}projects:\n  - { id: 7, created: 2014-03-02T10:00:00Z }\n`,
  )
  expect(value?.projects).toEqual([{ id: '7', created: '2014-03-02 10:00:00', title: '' }])
})

test('a shot may name a port only where assets has a base for each scheme', () => {
  const text = `${leastShot}attachment: https://cdn.example.com:8443/a.zip\n`
  expect(told(shotOf(text))).toBe('5:13-5:47 bad-asset')
  const both = 'assets: { https: "https://a.example:1", http: "http://a.example:2" }\n'
  expect(
    shotOf(text, siteOf(`base_url: https://a.example\n${both}`).value).value,
  ).toBeDefined()
  expect(loadShot({ file: 'shot.yaml', text }, undefined).value).toBeDefined()
})

test('an empty value is the same as leaving the key out', () => {
  const empty = 'bio:\nskills:\nprojects:\nLikes:\ntwitter: # later\n'
  expect(profileOf(leastProfile + empty)).toEqual(profileOf(leastProfile))
})

test('an empty value in quotes is the same on a key that may be left out', () => {
  const empty =
    'bio: ""\nskills: ""\nprojects: \'\'\nLikes: ""\ntwitter: ""\navatar: ""\ntype_account: ""\n'
  expect(profileOf(leastProfile + empty)).toEqual(profileOf(leastProfile))
  const shot =
    'large_image: ""\ntags: ""\nid_project: ""\nstatus: ""\ntoken_id: ""\ndraft: ""\n'
  expect(shotOf(leastShot + shot)).toEqual(shotOf(leastShot))
})

test('an empty value is dropped inside mappings too', () => {
  const { value } = siteOf('base_url: https://a.example\ndefaults:\n  status:\n')
  expect(value?.defaults.status).toBe('0')
})

test.each(
  rowsOf(`
    an empty value leaves a required key missing → profile → # Ana⏎bio: hi⏎id:⏎name:⏎ → 2:1-2:4 missing-key, 2:1-2:4 missing-key
    an empty value in quotes makes a required key wrong → profile → id: ""⏎name: ""⏎ → 1:5-1:7 bad-id, 2:7-2:9 blank
    an empty value in quotes makes a required key wrong → shot → id: ""⏎title: |⏎⏎date: ""⏎image: ""⏎ → 1:5-1:7 bad-id, 2:8-2:9 blank, 4:7-4:9 bad-timestamp, 5:8-5:10 bad-asset
    an empty value is dropped inside mappings too → profile → id: 42⏎name: Ana⏎projects:⏎  - id: 7⏎    created:⏎ → 4:5-4:7 missing-key
    an empty value is not dropped from lists → profile → id: 42⏎name: Ana⏎skills:⏎  - a⏎  -⏎  - ""⏎ → 5:4-5:4 bad-word, 6:5-6:7 bad-word
    an empty value makes no key of an unknown one → profile → id: 42⏎name: Ana⏎nickname:⏎ → 3:1-3:9 unknown-key
    an empty value makes no key of an unknown one → profile → id: 42⏎name: Ana⏎nickname: ""⏎ → 3:1-3:9 unknown-key
    an empty value makes no key of an unknown one → profile → id: 42⏎name: Ana⏎__proto__:⏎constructor:⏎ → 3:1-3:10 unknown-key, 4:1-4:12 unknown-key
    what is wrong is told beside what the parser found → shot → id: 1⏎title: Poster⏎date: 2014-03-02⏎image: poster.png⏎title: Again⏎tags: poster⏎ → 5:1-5:6 duplicate-key, 6:7-6:13 wrong-type
    what follows from a problem of the parser is no second one → shot → id: *number⏎title: a⏎date: 2014-03-02⏎image: a.png⏎ → 1:5-1:12 unknown-alias
    what follows from a problem of the parser is no second one → profile → <<: { id: 1, name: Ana }⏎bio: x⏎ → 1:1-1:3 merge-key
    an empty file is told → profile → ∅ → 1:1-1:1 empty-file
    an empty file is told → profile → # nothing yet⏎ → 1:1-1:1 empty-file
    # a text that only the full parser reads
    an empty file is told → profile → # nothing yet\x7f⏎ → 1:1-1:1 empty-file
  `),
)('%s: in a %s, %j', (_, kind, text, expected) =>
  expect(told(kind === 'shot' ? shotOf(text) : profileOf(text))).toBe(expected),
)

test('all that is wrong with a file is told at once, each value once', () => {
  const text = `name: [Ana]
twitter: www.example.com
skills: [a b, "c,d", [e]]
avatar: { path: ana.png }
biio: hello
Likes: -3
projects:
  - id: 0
  - created: 2014-02-30
    id: 0
    name: x
  - text
`
  expect(told(profileOf(text)).split(', ')).toEqual(
    texts(
      '1:1-1:5 missing-key¦1:7-1:12 wrong-type¦2:10-2:25 bad-url¦3:10-3:13 bad-word',
      '3:15-3:20 bad-word¦3:22-3:25 wrong-type¦4:9-4:26 wrong-type¦5:1-5:5 unknown-key',
      '6:8-6:10 bad-count¦8:5-8:7 missing-key¦8:9-8:10 bad-id¦9:14-9:24 bad-timestamp',
      '10:9-10:10 bad-id¦11:5-11:9 unknown-key¦12:5-12:9 wrong-type',
    ),
  )
})

const base = 'base_url: https://api.example.com/v1/\n'

test('the site hangs assets from base_url unless told otherwise', () =>
  expect(siteOf(base).value).toEqual({
    baseUrl: 'https://api.example.com/v1',
    assets: {
      https: 'https://api.example.com/v1/assets',
      http: 'http://api.example.com/v1/assets',
    },
    portsAllowed: false,
    defaults: { type_account: '0', status: '0' },
    hosts: [],
    precompress: [],
    openapi: false,
    members: false,
    all: false,
    schemes: ['https', 'http'],
    groups: 0,
    reserved: [],
    gallery: noGallery,
  }))

test('the site takes one assets base, or one for each scheme, with ports', () => {
  expect(siteOf(`${base}assets: HTTP://cdn.example.com//\n`).value?.assets).toEqual({
    https: 'https://cdn.example.com',
    http: 'http://cdn.example.com',
  })
  const { value } = siteOf(
    `${base}assets:\n  https: https://a.example:8443/\n  http: http://b.example:8080/x\n`,
  )
  expect(value).toMatchObject({
    assets: { https: 'https://a.example:8443', http: 'http://b.example:8080/x' },
    portsAllowed: true,
  })
  expect(told(siteOf(`${base}assets: { https: "http://a.example" }\n`))).toBe(
    '2:9-2:38 missing-key, 2:18-2:36 bad-base',
  )
})

test('the site warns of a port in base_url when assets hang from it, and still loads', () => {
  for (const assets of ['', 'assets:\n', 'assets: ""\n']) {
    const loaded = siteOf(`base_url: https://api.example.com:8443\n${assets}`)
    expect(told(loaded)).toBe('1:11-1:39 port-in-base-url')
    expect(loaded.value?.baseUrl).toBe('https://api.example.com:8443')
  }
  expect(told(siteOf('base_url: https://a.example:8443\nassets: https://a.example\n'))).toBe(
    '',
  )
})

/** Values as people write them, right and wrong. */
const value = fc.constantFrom(
  ...texts(
    `¦""¦''¦null¦~¦true¦yes¦42¦0¦1.50¦-3¦007¦0x1F¦1e3¦.inf¦"a b"`,
    'Ana¦ação 🎨¦"\\u0041\\n"¦|\n  two\n  lines¦2014-03-02¦<<¦a # comment¦"#x"¦[¦{}',
    '[]¦[a, b]¦[null, 1.5, true]¦["", a]¦\n  - a\n  - 2014¦\n- a b¦[[a]]',
    '2014-03-02¦2014-03-02 10:11:12¦2014-03-02T10:11:12Z¦"2014-03-02"¦2014-02-30¦2014',
    'https://a.example/x¦//a.example:80/x¦a/b.png¦../x¦foo:bar¦www.example.com',
    '1¦42¦123456789012345678901234567890¦"7"',
  ),
)

const file = (keys: readonly string[]) =>
  fc
    .uniqueArray(fc.tuple(fc.constantFrom(...keys), value), {
      selector: ([key]) => key,
      maxLength: 5,
    })
    .map((entries) => entries.map(([key, text]) => `${key}: ${text}\n`).join(''))

const cases = {
  profile: {
    load: profileOf,
    files: file(
      texts('bio¦twitter¦website¦skills¦avatar¦type_account¦Likes¦projects¦x¦location'),
    ).map((text) => leastProfile + text),
  },
  shot: {
    load: (text: string) => shotOf(text),
    files: file(
      texts(
        'large_image¦description¦tags¦id_project¦status¦attachment¦url_purchased¦price_item¦token_id¦draft¦x',
      ),
    ).chain((text) =>
      fc
        .tuple(value, value, value)
        .map(([title, date, image]) =>
          text.length % 2 === 0
            ? leastShot + text
            : `id: 7\ntitle: ${title}\ndate: ${date}\nimage: ${image}\n${text}`,
        ),
    ),
  },
  site: {
    load: (text: string) => siteOf(text),
    files: file(texts('assets¦defaults¦hosts¦precompress¦x')).map(
      (text) => `base_url: https://a.example\n${text}`,
    ),
  },
}

/** RUNS=10000 in the weekly job. */
const numRuns = Number(process.env.RUNS ?? 400)

describe.each(Object.entries(cases))('any %s', (name, { load, files }) => {
  test('that the build takes, an editor takes too, though it reads numbers, booleans and nulls', () => {
    const inEditor = editorCheck(name)
    let taken = 0
    fc.assert(
      fc.property(files, (text) => {
        // an empty value after an unknown key says nothing to the build, but is a warning to
        // its author
        if (load(text).value === undefined || /^x:/m.test(text)) return
        taken++
        expect(inEditor(parseTyped(text)), text).toEqual([])
      }),
      { numRuns },
    )
    expect(taken).toBeGreaterThan(numRuns / 10)
  })
})
