import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { apache } from '../../scripts/hosts/servers/apache.ts'
import { caddy } from '../../scripts/hosts/servers/caddy.ts'
import { htaccess } from '../../scripts/hosts/servers/htaccess.ts'
import { lighttpd } from '../../scripts/hosts/servers/lighttpd.ts'
import { nginx } from '../../scripts/hosts/servers/nginx.ts'
import { hostOptions } from './servers/options.ts'

const servers = [nginx, caddy, apache, htaccess, lighttpd]
const sections = readFileSync('docs/hosting/servers.md', 'utf8').split(/^## /m).slice(1)

test.each(servers)('the docs and the file say what $name cannot do, in the same words', (host) => {
  const options = hostOptions({})
  const file = host.config?.(options) ?? host.files!({ ...options, siteRoutes: [], usernames: [] })[0]!.text
  const section = sections.find((section) => section.startsWith(`${host.name}\n`))
  for (const phrase of host.cannot) {
    expect(section).toContain(`\n- ${phrase}\n`)
    expect(file).toContain(`\n# - ${phrase}\n`)
  }
})
