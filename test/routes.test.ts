import fs from 'node:fs'
import glob from 'fast-glob'
import { expect, test } from 'vitest'
import * as api from '../scripts/api/routes.ts'

/**
 * What only the route table may say. Header values of one plain word, such as `nosniff`, say
 * nothing of the table.
 */
const values = [
  ...[api.prefix, api.contentType, api.indexFile, api.sumsFile],
  ...api.siteRoutes.map(({ path }) => path),
  ...Object.values(api.errors).flatMap(({ body, file }) => [body.trim(), file]),
  ...[
    api.commonHeaders,
    api.okHeaders,
    api.otherErrorHeaders,
    api.preflight.headers,
    ...Object.values(api.errors).map((error) => error.headers),
  ]
    .flatMap((headers) => Object.values(headers))
    .filter((value) => /[ -]/.test(value)),
]

/** Who names a value all the same, and why. */
const exceptions = {
  'deploy.ts: SHA256SUMS': 'help, for people',
  'deploy/plan.ts: SHA256SUMS': 'messages, for people',
  'hosts/cloudflare.ts: /api/username/': 'what the host cannot do, for people',
  'preview/answers.ts: no-store': "the preview's own pages",
  'verify/causes.ts: 404.json': 'advice, for people',
  'verify/causes.ts: index.json': 'advice, for people',
}

test('only the route table names its paths, header values, bodies and files', () => {
  const found = glob
    .sync('**/*.ts', { cwd: 'scripts', ignore: ['api/route.ts', 'api/outputs/*'] })
    .flatMap((file) => {
      const text = fs
        .readFileSync(`scripts/${file}`, 'utf8')
        .replace(/^ *(?:\/?\*|\/\/).*$/gm, '')
      return values
        .filter((value) => text.includes(value))
        .map((value) => `${file}: ${value}`)
    })
  expect([...new Set(found)].sort()).toEqual(Object.keys(exceptions).sort())
})
