import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { usernamePattern } from '../../scripts/api/routes.ts'
import { firebase } from '../../scripts/hosts/firebase.ts'
import { pathRules } from '../../scripts/hosts/host.ts'
import { netlify } from '../../scripts/hosts/netlify.ts'
import { hostFacts } from './options.ts'

const username = fc.stringMatching(new RegExp(`^${usernamePattern}$`))
const basePath = fc.webPath().map((path) => new URL(`https://h${path}`).pathname.replace(/\/+$/, ''))

describe('names in generated files', () => {
  it('stay one rule of three words each on Netlify, whatever the username', () => {
    fc.assert(
      fc.property(fc.uniqueArray(username), (usernames) => {
        const [redirects] = netlify.files!(hostFacts({ siteRoutes: [], usernames }))
        const rules = redirects!.text.split('\n').filter((line) => !/^(#|$)/.test(line))
        expect(rules).toHaveLength(2 * usernames.length + 2)
        for (const rule of rules) expect(rule).toMatch(/^\/[A-Za-z0-9._/:*-]+ \/[A-Za-z0-9._/:-]+ [0-9]{3}!$/)
      }),
    )
  })

  it('match their own path alone on Firebase', () => {
    fc.assert(
      fc.property(username, username, (name, other) => {
        const [config] = firebase.files!(hostFacts({ siteRoutes: [], usernames: [name] }))
        const [user] = JSON.parse(config!.text).hosting.rewrites
        const matches = (path: string): boolean => new RegExp(user.regex).test(path)
        expect(matches(`/api/username/${name}`)).toBe(true)
        expect(matches(`/api/username/${other}`)).toBe(name === other)
      }),
    )
  })

  it('are found below any path of base_url, which is read as plain text', () => {
    fc.assert(
      fc.property(basePath, basePath, username, (path, other, name) => {
        const route = new RegExp(pathRules(path)[0]!.pattern)
        expect(route.exec(`${path}/api/username/${name}/shots/`)?.[1]).toBe(`/api/username/${name}/shots`)
        expect(route.test(`${other}/api/username/${name}`)).toBe(path === other)
      }),
    )
  })
})
