import fc from 'fast-check'
import { expect, test } from 'vitest'
import { suggest } from '../../scripts/text/suggest.ts'
import { rowsOf, texts } from '../tables.ts'

const profile = texts(
  'id¦name¦location¦twitter¦website¦bio¦skills¦avatar¦cover_image¦type_account¦totalFollowers',
  'totalFollowing¦Likes¦totalShots¦Lists¦Listed¦Projects¦projects',
)
const hosts = texts('nginx¦caddy¦apache¦lighttpd¦cloudflare-pages¦cloudflare-workers¦netlify')

// the keys that people mistype are in test/advice/mistakes

test.each(
  rowsOf(`
    ngnix → nginx
    lighthttpd → lighttpd
    cloudflare_pages → cloudflare-pages
    cloudflare-worker → cloudflare-workers
  `),
)('%s among the hosts is %s', (typed, meant) => expect(suggest(typed, hosts)).toBe(meant))

test.each([
  ['username', profile],
  ['email', profile],
  ['heroku', hosts],
  ['8', ['7']],
  ['', profile],
  ['n'.repeat(65), ['n'.repeat(64)]],
] as const)('nothing is suggested that is far away for %s', (typed, known) =>
  expect(suggest(typed, known)).toBeUndefined(),
)

test('a known name stands for itself, whatever else is near', () =>
  fc.assert(
    fc.property(fc.constantFrom(...profile), (name) => {
      expect(suggest(name, profile)).toBe(name)
    }),
  ))
