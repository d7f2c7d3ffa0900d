import { describe, expect, test } from 'vitest'
import { editorWith } from './language-server.ts'

const profile = editorWith('profile')
const shot = editorWith('shot')
const site = editorWith('site')

describe('the YAML language server underlines nothing', () => {
  test('where values look like numbers, booleans, dates and nothing', async () => {
    const text =
      'id: 42\ntitle: yes\ndate: 2014-03-02\nimage: 12\nprice_item: 1.50\ndescription:\ndraft: true\n'
    expect(
      await shot.underlined(`${text}tags: [2014, true, null, art]\nstatus: ""\nid_project: 0\n`),
    ).toEqual([])
  })

  test('in a full profile', async () => {
    const text = [
      'id: 9007199254740993',
      'name: null',
      'location: 1.50',
      'bio: |',
      '  Letters.',
      'twitter:',
      'website: https://ana.example.com',
      'skills:',
      '  - 3.5',
      '  - true',
      'avatar: //cdn.example.com/ana.png',
      'type_account: 1',
      'totalShots: "230"',
      'projects:',
      '  - id: 7',
      '    created: 2014-03-02 10:00:00',
      '',
    ]
    expect(await profile.underlined(text.join('\n'))).toEqual([])
  })

  test('in a site with one assets base or two', async () => {
    const rest = 'base_url: https://a.example\ndefaults:\n  status: 1\nhosts: [netlify]\nprecompress: [br]\n'
    expect(await site.underlined(`${rest}assets: https://a.example\n`)).toEqual([])
    expect(
      await site.underlined(`${rest}assets:\n  https: https://a.example\n  http: http://a.example\n`),
    ).toEqual([])
  })
})

test('the YAML language server says what to write instead', async () => {
  const text = 'id: 007x\ntitel: Poster\ndate: 2.3.2014\nimage: a b.png\ntags: art\ndraft: maybe\n'
  expect((await shot.underlined(text)).toSorted()).toEqual([
    '1:1 Missing property "title".',
    '1:5 Write a whole number from 1 up, without sign, leading zeros or decimals: 42',
    '2:1 Property titel is not allowed.',
    '3:7 Write YYYY-MM-DD HH:MM:SS or YYYY-MM-DD: 2014-03-02 18:30:00',
    '4:8 Write ./picture.png for a file beside this one, https://host/picture.png, //host/picture.png, or a path below the assets address such as shots/picture.png, without spaces',
    '5:7 Write a list: [poster, print]',
    '6:8 Write true or false',
  ])
})

test('the YAML language server shows what a key is for, with an example', async () => {
  const avatar = await profile.hover('id: 42\nname: Ana\navatar: ana.png\n', 'avatar')
  expect(avatar).toContain('Avatar')
  expect(avatar).toContain('a path below the assets address')
  expect(avatar).toContain('avatars/ana.png')
  expect(await shot.hover('image: a.png\n', 'image')).toContain('a path below `assets` of `site.yaml`')
})

test('the YAML language server offers the keys that are not there yet', async () => {
  const offered = await profile.offered('id: 42\nname: Ana\n')
  expect(offered).toContain('skills')
  expect(offered).toContain('totalShots')
  expect(offered).not.toContain('name')
})
