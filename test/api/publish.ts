import fs from 'node:fs'
import { renderRoute } from '../../scripts/api/records.ts'
import { routes, type Variant } from '../../scripts/api/routes.ts'
import { createLoader } from '../../scripts/content/load.ts'
import type { Reader } from '../../scripts/content/read/read-file.ts'
import { compileMember, createTools } from '../../scripts/snapshot/compile.ts'

/** A member's files: the text of profile.yaml, and those of the shots in the order in which they are read. */
type MemberFiles = { readonly profile: string; readonly shots?: readonly string[] }

/** The bodies that clients get of a member in one variant, as text. */
type Bodies = { readonly user: string; readonly shots: string }

/** What becomes of a member's files, by all that a build does but for the disk. */
export const publish = (
  { profile, shots = [] }: MemberFiles,
  siteText = 'base_url: https://api.example.com\n',
): Readonly<Record<Variant, Bodies>> => {
  const source = { file: 'site.yaml', text: siteText }
  const site = loader.loadSite(source).value!
  const names = shots.map((_, index) => `${index}.yaml`)
  const texts = new Map([
    ['profile.yaml', profile],
    ...names.map((name, index) => [name, shots[index]!] as const),
  ])
  const read: Reader = (below) => {
    const file = below.split('/').at(-1)!
    return { oid: '', source: { file, text: texts.get(file)! } }
  }
  const stats = [...texts].map(() => new fs.Stats())
  const { member, diagnostics } = compileMember(
    { username: 'ana', profile: 'profile.yaml', shots: names, stats, pictures: [], diagnostics: [] },
    { ...createTools({ content: { path: 'content', name: 'content' }, site, source, loader }), read },
  )
  if (member === undefined) throw new Error(JSON.stringify(diagnostics))
  const bodies = (variant: Variant) =>
    Object.fromEntries(
      routes.map((route) => [route.name, renderRoute(route, variant, member, site)]),
    ) as Bodies
  return { https: bodies('https'), http: bodies('http') }
}

const loader = createLoader({ hostNames: [] })
