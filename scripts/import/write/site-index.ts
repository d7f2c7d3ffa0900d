import { names } from '../../content/layout.ts'
import { salvageProfile, salvageShot } from '../../content/member.ts'
import type { Data, Mapping } from '../../content/parse/data.ts'
import { parse } from '../../content/parse/parse.ts'
import { quickParse } from '../../content/parse/quick.ts'
import { scanMember } from '../../content/read/scan.ts'
import { foldUsername } from '../../content/username.ts'
import { findEntry } from '../../files/folder.ts'
import type { ContentSite } from './content-site.ts'

/** Who has which id or name on the whole site. It is made when it is first asked, as most imports never ask. */
export type SiteIndex = {
  /** The member that has this member id, an alias included. */
  readonly memberWithId: (id: string) => string | undefined
  readonly memberWithAlias: (alias: string) => string | undefined
  /** Why a new member can't have a name, in words. */
  readonly whyTaken: (name: string) => string | undefined
  /** The member that has a shot of this id. */
  readonly ownerOf: (id: string) => string | undefined
  readonly shotWithToken: (token: string) => string | undefined
  readonly addMember: (username: string, id: string) => void
  readonly addShot: (username: string, shot: { readonly id: string; readonly token: string }) => void
  /** Gives a shot another token, so that the old one is free. */
  readonly changeToken: (id: string, token: string) => void
}

export const createIndex = (found: ContentSite, tokenOf: (id: string) => string): SiteIndex => {
  const profiles = lazy(() => indexProfiles(found))
  const shots = lazy(() => indexShots(found, tokenOf))
  return {
    memberWithId: (id) => profiles().ids.get(id),
    memberWithAlias: (alias) => profiles().aliases.get(alias),
    whyTaken: (name) => {
      const other = profiles().folded.get(foldUsername(name))
      if (other !== undefined) return `the member "${other}" has that name, or an alias like it`
      if (found.isReserved(name)) return 'the name is reserved in site.yaml'
      const path = `${names.members}/${name}`
      const isInTheWay = findEntry(found.content.path, path)?.isDirectory() === false
      return isInTheWay ? `"${found.content.name}/${path}" is a file or a link` : undefined
    },
    ownerOf: (id) => shots().owners.get(id),
    shotWithToken: (token) => shots().tokens.get(token),
    addMember: (username, id) => {
      found.members.add(username)
      profiles().ids.set(id, username)
      profiles().folded.set(foldUsername(username), username)
    },
    changeToken: (id, token) => {
      const { tokens, held } = shots()
      const old = held.get(id)
      if (old !== undefined && tokens.get(old) === id) tokens.delete(old)
      tokens.set(token, id)
      held.set(id, token)
    },
    addShot: (username, { id, token }) => {
      const { owners, tokens, held } = shots()
      owners.set(id, username)
      tokens.set(token, id)
      held.set(id, token)
    },
  }
}

const lazy = <T>(make: () => T): (() => T) => {
  let made: { readonly value: T } | undefined
  return () => {
    made ??= { value: make() }
    return made.value
  }
}

const indexProfiles = ({ content, read, members }: ContentSite) => {
  const [ids, aliases, folded] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ]
  for (const username of members) {
    folded.set(foldUsername(username), username)
    const { profile } = scanMember(username, content)
    const path = `${names.members}/${username}/${profile}`
    const { source } = profile === undefined ? {} : read(path)
    if (source === undefined) continue
    const facts: { readonly id?: string | undefined; readonly aliases?: readonly string[] | undefined } =
      salvageProfile(parse(source))
    if (facts.id !== undefined) ids.set(facts.id, username)
    for (const alias of facts.aliases ?? []) {
      aliases.set(alias, username)
      folded.set(foldUsername(alias), username)
    }
  }
  return { ids, aliases, folded }
}

/** Of each shot its member and its token, and of each token its shot. */
const indexShots = ({ content, read, members }: ContentSite, tokenOf: (id: string) => string) => {
  const [owners, tokens, held] = [
    new Map<string, string>(),
    new Map<string, string>(),
    new Map<string, string>(),
  ]
  for (const username of members) {
    for (const name of scanMember(username, content).shots) {
      const path = `${names.members}/${username}/${names.shots}/${name}`
      const { source } = read(path)
      if (source === undefined) continue
      const quick = quickParse(source.text)
      const { id, token_id } = isPlain(quick) ? quick : salvageShot(parse(source))
      if (id === undefined) continue
      owners.set(id, username)
      const token = token_id || tokenOf(id)
      tokens.set(token, id)
      held.set(id, token)
    }
  }
  return { owners, tokens, held }
}

type Ids = { readonly id?: string; readonly token_id?: string }

const isPlain = (data: Data | undefined): data is Mapping & Ids =>
  typeof data === 'object' && !Array.isArray(data) && typeof (data as Mapping).id === 'string'
