import { afterAll, expect, test } from 'vitest'
import { hosts } from '../../scripts/hosts/hosts.ts'
import { expectRefusal, runIn } from '../processes.ts'
import { sandbox } from '../sandbox.ts'
import { rowsOf, texts } from '../tables.ts'

const folder = sandbox(
  {
    'content/site.yaml': 'base_url: https://api.example.com/v1/\nprecompress: [gzip]\n',
    'wrong/site.yaml': 'base: https://api.example.com\n',
  },
  afterAll,
)

const host = (line = '') => runIn(folder, `host ${line}`)

test('without a name every host is listed with what it can do and what not, on one screen of 80 by 24', () => {
  const { status, stdout, stderr } = host()
  expect(status).toBe(0)
  const lines = stdout.trimEnd().split('\n')
  expect(lines.filter((line) => line.length > 80)).toEqual([])
  // and a line for what is typed next
  expect(lines.length + stderr.trimEnd().split('\n').length).toBeLessThanOrEqual(24)
  const [head, ...rows] = lines.map((line) => line.split(/ +/))
  expect(rows.map(([name]) => name)).toEqual(hosts.map(({ name }) => name))
  const can = (name: string) => {
    const row = rows.find(([first]) => first === name)!
    return Object.fromEntries(head!.map((column, i) => [column, row[i]]))
  }
  expect(can('nginx')).toMatchObject({
    config: 'proved',
    https: 'yes',
    http: 'yes',
    path: 'yes',
    404: 'yes',
  })
  expect(can('netlify')).toMatchObject({
    https: 'yes',
    http: 'no',
    404: 'part',
    OPTIONS: 'no',
  })
  expect(can('azure-static-web-apps')).toMatchObject({
    config: 'impossible',
    https: 'no',
    path: 'no',
  })
})

test('the config takes name, path and encodings from site.yaml', () => {
  const { status, stdout } = host('nginx --root /srv/shots --http 8080')
  expect(status).toBe(0)
  for (const part of texts(
    'server_name api.example.com;¦/v1(?<shotpress_path_0>/api/username/¦gzip_static on;',
    'root "/srv/shots";¦listen [::]:8080;',
  ))
    expect(stdout).toContain(part)
})

test.each(['nginx', 'caddy'])('%s can stand in front of a store', (name) => {
  const { status, stdout } = host(`${name} --origin https://bucket.example/path/`)
  expect(status).toBe(0)
  expect(stdout).toContain('bucket.example')
  expect(stdout).not.toMatch(/gzip_static|precompressed gzip|Accept-Encoding|^\s*root /m)
})

test('without a site.yaml a name is enough', () => {
  const named = host('caddy --content none --name a.example')
  expect(named).toMatchObject({ status: 0, stderr: '' })
  expectRefusal(host('caddy --content none'), '--name')
})

test.each(
  rowsOf(`
    ngnix → did you mean nginx?
    nginx caddy → unexpected "caddy"
    azure-static-web-apps → there is no config
    lighttpd --origin https://bucket.example → nginx and caddy can stand in front of a store
  `),
)('%j is refused', (line, reason) => expectRefusal(host(line), reason))

test.each(['0', '65536', '0x50'])('a port is no %s', (port) => {
  const message = `--http takes a port, not "${port}"\n  hint: write a number from 1 to 65535\n`
  expectRefusal(host(`nginx --http ${port}`), message)
})

test('a site.yaml that is wrong is said to be', () =>
  expectRefusal(host('nginx --content wrong'), 'npx shotpress check'))
