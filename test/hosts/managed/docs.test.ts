import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { cloudflare } from '../../../scripts/hosts/managed/cloudflare.ts'
import { cloudflareR2 } from '../../../scripts/hosts/managed/cloudflare-r2.ts'
import { cloudfront } from '../../../scripts/hosts/managed/cloudfront.ts'
import { documented } from '../../../scripts/hosts/managed/documented.ts'
import { fastly } from '../../../scripts/hosts/managed/fastly.ts'
import { firebase } from '../../../scripts/hosts/managed/firebase.ts'
import { netlify } from '../../../scripts/hosts/managed/netlify.ts'
import { serve } from '../../../scripts/hosts/managed/serve.ts'
import { vercel } from '../../../scripts/hosts/managed/vercel.ts'

const hosts = [cloudflare, cloudflareR2, cloudfront, fastly, netlify, firebase, vercel, serve, ...documented]

/** The sections of the page by heading. */
const sections = new Map(
  readFileSync(new URL('../../../docs/hosting/managed.md', import.meta.url), 'utf8')
    .split(/^## /m)
    .slice(1)
    .map((section) => [section.slice(0, section.indexOf('\n')), section]),
)

describe('docs/hosting/managed.md', () => {
  it('has one section for each managed host, in the order of the list', () => {
    expect([...sections.keys()]).toEqual(hosts.map((host) => host.name))
  })

  it.each(hosts)('says what $name cannot do, in the same words', ({ name, cannot }) => {
    for (const phrase of cannot) expect(sections.get(name)).toContain(`\n- ${phrase}\n`)
  })

  it.each(documented)('says what $name can do', ({ name, can }) => {
    for (const phrase of can) expect(sections.get(name)).toContain(`\n- ${phrase}\n`)
  })

  it.each(hosts)('gives the figures of $name that the build warns at', ({ name, limits = {} }) => {
    const { files, rules, fileBytes } = limits
    for (const count of [files, rules]) {
      if (count !== undefined)
        expect(sections.get(name)).toContain(String(count).replace(/(\d)(\d{3})$/, '$1,$2'))
    }
    if (fileBytes !== undefined) expect(sections.get(name)).toMatch(/\d+ (GB|MB|MiB) (a file|an object)/)
  })
})

describe('a documented host', () => {
  it.each(documented)('has no files of ours: $name', (host) => {
    expect(host).not.toHaveProperty('config')
    expect(host).not.toHaveProperty('files')
  })
})
