import { expect, test } from 'vitest'
import { createLoader } from '../../scripts/advice/loader.ts'

const { loadProfile: profileOf, loadShot: shotOf, loadSite: siteOf } = createLoader()

const long = (text: string) => text.repeat(((1 << 20) - 200) / text.length)

const profile = 'id: 1\nname: Ana\n'
const shot = 'id: 1\ntitle: Tea\nimage: a.png\n'
const dated = `${shot}date: 2014-03-02\n`

/** A stranger's file of 1 MiB, which took minutes or hours to find a hint for. */
test.each([
  ['a value that is nearly none', 'shot', `${dated}large_image: ${long('-')}x\n`, []],
  [
    'brackets',
    'profile',
    `${profile}website: "https://a.example/${long('[')},"\n`,
    ['unlikely-value'],
  ],
  [
    'commas',
    'profile',
    `${profile}website: 'https://a.example/${long(',')}x"'\n`,
    ['unlikely-value'],
  ],
  ['a key of underscores', 'shot', `${dated}? "x${long('_')}x"\n: x\n`, ['unknown-key']],
  ['nothing after ---', 'shot', `${dated}---\n${long('\n')}x: 1\n`, ['multiple-documents']],
  [
    'carriage returns after ---',
    'shot',
    `${dated}---\n${long('\r')}x: 1\n`,
    ['multiple-documents'],
  ],
  ['a quote that is not closed', 'shot', `${dated}alt: "${long(' ')}[\n`, ['yaml-syntax']],
  [
    'a date with much after it',
    'shot',
    `${shot}date: "2024${long(' ')}x"\n`,
    ['bad-timestamp'],
  ],
  [
    'an address after #',
    'profile',
    `${profile}website: #x${long(',')}x\n`,
    ['cut-by-comment'],
  ],
  ['a text after #', 'shot', `${dated}description: #${long('é')}\n`, ['cut-by-comment']],
  ['a key in brackets', 'shot', `${dated}? [${long('é')}]\n: x\n`, ['bad-key']],
  [
    'lists in a list',
    'shot',
    `${dated}tags:\n${`- ["${'a '.repeat(240)}"]\n`.repeat(2000)}`,
    ['wrong-type'],
  ],
  [
    'slashes',
    'site',
    `base_url: https://a.b\ngallery: { edit: https://a.b/c/d${long('/')}x }`,
    [],
  ],
  ['words with much between them', 'shot', `${dated}tags: x${long('\t')}y\n`, ['wrong-type']],
  [
    'a list that is nearly nothing',
    'shot',
    `${dated}tags: "${long('-')}x"\n`,
    ['wrong-type'],
  ],
] as const)('%s', (_, kind, text, codes) => {
  const load = { shot: shotOf, profile: profileOf, site: siteOf }[kind]
  const { diagnostics } = load({ file: 'x.yaml', text }, undefined)
  expect(new Set(diagnostics.slice(0, 500).map(({ code }) => code))).toEqual(new Set(codes))
  // to break a hint into lines takes minutes, too
  for (const { hint } of diagnostics) expect(hint!.length).toBeLessThan(1000)
})
