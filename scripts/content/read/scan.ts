import fs from 'node:fs'
import path from 'node:path'
import { lstatOf } from '../../files/folder.ts'
import { createFingerprint } from '../../files/stats.ts'
import { type Diagnostic, fileStart, UserError } from '../../problems/diagnostic.ts'
import { diagnose } from '../../problems/messages.ts'
import { suggest } from '../../text/suggest.ts'
import {
  type ContentFolder,
  type Groups,
  groupOf,
  hasStem,
  isCopy,
  isLeftAlone,
  isYaml,
  memberFolder,
  names,
  stemOf,
  yamlName,
} from '../layout.ts'
import { byPath, foldUsername, isUntidy, isUsername, meantUsername } from '../username.ts'
import { leadsThroughLink } from './read-file.ts'
import {
  at,
  type Folder,
  hasFile,
  inside,
  inTheWay,
  type PictureFile,
  tellStray,
  tellStrays,
} from './strays.ts'

// What belongs to the content comes first; then what is told of everything else that lies there.

/** The files of one member that will be read, and what is wrong with the tree around them. */
export type Scan = {
  readonly username: string
  /** Name of the profile's file; `undefined` if there is none. */
  readonly profile: string | undefined
  /** Names of the files in `shots/`, sorted by code unit. */
  readonly shots: readonly string[]
  /** Bytes. */
  readonly sizes: { readonly profile: number; readonly shots: readonly number[] }
  /** Fingerprint of all these files, as far as stat shows them; empty if it must not be kept. */
  readonly stat: string
  /** All pictures in the member's folder and below it, named or not; sorted by path. */
  readonly pictures: readonly PictureFile[]
  readonly diagnostics: readonly Diagnostic[]
}

/**
 * The name of site.yaml as it stands in the folder; `undefined` if there is none, which
 * others that are told may explain.
 */
export const findSite = (content: ContentFolder, others: readonly Diagnostic[] = []) => {
  const diagnostics: Diagnostic[] = []
  const found = [`${names.site}.yaml`, `${names.site}.yml`].filter((name) => {
    const stat = lstatOf(`${content.path}/${name}`)
    if (stat?.isFile() === false) diagnostics.push(inTheWay(at(content, name), stat))
    return stat?.isFile()
  })
  const missing = diagnose('missing-site', at(content, `${names.site}.yaml`), undefined)
  const all = [...diagnostics, ...unlessOne(found, missing, [...diagnostics, ...others])]
  return { name: found[0], diagnostics: all }
}

/**
 * What to tell of a file that must be there once: that it is missing, if nothing that is told
 * explains it, or a twin.
 */
const unlessOne = (
  [name, twin]: readonly string[],
  missing: Diagnostic,
  told: readonly Diagnostic[],
): readonly Diagnostic[] => {
  const { dir, name: stem } = path.posix.parse(missing.file)
  if (name !== undefined && twin !== undefined) {
    const place = { file: `${dir}/${twin}`, ...fileStart }
    return [diagnose('twin-files', place, { name: twin, twin: name })]
  }
  // a file that is not read, such as a link or `profil.yaml`
  const explains = ({ file, hint }: Diagnostic): boolean =>
    (path.posix.dirname(file) === dir &&
      suggest(stemOf(yamlName(path.posix.basename(file))), [stem]) !== undefined) ||
    hint?.includes(`"${missing.file}"`) === true
  return name === undefined && !told.some(explains) ? [missing] : []
}

/** The members' folders, sorted as their paths are, and what is wrong with the tree around them. */
export const listMembers = (content: ContentFolder) => {
  const diagnostics: Diagnostic[] = []
  const members: string[] = []
  const { groups = 0 } = content
  const folder: Folder = { content, below: names.members, role: 'members', told: diagnostics }
  const add = (username: string, below: string): void => {
    if (below === memberFolder(username, content)) members.push(username)
    else diagnostics.push(misplaced(username, below, content))
  }
  /** Takes a folder of members/ for a member, or for a group of them. */
  const look = (name: string): void => {
    const below = inside(folder, name)
    const hasProfile = () => hasFile(content, `${below}/${names.profile}`)
    // shots beside their members are nobody's
    const areShots = name === names.shots && foldersIn(content, below).length === 0
    const isMember = groups > 0 || areShots ? hasProfile() : !mayBeGroup(content, name)
    if (isMember) add(name, below)
    else
      tellStrays(
        { ...folder, below },
        takeFolders((member) => add(member, `${below}/${member}`)),
      )
  }
  tellStrays(
    { ...folder, below: '', role: 'content' },
    ({ name }) => name === names.members || hasStem(name, names.site),
  )
  const place = at(content, names.members)
  const stat = lstatOf(`${content.path}/${names.members}`)
  if (stat?.isDirectory() === false) return { members, diagnostics: [inTheWay(place, stat)] }
  if (stat) tellStrays(folder, takeFolders(look))
  members.sort(byPath)
  // members in the wrong place have been reported already
  if (members.length === 0 && diagnostics.length === 0)
    diagnostics.push(diagnose('no-members', place, undefined))
  return { members, diagnostics: [...diagnostics, ...clashes(members, content)] }
}

const takeFolders =
  (take: (name: string) => void) =>
  (entry: fs.Dirent): boolean => {
    const isFolder = entry.isDirectory() && !entry.name.includes('\ufffd')
    if (isFolder) take(entry.name)
    return isFolder
  }

/** How members are grouped where site.yaml can't tell: by the folders in which profiles lie. */
export const guessGroups = (content: ContentFolder): Groups => {
  const folders = foldersIn(content, names.members)
  const areGroups = folders.every((name) => mayBeGroup(content, name))
  return areGroups ? ((folders[0]?.length ?? 0) as Groups) : 0
}

/**
 * Whether a folder of members/ is no member, but holds some, as where a site gives up its
 * groups.
 */
const mayBeGroup = (content: ContentFolder, name: string): boolean => {
  const below = `${names.members}/${name}`
  const isMember = (member: string): boolean =>
    groupOf(member, name.length as Groups) === name &&
    !isLeftAlone(member) &&
    hasFile(content, `${below}/${member}/${names.profile}`)
  return (
    /^[a-z0-9_]{1,2}$/.test(name) &&
    !hasFile(content, `${below}/${names.profile}`) &&
    foldersIn(content, below).some(isMember)
  )
}

const foldersIn = (content: ContentFolder, below: string): readonly string[] => {
  const folder = `${content.path}/${below}`
  const entries = fs.existsSync(folder) ? fs.readdirSync(folder, { withFileTypes: true }) : []
  return entries.filter((one) => one.isDirectory()).map(({ name }) => name)
}

const misplaced = (username: string, below: string, content: ContentFolder): Diagnostic => {
  const fix = memberFolder(username, content)
  const args = { username, target: at(content, fix).file }
  return { ...diagnose('misplaced-member', at(content, below), args), fix }
}

/** Lists a member's folder, by a name from anywhere. No file is opened and no link is followed. */
export const scanMember = (username: string, content: ContentFolder): Scan => {
  const below = memberFolder(username, content)
  if (leadsThroughLink(content.path, below)) {
    throw new UserError(`${content.path}/${below} leads through a symbolic link`, {
      hint: 'put the folder itself there',
    })
  }
  return scanListed(username, content)
}

/** The same of a member that {@link listMembers} found: whether links lead there is known. */
export const scanListed = (username: string, content: ContentFolder): Scan => {
  const below = memberFolder(username, content)
  const told = [...checkName(username, content)]
  const pictures: PictureFile[] = []
  const folder: Folder = { content, below, role: 'member', told, pictures }
  const profiles: string[] = []
  let hasShots = false
  tellStrays(folder, (entry) => {
    const isShots = entry.isDirectory() && entry.name === names.shots
    const isProfile = entry.isFile() && hasStem(entry.name, names.profile)
    hasShots ||= isShots
    if (isProfile) profiles.push(entry.name)
    return isShots || isProfile
  })
  const [profile] = profiles.sort()
  const print = createFingerprint()
  const shots: string[] = []
  const sizes: number[] = []
  if (hasShots)
    for (const { name, stat } of scanShots({
      ...folder,
      below: inside(folder, names.shots),
    })) {
      shots.push(name)
      sizes.push(stat.size)
      print.add(stat)
    }
  const own =
    profile === undefined ? undefined : fs.lstatSync(`${content.path}/${below}/${profile}`)
  if (own) print.add(own)
  pictures.sort((a, b) => (a.path < b.path ? -1 : 1))
  for (const { stat } of pictures) print.add(stat)
  const place = at(content, `${below}/${names.profile}.yaml`)
  const missing =
    profiles.length === 1
      ? []
      : unlessOne(
          profiles,
          diagnose('missing-profile', place, {
            username,
            isEmpty: shots.length + told.length === 0,
          }),
          told,
        )
  return {
    username,
    profile,
    shots,
    sizes: { profile: own?.size ?? 0, shots: sizes },
    stat: print.hasSettled() ? print.of(fileNames({ profile, shots, pictures })) : '',
    pictures,
    diagnostics: [...told, ...missing],
  }
}

/** Names of a member's files in a fixed order. */
export const fileNames = ({
  profile = '',
  shots,
  pictures,
}: Pick<Scan, 'profile' | 'shots' | 'pictures'>): string =>
  [profile, ...shots, ...pictures.map(({ path }) => path)].join('/')

const checkName = (username: string, content: ContentFolder): readonly Diagnostic[] => {
  const place = at(content, memberFolder(username, content))
  if (isUsername(username))
    return isUntidy(username) ? [diagnose('untidy-username', place, { username })] : []
  const better = meantUsername(username)
  const copy = isCopy(username) ? ', or remove it, if nobody needs that copy' : ''
  const advice = isUsername(better) ? `rename the folder to "${better}"${copy}` : undefined
  return [diagnose('bad-username', place, { value: username, advice })]
}

/** The hot loop of a build in which nothing changed: one listing, and one stat for each name. */
function* scanShots(
  folder: Folder,
): Generator<{ readonly name: string; readonly stat: fs.Stats }> {
  const place = `${folder.content.path}/${folder.below}`
  for (const name of fs.readdirSync(place).sort()) {
    const stat = lstatOf(`${place}/${name}`)
    if (stat?.isFile() && isYaml(name) && !isLeftAlone(name)) yield { name, stat }
    else if (stat !== undefined || name.includes('\ufffd'))
      tellStray({ ...folder, role: 'shots' }, name, stat)
  }
}

const clashes = (members: readonly string[], content: ContentFolder): Diagnostic[] => {
  const placeOf = (username: string) => at(content, memberFolder(username, content))
  const first = new Map<string, string>()
  return members.flatMap((username) => {
    const other = first.get(foldUsername(username)) ?? username
    first.set(foldUsername(username), other)
    const related = [{ ...placeOf(other), message: 'the other one' }]
    return other === username
      ? []
      : [diagnose('username-clash', placeOf(username), { username, other }, related)]
  })
}
