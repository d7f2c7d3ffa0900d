import { hash } from 'node:crypto'
import { expect, test } from 'vitest'
import { readJson, readText, sandbox } from '../sandbox.ts'
import { profileYaml, shotYaml, siteYaml } from '../site.ts'
import { times } from '../times.ts'
import { buildIn } from './building.ts'

const build = async () => {
  const folder = sandbox({
    'content/site.yaml': `${siteYaml}members: true\nall: true\n`,
    'content/members/a-b/profile.yaml': profileYaml(1),
    'content/members/a/profile.yaml': `${profileYaml(2)}totalShots: 230\n`,
    'content/members/a/shots/draft.yaml': `${shotYaml(20)}draft: true\n`,
    'content/members/Zoe/profile.yaml': `${profileYaml(3, 'Zoë')}aliases: [old-zoe]\n`,
    'content/members/Zoe/shots/one.yaml': shotYaml(30),
  })
  await buildIn(folder)
  return `${folder}/dist`
}

test('the list has every member by username, without aliases and drafts', async () => {
  const { Members } = readJson(`${await build()}/api/members/index.json`)
  const noDate = '0000-00-00 00:00:00'
  expect(Members).toEqual([
    {
      id: '3',
      username: 'Zoe',
      name: 'Zoë',
      totalShots: '1',
      date: expect.stringMatching(/^2/),
    },
    { id: '2', username: 'a', name: expect.any(String), totalShots: '230', date: noDate },
    { id: '1', username: 'a-b', name: expect.any(String), totalShots: '0', date: noDate },
  ])
  expect(Object.keys(Members[0])).toEqual(['id', 'username', 'name', 'totalShots', 'date'])
})

test.each(['', 'http/'])(
  'each of the 256 bins below "%s" is as the index says',
  async (variant) => {
    const dist = await build()
    const read = (file: string) => readText(`${dist}/${variant + file}`)
    const usernames = ['Zoe', 'a', 'a-b']
    const bins = times(256, (number) => {
      const name = number.toString(16).padStart(2, '0')
      const own = usernames.filter((one) => hash('sha1', one.toLowerCase()).startsWith(name))
      const lines = own.map((username) => {
        const [profile, shots] = ['', '/shots'].map((route) =>
          read(`api/username/${username}${route}/index.json`),
        )
        return `{"username":"${username}","profile":${profile!.trim()},"shots":${shots!.trim()}}\n`
      })
      const text = lines.join('')
      expect(read(`api/all/${name}.ndjson`)).toBe(text)
      const bytes = String(Buffer.byteLength(text))
      return { name, members: String(own.length), bytes, sha256: hash('sha256', text) }
    })
    expect(read('api/all/index.json')).toBe(`${JSON.stringify({ members: '3', bins })}\n`)
  },
)
