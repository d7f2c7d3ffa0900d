import glob from 'fast-glob'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { readJson, readText, type Texts } from '../sandbox.ts'
import { type Diagnosis, type Server, startServer } from './language-server.ts'

const settings = readJson('.vscode/settings.json')
const files = glob.sync('content/**/*.{yaml,yml}', { cwd: 'test/example' }).sort()

const example = Object.fromEntries(
  files.map((file) => [file, readText(`test/example/${file}`)]),
)

const places = (diagnoses: readonly Diagnosis[]) =>
  diagnoses.map(
    ({ message, range: { start } }) => `${start.line + 1}:${start.character + 1} ${message}`,
  )

const shot = 'content/members/ana/shots/new.yaml'
const profile = 'content/members/new/profile.yaml'

const odd = {
  [shot]: `id: 42
title: yes
date: 2014-03-02
image: 007
description:
price_item: 1.50
tags: [2014, true, null, 1.5]
status: ""
id_project: 0
token_id: 0123456789012345678901234567890123456789
draft: true
`,
  [profile]: `id: 9007199254740993
name: null
bio:
location: 1.50
twitter:
website: https://ana.example.com
skills: [1e3, yes, 3.5]
avatar: //cdn.example.com/ana.png
type_account: 1
totalShots: "230"
Likes: 7
projects:
  - id: 7
    created: 2014-03-02 10:00:00
`,
  'content/site.yaml': `base_url: https://a.example
assets: https://a.example
defaults:
  status: 1
hosts: [netlify]
precompress: [br]
`,
  'content/site.yml': `base_url: https://a.example
assets: { https: https://a.example, http: http://a.example }
`,
}

describe.each(['1.2', '1.1'])('the YAML language server, reading YAML %s', (version) => {
  let server: Server
  beforeAll(async () => {
    server = await startServer({ ...settings, 'yaml.yamlVersion': version })
  })
  afterAll(() => server.stop())

  /** What is underlined, by file. */
  const diagnoseAll = async (texts: Texts) =>
    Object.fromEntries(
      await Promise.all(
        Object.entries(texts).map(async ([file, text]) => [
          file,
          places(await server.diagnose(file, text)),
        ]),
      ),
    )

  test('underlines nothing in the example site', async () => {
    expect(files.length).toBeGreaterThan(40)
    expect(await diagnoseAll(example)).toEqual(
      Object.fromEntries(files.map((file) => [file, []])),
    )
  })

  test('knows the schema of a file from its first line, wherever it stands', async () => {
    const elsewhere = Object.entries(example).map(([file, text]) => [
      file.replace('content/', 'else/').replace('members/', 'where/'),
      `${text}\nno_such_key: 1\n`,
    ])
    const found = await diagnoseAll(Object.fromEntries(elsewhere))
    for (const [file] of elsewhere) {
      expect(found[file!], file).toEqual([
        expect.stringMatching(/ Property no_such_key is not allowed\.$/),
      ])
    }
  })

  test('underlines nothing where values look like other types', async () => {
    const nothing = Object.fromEntries(Object.keys(odd).map((file) => [file, []]))
    expect(await diagnoseAll(odd)).toEqual(nothing)
  })

  test('underlines what the build would refuse, in a file without a first line for it', async () => {
    const text =
      'id: 007x\ntitel: Poster\ndate: 2.3.2014\nimage: a b.png\ntags: art\ndraft: maybe\n'
    expect(places(await server.diagnose(shot, text)).toSorted()).toEqual([
      '1:1 Missing property "title".',
      '1:5 Write a whole number from 1 up, without sign, leading zeros or decimals: 42',
      '2:1 Property titel is not allowed.',
      '3:7 Write YYYY-MM-DD HH:MM:SS or YYYY-MM-DD: 2014-03-02 18:30:00',
      '4:8 Write ./picture.png for a file beside this one, https://host/picture.png, //host/picture.png, or a path below the assets address such as shots/picture.png, without spaces',
      '5:7 Write a list: [poster, print]',
      '6:8 Write true or false',
    ])
    expect(
      places(await server.diagnose('content/site.yml', 'base_url: api.example.com\n')),
    ).toEqual(['1:11 Write an address without query or fragment: https://api.example.com'])
  })

  test('shows what a key is for, and what else can be written', async () => {
    await server.diagnose(profile, 'id: 42\nname: Ana\navatar: a.png\n\n')
    const shown = await server.hover(profile, 2, 2)
    for (const text of [
      "The member's picture",
      'a path below the assets address',
      'avatars/ana.png',
    ])
      expect(shown).toContain(text)
    const offered = await server.complete(profile, 3, 0)
    const totalShots = expect.stringContaining('the published ones are counted')
    expect(offered).toMatchObject({ totalShots, skills: expect.anything() })
    expect(Object.keys(offered)).not.toContain('avatar')
  })
})
