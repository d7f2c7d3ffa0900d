import { createLoader } from '../../scripts/advice/loader.ts'
import { renderRoute } from '../../scripts/api/records.ts'
import { routes, type Variant } from '../../scripts/api/routes.ts'
import { openFile } from '../../scripts/content/read/open.ts'
import type { Reader } from '../../scripts/content/read/read-file.ts'
import { compileMember, createTools } from '../../scripts/snapshot/compile.ts'
import { siteYaml } from '../site.ts'

/**
 * A member's files: the text of profile.yaml, and those of the shots in the order in which
 * they are read.
 */
type MemberFiles = { readonly profile: string; readonly shots?: readonly string[] }

/** The bodies that clients get of a member in one variant, as text. */
type Bodies = { readonly user: string; readonly shots: string }

/** What becomes of a member's files, by all that a build does but for the disk. */
export const publish = ({ profile, shots = [] }: MemberFiles) => {
  const source = { file: 'site.yaml', text: siteYaml }
  const site = loader.loadSite(source).value!
  const texts = [profile, ...shots]
  const read: Reader = (file) => ({
    oid: '',
    source: { file, text: texts[Number.parseInt(file, 10)]! },
  })
  const tools = {
    ...createTools({ content: { path: 'content', name: 'content' }, site, source, loader }),
    read,
  }
  const files = {
    username: 'ana',
    profile: openFile('profile', '0.yaml', tools),
    shots: shots.map((_, index) => openFile('shot', `${index + 1}.yaml`, tools)),
    pictures: [],
    diagnostics: [],
  }
  const { member, diagnostics } = compileMember(files, tools)
  if (member === undefined) throw new Error(JSON.stringify(diagnostics))
  const bodies = (variant: Variant) =>
    Object.fromEntries(
      routes.map((route) => [route.name, renderRoute(route, variant, member, site)]),
    ) as Bodies
  return { https: bodies('https'), http: bodies('http') }
}

const loader = createLoader()
