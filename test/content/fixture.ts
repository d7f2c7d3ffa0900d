import fs from 'node:fs'
import type { Source } from '../../scripts/content/load.ts'
import { createLoader } from '../../scripts/content/load.ts'
import { parse } from '../../scripts/content/parse/parse.ts'
import { checkCounts, checkShot, diagnoseIn } from '../../scripts/content/rules.ts'
import { byPlace, type Diagnostic } from '../../scripts/problems/diagnostic.ts'

/** One folder a code: a tiny content tree, and what is to be told of it. */
export const fixtures = new URL('../fixtures/diagnostics/', import.meta.url)

export const expected = (code: string): unknown =>
  JSON.parse(fs.readFileSync(new URL(`${code}/expected.json`, fixtures), 'utf8'))

/** What the files of a fixture break by themselves and beside their member's, in the order of places. */
export const diagnosticsOf = (code: string): readonly Diagnostic[] => {
  const root = new URL(`${code}/`, fixtures)
  const source = (file: string): Source => ({ file, text: fs.readFileSync(new URL(file, root), 'utf8') })
  const { loadSite, loadProfile, loadShot } = createLoader({
    hostNames: [{ name: 'nginx' }, { name: 'netlify' }],
  })
  const site = loadSite(source('content/site.yaml'))
  const members = fs.readdirSync(new URL('content/members/', root)).flatMap((username) => {
    const folder = `content/members/${username}`
    const profileSource = source(`${folder}/profile.yaml`)
    const profile = loadProfile(profileSource, site.value)
    const shots = fs.readdirSync(new URL(`${folder}/shots/`, root)).map((name) => {
      const shotSource = source(`${folder}/shots/${name}`)
      return { source: shotSource, ...loadShot(shotSource, site.value) }
    })
    const published = shots.filter(({ value }) => value?.draft === false).length
    return [
      ...profile.diagnostics,
      ...shots.flatMap(({ diagnostics }) => diagnostics),
      ...(profile.value ? checkCounts(profile.value, published) : []).map((violation) =>
        diagnoseIn(parse(profileSource), violation),
      ),
      ...shots.flatMap(({ source, value }) =>
        profile.value && value
          ? checkShot(value, profile.value).map((violation) => diagnoseIn(parse(source), violation))
          : [],
      ),
    ]
  })
  return [...site.diagnostics, ...members].sort(byPlace)
}
