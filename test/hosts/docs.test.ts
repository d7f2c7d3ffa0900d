import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { hosts } from '../../scripts/hosts/hosts.ts'
import { hostFacts, hostOptions } from './options.ts'

/** The sections of both pages by heading. */
const sections = new Map(
  ['servers', 'managed']
    .flatMap((page) => readFileSync(`docs/hosting/${page}.md`, 'utf8').split(/^## /m).slice(1))
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
)

test.each(hosts)('the docs have a section on $name, which says what it cannot do', (host) => {
  const { cannot, limits = {} } = host
  const section = sections.get(host.name)
  for (const phrase of cannot) expect(section).toContain(`\n- ${phrase}\n`)
  for (const count of [limits.files, limits.rules])
    if (count !== undefined) expect(section).toContain(String(count).replace(/(\d)(\d{3})$/, '$1,$2'))
  if (limits.fileBytes !== undefined) expect(section).toMatch(/\d+ (GB|MB|MiB) (a file|an object)/)
})

test.each(hosts.filter(({ config, files }) => config ?? files))('the files for $name say it, too', (host) => {
  for (const schemes of [['https', 'http'], ['https']] as const) {
    const texts = [
      ...(host.config === undefined ? [] : [host.config(hostOptions({ schemes }))]),
      ...(host.files?.(hostFacts({ schemes })) ?? []).map(({ text }) => text),
    ].filter((text) => /^(?:#|\/\/)/.test(text))
    for (const text of texts) {
      for (const phrase of host.cannot) expect(text).toContain(` - ${phrase}\n`)
      expect(text.includes(`Clients over http get ${host.overHttp}.`)).toBe(schemes.length === 1)
    }
  }
})
