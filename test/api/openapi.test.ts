import { spawnSync } from 'node:child_process'
import path from 'node:path'
import { expect, test } from 'vitest'
import { exampleSite } from '../../scripts/api/document/example.ts'
import { documentOf, outputsOf } from '../../scripts/api/outputs.ts'
import { captured } from '../captured.ts'
import { readJson, sandbox } from '../sandbox.ts'

/** Rules of recommended-strict that the document breaks on purpose. */
const rules = {
  // the data belongs to its members; the project can't license it
  'info-license': 'off',
  // the committed document is about an example
  'no-server-example.com': 'off',
}

test("has nothing that Redocly's strict rules find", () => {
  const folder = sandbox({
    'redocly.yaml': JSON.stringify({ extends: ['recommended-strict'], rules }),
  })
  const cli = path.resolve('node_modules/@redocly/cli/bin/cli.js')
  const env = {
    ...process.env,
    REDOCLY_TELEMETRY: 'off',
    REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true',
  }
  const { status, stderr, stdout } = spawnSync(
    process.execPath,
    [cli, 'lint', path.resolve('schemas/api/openapi.json')],
    { cwd: folder, encoding: 'utf8', env },
  )
  expect({ status, told: stderr + stdout }).toMatchObject({
    status: 0,
    told: expect.stringContaining('valid'),
  })
})

test('is added by openapi: true alone', () => {
  const names = (more: object) =>
    outputsOf({ ...exampleSite, ...more }).map(({ name }) => name)
  expect(names({})).not.toContain('openapi')
  expect(names({ openapi: true })).toContain('openapi')
})

test('says what follows from site.yaml, and of a site without lists what 0.1.0 said', () => {
  const text = (more: Partial<typeof exampleSite>) =>
    documentOf({ ...exampleSite, ...more }).info.description
  const published =
    ', for `/published.json` and its signature `/published.json.sig`, which a site may have'
  const added = `${published}, and for pictures below \`/pictures/\` that bodies name`
  const released = readJson('test/api/released/openapi.json')
  expect(text({}).replace(added, '')).toBe(released.info.description)
  for (const lists of [{ members: true }, { all: true }]) {
    expect(text(lists)).toContain('There is no search and no paging.')
    expect(text(lists)).not.toMatch(/Two read|no list of members/)
  }
  expect(text({ all: true })).toContain(
    'the same in both, but for the sizes and checksums that `/api/all` lists.',
  )
  const https = documentOf({ ...exampleSite, schemes: ['https'], members: true })
  expect(https.info.description).toContain('They answer over https only.')
  expect(JSON.stringify(https)).not.toContain('Over http"')
  expect(https.paths['/api/members']!.get.responses[404]).toMatchObject({
    description: 'There is no such file.',
  })
})

test('names both schemes of the base address, or the one that its port serves', () => {
  const urls = (baseUrl: string) =>
    documentOf({ ...exampleSite, baseUrl }).servers.map(({ url }) => url)
  expect(urls('http://api.example.com/v1')).toEqual([
    'https://api.example.com/v1',
    'http://api.example.com/v1',
  ])
  expect(urls('https://api.example.com:8443')).toEqual(['https://api.example.com:8443'])
})

test('holds examples of the site itself, each in the scheme that it says', () => {
  const assets = { https: 'https://pictures.example', http: 'http://pictures.example:8080' }
  const { paths } = documentOf({ ...exampleSite, assets })
  const { get } = paths['/api/username/{username}/shots']!
  const { examples } = Object.values(get.responses[200].content)[0]!
  for (const scheme of ['https', 'http'] as const)
    expect(examples[scheme]!.value).toMatchObject({
      Shots: [{ image: `${assets[scheme]}/shots/poster.png` }],
    })
})

test('has patterns that RE2 reads: no look-around, no reference back', () => {
  const text = JSON.stringify(documentOf(exampleSite))
  const patterns = captured(text, /"pattern":("(?:[^"\\]|\\.)*")/g)
  expect(patterns.length).toBeGreaterThan(20)
  for (const pattern of patterns)
    expect(JSON.parse(pattern)).not.toMatch(/\(\?(?!:)|\\[1-9k]/)
})
